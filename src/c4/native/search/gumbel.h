// Choosing among the root's moves by sequential halving with Gumbel noise (root_selection=gumbel): Danihelka, Guez,
// Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022. The same functions, with the reasons,
// stand in reference/gumbel.py. Moves are told by their place among the root's children.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "search/node.h"
#include "search/params.h"
#include "search/policy.h"
#include "search/select.h"
#include "value.h"

namespace c4 {

// Which moves are in the running, and until when.
struct Halving {
  std::vector<std::uint8_t> considered;  // best first; empty: not begun
  int simulations = 0;                   // of all phases
  int phases = 0;
  int begin = 0;  // of the phase, as the budget that was left then
  int end = 0;
  int survivors = 0;  // of the phase, at most

  // Whether the next simulation belongs to another phase.
  bool IsOver(int budget) const { return considered.empty() || budget <= end; }

  void BeginPhase(int budget) {
    const int count = static_cast<int>(considered.size());
    const int each = std::max(1, simulations / (phases * count));
    begin = budget;
    end = std::max(0, budget - each * count);
    survivors = std::max(2, count / 2);
  }
};

// What each move is worth; of one without a visit, what the visited ones are on average, weighted by their priors.
inline std::vector<Value> CompletedQ(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  const Node* children = &pool[root.first_child];
  std::vector<Value> q(root.num_children);
  std::uint32_t visits = 0;
  float prior = 0.0f;
  float weighted = 0.0f;
  for (int i = 0; i < root.num_children; ++i) {
    q[i] = Flip(children[i].q) * params.discount;
    if (children[i].visits == 0) continue;
    visits += children[i].visits;
    prior += children[i].prior;
    weighted += children[i].prior * q[i];
  }
  Value mixed = root.q;
  if (prior > 0.0f) {
    const float count = static_cast<float>(visits);
    mixed = (root.q + count * (weighted / prior)) / (1.0f + count);
  }
  for (int i = 0; i < root.num_children; ++i) {
    if (children[i].visits == 0) q[i] = mixed;
  }
  return q;
}

// logit + sigma(q), a logit being the logarithm of a prior, at the temperature that the prior has (expand.h); sigma(q)
// = (gumbel_cvisit + most visits of a move) * gumbel_cscale * q; the utility of length is part of q. The logarithm is
// taken in double precision, so that after rounding libraries do not differ.
inline std::vector<float> ImprovedLogits(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  const Node* children = &pool[root.first_child];
  std::uint32_t most = 0;
  for (int i = 0; i < root.num_children; ++i) most = std::max(most, children[i].visits);
  const float scale = (params.gumbel_cvisit + static_cast<float>(most)) * params.gumbel_cscale;
  std::vector<float> logits = CompletedQ(pool, params);
  for (int i = 0; i < root.num_children; ++i) {
    float q = logits[i];
    if (params.mlh_slope != 0.0f && children[i].visits > 0) q += MovesLeftUtility(root, children[i], params);
    const double prior = std::max(children[i].prior, std::numeric_limits<float>::min());
    logits[i] = static_cast<float>(std::log(prior)) + scale * q;
  }
  return logits;
}

// Sorts `places`, best first by T * gumbel + logit, the lowest of equals. An empty `gumbel` is no noise. Stable sorting
// stays within bounds even where a network's huge values have made scores that are no numbers.
inline void Rank(std::vector<std::uint8_t>& places, std::vector<float> scores, std::span<const float> gumbel,
                 const SearchParams& params, double temperature) {
  const float weight = static_cast<float>(temperature) * params.gumbel_scale;
  for (std::size_t i = 0; i < gumbel.size(); ++i) scores[i] += weight * gumbel[i];
  std::stable_sort(places.begin(), places.end(), [&scores](std::uint8_t a, std::uint8_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
}

// Turns among the moves in the running; after each phase the better half stays in it, at least two. With
// proven_results a move that is ruled out leaves, and when none is left, those that are open begin anew.
// Returns the index of the child in the pool. Precondition: the root is expanded and, with proven_results, not settled.
inline NodePool::Index SelectRootChild(const NodePool& pool, const SearchParams& params, Halving& halving,
                                       std::span<const float> gumbel, int budget) {
  const Node& root = pool[0];
  std::vector<std::uint8_t>& considered = halving.considered;
  const auto is_ruled_out = [&](std::uint8_t place) {
    return params.proven_results && IsRuledOut(root, pool[root.first_child + place]);
  };
  std::erase_if(considered, is_ruled_out);
  if (halving.IsOver(budget)) {
    const bool begins = considered.empty();
    if (begins) {
      considered.resize(root.num_children);
      std::iota(considered.begin(), considered.end(), std::uint8_t{0});
      std::erase_if(considered, is_ruled_out);
      halving.survivors = std::min(params.gumbel_considered, budget);
    }
    Rank(considered, ImprovedLogits(pool, params), gumbel, params, /*temperature=*/1.0);
    considered.resize(std::min(considered.size(), static_cast<std::size_t>(halving.survivors)));
    if (begins) {
      halving.simulations = budget;
      halving.phases = std::max(1, static_cast<int>(std::bit_width(considered.size() - 1)));  // log2, rounded up
    }
    halving.BeginPhase(budget);
  }
  const auto turn = static_cast<std::size_t>(halving.begin - budget) % considered.size();
  return root.first_child + considered[turn];
}

// The improved logits of the moves that may be played, all alike when the root is won or lost; -infinity of others.
inline std::vector<float> AllowedLogits(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  const bool decided = params.proven_results && root.settled() && root.lower != 0;
  const std::vector<bool> candidate = Candidates(pool, params);
  std::vector<float> logits = ImprovedLogits(pool, params);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (decided) logits[i] = 0.0f;
    if (!candidate[i]) logits[i] = -std::numeric_limits<float>::infinity();
  }
  return logits;
}

// The improved policy: softmax((logit + sigma(q)) / T) over all moves that may be played, visited or not.
inline std::vector<float> ImprovedPolicy(const NodePool& pool, const SearchParams& params, double temperature) {
  const std::vector<float> logits = AllowedLogits(pool, params);
  return Softmax({logits.begin(), logits.end()}, temperature);
}

// The place of the move to play: the best of those in the running by T * gumbel + logit + sigma(q).
inline int ChooseByGumbel(const NodePool& pool, const SearchParams& params, const Halving& halving,
                          std::span<const float> gumbel, double temperature) {
  const std::vector<float> logits = AllowedLogits(pool, params);
  const auto is_forbidden = [&logits](std::uint8_t place) { return std::isinf(logits[place]); };
  std::vector<std::uint8_t> running = halving.considered;
  std::erase_if(running, is_forbidden);
  if (running.empty()) {
    running.resize(logits.size());
    std::iota(running.begin(), running.end(), std::uint8_t{0});
    std::erase_if(running, is_forbidden);
  }
  Rank(running, logits, gumbel, params, temperature);
  return running.front();
}

// What the root is worth under the improved policy: its mean also counts moves that were tried and dropped.
inline Value ImprovedValue(const NodePool& pool, const SearchParams& params) {
  const Node& root = pool[0];
  const std::vector<float> policy = ImprovedPolicy(pool, params, /*temperature=*/1.0);
  const std::vector<Value> q = CompletedQ(pool, params);
  Value total = 0.0f;
  for (std::size_t i = 0; i < q.size(); ++i) total += policy[i] * q[i];
  if (!params.proven_results) return total;
  return std::clamp(total, static_cast<Value>(root.lower), static_cast<Value>(root.upper));
}

}  // namespace c4
