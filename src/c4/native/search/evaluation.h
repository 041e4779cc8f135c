// What the network says of a leaf, and where a leaf waits for it.
#pragma once

#include <array>
#include <cstdint>

#include "game.h"
#include "search/node.h"
#include "value.h"

namespace c4 {

// Of the canonical image of a state. The logits are followed by nothing else, so that entries of a cache stay small.
template <Game G>
struct Evaluation {
  Value value;
  float plies_left;
  std::array<float, G::kActions> logits;
};

// The same by reference: a row of the network's output.
struct EvaluationView {
  const float* logits;
  Value value;
  float plies_left;
};

template <Game G>
EvaluationView View(const Evaluation<G>& evaluation) {
  return {evaluation.logits.data(), evaluation.value, evaluation.plies_left};
}

// A leaf in flight: its state and the way to it.
template <Game G>
struct Leaf {
  G state;
  std::uint64_t key;  // canonical
  int symmetry;       // takes `state` to its canonical image
  int row;            // of the batch, or one of the two below
  int path_length;
  std::array<NodePool::Index, G::kMaxPlies + 1> path;
  Evaluation<G> known;

  static constexpr int kUnknown = -1;  // no row yet
  static constexpr int kKnown = -2;    // `known` holds the evaluation already

  Leaf() {}  // on purpose without initial values: clearing the arrays would cost more than a descent
};

}  // namespace c4
