// The pool that holds a tree: indices stay valid, a subtree survives alone, memory is given back.
#include "search/node.h"

#include <cstdint>
#include <vector>

#include "harness.h"

namespace c4 {
namespace {

// A root with two children, the second of which has three.
NodePool SmallTree() {
  NodePool pool;
  pool.Allocate(1);
  pool[0].first_child = pool.Allocate(2);
  pool[0].num_children = 2;
  const NodePool::Index second = pool[0].first_child + 1;
  const NodePool::Index grandchildren = pool.Allocate(3);
  pool[second].first_child = grandchildren;
  pool[second].num_children = 3;
  pool[second].visits = 4;
  for (int i = 0; i < 3; ++i) pool[grandchildren + i].visits = static_cast<std::uint32_t>(i + 1);
  return pool;
}

TEST(AFreshNodeIsUnknownAndOpen) {
  NodePool pool;
  const Node& node = pool[pool.Allocate(1)];
  CHECK_EQ(node.visits, 0u);
  CHECK(!node.expanded() && !node.settled() && !node.terminal);
}

TEST(GrowingKeepsWhatIsThere) {
  NodePool pool = SmallTree();
  for (int i = 0; i < 1'000; ++i) pool.Allocate(7);
  CHECK_EQ(pool[pool[0].first_child + 1].visits, 4u);
}

TEST(AReusedPlaceIsInItsInitialState) {
  NodePool pool = SmallTree();
  pool.Clear();
  pool.Allocate(6);
  for (NodePool::Index i = 0; i < 6; ++i) CHECK(pool[i].visits == 0 && !pool[i].expanded());
}

TEST(ASubtreeSurvivesAndNothingElse) {
  NodePool pool = SmallTree();
  pool.KeepSubtree(pool[0].first_child + 1);
  CHECK_EQ(pool.size(), 4u);
  CHECK_EQ(pool[0].visits, 4u);
  CHECK_EQ(pool[0].num_children, 3);
  for (NodePool::Index i = 0; i < 3; ++i) CHECK_EQ(pool[pool[0].first_child + i].visits, i + 1);
}

TEST(ALeafSurvivesAsALoneRoot) {
  NodePool pool = SmallTree();
  pool.KeepSubtree(pool[0].first_child);
  CHECK_EQ(pool.size(), 1u);
  CHECK(!pool[0].expanded());
}

// A chain in which each node has 200 children, the first of which goes on.
NodePool LongTree(int length) {
  NodePool pool;
  NodePool::Index at = pool.Allocate(1);
  for (int i = 0; i < length; ++i) {
    const NodePool::Index children = pool.Allocate(200);
    for (NodePool::Index k = 0; k < 200; ++k) pool[children + k].visits = static_cast<std::uint32_t>(i) * 200 + k;
    pool[at].first_child = children;
    pool[at].num_children = 200;
    at = children;
  }
  return pool;
}

TEST(ChildrenLieSideBySideOnWhateverPage) {
  const NodePool pool = LongTree(50);
  NodePool::Index at = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Node* children = &pool[pool[at].first_child];
    for (std::uint32_t k = 0; k < 200; ++k) CHECK_EQ(children[k].visits, i * 200 + k);
    at = pool[at].first_child;
  }
  CHECK_EQ(pool.size(), 50u * 200 + 1);
}

TEST(ASubtreeSurvivesOnManyPages) {
  NodePool pool = LongTree(50);
  for (std::uint32_t i = 1; i < 50; ++i) {
    pool.KeepSubtree(pool[0].first_child);
    CHECK_EQ(pool.size(), (50 - i) * 200u + 1);
    CHECK_EQ(pool[0].visits, (i - 1) * 200);
    NodePool::Index at = 0;
    for (std::uint32_t k = i; k < 50; ++k) {
      at = pool[at].first_child;
      CHECK_EQ(pool[at + 199].visits, k * 200 + 199);
    }
    CHECK(!pool[at].expanded());
  }
}

TEST(TreesDoNotShareNodes) {
  std::vector<NodePool> trees;
  for (std::uint32_t i = 0; i < 20; ++i) {
    trees.push_back(LongTree(20));
    trees[i][0].visits = i;
  }
  trees.erase(trees.begin() + 5);
  trees.push_back(LongTree(30));
  for (std::uint32_t i = 0; i < 19; ++i) {
    CHECK_EQ(trees[i][0].visits, i < 5 ? i : i + 1);
    CHECK_EQ(trees[i][trees[i][0].first_child + 199].visits, 199u);
  }
}

// Edges whose i-th move is the action 2 i, with the prior 1 / (i + 2).
void GiveEdges(NodePool& pool, NodePool::Index index, int moves) {
  Node& node = pool[index];
  node.first_child = pool.AllocateEdges(moves);
  node.num_children = static_cast<std::uint8_t>(moves);
  node.has_edges = true;
  Edges& edges = pool.EdgesAt(node.first_child);
  for (int i = 0; i < moves; ++i) {
    edges.actions(moves)[i] = static_cast<std::uint8_t>(2 * i);
    edges.priors()[i] = 1.0f / static_cast<float>(i + 2);
  }
}

TEST(AMoveGetsItsChildWhenItIsTried) {
  constexpr int kMoves = 113;
  NodePool pool;
  pool.Allocate(1);
  GiveEdges(pool, 0, kMoves);
  std::vector<NodePool::Index> created(kMoves);
  for (int k = 0; k < kMoves; ++k) {
    const int place = 40 * k % kMoves;
    created[place] = pool.CreateChild(pool[0], place);
    pool[created[place]].visits = static_cast<std::uint32_t>(k + 1);

    float sum = 0.0f;
    const std::vector<Node> children = pool.Children(pool[0]);
    for (int i = 0; i < kMoves; ++i) {
      CHECK_EQ(static_cast<int>(children[i].action), 2 * i);
      CHECK_EQ(children[i].prior, 1.0f / static_cast<float>(i + 2));
      const bool tried = created[i] != 0;
      CHECK_EQ(pool.EdgesAt(pool[0].first_child).IsTried(i), tried);
      CHECK_EQ(children[i].visits, tried ? pool[created[i]].visits : 0u);
      if (tried) sum += children[i].prior;
    }
    CHECK_EQ(pool.EdgesAt(pool[0].first_child).tried_prior, sum);
  }
  std::uint32_t order = 0;
  pool.ForChildren(pool[0], [&](const Node& child, NodePool::Index index) {
    CHECK_EQ(child.visits, ++order);
    CHECK_EQ(&pool[index], &child);
  });
  CHECK_EQ(order, static_cast<std::uint32_t>(kMoves));
}

TEST(ASubtreeWithEdgesSurvivesUnderARootOfAllItsChildren) {
  NodePool pool;
  pool.Allocate(1);
  const NodePool::Index kept = pool[0].first_child = pool.Allocate(1);
  pool[0].num_children = 1;
  GiveEdges(pool, kept, 30);
  for (int place = 29; place > 0; place -= 2) {  // more than one block of children
    const NodePool::Index child = pool.CreateChild(pool[kept], place);
    GiveEdges(pool, child, 20);
    for (int below = 0; below < place; below += 3) {
      if (below < 20)
        pool[pool.CreateChild(pool[child], below)].visits = static_cast<std::uint32_t>(100 * place + below);
    }
  }
  pool.KeepSubtree(kept);
  CHECK(!pool[0].has_edges);
  for (NodePool::Index place = 0; place < 30; ++place) {
    const Node& child = pool[pool[0].first_child + place];
    CHECK_EQ(child.action, 2 * place);
    CHECK_EQ(child.has_edges, place % 2 == 1);
    const std::vector<Node> below = pool.Children(child);
    for (NodePool::Index i = 0; i < below.size(); ++i) {
      CHECK_EQ(below[i].visits, i % 3 == 0 && i < place ? 100 * place + i : 0u);
    }
  }
}

TEST(MemoryIsGivenBackWithAMoveAndWithTheTree) {
  const std::size_t before = NodePool::taken_bytes();
  {
    NodePool pool = LongTree(1'000);
    CHECK(pool.capacity() >= pool.size());
    CHECK_EQ(NodePool::taken_bytes() - before, pool.capacity() * sizeof(Node));
    pool.KeepSubtree(pool[0].first_child + 1);  // a leaf
    CHECK(pool.capacity() < 2'000);
    pool = LongTree(1'000);
    pool.Clear();
    CHECK(pool.capacity() < 2'000);
    CHECK_EQ(NodePool::taken_bytes() - before, pool.capacity() * sizeof(Node));
  }
  CHECK_EQ(NodePool::taken_bytes(), before);
}

TEST(ATreeHoldsHardlyMoreThanItUses) {
  NodePool pool;
  for (int i = 0; i < 10'000; ++i) {
    pool.Allocate(7);
    CHECK(pool.capacity() * 99 / 100 < pool.size() + 1'100);
  }
}

}  // namespace
}  // namespace c4
