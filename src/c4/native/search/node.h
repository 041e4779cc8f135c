// One node of a search tree, and the pool that holds a tree.
//
//   pool:  [root][children of the root ...][children of another node ...] ...
//
// The children of a node lie side by side, lowest action first, and are linked by index. A node is created when its
// parent is expanded, so it holds the prior of the move that leads to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace c4 {

struct Node {
  float q = 0.0f;  // mean value for the side to move here (value: native/value.h)
  float m = 0.0f;  // mean plies left from here
  float prior = 0.0f;
  std::uint32_t visits = 0;
  std::uint32_t first_child = 0;  // 0: not expanded, since index 0 is the root
  std::uint8_t action = 0;        // the move that leads here
  std::uint8_t num_children = 0;  // at most 225, on a Gomoku board of 15 x 15
  std::uint8_t in_flight = 0;     // leaves below that wait for the network
  std::uint8_t proven_plies = 0;  // plies to the end as far as proven; meaningful when settled
  std::int8_t lower = -1;         // what the side to move here is proven to get, at least
  std::int8_t upper = 1;          // ... and at most
  bool terminal = false;          // the game is over here; lower == upper == its result
  bool awaiting = false;          // is itself a leaf that waits for the network

  bool expanded() const { return first_child != 0; }
  bool settled() const { return lower == upper; }
};
static_assert(sizeof(Node) <= 32 && std::is_trivially_copyable_v<Node>);

// A growing array of nodes that reserves address space for a whole search at once, so that no simulation allocates.
// Pages that are reserved but never touched cost no memory.
class NodePool {
 public:
  using Index = std::uint32_t;

  Node& operator[](Index index) { return nodes_[index]; }
  const Node& operator[](Index index) const { return nodes_[index]; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  void Clear() { size_ = 0; }

  // Room for `extra` more nodes. Gives memory back when far more is held than is asked for. Sizes are rounded up, so
  // that what one tree gives back fits the next one that asks.
  void Reserve(std::size_t extra) {
    constexpr std::size_t kStep = 4096;
    const std::size_t wanted = extra < kStep ? size_ + extra : (size_ + extra + kStep - 1) / kStep * kStep;
    if (capacity_ < wanted || capacity_ > wanted + wanted / 4) Reallocate(wanted);
  }

  // New nodes in their initial state; returns the index of the first. Invalidates references, not indices.
  Index Allocate(int count) {
    if (size_ + count > capacity_) Reallocate(2 * (size_ + count));
    const Index first = static_cast<Index>(size_);
    for (int i = 0; i < count; ++i) nodes_[size_ + i] = Node{};
    size_ += count;
    return first;
  }

  // Makes `root` and what is below it the whole pool. `scratch` is swapped in as working memory.
  void KeepSubtree(Index root, NodePool& scratch) {
    scratch.Clear();
    scratch.Reserve(size_);
    scratch[scratch.Allocate(1)] = nodes_[root];
    // The copied part is its own queue (Cheney's algorithm): nodes before `i` have their children copied already.
    for (Index i = 0; i < scratch.size(); ++i) {
      if (!scratch[i].expanded()) continue;
      const int count = scratch[i].num_children;
      const Index from = scratch[i].first_child;
      const Index to = scratch.Allocate(count);
      for (int k = 0; k < count; ++k) scratch[to + k] = nodes_[from + k];
      scratch[i].first_child = to;
    }
    size_ = scratch.size_;
    for (std::size_t i = 0; i < size_; ++i) nodes_[i] = scratch.nodes_[i];
  }

 private:
  // Uninitialised storage: writing zeros would touch pages that may never be used.
  struct Free {
    void operator()(Node* nodes) const { ::operator delete(nodes); }
  };

  void Reallocate(std::size_t capacity) {
    std::unique_ptr<Node[], Free> nodes(static_cast<Node*>(::operator new(capacity * sizeof(Node))));
    for (std::size_t i = 0; i < size_; ++i) nodes[i] = nodes_[i];
    nodes_ = std::move(nodes);
    capacity_ = capacity;
  }

  std::unique_ptr<Node[], Free> nodes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace c4
