// One node of a search tree, and the pool that holds a tree.
//
//   a page:       [root][children of the root ...][children of another node ...] ...
//   another one:  [children of a third ...] ...
//
// The children of a node lie side by side, lowest action first, and are linked by index. They are created when it is
// expanded, so each holds the prior of the move that leads to it. Below the root of a game with many moves a node has
// edges (edges.h) in their place, and its children are created one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/edges.h"
#include "search/pages.h"

namespace c4 {

struct Node {
  float q = 0.0f;  // mean value for the side to move here (value: native/value.h)
  float m = 0.0f;  // mean plies left from here
  float prior = 0.0f;
  std::uint32_t visits = 0;
  std::uint32_t first_child = 0;  // ... or its edges; 0: not expanded, since index 0 is the root
  std::uint8_t action = 0;        // the move that leads here
  std::uint8_t num_children = 0;  // moves, tried or not: at most 225, on a Gomoku board of 15 x 15
  std::uint8_t in_flight = 0;     // leaves below that wait for the network
  std::uint8_t proven_plies = 0;  // plies to the end as far as proven; meaningful when settled
  std::int8_t lower = -1;         // what the side to move here is proven to get, at least
  std::int8_t upper = 1;          // ... and at most
  bool terminal : 1 = false;      // the game is over here; lower == upper == its result
  bool awaiting : 1 = false;      // is itself a leaf that waits for the network
  bool by_proof : 1 = false;      // settled by proof.h, whatever is known of its children
  bool has_edges : 1 = false;     // and children for the moves alone that were tried

