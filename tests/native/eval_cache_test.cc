// The cache of evaluations: what it knows is right, bounded, and gone when the weights change.
#include "search/eval_cache.h"

#include <cstdint>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "harness.h"

namespace c4 {
namespace {

using Cache = EvalCache<TicTacToe>;

Cache Holding(int entries) { return Cache(entries * Cache::kEntryMegabytes); }

Evaluation<TicTacToe> Worth(float value) { return {.value = value, .plies_left = 3.0f, .logits = {}}; }

TEST(WhatWasWrittenIsFound) {
  Cache cache = Holding(64);
  cache.Insert(7, Worth(0.5f));
  CHECK(cache.Find(8) == nullptr);
  CHECK(cache.Find(7) != nullptr);
  CHECK_EQ(cache.Find(7)->value, 0.5f);
}

TEST(NothingIsFoundBeforeAnythingIsWritten) {
  const Cache cache = Holding(64);
  CHECK(cache.Find(0) == nullptr);  // 0 is the key that empty places hold
}

TEST(AClearedCacheForgetsAll) {
  Cache cache = Holding(64);
  for (std::uint64_t key = 0; key < 64; ++key) cache.Insert(key, Worth(0.1f));
  cache.Clear();
  for (std::uint64_t key = 0; key < 64; ++key) CHECK(cache.Find(key) == nullptr);
}

TEST(AFullSetLosesItsOldestEntry) {
  Cache cache = Holding(4);  // one set of four
  for (std::uint64_t key = 1; key <= 5; ++key) cache.Insert(key, Worth(static_cast<float>(key)));
  CHECK(cache.Find(1) == nullptr);
  for (std::uint64_t key = 2; key <= 5; ++key) CHECK_EQ(cache.Find(key)->value, static_cast<float>(key));
}

TEST(ItsMemoryIsAtMostWhatIsAllowed) {
  CHECK_EQ(Holding(64).size(), 64u);
  CHECK_EQ(Holding(127).size(), 64u);
  CHECK_EQ(Holding(3).size(), 0u);
  const EvalCache<Connect4<7, 6, 4>> connect4(64.0);
  const EvalCache<Gomoku<15, 5>> gomoku(64.0);
  CHECK_EQ(connect4.size(), 1u << 20);
  CHECK_EQ(gomoku.size(), 1u << 16);
}

TEST(ACacheOfNoEntriesKnowsNothing) {
  Cache cache = Holding(0);
  CHECK(!cache.enabled());
  cache.Insert(1, Worth(1.0f));
  CHECK(cache.Find(1) == nullptr);
}

TEST(WhatIsFoundIsAlwaysOfThatKey) {
  Cache cache = Holding(256);
  for (std::uint64_t key = 0; key < 10'000; ++key) cache.Insert(key, Worth(static_cast<float>(key)));
  int found = 0;
  for (std::uint64_t key = 0; key < 10'000; ++key) {
    if (cache.Find(key) == nullptr) continue;
    ++found;
    CHECK_EQ(cache.Find(key)->value, static_cast<float>(key));
  }
  CHECK_EQ(found, 256);
}

}  // namespace
}  // namespace c4
