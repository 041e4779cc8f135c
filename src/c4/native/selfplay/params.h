// The knobs of self-play. Meaning, range and direction of effect: c4/params/selfplay.py; values: conf/selfplay/.
#pragma once

#include <optional>

namespace c4 {

struct SelfplayParams {
  int games_per_group;
  int groups;
  int num_threads;
  int cache_entries;
  double full_search_probability;
  int fast_simulations;
  double random_opening_probability;
  int random_opening_plies;
  double book_probability;
  std::optional<double> value_trace;
  double trace_tolerance;
  double record_fast;
};

}  // namespace c4