  bool expanded() const { return first_child != 0; }
  bool settled() const { return lower == upper; }
};
static_assert(sizeof(Node) == 28 && std::is_trivially_copyable_v<Node>);

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
  const Node* Free() const { return root_ + static_cast<std::int32_t>(next_); }  // where the next nodes will be
  std::size_t size() const { return size_; }  // in nodes; edges count as those whose place they take
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
    const Index first = Take(count);
    std::fill_n(&(*this)[first], count, kFresh);
    return first;
  }

  // The edges of a node, none of which is tried; the caller writes priors and actions.
  Index AllocateEdges(int moves) {
    const Index index = Take(NodesOfEdges(moves));
    EdgesAt(index).Begin(moves);
    return index;
  }
  static constexpr int NodesOfEdges(int moves) {
    return static_cast<int>((Edges::Bytes(moves) + sizeof(Node) - 1) / sizeof(Node));
  }
  Edges& EdgesAt(Index index) { return *reinterpret_cast<Edges*>(&(*this)[index]); }
  const Edges& EdgesAt(Index index) const { return *reinterpret_cast<const Edges*>(&(*this)[index]); }

  // The child for a move that was not tried yet. Precondition: the node has edges.
  Index CreateChild(const Node& node, int place) {
    Edges& edges = EdgesAt(node.first_child);
    const std::uint32_t block = Edges::BlockOf(edges.num_tried);
    const std::uint32_t inside = edges.num_tried - Edges::FirstOf(block);
    if (inside == 0) edges.blocks[block] = Allocate(Edges::kFirstBlock << block);
    const Index index = edges.blocks[block] + inside;
    (*this)[index].action = edges.actions(node.num_children)[place];
    (*this)[index].prior = edges.priors()[place];
    edges.MarkTried(place, node.num_children);
    return index;
  }

  // Calls visit(child, its index) for each child that exists.
  template <typename Visit>
  void ForChildren(const Node& node, Visit&& visit) const {
    if (!node.has_edges) {
      for (Index i = 0; i < node.num_children; ++i) visit((*this)[node.first_child + i], node.first_child + i);
      return;
    }
    const Edges& edges = EdgesAt(node.first_child);
    for (std::uint32_t k = 0; k < edges.num_tried;) {
      const std::uint32_t block = Edges::BlockOf(k);
      const Index first = edges.blocks[block] - Edges::FirstOf(block);
      for (const std::uint32_t end = std::min(edges.num_tried, Edges::FirstOf(block + 1)); k < end; ++k) {
        visit((*this)[first + k], first + k);
      }
    }
  }

  // Writes a node for each move, lowest action first; of one that was not tried, as it would be created.
  void CopyChildren(const Node& node, Node* children) const {
    if (!node.has_edges) {
      const Node* from = &(*this)[node.first_child];
      for (int i = 0; i < node.num_children; ++i) children[i] = from[i];
      return;
    }
    const Edges& edges = EdgesAt(node.first_child);
    const std::uint8_t* actions = edges.actions(node.num_children);
    for (int place = 0; place < node.num_children; ++place) {
      children[place] = Node{};
      children[place].action = actions[place];
      children[place].prior = edges.priors()[place];
    }
    ForChildren(node, [&](const Node& child, Index) {
      children[std::lower_bound(actions, actions + node.num_children, child.action) - actions] = child;
    });
  }
  std::vector<Node> Children(const Node& node) const {
    std::vector<Node> children(node.num_children);
    if (node.expanded()) CopyChildren(node, children.data());
    return children;
  }

  // Makes `root` and what is below it the whole pool. The root has a child for each move, whatever it had here.
  void KeepSubtree(Index root) {
    NodePool kept;
    kept.pages_.reserve(pages_.size());
    std::vector<Index> expanded;  // nodes that are kept, whose children are not yet
    const auto keep = [&](const Node& node, Index index) {
      kept[index] = node;
      if (node.expanded()) expanded.push_back(index);
    };
    keep((*this)[root], kept.Allocate(1));
    for (std::size_t i = 0; i < expanded.size(); ++i) {
      Node& node = kept[expanded[i]];
      if (node.has_edges && expanded[i] != 0) {
        node.first_child = KeepEdges(node, kept, keep);
        continue;
      }
      const Index first = kept.Take(node.num_children);
      CopyChildren(node, &kept[first]);
      node.first_child = first;
      node.has_edges = false;
      for (Index k = first; k < first + node.num_children; ++k) {
        if (kept[k].expanded()) expanded.push_back(k);
      }
    }
    Swap(kept);
  }

 private:
  static constexpr Node kFresh{};
  static constexpr std::size_t kPageNodes = 1024;  // a multiple of 4,096 bytes for any size of a node
  static constexpr std::size_t kMostPages = (std::size_t{1} << 31) / kPageNodes;  // what a signed index reaches

  static Pages& Shared() {
    static Pages& pages = *new Pages(kPageNodes * sizeof(Node), kMostPages);  // outlives every tree
    return pages;
  }
  static Node* Nodes(Pages::Page page) { return reinterpret_cast<Node*>(Shared().At(page)); }

  // Room for so many nodes side by side, in no state.
  Index Take(int count) {
    if (left_ < static_cast<std::size_t>(count)) TakePage();
    const Index first = next_;
    next_ += static_cast<Index>(count);
    left_ -= static_cast<std::size_t>(count);
    size_ += static_cast<std::size_t>(count);
    return first;
  }

  template <typename Keep>
  Index KeepEdges(const Node& node, NodePool& kept, Keep&& keep) const {
    const Edges& from = EdgesAt(node.first_child);
    const Index index = kept.AllocateEdges(node.num_children);
    Edges& to = kept.EdgesAt(index);
    std::memcpy(&to, &from, Edges::Bytes(node.num_children));
    std::uint32_t k = 0;
    ForChildren(node, [&](const Node& child, Index) {
      const std::uint32_t block = Edges::BlockOf(k);
      if (k == Edges::FirstOf(block)) to.blocks[block] = kept.Allocate(Edges::kFirstBlock << block);
      keep(child, to.blocks[block] + (k - Edges::FirstOf(block)));
      ++k;
    });
    return index;
  }

  void TakePage() {
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
