// Random calls on a generator: batches of any group in any order, weights and knobs changed on the way, states saved,
// restored and damaged. Every game and every sample that comes out is replayed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"
#include "draws.h"
#include "hash_evaluator.h"
#include "sample_params.h"
#include "selfplay/generator.h"

namespace c4::testing {

template <Game G>
void CheckSample(const Sample<G>& sample, const GameRecord& game) {
  G state;
  for (int ply = 0; ply < sample.ply; ++ply) state.Play(game.actions[static_cast<std::size_t>(ply)]);
  std::array<std::uint8_t, G::kPackedBytes> packed{};
  state.Pack(packed.data());
  CHECK(packed == sample.packed);
  CHECK_EQ(sample.plies_left, static_cast<int>(game.actions.size()) - sample.ply);
  CHECK_EQ(sample.result, sample.ply % 2 == 0 ? game.result : -game.result);
  CHECK(std::abs(sample.root_value) <= 1.0001f);
  CHECK_EQ(sample.root_value, game.root_values[static_cast<std::size_t>(sample.ply)]);
  CHECK(sample.outcome_share >= 0.0f && sample.outcome_share <= 1.0f);
  CHECK(std::abs(sample.outcome) <= 1);
  CHECK(std::abs(sample.bootstrap) <= 1.0001f - sample.outcome_share);
  float sum = 0.0f;
  for (int action = 0; action < G::kActions; ++action) {
    const float share = sample.policy[static_cast<std::size_t>(action)];
    CHECK(share == 0.0f || (share > 0.0f && state.IsLegal(action)));
    sum += share;
  }
  const bool full = (game.flags[static_cast<std::size_t>(sample.ply)] & kFullSearch) != 0;
  CHECK(sample.surprise > -1e-4f && sample.surprise < 30.0f && (full || sample.surprise == 0.0f));
  CHECK(std::abs(sum - (full ? 1.0f : 0.0f)) < 1e-4f);
}

template <Game G>
void CheckGame(const GameRecord& game) {
  G state;
  for (std::size_t ply = 0; ply < game.actions.size(); ++ply) {
    CHECK(!state.IsTerminal() && state.IsLegal(game.actions[ply]));
    const bool opening = (game.flags[ply] & kOpeningPly) != 0;
    CHECK_EQ(game.best[ply] == GameRecord::kNoBest, opening);
    CHECK(opening || state.IsLegal(game.best[ply]));
    CHECK_EQ((game.flags[ply] & kSampledMove) != 0, !opening && game.best[ply] != game.actions[ply]);
    CHECK((game.flags[ply] & kWorseMove) == 0 || (game.flags[ply] & kSampledMove) != 0);
    state.Play(game.actions[ply]);
  }
  CHECK(state.IsTerminal());
  CHECK_EQ(game.result, state.Ply() % 2 == 0 ? state.Result() : -state.Result());
}

template <Game G>
class GeneratorFuzzer {
 public:
  explicit GeneratorFuzzer(Draws& draws)
      : draws_(draws),
        params_(AnySelfplay(draws)),
        generator_(Make()),
        planes_(static_cast<std::size_t>(params_.groups)) {}

  void Call() {
    switch (draws_.Below(24)) {
      case 0:
        return Take();
      case 1:
        generator_.SetWeightsVersion(++version_);
        return;
      case 2:
        return ChangeParams();
      case 3:
        return SaveAndRestore();
      case 4:
        return RestoreDamage();
      case 5:
        generator_.SetOpenings({{0}, {1, 2}, {}});
        return;
      default:
        return GatherOrApply(static_cast<int>(draws_.Below(static_cast<std::uint32_t>(params_.groups))));
    }
  }

  void Finish() { Take(); }

 private:
  Generator<G> Make() {
    search_ = AnySearch(draws_);
    return Generator<G>(search_, params_, /*seed=*/draws_.Stream().Next(), {.first = 3, .stride = 2});
  }

  std::vector<std::uint8_t>& Planes(int group) { return planes_[static_cast<std::size_t>(group)]; }

  void GatherOrApply(int group) {
    try {
      Planes(group).resize(static_cast<std::size_t>(generator_.Rows()) * LeafBatch<G>::kPlaneBytes);
      const int rows = generator_.Gather(group, Planes(group).data());
      CHECK(rows <= generator_.Rows());
    } catch (const std::logic_error&) {  // a batch is out already
      generator_.Apply(group, network_.Evaluate(Planes(group), generator_.GroupRows(group)));
      THROWN(std::logic_error, generator_.Apply(group, NetworkOutput{}));
    }
  }

  void ChangeParams() {
    try {
      generator_.SetParams(AnySearch(draws_));
    } catch (const std::logic_error&) {
      for (int group = 0; group < params_.groups; ++group) {
        if (generator_.GroupRows(group) > 0) return;
      }
    }
  }

  // Games and samples of a game are taken together; samples never come before their game.
  void Take() {
    std::map<std::int64_t, GameRecord> games;
    for (GameRecord& game : generator_.TakeGames()) {
      CheckGame<G>(game);
      CHECK_EQ(game.game_id % 2, 1);
      games[game.game_id] = game;
    }
    for (const Sample<G>& sample : generator_.TakeSamples()) CheckSample(sample, games.at(sample.game_id));
  }

  void SaveAndRestore() {
    generator_.SetWeightsVersion(++version_);
    const std::string state = generator_.State();
    generator_.Restore(state);
    CHECK(generator_.State() == state);
  }

  void RestoreDamage() {
    generator_.SetWeightsVersion(++version_);
    const std::string good = generator_.State();
    const std::uint32_t halves = draws_.Below(3);  // of what may be cut off
    const std::uint32_t cut = halves * draws_.Below(static_cast<std::uint32_t>(good.size()) / 2);
    std::string damaged = good.substr(0, good.size() - cut);
    for (std::uint32_t i = 0; i < draws_.Below(4); ++i) {
      damaged[draws_.Below(static_cast<std::uint32_t>(damaged.size()))] = static_cast<char>(draws_.Below(256));
    }
    try {
      generator_.Restore(damaged);
      for (int i = 0; i < 30; ++i) GatherOrApply(i / 2 % params_.groups);
    } catch (const std::invalid_argument&) {
      CHECK(generator_.State() == good);
    }
    generator_.Restore(good);
  }

  Draws& draws_;
  SearchParams search_{};
  SelfplayParams params_;
  Generator<G> generator_;
  HashEvaluator<G> network_;
  std::vector<std::vector<std::uint8_t>> planes_;  // by group
  std::int32_t version_ = 0;
};

template <Game G>
std::uint64_t FuzzGenerator(Draws& draws) {
  GeneratorFuzzer<G> fuzzer(draws);
  const std::uint64_t calls = AnyLength(draws, /*most_bits=*/10);
  for (std::uint64_t call = 0; call < calls && !draws.Ended(); ++call) fuzzer.Call();
  fuzzer.Finish();
  return calls;
}

}  // namespace c4::testing
