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
  for (int i = 0; const Node& child : search.pool().Children(node)) {
    CHECK_EQ(child.action, legal[i++]);
    visits_below += child.visits;
    prior += child.prior;
  }
  CHECK(visits_below < node.visits);  // each visit but the one that expanded it, and those of a settled node, went on
  CHECK(std::abs(prior - 1.0f) < 1e-4f);
}

// What a pool spends on the children of a node: of a large board below the root, on edges and on blocks of children.
template <Game G>
std::size_t NodesFor(const Search<G>& search, const Node& node) {
  if (!node.has_edges) return node.num_children;
  auto nodes = static_cast<std::size_t>(NodePool::NodesOfEdges(node.num_children));
  const std::uint32_t tried = search.pool().EdgesAt(node.first_child).num_tried;
  for (std::uint32_t block = 0; Edges::FirstOf(block) < tried; ++block) {
    nodes += Edges::FirstOf(block + 1) - Edges::FirstOf(block);
  }
  return nodes;
}

// Returns the number of nodes for all that is below this one.
template <Game G>
std::size_t CheckBelow(const Search<G>& search, const G& state, NodePool::Index index) {
  CheckNode(search, state, index);
  const Node& node = search.pool()[index];
  CHECK_EQ(node.has_edges, node.expanded() && kHasManyMoves<G> && index != 0);
  std::size_t nodes = NodesFor(search, node);
  search.pool().ForChildren(node, [&](const Node& child, NodePool::Index at) {
    if (child.visits == 0) return;
    G next = state;
    next.Play(child.action);
    nodes += CheckBelow(search, next, at);
  });
  return nodes;
}

template <Game G>
void CheckTree(const Search<G>& search, const G& state) {
  CHECK_EQ(CheckBelow(search, state, 0) + 1, search.pool().size());  // the pool holds the tree and nothing else
}

}  // namespace c4::testing
