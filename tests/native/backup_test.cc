// What a proof says of length, and which proven move is played: the shortest win, the longest loss.
#include "search/backup.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "harness.h"
#include "sample_params.h"
#include "search/policy.h"

namespace c4 {
namespace {

struct Proof {
  int result;  // for the side to move in the child
  int plies;
};

// A root all of whose moves are settled.
NodePool Settled(std::initializer_list<Proof> proofs) {
  NodePool pool;
  pool.Allocate(1);
  pool[0].first_child = pool.Allocate(static_cast<int>(proofs.size()));
  pool[0].num_children = static_cast<std::uint8_t>(proofs.size());
  Node* child = &pool[pool[0].first_child];
  for (const Proof& proof : proofs) {
    child->visits = 1;
    child->lower = child->upper = static_cast<std::int8_t>(proof.result);
    child->proven_plies = static_cast<std::uint8_t>(proof.plies);
    ++child;
  }
  CHECK(UpdateBounds(pool, pool[0]));
  CHECK(pool[0].settled());
  return pool;
}

int Best(const NodePool& pool) {
  SearchParams params = testing::PlainSearch();
  params.proven_results = true;
  return BestChild(pool, params);
}

TEST(AWinIsAsLongAsItsShortestWay) {
  const NodePool pool = Settled({{1, 9}, {-1, 4}, {-1, 2}, {0, 1}, {-1, 6}});
  CHECK_EQ(pool[0].lower, 1);
  CHECK_EQ(pool[0].proven_plies, 3);
  CHECK_EQ(Best(pool), 2);
}

TEST(ALossIsAsLongAsItsLongestWay) {
  const NodePool pool = Settled({{1, 3}, {1, 7}, {1, 5}});
  CHECK_EQ(pool[0].upper, -1);
  CHECK_EQ(pool[0].proven_plies, 8);
  CHECK_EQ(Best(pool), 1);
}

TEST(ADrawIsKept) {
  const NodePool pool = Settled({{1, 9}, {0, 4}, {1, 3}});
  CHECK_EQ(pool[0].lower, 0);
  CHECK_EQ(Best(pool), 1);
}

TEST(WhatIsSaidTwiceChangesNothing) {
  NodePool pool = Settled({{-1, 4}, {1, 3}});
  CHECK(!UpdateBounds(pool, pool[0]));
}

}  // namespace
}  // namespace c4
