// Evaluations that all trees share, by canonical position, until the weights change.
//
// Sets of four entries; a full set loses its entry that was written longest ago. Find may run in many threads at once
// as long as nobody writes; what is in the cache depends on the order of writes alone.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "game.h"
#include "rng.h"
#include "search/evaluation.h"

namespace c4 {

template <Game G>
class EvalCache {
  struct Entry {
    std::uint64_t key;
    std::uint64_t epoch;  // entries of an earlier epoch do not count; 0: never written
    std::uint64_t written;
    Evaluation<G> evaluation;
  };

 public:
  static constexpr double kMegabyte = 1 << 20;
  static constexpr double kEntryMegabytes = sizeof(Entry) / kMegabyte;

  // As many entries as fit, rounded down to a power of two; without room for one set, a cache that never knows
  // anything.
  explicit EvalCache(double megabytes) {
    const auto fitting = static_cast<std::size_t>(megabytes * kMegabyte) / sizeof(Entry);
    if (fitting < kWays) return;
    size_ = std::bit_floor(fitting);
    entries_.reset(static_cast<Entry*>(std::calloc(size_, sizeof(Entry))));  // memory is taken at the first touch
    if (entries_ == nullptr) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  bool enabled() const { return size_ > 0; }

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

  static_assert(std::is_trivially_copyable_v<Entry> && std::is_trivially_destructible_v<Entry>);

  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };

  std::size_t SetOf(std::uint64_t key) const { return Mix(key) & (size_ - 1) & ~(kWays - 1); }

  std::size_t size_ = 0;
  std::unique_ptr<Entry[], Free> entries_;
  std::uint64_t epoch_ = 1;
  std::uint64_t writes_ = 0;
};

}  // namespace c4
