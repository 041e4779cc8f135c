// The pool of threads: every index once, whatever the number of threads, and no exception is lost.
#include "search/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "harness.h"

namespace c4 {
namespace {

TEST(EveryIndexIsVisitedOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      std::vector<int> visits(count);
      pool.ForEach(count, [&](std::size_t i, int) { ++visits[i]; });
      for (const int visited : visits) CHECK_EQ(visited, 1);
    }
  }
}

TEST(AThreadHasItsOwnNumber) {
  ThreadPool pool(4);
  std::vector<int> by_thread(static_cast<std::size_t>(pool.size()));
  pool.ForEach(400, [&](std::size_t, int thread) { ++by_thread.at(static_cast<std::size_t>(thread)); });
  for (const int count : by_thread) CHECK_EQ(count, 100);
}

TEST(AnExceptionOfAnyThreadComesBack) {
  for (const std::size_t failing : {0u, 50u, 99u}) {
    ThreadPool pool(3);
    const auto run = [&] {
      pool.ForEach(100, [&](std::size_t i, int) {
        if (i == failing) throw std::runtime_error("in a thread");
      });
    };
    CHECK_EQ(THROWN(std::runtime_error, run()), "in a thread");
  }
}

TEST(ThePoolWorksOnAfterAnException) {
  ThreadPool pool(2);
  THROWN(std::runtime_error, pool.ForEach(2, [](std::size_t, int) { throw std::runtime_error("again"); }));
  std::atomic<int> visits = 0;
  pool.ForEach(10, [&](std::size_t, int) { ++visits; });
  CHECK_EQ(visits.load(), 10);
}

}  // namespace
}  // namespace c4
