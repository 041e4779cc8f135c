// Evaluations that all trees share, by canonical position, until the weights change.
//
// Sets of four entries; a full set loses its entry that was written longest ago. Find may run in many threads at once
// as long as nobody writes; what is in the cache depends on the order of writes alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game.h"
#include "rng.h"
#include "search/evaluation.h"

namespace c4 {

template <Game G>
class EvalCache {
 public:
  // Rounds up to a power of two; 0: a cache that never knows anything.
  explicit EvalCache(std::size_t entries) {
    if (entries > 0) entries_.resize(std::bit_ceil(std::max(entries, kWays)));
  }

  bool enabled() const { return !entries_.empty(); }

  const Evaluation<G>* Find(std::uint64_t key) const {
    if (!enabled()) return nullptr;
    const Entry* set = &entries_[SetOf(key)];
    for (std::size_t way = 0; way < kWays; ++way) {
      if (set[way].epoch == epoch_ && set[way].key == key) return &set[way].evaluation;
    }
    return nullptr;
  }

  // Precondition: the key is not in the cache.
  void Insert(std::uint64_t key, const Evaluation<G>& evaluation) {
    if (!enabled()) return;
    Entry* set = &entries_[SetOf(key)];
    Entry* oldest = set;
    for (std::size_t way = 0; way < kWays; ++way) {
      if (set[way].epoch != epoch_) {
        oldest = &set[way];
        break;
      }
      if (set[way].written < oldest->written) oldest = &set[way];
    }
    *oldest = {key, epoch_, ++writes_, evaluation};
  }

  void Clear() { ++epoch_; }

 private:
  static constexpr std::size_t kWays = 4;

  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t epoch = 0;  // entries of an earlier epoch do not count
    std::uint64_t written = 0;
    Evaluation<G> evaluation{};
  };

  std::size_t SetOf(std::uint64_t key) const { return Mix(key) & (entries_.size() - 1) & ~(kWays - 1); }

  std::vector<Entry> entries_;
  std::uint64_t epoch_ = 1;
  std::uint64_t writes_ = 0;
};

}  // namespace c4
