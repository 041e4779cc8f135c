// Connect Four on a board of any size that fits into 64 bits. Knows nothing of search.
//
// One bit per cell, column by column from the left, each column from the bottom, with one spare bit on top of it.
// For seven columns of six rows:
//
//      6 13 20 27 34 41 48     spare: never a stone, so that lines do not run from one column into the next
//      5 12 19 26 33 40 47     row 0 (top)
//      4 11 18 25 32 39 46
//      3 10 17 24 31 38 45
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42     row 5 (bottom)
//
// The key of a position holds, in each column, the stones of the side to move and a one above the topmost stone of
// either side. Every stone that is not the side to move's is therefore known too, and whose turn it is follows from
// the count: the key is the whole position, and no two positions share one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "game.h"
#include "value.h"

namespace c4 {

template <int width, int height, int in_a_row>
class Connect4 {
 public:
  static constexpr int kPlanes = 3;
  static constexpr int kHeight = height;
  static constexpr int kWidth = width;
  static constexpr int kInARow = in_a_row;
  static constexpr int kActions = kWidth;
  static constexpr int kMaxPlies = kWidth * kHeight;
  static constexpr int kSymmetries = 2;  // identity, mirror
  static constexpr bool kSeparateNames = false;
  static constexpr std::string_view kActionNoun = "column";

  int Ply() const { return ply_; }
  bool IsTerminal() const { return won_ || ply_ == kMaxPlies; }
  int Result() const { return static_cast<int>(won_ ? kLoss : kDraw); }

  bool IsLegal(int action) const { return (stones_ & TopCell(action)) == 0; }

  int LegalActions(std::uint8_t* actions) const {
    int count = 0;
    for (int action = 0; action < kActions; ++action) {
      actions[count] = static_cast<std::uint8_t>(action);
      count += IsLegal(action) ? 1 : 0;
    }
    return count;
  }

  bool CanWin() const { return (Completing(own_) & Playable()) != 0; }

  // The columns in the middle first, where most lines are.
  int SafeActions(std::uint8_t* actions) const {
    const std::uint64_t wins = Completing(own_ ^ stones_) & ~stones_;  // of the other side
    std::uint64_t safe = Playable();
    if (const std::uint64_t threats = wins & safe; threats != 0) {
      if (std::popcount(threats) > 1) return 0;
      safe = threats;
    }
    safe &= ~(wins >> 1);  // no stone right below such a cell
    int count = 0;
    for (const int action : kFromTheMiddle) {
      actions[count] = static_cast<std::uint8_t>(action);
      count += (safe & (kColumn << (action * kStride))) != 0 ? 1 : 0;
    }
    return count;
  }

  void Play(int action) {
    const std::uint64_t next_to_move = own_ ^ stones_;
    stones_ |= stones_ + BottomCell(action);  // the carry stops in the lowest empty cell of the column
    won_ = HasLine(next_to_move ^ stones_);
    own_ = next_to_move;
    ++ply_;
  }

  std::uint64_t Key() const { return own_ + stones_ + kBottomRow; }

  std::uint64_t CanonicalKey(int* symmetry) const {
    const std::uint64_t key = Key();
    const std::uint64_t mirrored = Mirror(key);
    *symmetry = mirrored < key ? 1 : 0;
    return std::min(key, mirrored);
  }

  static int Transform(int action, int symmetry) { return symmetry == 0 ? action : kWidth - 1 - action; }

  void WritePlanes(std::uint8_t* planes, int symmetry) const {
    const std::uint64_t* bit_of_cell = kBitOfCell[symmetry].data();
    const std::uint64_t other = own_ ^ stones_;
    for (int cell = 0; cell < kCells; ++cell) planes[cell] = (own_ >> bit_of_cell[cell]) & 1;
    for (int cell = 0; cell < kCells; ++cell) planes[kCells + cell] = (other >> bit_of_cell[cell]) & 1;
    std::memset(planes + 2 * kCells, FirstToMove() ? 1 : 0, kCells);
  }

  // The key, lowest byte first.
  static constexpr int kPackedBytes = (kWidth * (kHeight + 1) + 7) / 8;

  void Pack(std::uint8_t* packed) const {
    const std::uint64_t key = Key();
    for (int i = 0; i < kPackedBytes; ++i) packed[i] = static_cast<std::uint8_t>(key >> (8 * i));
  }

  // Any bytes give some state, though not one that can be reached.
  static Connect4 Unpack(const std::uint8_t* packed) {
    std::uint64_t key = 0;
    for (int i = 0; i < kPackedBytes; ++i) key |= static_cast<std::uint64_t>(packed[i]) << (8 * i);
    Connect4 state;
    for (int column = 0; column < kWidth; ++column) {
      const std::uint64_t cells = (key >> (column * kStride)) & (kColumn | kSpare);
      const std::uint64_t marker = std::bit_floor(cells | 1);
      state.own_ |= (cells & (marker - 1)) << (column * kStride);
      state.stones_ |= (marker - 1) << (column * kStride);
    }
    state.ply_ = static_cast<std::uint8_t>(std::popcount(state.stones_));
    state.won_ = HasLine(state.own_ ^ state.stones_);
    return state;
  }

