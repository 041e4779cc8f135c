// What generators.h promises, for one game.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/generators.h"
#include "bindings/position_of.h"
#include "selfplay/generator.h"

namespace c4 {

template <Game G>
class GeneratorsOf final : public Generators {
 public:
  GeneratorsOf(const GameRuntime& game, const SearchParams& search, const SelfplayParams& params, std::uint64_t seed,
               GameIds ids)
      : game_(game), generator_(search, params, seed, ids) {}

  const GameRuntime& Game() const override { return game_; }
  int Groups() const override { return generator_.groups(); }
  int Rows() const override { return generator_.rows(); }
  int Gather(int group, std::uint8_t* planes) override { return generator_.Gather(Checked(group), planes); }
  void Apply(int group, const NetworkOutput& output) override { generator_.Apply(Checked(group), output); }
  std::int64_t SamplesReady() const override { return static_cast<std::int64_t>(generator_.samples().size()); }
  std::vector<GameRecord> TakeGames() override { return generator_.TakeGames(); }
  void SetParams(const SearchParams& params) override { generator_.SetParams(params); }
  void SetWeightsVersion(std::int32_t version) override { generator_.SetWeightsVersion(version); }
  std::string State() const override { return generator_.State(); }
  void Restore(std::string_view state) override { generator_.Restore(state); }

  SampleRecords TakeSamples() override {
    const auto samples = std::make_shared<const std::vector<Sample<G>>>(generator_.TakeSamples());
    return {.owner = samples, .first = samples->data(), .count = samples->size()};
  }

  std::map<std::string, std::int64_t> Stats() const override {
    const GameCounters& games = generator_.counters();
    const SearchCounters searches = generator_.search_counters();
    return {{"games", games.games},
            {"plies", games.plies},
            {"first_wins", games.first_wins},
            {"second_wins", games.second_wins},
            {"draws", games.draws},
            {"samples", games.samples},
            {"simulations", static_cast<std::int64_t>(searches.simulations)},
            {"evaluations", static_cast<std::int64_t>(generator_.evaluations())},
            {"cache_hits", static_cast<std::int64_t>(searches.cache_hits)},
            {"terminal_hits", static_cast<std::int64_t>(searches.terminal_hits)}};
  }

  void SetOpenings(const std::vector<std::vector<int>>& openings) override {
    Openings checked;
    for (const std::vector<int>& opening : openings) {
      Line<G> line;
      for (const int action : opening) line.Play(action);  // throws with the ply and the reason
      if (line.state.IsTerminal()) throw std::invalid_argument("an opening must leave something to play");
      checked.emplace_back(opening.begin(), opening.end());
    }
    generator_.SetOpenings(std::move(checked));
  }

 private:
  int Checked(int group) const {
    if (group >= 0 && group < Groups()) return group;
    throw std::out_of_range("group " + std::to_string(group) + " is not between 0 and " + std::to_string(Groups() - 1));
  }

  const GameRuntime& game_;
  Generator<G> generator_;
};

}  // namespace c4
