// The knobs of self-play. Meaning, range and direction of effect: c4/params/selfplay.py; values: conf/selfplay/. Listed
// and begun with as in search/params.h.
#pragma once

#include <optional>

namespace c4 {

struct SelfplayParams {
  int games_per_group = 1;
  int groups = 1;
  int num_threads = 1;
  double cache_megabytes = 0.0;
  double full_search_probability = 1.0;
  int fast_simulations = 1;
  double random_opening_probability = 0.0;
  int random_opening_plies = 0;
  double book_probability = 0.0;
  std::optional<double> value_trace = std::nullopt;
  double trace_tolerance = 0.0;
  double record_fast = 0.0;

  static void ForEach(auto& params, auto&& visit) {
    visit("games_per_group", params.games_per_group);
    visit("groups", params.groups);
    visit("num_threads", params.num_threads);
    visit("cache_megabytes", params.cache_megabytes);
    visit("full_search_probability", params.full_search_probability);
    visit("fast_simulations", params.fast_simulations);
    visit("random_opening_probability", params.random_opening_probability);
    visit("random_opening_plies", params.random_opening_plies);
    visit("book_probability", params.book_probability);
    visit("value_trace", params.value_trace);
    visit("trace_tolerance", params.trace_tolerance);
    visit("record_fast", params.record_fast);
  }
};

}  // namespace c4
