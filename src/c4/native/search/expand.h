// Expansion: a leaf that the network has judged gets a child for each legal action, with a prior. The same functions
// stand in reference/mcts.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "game.h"
#include "search/exp.h"
#include "search/lanes.h"
#include "search/node.h"
#include "search/params.h"

namespace c4 {

// What a node's policy logits are divided by. At 1 nothing is, so that not a bit changes.
inline float PolicyTemperatureOf(const SearchParams& params, bool is_root) {
  return is_root ? params.root_policy_temperature.value_or(params.policy_temperature) : params.policy_temperature;
}

// softmax, in place. In loops of one kind of work each, which compilers turn into work on many numbers at once.
// Precondition: up to `whole` the logits are followed by copies of any of them.
inline void NormalisePriors(float* priors, int count, int whole, float temperature) {
  const float largest = Largest(priors, whole);
  for (int i = 0; i < whole; ++i) priors[i] -= largest;  // first, so that no temperature makes infinities of it
  if (temperature != 1.0f) {
    for (int i = 0; i < whole; ++i) priors[i] /= temperature;
  }
  for (int i = 0; i < whole; ++i) priors[i] = std::max(priors[i], kLeastExponent);
  for (int i = 0; i < whole; ++i) priors[i] = Exp(priors[i]);
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += priors[i];
  for (int i = 0; i < whole; ++i) priors[i] /= sum;
}

// Whether a node below the root gets edges in place of children. With few moves most of them are tried, and children
// side by side are read quicker.
template <Game G>
inline constexpr bool kHasManyMoves = G::kActions > 16;

// How many priors are made for so many moves: with few, making more would take longer than the rest.
template <Game G>
constexpr int PriorsMade(int moves) {
  return kHasManyMoves<G> ? WholeSteps(moves) : moves;
}

// Precondition: up to PriorsMade the actions are followed by copies of any of them.
template <Game G>
void WritePriors(float* priors, const std::uint8_t* actions, int count, const float* logits, int symmetry,
                 float temperature) {
  const int made = PriorsMade<G>(count);
  for (int i = 0; i < made; ++i) priors[i] = logits[G::Transform(actions[i], symmetry)];
  NormalisePriors(priors, count, made, temperature);
}

// Priors are the softmax of the logits over the legal actions only, at a temperature. The logits belong to the board
// seen under `symmetry`. Precondition: the state is not terminal and the leaf not expanded.
template <Game G>
void Expand(NodePool& pool, NodePool::Index leaf, const G& state, const float* logits, int symmetry,
            float temperature) {
  std::uint8_t actions[G::kActions + kLanes] = {};
  const int count = state.LegalActions(actions);
  if constexpr (kHasManyMoves<G>) std::fill_n(actions + count, kLanes, actions[0]);
  Node& node = pool[leaf];
  node.num_children = static_cast<std::uint8_t>(count);
  node.has_edges = kHasManyMoves<G> && leaf != 0;
  if (node.has_edges) {
    node.first_child = pool.AllocateEdges(count);
    Edges& edges = pool.EdgesAt(node.first_child);
    std::copy_n(actions, count, edges.actions(count));
    WritePriors<G>(edges.priors(), actions, count, logits, symmetry, temperature);
    return;
  }
  float priors[PriorsMade<G>(G::kActions)];
  WritePriors<G>(priors, actions, count, logits, symmetry, temperature);
  node.first_child = pool.Allocate(count);
  Node* children = &pool[node.first_child];
  for (int i = 0; i < count; ++i) {
    children[i].action = actions[i];
    children[i].prior = priors[i];
  }
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
  float priors[255];
  for (int i = 0; i < root.num_children; ++i) {
    const double prior = std::max(children[i].prior, std::numeric_limits<float>::min());
    priors[i] = static_cast<float>(std::log(prior)) * from;
  }
  NormalisePriors(priors, root.num_children, root.num_children, to);
  for (int i = 0; i < root.num_children; ++i) children[i].prior = priors[i];
}

}  // namespace c4
