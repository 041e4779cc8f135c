// The pool that holds a tree: indices stay valid, a subtree survives alone, memory is given back.
#include "search/node.h"

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
  NodePool scratch;
  pool.KeepSubtree(pool[0].first_child + 1, scratch);
  CHECK_EQ(pool.size(), 4u);
  CHECK_EQ(pool[0].visits, 4u);
  CHECK_EQ(pool[0].num_children, 3);
  for (NodePool::Index i = 0; i < 3; ++i) CHECK_EQ(pool[pool[0].first_child + i].visits, i + 1);
}

TEST(ALeafSurvivesAsALoneRoot) {
  NodePool pool = SmallTree();
  NodePool scratch;
  pool.KeepSubtree(pool[0].first_child, scratch);
  CHECK_EQ(pool.size(), 1u);
  CHECK(!pool[0].expanded());
}

TEST(MemoryIsGivenBackAfterALargeTree) {
  NodePool pool;
  pool.Allocate(100'000);
  CHECK(pool.capacity() >= 100'000);
  pool.Clear();
  pool.Reserve(100);
  CHECK(pool.capacity() < 1'000);
}

TEST(ReservingOnceIsEnough) {
  NodePool pool;
  pool.Allocate(1);
  pool.Reserve(5'000);
  const std::size_t capacity = pool.capacity();
  for (int i = 0; i < 1'000; ++i) pool.Allocate(5);
  CHECK_EQ(pool.capacity(), capacity);
}

}  // namespace
}  // namespace c4
