// What holds for any tree of which no leaf is in flight, whatever the knobs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "check.h"
#include "game.h"
#include "search/search.h"

namespace c4::testing {

template <Game G>
void CheckNode(const Search<G>& search, const G& state, NodePool::Index index) {
  const Node& node = search.pool()[index];
  CHECK_EQ(node.in_flight, 0);
  CHECK(!node.awaiting);
  CHECK(std::abs(node.q) <= 1.0001f);
  CHECK(0.0f <= node.m && node.m <= static_cast<float>(G::kMaxPlies) * 2.0f);
  CHECK(-1 <= node.lower && node.lower <= node.upper && node.upper <= 1);
  if (node.terminal) {
    CHECK(state.IsTerminal() && !node.expanded());
    CHECK_EQ(node.lower, state.Result());
    CHECK(node.settled());
  }
  if (!node.expanded()) return;
  CHECK(!state.IsTerminal());  // a finished state is never expanded

  std::uint8_t legal[G::kActions];
  CHECK_EQ(node.num_children, state.LegalActions(legal));
  std::uint32_t visits_below = 0;
  float prior = 0.0f;
  for (int i = 0; i < node.num_children; ++i) {
    const Node& child = search.pool()[node.first_child + i];
    CHECK_EQ(child.action, legal[i]);
    visits_below += child.visits;
    prior += child.prior;
  }
  CHECK(visits_below < node.visits);  // each visit but the one that expanded it, and those of a settled node, went on
  CHECK(std::abs(prior - 1.0f) < 1e-4f);
}

// Returns the number of nodes at and below this one.
template <Game G>
std::size_t CheckBelow(const Search<G>& search, const G& state, NodePool::Index index) {
  CheckNode(search, state, index);
  const Node& node = search.pool()[index];
  std::size_t nodes = 1;
  for (int i = 0; i < node.num_children; ++i) {
    const NodePool::Index child = node.first_child + i;
    if (search.pool()[child].visits == 0) {
      ++nodes;
      continue;
    }
    G next = state;
    next.Play(search.pool()[child].action);
    nodes += CheckBelow(search, next, child);
  }
  return nodes;
}

template <Game G>
void CheckTree(const Search<G>& search, const G& state) {
  CHECK_EQ(CheckBelow(search, state, 0), search.pool().size());  // the pool holds the tree and nothing else
}

}  // namespace c4::testing
