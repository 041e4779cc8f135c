// Selection: which move a simulation tries next. The same function stands in reference/mcts.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "search/lanes.h"
#include "search/node.h"
#include "search/params.h"
#include "value.h"

namespace c4 {

// The root's view of its own moves. Below the root there is neither noise nor a forced visit.
struct RootNoise {
  std::span<const float> noise;  // one entry per child; empty: none
};

inline float EffectivePrior(float prior, std::size_t index, const SearchParams& params, const RootNoise& root) {
  if (root.noise.empty()) return prior;
  return (1.0f - params.noise_epsilon) * prior + params.noise_epsilon * root.noise[index];
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

// What the choice among the moves of a node has in common for all of them.
struct Weighing {
  float fpu;
  float parent_visits;
  float scale;
};

inline Weighing Weigh(const Node& node, float tried_prior, const SearchParams& params) {
  const float parent_visits = static_cast<float>(node.visits) + params.virtual_loss * node.in_flight;
  return {.fpu = node.q - params.fpu_reduction * std::sqrt(tried_prior),
          .parent_visits = parent_visits,
          .scale = params.cpuct * std::sqrt(parent_visits)};
}

// The visits and the value of a move, as if its leaves in flight had been lost for us.
struct Tally {
  float visits;
  float q;
};

inline Tally Count(const Node& child, float fpu, const SearchParams& params) {
  Tally tally{.visits = static_cast<float>(child.visits), .q = child.visits > 0 ? Flip(child.q) : fpu};
  if (child.in_flight > 0) {
    const float lost = params.virtual_loss * child.in_flight;
    tally.visits += lost;
    if (tally.visits > 0.0f) tally.q = (tally.q * static_cast<float>(child.visits) - lost) / tally.visits;
  }
  return tally;
}

inline float UpperBound(const Tally& tally, float prior, float scale) {
  return tally.q + scale * prior / (1.0f + tally.visits);
}

inline float Score(const Node& node, const Node& child, const Tally& tally, float prior, float scale,
                   const SearchParams& params) {
  const float score = UpperBound(tally, prior, scale);
  if (params.mlh_slope == 0.0f || child.visits == 0) return score;
  return score + MovesLeftUtility(node, child, params);
}

// The priors of the moves that were tried, lowest action first. Precondition: the node has no edges.
inline float TriedPrior(const NodePool& pool, const Node& node) {
  const Node* children = &pool[node.first_child];
  float sum = 0.0f;
  for (int i = 0; i < node.num_children; ++i) {
    if (children[i].visits + children[i].in_flight > 0) sum += children[i].prior;
  }
  return sum;
}

// The index of the chosen child in the pool. Precondition: node is expanded and, with proven_results, not settled.
inline NodePool::Index SelectChild(const NodePool& pool, const Node& node, const SearchParams& params,
                                   const RootNoise& root) {
  const Node* children = &pool[node.first_child];
  const Weighing weighing = Weigh(node, TriedPrior(pool, node), params);
  const bool forcing = params.forced_visits > 0.0f && !root.noise.empty();

  int best = 0;
  float best_score = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < node.num_children; ++i) {
    const Node& child = children[i];
    if (params.proven_results && IsRuledOut(node, child)) continue;
    const float prior = EffectivePrior(child.prior, i, params, root);
    const Tally tally = Count(child, weighing.fpu, params);
    if (forcing && child.visits > 0 && tally.visits < ForcedVisits(prior, weighing.parent_visits, params)) {
      best = i;
      break;
    }
    const float score = Score(node, child, tally, prior, weighing.scale, params);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return node.first_child + best;
}

// The same choice where there are many children: step by step for all of them, so that compilers make the divisions of
// many at once, and with a sum of tried priors that the caller remembers.
inline NodePool::Index SelectAmongMany(const NodePool& pool, const Node& node, float tried_prior,
                                       const SearchParams& params, const RootNoise& root) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  constexpr int kRoom = 256 + kLanes;
  const Node* children = &pool[node.first_child];
  const int count = node.num_children;
  const Weighing weighing = Weigh(node, tried_prior, params);

  float score[kRoom];  // q at first
  float prior[kRoom];
  float visits[kRoom];
  for (int i = 0; i < count; ++i) {
    const Tally tally = Count(children[i], weighing.fpu, params);
    score[i] = tally.q;
    visits[i] = tally.visits;
    prior[i] = children[i].prior;
  }
  std::fill_n(score + count, kLanes, kNever);
  std::fill_n(visits + count, kLanes, 0.0f);
  std::fill_n(prior + count, kLanes, 0.0f);
  for (std::size_t i = 0; i < root.noise.size(); ++i) prior[i] = EffectivePrior(prior[i], i, params, root);
  const auto ruled_out = [&](int i) { return params.proven_results && IsRuledOut(node, children[i]); };
  if (params.forced_visits > 0.0f && !root.noise.empty()) {
    for (int i = 0; i < count; ++i) {
      if (ruled_out(i) || children[i].visits == 0) continue;
      if (visits[i] < ForcedVisits(prior[i], weighing.parent_visits, params)) {
        return node.first_child + static_cast<NodePool::Index>(i);
      }
    }
  }

  const int whole = WholeSteps(count);
  for (int i = 0; i < whole; ++i) score[i] = UpperBound({visits[i], score[i]}, prior[i], weighing.scale);
  if (params.mlh_slope != 0.0f) {
    for (int i = 0; i < count; ++i) {
      if (children[i].visits > 0) score[i] += MovesLeftUtility(node, children[i], params);
    }
  }
  if (params.proven_results) {
    for (int i = 0; i < count; ++i) score[i] = ruled_out(i) ? kNever : score[i];
  }
  const float best_score = Largest(score, whole);
  if (best_score == kNever) return node.first_child;  // no score is a number: the first move
  NodePool::Index best = 0;
  while (score[best] != best_score) ++best;
  return node.first_child + best;
}

// The best of the moves that were not tried, the lowest of equals; no place: none has a score to speak of.
struct Untried {
  float score = -std::numeric_limits<float>::infinity();
  int place = -1;
};

inline Untried BestUntried(const Edges& edges, int moves, const Weighing& weighing) {
  constexpr Ints kBits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  Floats best = Floats{} - std::numeric_limits<float>::infinity();
  Ints step_of_best{};
  for (int step = 0; step < Edges::Steps(moves); ++step) {
    Floats prior;
    std::memcpy(&prior, edges.priors() + Edges::kStep * step, sizeof prior);
    const Floats score = weighing.fpu + weighing.scale * prior;
    const Ints tried = kBits & std::int32_t{edges.tried[step]};
    const Ints better = (tried == 0) & (score > best);
    best = better ? score : best;
    step_of_best = better ? Ints{} + step : step_of_best;
  }
  Untried found;
  for (int i = 0; i < Edges::kStep; ++i) {
    const int place = Edges::kStep * step_of_best[i] + i;
    if (best[i] > found.score || (best[i] == found.score && found.place > place)) found = {best[i], place};
  }
  return found;
}

// The same choice as SelectChild's, at a node that has edges. A move that is tried for the first time gets its child.
inline NodePool::Index SelectMove(NodePool& pool, const Node& node, const SearchParams& params) {
  const Edges& edges = pool.EdgesAt(node.first_child);
  const Weighing weighing = Weigh(node, edges.tried_prior, params);
  const Untried untried = BestUntried(edges, node.num_children, weighing);
  NodePool::Index best = 0;  // none
  int best_action = 0;
  float best_score = -std::numeric_limits<float>::infinity();
  pool.ForChildren(node, [&](const Node& child, NodePool::Index index) {
    if (params.proven_results && IsRuledOut(node, child)) return;
    const Tally tally = Count(child, weighing.fpu, params);
    const float score = Score(node, child, tally, child.prior, weighing.scale, params);
    if (score > best_score || (score == best_score && best != 0 && child.action < best_action)) {
      best = index;
      best_action = child.action;
      best_score = score;
    }
  });
  const std::uint8_t* actions = edges.actions(node.num_children);
  if (untried.place >= 0 && (untried.score > best_score ||
                             (untried.score == best_score && best != 0 && actions[untried.place] < best_action))) {
    return pool.CreateChild(node, untried.place);
  }
  if (best != 0) return best;
  if (!edges.IsTried(0)) return pool.CreateChild(node, 0);  // no score is a number: the first move
  pool.ForChildren(node, [&](const Node& child, NodePool::Index index) {
    if (child.action == actions[0]) best = index;
  });
  return best;
}

}  // namespace c4
