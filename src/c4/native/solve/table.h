// What a search has found out, in memory of a fixed size: for a position, within how many plies the attacker wins at
// most, and within how many it is known not to. Entries hold whole positions, so that no two are ever mixed up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solve/board.h"

namespace c4::solve {

constexpr int kNever = 255;  // plies: not within any number

struct Bounds {
  std::uint8_t won_in = kNever;  // the attacker wins within so many plies
  std::uint8_t refuted_to = 0;   // and does not within so many
  std::uint8_t best = kNever;    // the cell that has decided it, on the canonical image; kNever: none
};

template <typename Board>
class Table {
 public:
  // A position, who is to move, and what else the answer depends on; seen under `symmetry` for the canonical image.
  struct Key {
    Board::Cells attacker;
    Board::Cells defender;
    std::uint64_t hash;
    int symmetry;
    std::uint8_t question;
  };

  explicit Table(std::size_t entries) : buckets_(std::max(std::size_t{1}, entries / kBucket)) {}

  static Key KeyOf(const Board& board, std::uint8_t question) {
    Key key{.attacker = {}, .defender = {}, .hash = 0, .symmetry = 0, .question = question};
    key.hash = Mix(board.CanonicalHash(&key.symmetry) + question);
    key.attacker = Board::Image(board.Stones(kAttacker), key.symmetry);
    key.defender = Board::Image(board.Stones(kDefender), key.symmetry);
    return key;
  }

  Bounds Find(const Key& key) const {
    for (const Entry& entry : BucketOf(key)) {
      if (entry.Is(key)) return entry.bounds;
    }
    return {};
  }

  // `work`: how much it has cost; of a full bucket the cheapest entry is forgotten.
  void Store(const Key& key, const Bounds& bounds, std::uint64_t work) {
    auto& bucket = BucketOf(key);
    Entry* place = &bucket[0];
    for (Entry& entry : bucket) {
      if (entry.Is(key)) {
        place = &entry;
        break;
      }
      if (entry.effort < place->effort) place = &entry;
    }
    const auto effort = static_cast<std::uint8_t>(std::bit_width(work) + 1);
    *place = {.attacker = key.attacker,
              .defender = key.defender,
              .question = key.question,
              .effort = effort,
              .bounds = bounds};
  }

  std::size_t Bytes() const { return buckets_.size() * sizeof(buckets_[0]); }

 private:
  static constexpr std::size_t kBucket = 4;

  struct Entry {
    Board::Cells attacker{};
    Board::Cells defender{};
    std::uint8_t question = 0;
    std::uint8_t effort = 0;  // 0: nothing is kept here
    Bounds bounds{};

    bool Is(const Key& key) const {
      return effort != 0 && question == key.question && attacker == key.attacker && defender == key.defender;
    }
  };

  const std::array<Entry, kBucket>& BucketOf(const Key& key) const { return buckets_[key.hash % buckets_.size()]; }
  std::array<Entry, kBucket>& BucketOf(const Key& key) { return buckets_[key.hash % buckets_.size()]; }

  std::vector<std::array<Entry, kBucket>> buckets_;
};

}  // namespace c4::solve
