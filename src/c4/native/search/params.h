// The knobs of a search. Meaning, range and direction of effect: c4/params/search.py; values: conf/search/. A knob is
// listed twice, as a field and in ForEach, and is then known to Python and to the fuzzers.
#pragma once

#include <optional>

#include "search/range.h"

namespace c4 {

enum class RootSelection { kPuct, kGumbel };

// What is not set is a plain search, without noise and help: for tests and yardsticks. Nobody else's default is here.
struct SearchParams {
  float cpuct = 1.0f;
  float fpu_reduction = 0.0f;
  float policy_temperature = 1.0f;
  std::optional<float> root_policy_temperature = std::nullopt;  // none: policy_temperature
  float mlh_slope = 0.0f;
  float mlh_cap = 0.0f;
  float noise_epsilon = 0.0f;
  float dirichlet_alpha = 1.0f;
  float discount = 1.0f;
  int num_simulations = 1;
  float virtual_loss = 1.0f;
  int leaves_per_batch = 1;  // 1 to 255: Node::in_flight counts them in a byte
  bool reuse_tree = false;
  bool proven_results = false;
  int proof_nodes = 0;
  float forced_visits = 0.0f;
  bool early_stop = false;
  RootSelection root_selection = RootSelection::kPuct;
  int gumbel_considered = 16;
  float gumbel_scale = 1.0f;
  float gumbel_cvisit = 50.0f;
  float gumbel_cscale = 0.1f;
  double temperature_start = 0.0;
  double temperature_end = 0.0;
  int temperature_plies = 0;
  std::optional<double> policy_target_temperature = 1.0;  // none: that of the move

  // Calls visit("cpuct", params.cpuct, Range{...}), and so on; what has no range has two arguments.
  static void ForEach(auto& params, auto&& visit) {
    visit("cpuct", params.cpuct, Range{0.0, 100.0});
    visit("fpu_reduction", params.fpu_reduction, Range{0.0, 10.0});
    visit("policy_temperature", params.policy_temperature, Range{0.01, 100.0});
    visit("root_policy_temperature", params.root_policy_temperature, Range{0.01, 100.0});
    visit("mlh_slope", params.mlh_slope, Range{0.0, 1.0});
    visit("mlh_cap", params.mlh_cap, Range{0.0, 2.0});
    visit("noise_epsilon", params.noise_epsilon, Range{0.0, 1.0});
    visit("dirichlet_alpha", params.dirichlet_alpha, Range{0.001, 1000.0});
    visit("discount", params.discount, Range{0.01, 1.0});
    visit("num_simulations", params.num_simulations, Range{1, 10'000'000});
    visit("virtual_loss", params.virtual_loss, Range{0.0, 100.0});
    visit("leaves_per_batch", params.leaves_per_batch, Range{1, 255});
    visit("reuse_tree", params.reuse_tree);
    visit("proven_results", params.proven_results);
    visit("proof_nodes", params.proof_nodes, Range{0, 100'000});
    visit("forced_visits", params.forced_visits, Range{0.0, 100.0});
    visit("early_stop", params.early_stop);
    visit("root_selection", params.root_selection);
    visit("gumbel_considered", params.gumbel_considered, Range{1, 1000});
    visit("gumbel_scale", params.gumbel_scale, Range{0.0, 100.0});
    visit("gumbel_cvisit", params.gumbel_cvisit, Range{0.0, 1e6});
    visit("gumbel_cscale", params.gumbel_cscale, Range{0.0, 100.0});
    visit("temperature_start", params.temperature_start, Range{0.0, 100.0});
    visit("temperature_end", params.temperature_end, Range{0.0, 100.0});
    visit("temperature_plies", params.temperature_plies, Range{0, 1000});
    visit("policy_target_temperature", params.policy_target_temperature, Range{0.0, 100.0});
  }
};

}  // namespace c4
