// What a search costs the allocator: nothing, once trees of its size have been grown.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "games/connect4.h"
#include "harness.h"
#include "rng.h"
#include "sample_params.h"
#include "search/rollout.h"
#include "search/search.h"

namespace {
std::uint64_t allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* place = std::malloc(bytes)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

namespace c4 {
namespace {

TEST(SimulationsAllocateNothing) {
  using G = Connect4<7, 6, 4>;
  Search<G> search;
  Rng rng(1);
  SearchCounters counters;
  const auto think = [&] {
    search.Reset(G{}, {});
    search.AddBudget(5'000);
    search.Gather(testing::PlainSearch(), Rollout<G>{rng}, counters);
  };
  think();
  const std::uint64_t before = allocations;
  CHECK(before > 0);
  for (int i = 0; i < 5; ++i) think();
  CHECK_EQ(allocations, before);
  CHECK_EQ(counters.simulations, 30'000u);
}

TEST(TreesThatPlayOnStayWithinWhatTheyUse) {
  using G = Connect4<7, 6, 4>;
  const std::size_t before = NodePool::taken_bytes();
  {
    Search<G> search;
    Rng rng(1);
    SearchCounters counters;
    for (int game = 0; game < 20; ++game) {
      search.Reset(G{}, {});
      while (!search.root().IsTerminal()) {
        search.AddBudget(300);
        search.Gather(testing::PlainSearch(), Rollout<G>{rng}, counters);
        const NodePool& pool = search.pool();
        CHECK(pool.capacity() <= pool.size() * 101 / 100 + 1'024);
        CHECK_EQ(NodePool::taken_bytes() - before, pool.capacity() * sizeof(Node));
        search.Play(pool[pool[0].first_child].action, testing::PlainSearch());
      }
    }
  }
  CHECK_EQ(NodePool::taken_bytes(), before);
}

}  // namespace
}  // namespace c4
