// A board as one side's attack on it: stones of the attacker and of the defender, either of whom may be the one that
// moved first. Lines are kept in sets by how many stones one side has on them and the other has none, so that a stone
// is laid with a few operations on whole sets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "games/square.h"
#include "rng.h"
#include "solve/lines.h"

namespace c4::solve {

enum Side : int { kAttacker = 0, kDefender = 1 };

constexpr Side Other(Side side) { return side == kAttacker ? kDefender : kAttacker; }

template <int size, int in_a_row>
class Board {
 public:
  using Table = Lines<size, in_a_row>;
  using Cells = Table::Cells;
  using LineSet = Table::LineSet;
  static constexpr int kCells = Table::kCells;
  static constexpr int kInARow = in_a_row;
  static constexpr int kSymmetries = Square<size>::kSymmetries;

  Board() {
    for (auto& levels : lines_) levels[0] = Table::kAllLines;
  }

  // Precondition: the cell is empty, and nobody has won.
  void Play(Side side, int cell) {
    const LineSet& through = Table::kThrough[cell];
    auto& own = lines_[side];
    for (int stones = kInARow; stones > 0; --stones) {
      const LineSet raised = own[stones - 1] & through;
      own[stones - 1] -= raised;
      own[stones] |= raised;
    }
    for (LineSet& level : lines_[Other(side)]) level -= through;
    stones_[side].Add(cell);
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      hashes_[symmetry] ^= kZobrist[side][cell][symmetry];
    }
  }

  const Cells& Stones(Side side) const { return stones_[side]; }
  Cells Empty() const { return Table::kAllCells - stones_[kAttacker] - stones_[kDefender]; }

  // Lines with exactly `stones` of the side and none of the other.
  const LineSet& LinesWith(Side side, int stones) const { return lines_[side][stones]; }
  bool HasWon(Side side) const { return lines_[side][kInARow].Any(); }

  // The empty cells of some lines that only one side has stones on.
  Cells EmptyOn(const LineSet& lines) const {
    Cells cells;
    lines.ForEach([&](int line) { cells |= Table::kMask[line]; });
    return cells - stones_[kAttacker] - stones_[kDefender];
  }

  // Where one stone wins.
  Cells WinsOf(Side side) const { return EmptyOn(lines_[side][kInARow - 1]); }

  // How many stones the attacker may lay, one a turn, and yet be kept from a line; kInARow stands for any number.
  // After Erdos and Selfridge (1973): the defender can stop all lines that lack at most `missing` stones when the sum
  // of 2^-(lacking stones) over them is below 1/2, or below 1 when the defender is to move.
  int HarmlessStones(Side to_move) const {
    const int most = 1 << (to_move == kAttacker ? kInARow - 1 : kInARow);
    int sum = 0;
    for (int missing = 1; missing <= kInARow; ++missing) {
      sum += lines_[kAttacker][kInARow - missing].Count() << (kInARow - missing);
      if (sum >= most) return missing - 1;
    }
    return kInARow;
  }

  // The same for all symmetric images; `symmetry` receives the one that leads to the image that stands for them.
  std::uint64_t CanonicalHash(int* symmetry) const {
    *symmetry = static_cast<int>(std::ranges::min_element(hashes_) - hashes_.begin());
    return hashes_[*symmetry];
  }

  static Cells Image(const Cells& cells, int symmetry) {
    Cells image;
    cells.ForEach([&](int cell) { image.Add(Square<size>::kImage[symmetry][cell]); });
    return image;
  }

 private:
  using Hashes = std::array<std::uint64_t, kSymmetries>;

  // [side][cell][symmetry]: the number of the cell that this cell becomes.
  static constexpr auto kZobrist = [] {
    std::array<std::array<Hashes, kCells>, 2> numbers{};
    for (int side = 0; side < 2; ++side) {
      for (int cell = 0; cell < kCells; ++cell) {
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
          numbers[side][cell][symmetry] = HashIds(side, Square<size>::kImage[symmetry][cell]);
        }
      }
    }
    return numbers;
  }();

  std::array<std::array<LineSet, kInARow + 1>, 2> lines_{};  // [side][stones]
  std::array<Cells, 2> stones_{};
  Hashes hashes_{};
};

}  // namespace c4::solve
