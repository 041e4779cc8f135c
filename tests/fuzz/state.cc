// A saved state of a generator, as it may lie on a disk: the generator whose shape it has takes it as it is and plays
// on, or refuses it and has not changed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "registry/runtime.h"
#include "search/params.h"
#include "selfplay/any_generator.h"
#include "selfplay/params.h"
#include "selfplay/saved_state.h"

namespace c4::testing {
namespace {

constexpr int kBatches = 12;  // that a state which was taken is played on for

// A small generator of each game, made once: a state of it is a few hundred bytes long.
class Player {
 public:
  explicit Player(const GameRuntime& game)
      : generator_(game.MakeGenerator({.num_simulations = 3, .leaves_per_batch = 2, .proven_results = true},
                                      {.games_per_group = 2, .value_trace = 0.5}, /*seed=*/1,
                                      {.first = 0, .stride = 1})),
        begun_(generator_->State()),
        planes_(
            static_cast<std::size_t>(generator_->Rows() * game.Info().planes * game.Info().height * game.Info().width)),
        logits_(static_cast<std::size_t>(generator_->Rows() * game.Info().actions)),
        value_(static_cast<std::size_t>(generator_->Rows())),
        plies_left_(value_.size(), 3.0f) {
    for (std::size_t i = 0; i < logits_.size(); ++i) logits_[i] = 0.5f * static_cast<float>(i % 5);
    for (std::size_t i = 0; i < value_.size(); ++i) value_[i] = 0.25f * static_cast<float>(i % 4);
  }

  // Whether a state says that it is of such a generator.
  bool IsOf(std::string_view state) const {
    return state.size() >= kShapeEnd &&
           state.substr(kShape, sizeof(StateShape)) == begun_.substr(kShape, sizeof(StateShape));
  }

  void Run(const std::string& state) {
    try {
      generator_->Restore(state);
    } catch (const std::invalid_argument&) {
      CHECK(generator_->State() == begun_);
      return;
    }
    CHECK(generator_->State() == state);
    PlayOn();
    generator_->Restore(begun_);
  }

 private:
  static constexpr std::size_t kShape = sizeof(std::uint64_t);  // after the magic number
  static constexpr std::size_t kShapeEnd = kShape + sizeof(StateShape);

  void PlayOn() {
    for (int batch = 0; batch < kBatches; ++batch) {
      const int rows = generator_->Gather(/*group=*/0, planes_.data());
      generator_->Apply(
          /*group=*/0,
          {.rows = rows, .policy_logits = logits_.data(), .value = value_.data(), .plies_left = plies_left_.data()});
    }
    generator_->SetWeightsVersion(1);
    const std::string later = generator_->State();
    generator_->Restore(later);
    CHECK(generator_->State() == later);
  }

  std::unique_ptr<AnyGenerator> generator_;
  std::string begun_;
  std::vector<std::uint8_t> planes_;
  std::vector<float> logits_;
  std::vector<float> value_;
  std::vector<float> plies_left_;
};

void Run(const std::string& state) {
  static std::vector<Player> players = [] {
    std::vector<Player> made;
    for (const std::string& name : GameNames()) made.emplace_back(FindGame(name));
    return made;
  }();
  const auto own = std::ranges::find_if(players, [&](const Player& player) { return player.IsOf(state); });
  (own == players.end() ? players.front() : *own).Run(state);
}

}  // namespace
}  // namespace c4::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  c4::testing::Run(std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}
