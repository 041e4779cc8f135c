// One game of self-play in progress: when it begins, what each of its searches may spend, which move is played, and
// what is recorded. All that is random in it comes from streams of the game and the ply.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "game.h"
#include "rng.h"
#include "search/search.h"
#include "selfplay/any_generator.h"
#include "selfplay/params.h"
#include "selfplay/sample.h"
#include "selfplay/trace.h"
#include "value.h"

namespace c4 {

// Falls linearly from the start of the game to temperature_plies.
inline double TemperatureAt(const SearchParams& params, int ply) {
  if (ply >= params.temperature_plies) return params.temperature_end;
  const double share = static_cast<double>(ply) / params.temperature_plies;
  return params.temperature_start + (params.temperature_end - params.temperature_start) * share;
}

// Of the policy target: a constant, or that of the move choice.
inline double TargetTemperatureAt(const SearchParams& params, int ply) {
  return params.policy_target_temperature.value_or(TemperatureAt(params, ply));
}

// What a stream decides. Part of every stream's name, so that decisions do not depend on one another.
enum class Purpose : std::uint64_t { kOpening, kFullSearch, kNoise, kMove, kRecordFast };

template <Game G>
struct Slot {
  GameRecord record;
  std::vector<Sample<G>> samples;
  bool searching = false;  // the search of the present ply has been given its budget
  bool full = false;       // ... which is the full one
  bool finished = false;
  bool resting = false;  // no game is left for this place

  Rng Stream(std::uint64_t seed, int ply, Purpose purpose) const {
    return Rng(HashIds(seed, record.game_id, ply, static_cast<std::uint64_t>(purpose)));
  }

  void BeginGame(Search<G>& search, std::int64_t game_id, std::uint64_t seed, const SelfplayParams& params,
                 const Openings& openings) {
    *this = Slot{};
    record.game_id = game_id;
    Rng rng = Stream(seed, /*ply=*/0, Purpose::kOpening);
    const bool from_book = rng.Uniform() < params.book_probability;
    const bool at_random = rng.Uniform() < params.random_opening_probability;
    G state;
    if (from_book && !openings.empty()) {
      for (const std::uint8_t action : openings[rng.Below(static_cast<std::uint32_t>(openings.size()))]) {
        PlayOpening(state, action);
      }
    } else if (at_random) {
      const auto plies = rng.Below(static_cast<std::uint32_t>(params.random_opening_plies) + 1);
      for (std::uint32_t i = 0; i < plies; ++i) {
        std::uint8_t legal[G::kActions];
        const int count = state.LegalActions(legal);
        G next = state;
        const std::uint8_t action = legal[rng.Below(static_cast<std::uint32_t>(count))];
        next.Play(action);
        if (next.IsTerminal()) break;  // an opening leaves something to play
        PlayOpening(state, action);
      }
    }
    search.Reset(state, record.actions);
  }

  void BeginMove(Search<G>& search, std::uint64_t seed, const SearchParams& search_params,
                 const SelfplayParams& params) {
    const int ply = search.root().Ply();
    full = Stream(seed, ply, Purpose::kFullSearch).Uniform() < params.full_search_probability;
    if (full) MakeNoise(search, Stream(seed, ply, Purpose::kNoise), search_params);
    search.AddBudget(full ? search_params.num_simulations : params.fast_simulations);
    searching = true;
  }

