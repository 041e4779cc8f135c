// Expansion: a leaf that the network has judged gets a child for each legal action, with a prior. The same functions
// stand in reference/mcts.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "game.h"
#include "search/exp.h"
#include "search/node.h"
#include "search/params.h"

namespace c4 {

// What a node's policy logits are divided by. At 1 nothing is, so that not a bit changes.
inline float PolicyTemperatureOf(const SearchParams& params, bool is_root) {
  return is_root ? params.root_policy_temperature.value_or(params.policy_temperature) : params.policy_temperature;
}

// softmax over a node's children of what stands in place of their priors.
inline void NormalisePriors(Node* children, int count, float temperature) {
  float largest = children[0].prior;
  for (int i = 1; i < count; ++i) largest = std::max(largest, children[i].prior);
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    const float below = children[i].prior - largest;  // first, so that no temperature makes infinities of it
    children[i].prior = Exp(temperature == 1.0f ? below : below / temperature);
    sum += children[i].prior;
  }
  for (int i = 0; i < count; ++i) children[i].prior /= sum;
}

// Priors are the softmax of the logits over the legal actions only, at a temperature. The logits belong to the board
// seen under `symmetry`. Precondition: the state is not terminal and the leaf not expanded.
template <Game G>
void Expand(NodePool& pool, NodePool::Index leaf, const G& state, const float* logits, int symmetry,
            float temperature) {
  std::uint8_t actions[G::kActions];
  const int count = state.LegalActions(actions);
  const NodePool::Index first = pool.Allocate(count);
  Node* children = &pool[first];
  for (int i = 0; i < count; ++i) {
    children[i].action = actions[i];
    children[i].prior = logits[G::Transform(actions[i], symmetry)];
  }
  NormalisePriors(children, count, temperature);
  pool[leaf].first_child = first;
  pool[leaf].num_children = static_cast<std::uint8_t>(count);
}

// A node that has become the root gets priors at the root's temperature: a logit is the logarithm of a prior times the
// temperature that made it, but for a constant. Taken in double precision, so that after rounding libraries do not
// differ.
inline void TemperRoot(NodePool& pool, const SearchParams& params) {
  const float from = PolicyTemperatureOf(params, /*is_root=*/false);
  const float to = PolicyTemperatureOf(params, /*is_root=*/true);
  const Node& root = pool[0];
  if (from == to || !root.expanded()) return;
  Node* children = &pool[root.first_child];
  for (int i = 0; i < root.num_children; ++i) {
    const double prior = std::max(children[i].prior, std::numeric_limits<float>::min());
    children[i].prior = static_cast<float>(std::log(prior)) * from;
  }
  NormalisePriors(children, root.num_children, to);
}

}  // namespace c4
