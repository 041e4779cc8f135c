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

// In sixteen parts where there are as many, since each comparison has to wait for the one before.
inline float Largest(const float* numbers, int count) {
  constexpr int kParts = 16;
  float largest = numbers[0];
  int next = 1;
  if (count >= kParts) {
    float parts[kParts];
    std::copy_n(numbers, kParts, parts);
    for (next = kParts; next + kParts <= count; next += kParts) {
      for (int k = 0; k < kParts; ++k) parts[k] = std::max(parts[k], numbers[next + k]);
    }
    for (const float part : parts) largest = std::max(largest, part);
  }
  for (; next < count; ++next) largest = std::max(largest, numbers[next]);
  return largest;
}

// softmax, in place. In loops of one kind of work each, which compilers turn into work on many numbers at once.
inline void NormalisePriors(float* priors, int count, float temperature) {
  const float largest = Largest(priors, count);
  for (int i = 0; i < count; ++i) priors[i] -= largest;  // first, so that no temperature makes infinities of it
  if (temperature != 1.0f) {
    for (int i = 0; i < count; ++i) priors[i] /= temperature;
  }
  for (int i = 0; i < count; ++i) priors[i] = Exp(priors[i]);
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += priors[i];
  for (int i = 0; i < count; ++i) priors[i] /= sum;
}

// Whether a node below the root gets edges in place of children. With few moves most of them are tried, and children
// side by side are read quicker.
template <Game G>
inline constexpr bool kHasManyMoves = G::kActions > 16;

template <Game G>
void WritePriors(float* priors, const std::uint8_t* actions, int count, const float* logits, int symmetry,
                 float temperature) {
  for (int i = 0; i < count; ++i) priors[i] = logits[G::Transform(actions[i], symmetry)];
  NormalisePriors(priors, count, temperature);
}

// Priors are the softmax of the logits over the legal actions only, at a temperature. The logits belong to the board
// seen under `symmetry`. Precondition: the state is not terminal and the leaf not expanded.
template <Game G>
void Expand(NodePool& pool, NodePool::Index leaf, const G& state, const float* logits, int symmetry,
            float temperature) {
  std::uint8_t actions[G::kActions];
  const int count = state.LegalActions(actions);
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
  float priors[G::kActions];
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
  NormalisePriors(priors, root.num_children, to);
  for (int i = 0; i < root.num_children; ++i) children[i].prior = priors[i];
}

}  // namespace c4
