// Selection: which move a simulation tries next. The same function stands in reference/mcts.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "search/node.h"
#include "search/params.h"
#include "value.h"

namespace c4 {

// The root's view of its own moves. Below the root there is neither noise nor a forced visit.
struct RootNoise {
  std::span<const float> noise;  // one entry per child; empty: none
};

inline float EffectivePrior(const Node& child, int index, const SearchParams& params, const RootNoise& root) {
  if (root.noise.empty()) return child.prior;
  return (1.0f - params.noise_epsilon) * child.prior + params.noise_epsilon * root.noise[index];
}

// The least visits of a root move that was tried at all, where noise is to be explored (forced_visits).
inline float ForcedVisits(float effective_prior, float parent_visits, const SearchParams& params) {
  return std::sqrt(params.forced_visits * effective_prior * parent_visits);
}

// A move that cannot be better than what the side to move is sure of: it is settled, or proven to be no better.
inline bool IsRuledOut(const Node& node, const Node& child) { return FlipResult(child.lower) <= node.lower; }

inline float MovesLeftUtility(const Node& node, const Node& child, const SearchParams& params) {
  // Times the child's own value: when the side to move in the child is winning (bad for us), longer is better for us.
  const float longer = params.mlh_slope * (child.m - node.m);
  return std::clamp(longer, -params.mlh_cap, params.mlh_cap) * child.q;
}

// The index of the chosen child in the pool. Precondition: node is expanded and, with proven_results, not settled.
inline NodePool::Index SelectChild(const NodePool& pool, const Node& node, const SearchParams& params,
                                   const RootNoise& root) {
  const Node* children = &pool[node.first_child];
  float visited_prior = 0.0f;
  for (int i = 0; i < node.num_children; ++i) {
    if (children[i].visits + children[i].in_flight > 0) visited_prior += children[i].prior;
  }
  const float fpu = node.q - params.fpu_reduction * std::sqrt(visited_prior);
  const float parent_visits = static_cast<float>(node.visits) + params.virtual_loss * node.in_flight;
  const float scale = params.cpuct * std::sqrt(parent_visits);
  const bool forcing = params.forced_visits > 0.0f && !root.noise.empty();

  int best = 0;
  float best_score = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < node.num_children; ++i) {
    const Node& child = children[i];
    if (params.proven_results && IsRuledOut(node, child)) continue;
    const float prior = EffectivePrior(child, i, params, root);
    float visits = static_cast<float>(child.visits);
    float q = child.visits > 0 ? Flip(child.q) : fpu;
    if (child.in_flight > 0) {  // as if the leaves in flight had been lost for us
      const float lost = params.virtual_loss * child.in_flight;
      visits += lost;
      if (visits > 0.0f) q = (q * static_cast<float>(child.visits) - lost) / visits;
    }
    if (forcing && child.visits > 0 && visits < ForcedVisits(prior, parent_visits, params)) {
      best = i;
      break;
    }
    float score = q + scale * prior / (1.0f + visits);
    if (params.mlh_slope != 0.0f && child.visits > 0) score += MovesLeftUtility(node, child, params);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return node.first_child + best;
}

}  // namespace c4