  int StoneAt(int row, int column) const {
    const int bit = column * kStride + kHeight - 1 - row;
    if (((stones_ >> bit) & 1) == 0) return 0;
    return (((own_ >> bit) & 1) != 0) == FirstToMove() ? 1 : 2;
  }

  static std::string ActionName(int action) { return std::string(1, static_cast<char>('1' + action)); }

  static int ParseAction(std::string_view word) {
    if (word.size() != 1 || word[0] < '1' || word[0] >= '1' + kWidth) return -1;
    return word[0] - '1';
  }

  std::string WhyIllegal(int action) const { return "column " + ActionName(action) + " is full"; }

 private:
  static constexpr int kCells = kWidth * kHeight;
  static constexpr int kStride = kHeight + 1;
  static constexpr std::uint64_t kColumn = (std::uint64_t{1} << kHeight) - 1;
  static constexpr std::uint64_t kSpare = std::uint64_t{1} << kHeight;
  static_assert(kWidth * kStride <= 64, "cells and spare bits share one word");
  static_assert(kWidth <= 9, "a column's name is one digit");
  static_assert(kCells <= 255, "the ply is kept in one byte");

  static constexpr std::uint64_t BottomCell(int column) { return std::uint64_t{1} << (column * kStride); }
  static constexpr std::uint64_t TopCell(int column) { return BottomCell(column) << (kHeight - 1); }

  static constexpr std::uint64_t kBottomRow = [] {
    std::uint64_t row = 0;
    for (int column = 0; column < kWidth; ++column) row |= BottomCell(column);
    return row;
  }();

  static constexpr std::uint64_t kBoard = kBottomRow * kColumn;

  // Columns by their distance from the middle, the left one of equals first.
  static constexpr auto kFromTheMiddle = [] {
    std::array<std::uint8_t, kWidth> columns{};
    for (int i = 0; i < kWidth; ++i) {  // 3 2 4 1 5 0 6
      const int side = i % 2 == kWidth % 2 ? -1 : 1;
      columns[i] = static_cast<std::uint8_t>((kWidth - 1) / 2 + side * ((i + 1) / 2));
    }
    return columns;
  }();

  // [symmetry][row * kWidth + column]: the bit that is seen there.
  static constexpr auto kBitOfCell = [] {
    std::array<std::array<std::uint64_t, kCells>, kSymmetries> bits{};
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        const int cell = row * kWidth + column;
        bits[0][cell] = column * kStride + kHeight - 1 - row;
        bits[1][cell] = (kWidth - 1 - column) * kStride + kHeight - 1 - row;
      }
    }
    return bits;
  }();
  static_assert(width != 7 || height != 6 || (kBitOfCell[0][0] == 5 && kBitOfCell[0][41] == 42), "as drawn above");

  bool FirstToMove() const { return ply_ % 2 == 0; }

  static bool HasLine(std::uint64_t stones) {
    std::uint64_t starts = 0;  // cells where a line begins
    for (const int step : {1, kStride - 1, kStride, kStride + 1}) {
      std::uint64_t run = stones;
      int length = 1;
      for (; 2 * length <= kInARow; length *= 2) run &= run >> (length * step);
      if (length < kInARow) run &= run >> ((kInARow - length) * step);
      starts |= run;
    }
    return starts != 0;
  }

  // The next cell of each column that is not full.
  std::uint64_t Playable() const { return (stones_ + kBottomRow) & kBoard; }

  // Cells where one more stone makes a line of `stones`; cells that are taken may be among them.
  static std::uint64_t Completing(std::uint64_t stones) {
    const auto shifted = [stones](int by) { return by > 0 ? stones >> by : stones << -by; };
    std::uint64_t cells = 0;
    for (const int step : {1, kStride - 1, kStride, kStride + 1}) {
      for (int before = 0; before < kInARow; ++before) {  // stones of the line on one side of the cell
        std::uint64_t line = ~std::uint64_t{0};
        for (int place = 0; place < kInARow; ++place) line &= place == before ? line : shifted((place - before) * step);
        cells |= line;
      }
    }
    return cells & kBoard;
  }

  static std::uint64_t Mirror(std::uint64_t key) {
    std::uint64_t mirrored = 0;
    for (int column = 0; column < kWidth; ++column) {
      mirrored |= ((key >> (column * kStride)) & (kColumn | kSpare)) << ((kWidth - 1 - column) * kStride);
    }
    return mirrored;
  }

  std::uint64_t own_ = 0;     // stones of the side to move
  std::uint64_t stones_ = 0;  // stones of either side
  std::uint8_t ply_ = 0;
  bool won_ = false;  // by the side that has just moved
};

static_assert(ReadableGame<Connect4<7, 6, 4>>);

}  // namespace c4
