// Knobs for tests. They are frozen here: tuning what conf/ ships must not change what a test checks.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "draws.h"
#include "search/params.h"
#include "selfplay/params.h"

namespace c4::testing {

inline SearchParams PlainSearch() {
  return {.cpuct = 4.0f,
          .fpu_reduction = 0.4f,
          .mlh_slope = 0.02f,
          .mlh_cap = 0.15f,
          .noise_epsilon = 0.25f,
          .num_simulations = 24,
          .reuse_tree = true,
          .temperature_start = 1.0,
          .temperature_end = 0.2,
          .temperature_plies = 12};
}

inline SelfplayParams PlainSelfplay() { return {.games_per_group = 4, .fast_simulations = 8, .trace_tolerance = 0.05}; }

// Of a sequence of calls, at most 2^most_bits: mostly short, so that many knobs are drawn, and now and then long. Bytes
// say themselves where they end.
inline std::uint64_t AnyLength(Draws& draws, std::uint32_t most_bits) {
  if (draws.FromBytes()) return std::uint64_t{1} << most_bits;
  return 1 + draws.Below(1u << draws.Below(most_bits + 1));
}

// What is looked for by coverage must take the same way each time: one thread.
inline int AnyThreads(Draws& draws, std::uint32_t most) {
  return draws.FromBytes() ? 1 : static_cast<int>(1 + draws.Below(most));
}

// Any knobs that are allowed, extremes among them.
inline SearchParams AnySearch(Draws& draws) {
  const auto one_of = [&draws](auto... choices) {
    const std::common_type_t<decltype(choices)...> all[] = {choices...};
    return all[draws.Below(sizeof...(choices))];
  };
  SearchParams params;
  SearchParams::ForEach(params, [&](const char*, auto& knob, const auto&...) {
    using Knob = std::remove_reference_t<decltype(knob)>;
    if constexpr (std::is_same_v<Knob, bool>) knob = one_of(false, true);
    if constexpr (std::is_floating_point_v<Knob>) knob = one_of(knob, Knob(0.02), Knob(1.0), Knob(10.0));
  });
  params.cpuct = one_of(0.05f, 1.0f, 4.0f, 20.0f);
  params.noise_epsilon = one_of(0.0f, 0.25f, 1.0f);
  params.discount = one_of(1.0f, 0.99f, 0.5f);
  params.num_simulations = static_cast<int>(1 + draws.Below(48));
  params.leaves_per_batch = one_of(1, 2, 5, 255);
  params.root_selection = one_of(RootSelection::kPuct, RootSelection::kGumbel);
  params.gumbel_considered = one_of(1, 2, 5, 16, 1000);
  params.gumbel_cvisit = one_of(0.0f, 50.0f, 1e4f);
  params.temperature_plies = one_of(0, 6, 30);
  if (draws.Below(2) == 0) params.root_policy_temperature = one_of(0.02f, 1.0f, 10.0f);
  params.policy_target_temperature = one_of(0.0, 1.0, 2.0);
  if (draws.Below(2) == 0) params.policy_target_temperature = std::nullopt;
  params.proof_nodes = one_of(0, 1, 5, 40);
  return params;
}

inline SelfplayParams AnySelfplay(Draws& draws) {
  return {.games_per_group = static_cast<int>(1 + draws.Below(4)),
          .groups = static_cast<int>(1 + draws.Below(3)),
          .num_threads = AnyThreads(draws, 3),
          .cache_megabytes = 0.01 * draws.Below(2),
          .full_search_probability = 0.5 * draws.Below(3),
          .fast_simulations = static_cast<int>(1 + draws.Below(8)),
          .random_opening_probability = 0.5 * draws.Below(3),
          .random_opening_plies = static_cast<int>(draws.Below(12)),
          .book_probability = 0.5 * draws.Below(3),
          .value_trace = draws.Below(2) == 0 ? std::nullopt : std::optional(0.5 * draws.Below(3)),
          .trace_tolerance = 0.1 * draws.Below(2),
          .record_fast = 0.5 * draws.Below(3)};
}

}  // namespace c4::testing
