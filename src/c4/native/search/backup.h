// Backup: what was found at a leaf is told to every node on the way to it.
#pragma once

#include <algorithm>
#include <span>

#include "search/node.h"
#include "search/params.h"
#include "value.h"

namespace c4 {

// Recomputes what is proven of a node from its children. Returns whether that changed.
inline bool UpdateBounds(const NodePool& pool, Node& node) {
  int lower = -1;
  int upper = -1;
  int children = 0;
  pool.ForChildren(node, [&](const Node& child, NodePool::Index) {
    lower = std::max(lower, FlipResult(child.upper));
    upper = std::max(upper, FlipResult(child.lower));
    ++children;
  });
  if (children < node.num_children) upper = 1;  // nothing is known of a move that was not tried
  if (lower == node.lower && upper == node.upper) return false;
  node.lower = static_cast<std::int8_t>(lower);
  node.upper = static_cast<std::int8_t>(upper);
  if (!node.settled()) return true;
  int shortest = 255;
  int longest = 0;
  pool.ForChildren(node, [&](const Node& child, NodePool::Index) {
    if (!child.settled() || FlipResult(child.lower) != lower) return;  // not a move that is proven to reach the result
    shortest = std::min<int>(shortest, child.proven_plies);
    longest = std::max<int>(longest, child.proven_plies);
  });
  node.proven_plies = static_cast<std::uint8_t>(1 + (lower > 0 ? shortest : longest));
  return true;
}

// `path` leads from the root to the leaf; `value` and `plies_left` are the leaf's (value: native/value.h).
inline void Backup(NodePool& pool, std::span<const NodePool::Index> path, Value value, float plies_left,
                   const SearchParams& params) {
  bool below_changed = params.proven_results && pool[path.back()].settled();
  for (std::size_t i = path.size(); i-- > 0;) {
    Node& node = pool[path[i]];
    ++node.visits;
    if (below_changed && i + 1 < path.size()) below_changed = UpdateBounds(pool, node);
    if (params.proven_results && node.settled()) {
      value = static_cast<Value>(node.lower);
      plies_left = static_cast<float>(node.proven_plies);
      node.q = value;
      node.m = plies_left;
    } else {
      if (params.proven_results) {
        value = std::clamp(value, static_cast<Value>(node.lower), static_cast<Value>(node.upper));
      }
      const float visits = static_cast<float>(node.visits);
      node.q += (value - node.q) / visits;
      node.m += (plies_left - node.m) / visits;
      if (params.proven_results) {  // what was believed before it was proven does not outlive the proof
        node.q = std::clamp(node.q, static_cast<Value>(node.lower), static_cast<Value>(node.upper));
      }
    }
    value = Flip(value) * params.discount;
    plies_left += 1.0f;
  }
}

}  // namespace c4
