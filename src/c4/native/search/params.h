// The knobs of a search. Meaning, range and direction of effect: c4/params/search.py; values: conf/search/.
#pragma once

namespace c4 {

enum class RootSelection { kPuct, kGumbel };

struct SearchParams {
  float cpuct;
  float fpu_reduction;
  float mlh_slope;
  float mlh_cap;
  float noise_epsilon;
  float dirichlet_alpha;
  float discount;
  int num_simulations;
  float virtual_loss;
  int leaves_per_batch;  // 1 to 255: Node::in_flight counts them in a byte
  bool reuse_tree;
  bool proven_results;
  float forced_playouts;
  bool early_stop;
  RootSelection root_selection;
  int gumbel_considered;
  float gumbel_scale;
  float gumbel_cvisit;
  float gumbel_cscale;
  double temperature_start;
  double temperature_end;
  int temperature_plies;
  double policy_target_temperature;
};

}  // namespace c4
