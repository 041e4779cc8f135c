// One node of a search tree, and the pool that holds a tree.
//
//   a page:       [root][children of the root ...][children of another node ...] ...
//   another one:  [children of a third ...] ...
//
// The children of a node lie side by side, lowest action first, and are linked by index. A node is created when its
// parent is expanded, so it holds the prior of the move that leads to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/pages.h"

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

// The nodes of one tree, in pages that all trees of the process share: a tree holds what it uses, rounded up to a page,
// and an index is the distance from the root in nodes, forwards or backwards. The root has index 0.
class NodePool {
 public:
  using Index = std::uint32_t;

  NodePool() = default;
  NodePool(NodePool&& other) noexcept { Swap(other); }
  NodePool& operator=(NodePool&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~NodePool() { GivePages(/*keep=*/0); }

  Node& operator[](Index index) { return root_[static_cast<std::int32_t>(index)]; }
  const Node& operator[](Index index) const { return root_[static_cast<std::int32_t>(index)]; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return pages_.size() * kPageNodes; }
  static std::size_t taken_bytes() { return Shared().taken_bytes(); }  // of all trees

  // Gives all memory back but for one page.
  void Clear() {
    GivePages(/*keep=*/1);
    size_ = 0;
    next_ = 0;
    left_ = capacity();
  }

  // New nodes side by side, in their initial state; returns the index of the first. At most kPageNodes. References and
  // indices stay valid.
  Index Allocate(int count) {
    if (left_ < static_cast<std::size_t>(count)) TakePage();
    const Index first = next_;
    for (int i = 0; i < count; ++i) (*this)[first + i] = Node{};
    next_ += static_cast<Index>(count);
    left_ -= static_cast<std::size_t>(count);
    size_ += static_cast<std::size_t>(count);
    return first;
  }

  // Makes `root` and what is below it the whole pool.
  void KeepSubtree(Index root) {
    NodePool kept;
    kept.pages_.reserve(pages_.size());
    kept[kept.Allocate(1)] = (*this)[root];
    // The copied part is its own queue (Cheney's algorithm): nodes before `node` have their children copied already.
    for (std::size_t i = 0; i < kept.pages_.size(); ++i) {
      for (Node* node = kept.Nodes(kept.pages_[i]); node < kept.End(i); ++node) {
        if (!node->expanded()) continue;
        const Index from = node->first_child;
        const Index to = kept.Allocate(node->num_children);
        for (Index k = 0; k < node->num_children; ++k) kept[to + k] = (*this)[from + k];
        node->first_child = to;
      }
    }
    Swap(kept);
  }

 private:
  static constexpr std::size_t kPageNodes = 1024;  // a multiple of 4,096 bytes for any size of a node
  static constexpr std::size_t kMostPages = (std::size_t{1} << 31) / kPageNodes;  // what a signed index reaches

  static Pages& Shared() {
    static Pages& pages = *new Pages(kPageNodes * sizeof(Node), kMostPages);  // outlives every tree
    return pages;
  }
  static Node* Nodes(Pages::Page page) { return reinterpret_cast<Node*>(Shared().At(page)); }

  // Of the nodes on the i-th page.
  const Node* End(std::size_t i) const {
    return i + 1 < pages_.size() ? Nodes(pages_[i]) + kPageNodes : &(*this)[next_];
  }

  void TakePage() {
    for (; left_ > 0; --left_) (*this)[next_++] = Node{};  // so that every page but the last is full of nodes
    pages_.push_back(Shared().Take());
    Node* first = Nodes(pages_.back());
    if (pages_.size() == 1) root_ = first;
    next_ = static_cast<Index>(first - root_);
    left_ = kPageNodes;
  }

  void GivePages(std::size_t keep) {
    for (; pages_.size() > keep; pages_.pop_back()) Shared().Give(pages_.back());
  }

  void Swap(NodePool& other) noexcept {
    std::swap(pages_, other.pages_);
    std::swap(root_, other.root_);
    std::swap(next_, other.next_);
    std::swap(left_, other.left_);
    std::swap(size_, other.size_);
  }

  std::vector<Pages::Page> pages_;
  Node* root_ = nullptr;  // on the first page
  Index next_ = 0;        // the first free place of the last page
  std::size_t left_ = 0;  // ... and how many there are
  std::size_t size_ = 0;
};

}  // namespace c4
