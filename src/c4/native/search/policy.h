// What a search concludes: the policy over the root's moves, and the move to play.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "search/node.h"
#include "search/params.h"
#include "search/select.h"
#include "value.h"

namespace c4 {

// The visits of the root's children. With forced_visits, those that only the force explains are taken out: visits
// of a move other than the most visited are lowered as far as it still would not have been selected, at most by what
// was forced; a single visit left counts for nothing.
inline std::vector<std::uint32_t> TargetVisits(const NodePool& pool, const SearchParams& params,
                                               const RootNoise& noise) {
  const Node& root = pool[0];
  const Node* children = &pool[root.first_child];
  std::vector<std::uint32_t> visits(root.num_children);
  for (int i = 0; i < root.num_children; ++i) visits[i] = children[i].visits;
  if (params.forced_visits <= 0.0f || noise.noise.empty()) return visits;

  const float parent_visits = static_cast<float>(root.visits);
  const float scale = params.cpuct * std::sqrt(parent_visits);
  const auto score = [&](int i, std::uint32_t count) {
    const float prior = EffectivePrior(children[i].prior, i, params, noise);
    float sum = Flip(children[i].q) + scale * prior / (1.0f + static_cast<float>(count));
    if (params.mlh_slope != 0.0f) sum += MovesLeftUtility(root, children[i], params);
    return sum;
  };
  const int best = static_cast<int>(std::max_element(visits.begin(), visits.end()) - visits.begin());
  const float best_score = score(best, visits[best]);
  for (int i = 0; i < root.num_children; ++i) {
    if (i == best || visits[i] == 0) continue;
    const float prior = EffectivePrior(children[i].prior, i, params, noise);
    const auto forced = static_cast<std::uint32_t>(ForcedVisits(prior, parent_visits, params));
    const std::uint32_t least = visits[i] - std::min(forced, visits[i]);
    while (visits[i] > least && score(i, visits[i] - 1) < best_score) --visits[i];
    if (visits[i] <= 1) visits[i] = 0;
  }
  return visits;
}

// Which moves may be played at all. All of them, unless results are proven. Then of a settled root: those that reach
// its result, in the fewest plies when it is won and in the most when it is lost. With a draw in hand: those that keep
// it, unless the most visited of the open moves looks better than a draw; then the open ones. Else: those not lost.
inline std::vector<bool> Candidates(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  const Node* children = &pool[root.first_child];
  std::vector<bool> candidate(root.num_children, true);
  if (!params.proven_results) return candidate;
  const Node* open = nullptr;  // the most visited move that may still turn out better
  for (int i = 0; i < root.num_children; ++i) {
    if (IsRuledOut(root, children[i])) continue;
    if (open == nullptr || children[i].visits > open->visits) open = &children[i];
  }
  const bool take_draw = root.lower == 0 && open != nullptr && (open->visits == 0 || Flip(open->q) <= kDraw);
  for (int i = 0; i < root.num_children; ++i) {
    const Node& child = children[i];
    if (!root.settled()) {
      candidate[i] = take_draw ? FlipResult(child.upper) == root.lower : !IsRuledOut(root, child);
    } else {
      candidate[i] = child.settled() && FlipResult(child.lower) == root.lower &&
                     (root.lower == 0 || child.proven_plies + 1 == root.proven_plies);
    }
  }
  return candidate;
}

// softmax(x / T), in double precision; -infinity: an entry that may not be played; T = 0: shared among the largest.
inline std::vector<float> Softmax(std::vector<double> logits, double temperature) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& entry : logits) {
    if (temperature == 0.0) {
      entry = entry == largest ? 1.0 : 0.0;
    } else {
      entry = std::exp((entry - largest) / temperature);
    }
    sum += entry;
  }
  std::vector<float> policy(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) policy[i] = static_cast<float>(logits[i] / sum);
  return policy;
}

// Writes the policy, one entry per child of the root: softmax(log N / T) over the candidates that were visited; by
// the priors in place of N when no candidate was; a won or lost root shares it evenly among the candidates. T = 0:
// shared among the best. Precondition: the root is expanded.
inline std::vector<float> Policy(const NodePool& pool, const SearchParams& params, double temperature,
                                 const std::vector<std::uint32_t>& visits) {
  const Node& root = pool[0];
  const Node* children = &pool[root.first_child];
  const std::vector<bool> candidate = Candidates(pool, params);
  std::vector<double> logits(root.num_children, -std::numeric_limits<double>::infinity());
  const bool decided = params.proven_results && root.settled() && root.lower != 0;
  std::uint64_t total = 0;
  for (int i = 0; i < root.num_children; ++i) total += candidate[i] ? visits[i] : 0;
  for (int i = 0; i < root.num_children; ++i) {
    if (!candidate[i]) continue;
    logits[i] = std::log(decided     ? 1.0
                         : total > 0 ? static_cast<double>(visits[i])
                                     : static_cast<double>(children[i].prior));
  }
  return Softmax(std::move(logits), temperature);
}

// An entry with the probability that it has; `uniform` is in [0, 1).
inline int Draw(const std::vector<float>& policy, double uniform) {
  double sum = 0.0;
  int last = 0;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (policy[i] <= 0.0f) continue;
    last = static_cast<int>(i);
    sum += policy[i];
    if (uniform < sum) break;
  }
  return last;
}

// The index of the child to play: the candidate with the most visits (or the largest prior), the lowest action first.
inline int BestChild(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  std::vector<std::uint32_t> visits(root.num_children);
  for (int i = 0; i < root.num_children; ++i) visits[i] = pool[root.first_child + i].visits;
  const std::vector<float> policy = Policy(pool, params, /*temperature=*/0.0, visits);
  return static_cast<int>(std::max_element(policy.begin(), policy.end()) - policy.begin());
}

}  // namespace c4
