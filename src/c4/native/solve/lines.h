// The winning lines of a square board: which cells each has, and which lines run through each cell. Lines that overlap
// count one by one, so that more than `in_a_row` stones in a row win as well.
#pragma once

#include <array>

#include "solve/bits.h"

namespace c4::solve {

template <int size, int in_a_row>
struct Lines {
  static_assert(2 <= in_a_row && in_a_row <= size);
  static constexpr int kCells = size * size;
  static constexpr int kStarts = size - in_a_row + 1;
  static constexpr int kLines = 2 * kStarts * size + 2 * kStarts * kStarts;

  using Cells = Bits<kCells>;
  using LineSet = Bits<kLines>;

  // [line][stone]: the cell.
  static constexpr auto kCellsOf = [] {
    std::array<std::array<std::uint8_t, in_a_row>, kLines> cells{};
    int line = 0;
    const auto add = [&](int first, int step) {
      for (int stone = 0; stone < in_a_row; ++stone)
        cells[line][stone] = static_cast<std::uint8_t>(first + stone * step);
      ++line;
    };
    for (int along = 0; along < size; ++along) {
      for (int start = 0; start < kStarts; ++start) {
        add(along * size + start, 1);     // in a row
        add(start * size + along, size);  // in a column
      }
    }
    for (int row = 0; row < kStarts; ++row) {
      for (int column = 0; column < kStarts; ++column) {
        add(row * size + column, size + 1);
        add(row * size + column + in_a_row - 1, size - 1);
      }
    }
    return cells;
  }();

  static constexpr auto kMask = [] {
    std::array<Cells, kLines> masks{};
    for (int line = 0; line < kLines; ++line) {
      for (const int cell : kCellsOf[line]) masks[line].Add(cell);
    }
    return masks;
  }();

  static constexpr auto kThrough = [] {
    std::array<LineSet, kCells> through{};
    for (int line = 0; line < kLines; ++line) {
      for (const int cell : kCellsOf[line]) through[cell].Add(line);
    }
    return through;
  }();

  static constexpr Cells kAllCells = [] {
    Cells cells;
    for (int cell = 0; cell < kCells; ++cell) cells.Add(cell);
    return cells;
  }();

  static constexpr LineSet kAllLines = [] {
    LineSet lines;
    for (int line = 0; line < kLines; ++line) lines.Add(line);
    return lines;
  }();
};

}  // namespace c4::solve
