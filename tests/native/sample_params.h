// Knobs for tests. They are frozen here: tuning what conf/ ships must not change what a test checks.
#pragma once

#include <cstdint>
#include <optional>

#include "rng.h"
#include "search/params.h"
#include "selfplay/params.h"

namespace c4::testing {

inline SearchParams PlainSearch() {
  return {.cpuct = 4.0f,
          .fpu_reduction = 0.4f,
          .mlh_slope = 0.02f,
          .mlh_cap = 0.15f,
          .noise_epsilon = 0.25f,
          .dirichlet_alpha = 1.0f,
          .discount = 1.0f,
          .num_simulations = 24,
          .virtual_loss = 1.0f,
          .leaves_per_batch = 1,
          .reuse_tree = true,
          .proven_results = false,
          .forced_playouts = 0.0f,
          .early_stop = false,
          .root_selection = RootSelection::kPuct,
          .gumbel_considered = 16,
          .gumbel_scale = 1.0f,
          .gumbel_cvisit = 50.0f,
          .gumbel_cscale = 0.1f,
          .temperature_start = 1.0,
          .temperature_end = 0.2,
          .temperature_plies = 12,
          .policy_target_temperature = 1.0};
}

inline SelfplayParams PlainSelfplay() {
  return {.games_per_group = 4,
          .groups = 1,
          .num_threads = 1,
          .cache_entries = 0,
          .full_search_probability = 1.0,
          .fast_simulations = 8,
          .random_opening_probability = 0.0,
          .random_opening_plies = 0,
          .book_probability = 0.0,
          .value_trace = std::nullopt,
          .trace_tolerance = 0.05,
          .record_fast = 0.0};
}

// Of a sequence of calls, at most 2^most_bits: mostly short, so that many knobs are drawn, and now and then long.
inline std::uint64_t AnyLength(Rng& rng, std::uint32_t most_bits) {
  return 1 + rng.Below(1u << rng.Below(most_bits + 1));
}

// Any knobs that are allowed, extremes among them.
inline SearchParams AnySearch(Rng& rng) {
  const auto one_of = [&rng](auto... choices) {
    const std::common_type_t<decltype(choices)...> all[] = {choices...};
    return all[rng.Below(sizeof...(choices))];
  };
  return {.cpuct = one_of(0.05f, 1.0f, 4.0f, 20.0f),
          .fpu_reduction = one_of(0.0f, 0.4f, 2.0f),
          .mlh_slope = one_of(0.0f, 0.02f, 1.0f),
          .mlh_cap = one_of(0.0f, 0.15f, 1.0f),
          .noise_epsilon = one_of(0.0f, 0.25f, 1.0f),
          .dirichlet_alpha = one_of(0.01f, 0.3f, 10.0f),
          .discount = one_of(1.0f, 0.99f, 0.5f),
          .num_simulations = static_cast<int>(1 + rng.Below(48)),
          .virtual_loss = one_of(0.0f, 1.0f, 3.0f),
          .leaves_per_batch = one_of(1, 2, 5, 255),
          .reuse_tree = one_of(false, true),
          .proven_results = one_of(false, true),
          .forced_playouts = one_of(0.0f, 2.0f),
          .early_stop = one_of(false, true),
          .root_selection = one_of(RootSelection::kPuct, RootSelection::kGumbel),
          .gumbel_considered = one_of(1, 2, 5, 16, 1000),
          .gumbel_scale = one_of(0.0f, 1.0f, 30.0f),
          .gumbel_cvisit = one_of(0.0f, 50.0f, 1e4f),
          .gumbel_cscale = one_of(0.0f, 0.1f, 10.0f),
          .temperature_start = one_of(0.0, 1.0, 5.0),
          .temperature_end = one_of(0.0, 0.3, 1.0),
          .temperature_plies = one_of(0, 6, 30),
          .policy_target_temperature = one_of(0.0, 1.0, 2.0)};
}

inline SelfplayParams AnySelfplay(Rng& rng) {
  return {.games_per_group = static_cast<int>(1 + rng.Below(4)),
          .groups = static_cast<int>(1 + rng.Below(3)),
          .num_threads = static_cast<int>(1 + rng.Below(3)),
          .cache_entries = static_cast<int>(rng.Below(2) * 64),
          .full_search_probability = 0.5 * rng.Below(3),
          .fast_simulations = static_cast<int>(1 + rng.Below(8)),
          .random_opening_probability = 0.5 * rng.Below(3),
          .random_opening_plies = static_cast<int>(rng.Below(12)),
          .book_probability = 0.5 * rng.Below(3),
          .value_trace = rng.Below(2) == 0 ? std::nullopt : std::optional(0.5 * rng.Below(3)),
          .trace_tolerance = 0.1 * rng.Below(2),
          .record_fast = 0.5 * rng.Below(3)};
}

}  // namespace c4::testing
