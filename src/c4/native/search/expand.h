// Expansion: a leaf that the network has judged gets a child for each legal action.
#pragma once

#include <algorithm>

#include "game.h"
#include "search/exp.h"
#include "search/node.h"

namespace c4 {

// Priors are the softmax of the logits over the legal actions only. The logits belong to the board seen under
// `symmetry`. Precondition: the state is not terminal and the leaf not expanded.
template <Game G>
void Expand(NodePool& pool, NodePool::Index leaf, const G& state, const float* logits, int symmetry) {
  std::uint8_t actions[G::kActions];
  const int count = state.LegalActions(actions);
  const NodePool::Index first = pool.Allocate(count);
  Node* children = &pool[first];
  float largest = logits[G::Transform(actions[0], symmetry)];
  for (int i = 0; i < count; ++i) {
    const float logit = logits[G::Transform(actions[i], symmetry)];
    children[i].action = actions[i];
    children[i].prior = logit;
    largest = std::max(largest, logit);
  }
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    children[i].prior = Exp(children[i].prior - largest);
    sum += children[i].prior;
  }
  for (int i = 0; i < count; ++i) children[i].prior /= sum;
  pool[leaf].first_child = first;
  pool[leaf].num_children = static_cast<std::uint8_t>(count);
}

}  // namespace c4