  // Precondition: the search is done.
  void FinishMove(Search<G>& search, std::uint64_t seed, const SearchParams& params, const SelfplayParams& selfplay,
                  std::int32_t weights_version) {
    const NodePool& pool = search.pool();
    const Node& root = pool[0];
    const int ply = search.root().Ply();
    const bool proven = params.proven_results && root.settled();
    const Value root_value = search.RootValue(params);
    if (full || Stream(seed, ply, Purpose::kRecordFast).Uniform() < selfplay.record_fast) {
      Sample<G>& sample = samples.emplace_back();
      search.root().Pack(sample.packed.data());
      sample.policy.fill(0.0f);
      if (full) {
        const std::vector<float> target = search.Policy(params, TargetTemperatureAt(params, ply));
        for (std::size_t i = 0; i < target.size(); ++i) sample.policy[pool[root.first_child + i].action] = target[i];
        sample.surprise = Surprise(&pool[root.first_child], target);
      }
      sample.root_value = root_value;
      sample.ply = static_cast<std::int16_t>(ply);
      sample.weights_version = weights_version;
      sample.game_id = record.game_id;
    }
    const int best = search.BestChild(params);
    const int chosen =
        search.SampleChild(params, TemperatureAt(params, ply), Stream(seed, ply, Purpose::kMove).Uniform());
    record.best.push_back(pool[root.first_child + best].action);
    const bool worse =
        IsWorse(pool[root.first_child + chosen], pool[root.first_child + best], selfplay.trace_tolerance);
    record.flags.push_back(static_cast<std::uint8_t>((full ? kFullSearch : 0) | (chosen != best ? kSampledMove : 0) |
                                                     (chosen != best && worse ? kWorseMove : 0) |
                                                     (proven ? kProvenRoot : 0)));
    record.root_values.push_back(root_value);
    const std::uint8_t action = pool[root.first_child + chosen].action;
    record.actions.push_back(action);
    search.Play(action, params);
    searching = false;
    if (search.root().IsTerminal()) FinishGame(search.root(), selfplay, weights_version);
  }

 private:
  static constexpr double kLeastPrior = 1e-12;

  static void MakeNoise(Search<G>& search, Rng rng, const SearchParams& params) {
    std::uint8_t legal[G::kActions];
    std::vector<float> noise(static_cast<std::size_t>(search.root().LegalActions(legal)));
    if (params.root_selection == RootSelection::kGumbel) {
      for (float& entry : noise) entry = static_cast<float>(rng.Gumbel());
      search.SetGumbel(std::move(noise));
    } else if (params.noise_epsilon > 0.0f) {
      rng.Dirichlet(params.dirichlet_alpha, noise);
      search.SetNoise(std::move(noise));
    }
  }

  void PlayOpening(G& state, std::uint8_t action) {
    state.Play(action);
    record.actions.push_back(action);
    record.best.push_back(GameRecord::kNoBest);
    record.flags.push_back(kOpeningPly);
    record.root_values.push_back(0.0f);
  }

  static float Surprise(const Node* children, const std::vector<float>& target) {
    double divergence = 0.0;
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (target[i] <= 0.0f) continue;
      const double prior = std::max(static_cast<double>(children[i].prior), kLeastPrior);
      divergence += target[i] * (std::log(static_cast<double>(target[i])) - std::log(prior));
    }
    return static_cast<float>(divergence);
  }

  static bool IsWorse(const Node& chosen, const Node& best, double tolerance) {
    return chosen.visits == 0 || Flip(chosen.q) < Flip(best.q) - static_cast<float>(tolerance);
  }

  void FinishGame(const G& end, const SelfplayParams& params, std::int32_t weights_version) {
    record.result = ResultOfFirst(end);
    record.weights_version = weights_version;
    std::vector<ValueTrace> traces;
    if (params.value_trace) traces = ValueTraces(record, static_cast<float>(*params.value_trace));
    for (Sample<G>& sample : samples) {
      sample.plies_left = static_cast<std::int16_t>(end.Ply() - sample.ply);
      sample.result = static_cast<std::int8_t>(sample.ply % 2 == 0 ? record.result : FlipResult(record.result));
      const ValueTrace trace =
          params.value_trace ? traces[static_cast<std::size_t>(sample.ply)] : ValueTrace{sample.result, 1.0f, 0.0f};
      sample.outcome = trace.outcome;
      sample.outcome_share = trace.outcome_share;
      sample.bootstrap = trace.bootstrap;
    }
    finished = true;
  }
};

}  // namespace c4
