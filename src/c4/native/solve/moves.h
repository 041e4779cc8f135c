// Which stones are worth looking at, and in which order: double threats and what stops them, cells that another cell
// outdoes. All of it looks at the board as it stands and searches nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "solve/board.h"

namespace c4::solve {

// What the attacker, to move, could do with a stone that leaves two or more cells to win in.
template <typename Board>
struct DoubleThreats {
  Board::Cells with;     // such stones
  Board::Cells parries;  // a stone of the defender here stops every one of them; all cells when there are none
};

template <typename Board>
DoubleThreats<Board> DoubleThreatsOn(const Board& board) {
  using Cells = Board::Cells;
  std::array<std::uint8_t, Board::kCells> first;   // [cell]: where a stone there threatens to win
  std::array<std::uint8_t, Board::kCells> second;  // and where else
  Cells once;
  Cells twice;
  Cells thrice;
  const auto note = [&](int cell, std::uint8_t win) {
    if (!once.Has(cell)) {
      once.Add(cell);
      first[cell] = win;
    } else if (first[cell] == win) {
      return;
    } else if (!twice.Has(cell)) {
      twice.Add(cell);
      second[cell] = win;
    } else if (second[cell] != win) {
      thrice.Add(cell);
    }
  };
  board.LinesWith(kAttacker, Board::kInARow - 2).ForEach([&](int line) {
    std::array<std::uint8_t, 2> pair{};
    int found = 0;
    for (const std::uint8_t cell : Board::Table::kCellsOf[line]) {
      if (!board.Stones(kAttacker).Has(cell)) pair[found++] = cell;
    }
    note(pair[0], pair[1]);
    note(pair[1], pair[0]);
  });
  DoubleThreats<Board> threats{.with = twice, .parries = Board::Table::kAllCells};
  twice.ForEach([&](int cell) {
    auto stopping = Cells::Only(cell);
    if (!thrice.Has(cell)) {
      stopping.Add(first[cell]);
      stopping.Add(second[cell]);
    }
    threats.parries &= stopping;
  });
  return threats;
}

// Without cells that another one outdoes for both sides: every line that could still be completed through the one goes
// through the other, too. Of equals the first stays.
template <typename Board>
Board::Cells Undominated(const Board& board) {
  typename Board::LineSet open;
  for (const Side side : {kAttacker, kDefender}) {
    for (int stones = 0; stones < Board::kInARow; ++stones) open |= board.LinesWith(side, stones);
  }
  std::array<typename Board::LineSet, Board::kCells> lines;
  std::array<std::uint8_t, Board::kCells> cells;
  int count = 0;
  board.Empty().ForEach([&](int cell) {
    lines[count] = Board::Table::kThrough[cell] & open;
    cells[count++] = static_cast<std::uint8_t>(cell);
  });
  typename Board::Cells undominated;
  for (int i = 0; i < count; ++i) {
    bool outdone = !lines[i].Any();
    for (int j = 0; j < count && !outdone; ++j) {
      if (j != i && !(lines[i] - lines[j]).Any()) outdone = lines[i] != lines[j] || j < i;
    }
    if (!outdone) undominated.Add(cells[i]);
  }
  return undominated;
}

// Cells in the order in which to try them.
template <typename Board>
struct Ordered {
  std::array<std::uint8_t, Board::kCells> cells;
  int count = 0;

  const std::uint8_t* begin() const { return cells.data(); }
  const std::uint8_t* end() const { return cells.data() + count; }
};

// `best` first, which may be none of them; then by the lines that a stone would advance or spoil, the fullest most.
template <typename Board>
Ordered<Board> InOrder(const Board& board, const typename Board::Cells& cells, int best) {
  std::array<int, Board::kCells> promise{};
  Ordered<Board> order;
  cells.ForEach([&](int cell) {
    order.cells[order.count++] = static_cast<std::uint8_t>(cell);
    promise[cell] = cell == best ? 1 << 30 : Board::Table::kThrough[cell].Count();
  });
  for (const Side side : {kAttacker, kDefender}) {
    for (int stones = 1; stones < Board::kInARow; ++stones) {
      const int weight = (side == kAttacker ? 32 : 16) << (2 * stones);
      board.LinesWith(side, stones).ForEach([&](int line) {
        for (const int cell : Board::Table::kCellsOf[line]) promise[cell] += weight;
      });
    }
  }
  std::stable_sort(order.cells.begin(), order.cells.begin() + order.count,
                   [&](int left, int right) { return promise[left] > promise[right]; });
  return order;
}

}  // namespace c4::solve
