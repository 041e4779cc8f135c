// The knobs of self-play. Meaning, range and direction of effect: c4/params/selfplay.py; values: conf/selfplay/. Listed
// and begun with as in search/params.h.
#pragma once

#include <optional>

#include "search/range.h"

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
    visit("games_per_group", params.games_per_group, Range{1, 1'000'000});
    visit("groups", params.groups, Range{1, 64});
    visit("num_threads", params.num_threads, Range{1, 256});
    visit("cache_megabytes", params.cache_megabytes, Range{0.0, 1e6});
    visit("full_search_probability", params.full_search_probability, Range{0.0, 1.0});
    visit("fast_simulations", params.fast_simulations, Range{1, 10'000'000});
    visit("random_opening_probability", params.random_opening_probability, Range{0.0, 1.0});
    visit("random_opening_plies", params.random_opening_plies, Range{0, 1000});
    visit("book_probability", params.book_probability, Range{0.0, 1.0});
    visit("value_trace", params.value_trace, Range{0.0, 1.0});
    visit("trace_tolerance", params.trace_tolerance, Range{0.0, 2.0});
    visit("record_fast", params.record_fast, Range{0.0, 1.0});
  }
};

}  // namespace c4
