// Gomoku without opening rules: whoever first has `in_a_row` or more stones in a line wins. Knows nothing of search.
//
// One bit per cell and side, row by row from the top left, 64 cells to a word. The key is a Zobrist hash; one is kept
// for each of the eight symmetric images, so that the canonical key costs no second look at the board.
#pragma once

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "game.h"
#include "games/square.h"
#include "rng.h"
#include "value.h"

namespace c4 {

template <int size, int in_a_row>
class Gomoku {
 public:
  static constexpr int kPlanes = 3;
  static constexpr int kHeight = size;
  static constexpr int kWidth = size;
  static constexpr int kInARow = in_a_row;
  static constexpr int kActions = size * size;
  static constexpr int kMaxPlies = kActions;
  static constexpr int kSymmetries = Square<size>::kSymmetries;
  static constexpr bool kSeparateNames = true;
  static constexpr std::string_view kActionNoun = "cell";

  int Ply() const { return ply_; }
  bool IsTerminal() const { return won_ || ply_ == kMaxPlies; }
  int Result() const { return static_cast<int>(won_ ? kLoss : kDraw); }

  bool IsLegal(int action) const { return !Has(stones_[0], action) && !Has(stones_[1], action); }

  int LegalActions(std::uint8_t* actions) const {
    Bits empty;
    for (int word = 0; word < kWords; ++word) empty[word] = Empty(word);
    return Write(empty, actions);
  }

  int NumLegal() const { return kActions - ply_; }

  // Without branches on where the cell is, which nobody could foresee.
  int LegalAction(int n) const {
    int word = 0;
    int skipped = 0;
    for (int i = 0, sum = 0; i + 1 < kWords; ++i) {
      sum += std::popcount(Empty(i));
      word += n >= sum ? 1 : 0;
      skipped = n >= sum ? sum : skipped;
    }
    return 64 * word + PlaceOfBit(Empty(word), n - skipped);
  }

  void Play(int action) {
    const int player = ply_ % 2;
    Put(player, action);
    won_ = HasLineThrough(stones_[player], action);
  }

  // Of each direction only the lines that lack so few stones, all of them at once.
  int Wins(Whose whose, std::uint8_t* cells) const { return Write(Completing<1>(whose), cells); }
  int Fours(std::uint8_t* cells) const { return Write(Completing<2>(Whose::kToMove), cells); }

  // Each way from the stone there is one cell at most: the first that is not the side's own, if it is empty.
  int WinsThrough(Whose whose, int cell, std::uint8_t* cells) const {
    const Bits& own = StonesOf(whose);
    int count = 0;
    OnLinesThrough(cell, [&](int step, int room_before, int room_after) {
      const int before = RunFrom(own, cell, -step, room_before);
      const int after = RunFrom(own, cell, step, room_after);
      const auto look = [&](int way, int run, int room) {
        if (run >= room) return;
        const int gap = cell + way * (run + 1);
        if (!IsLegal(gap)) return;
        const int beyond = RunFrom(own, gap, way, room - run - 1);
        if (before + 1 + after + 1 + beyond >= kInARow) cells[count++] = static_cast<std::uint8_t>(gap);
      };
      look(-step, before, room_before);
      look(step, after, room_after);
      return false;
    });
    return count;
  }

  Gomoku Exchanged() const {
    Gomoku other = *this;
    std::swap(other.stones_[0], other.stones_[1]);
    return other;
  }
  void Lay(int action) { stones_[ply_ % 2][action / 64] |= std::uint64_t{1} << (action % 64); }

  std::uint64_t Key() const { return hashes_[0]; }

  std::uint64_t CanonicalKey(int* symmetry) const {
    int lowest = 0;
    for (int other = 1; other < kSymmetries; ++other) {
      if (hashes_[other] < hashes_[lowest]) lowest = other;
    }
    *symmetry = lowest;
    return hashes_[lowest];
  }

  static int Transform(int action, int symmetry) { return Square<size>::kImage[symmetry][action]; }

  void WritePlanes(std::uint8_t* planes, int symmetry) const {
    std::memset(planes, 0, 2 * kActions);
    const int player = ply_ % 2;
    WritePlane(stones_[player], planes, symmetry);
    WritePlane(stones_[1 - player], planes + kActions, symmetry);
    std::memset(planes + 2 * kActions, player == 0 ? 1 : 0, kActions);
  }

  // The first player's bits, lowest byte first, then the second player's.
  static constexpr int kPackedBytes = 2 * ((kActions + 7) / 8);

  void Pack(std::uint8_t* packed) const {
    for (const Bits& bits : stones_) {
      for (int byte = 0; byte < kPackedBytes / 2; ++byte) {
        *packed++ = static_cast<std::uint8_t>(bits[byte / 8] >> (8 * (byte % 8)));
      }
    }
  }

  // Any bytes give some state, though not one that can be reached.
  static Gomoku Unpack(const std::uint8_t* packed) {
    Gomoku state;
    for (int player = 0; player < 2; ++player) {
      const std::uint8_t* bytes = packed + player * (kPackedBytes / 2);
      for (int cell = 0; cell < kActions; ++cell) {
        if (((bytes[cell / 8] >> (cell % 8)) & 1) != 0 && state.IsLegal(cell)) state.Put(player, cell);
      }
    }
    const Bits& last_mover = state.stones_[1 - state.ply_ % 2];
    for (int cell = 0; cell < kActions && !state.won_; ++cell) {
      state.won_ = Has(last_mover, cell) && HasLineThrough(last_mover, cell);
    }
    return state;
  }

  int StoneAt(int row, int column) const {
    const int cell = row * size + column;
    return Has(stones_[0], cell) ? 1 : Has(stones_[1], cell) ? 2 : 0;
  }

  static std::string ActionName(int action) { return Square<size>::Name(action); }
  static int ParseAction(std::string_view word) { return Square<size>::Parse(word); }
  std::string WhyIllegal(int action) const { return "cell " + ActionName(action) + " is taken"; }

 private:
  static constexpr int kWords = (kActions + 63) / 64;
  using Bits = std::array<std::uint64_t, kWords>;
  using Hashes = std::array<std::uint64_t, kSymmetries>;

  static constexpr Bits kBoard = [] {
    Bits board{};
    for (int cell = 0; cell < kActions; ++cell) board[cell / 64] |= std::uint64_t{1} << (cell % 64);
    return board;
  }();

  // [player][cell][symmetry]: the number of the cell that this cell becomes.
  static constexpr auto kZobrist = [] {
    std::array<std::array<Hashes, kActions>, 2> numbers{};
    for (int player = 0; player < 2; ++player) {
      for (int cell = 0; cell < kActions; ++cell) {
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
          numbers[player][cell][symmetry] = HashIds(player, Square<size>::kImage[symmetry][cell]);
        }
      }
    }
    return numbers;
  }();

  std::uint64_t Empty(int word) const { return kBoard[word] & ~(stones_[0][word] | stones_[1][word]); }

  // Where the n-th bit of `bits` is that is set, counted from 0.
  static int PlaceOfBit(std::uint64_t bits, int n) {
#ifdef __BMI2__
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, bits));
#else
    for (; n > 0; --n) bits &= bits - 1;
    return std::countr_zero(bits);
#endif
  }

  static bool Has(const Bits& bits, int cell) { return ((bits[cell / 64] >> (cell % 64)) & 1) != 0; }

  void Put(int player, int cell) {
    stones_[player][cell / 64] |= std::uint64_t{1} << (cell % 64);
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      hashes_[symmetry] ^= kZobrist[player][cell][symmetry];
    }
    ++ply_;
  }

  static void WritePlane(const Bits& bits, std::uint8_t* plane, int symmetry) {
    for (int word = 0; word < kWords; ++word) {
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
        plane[Transform(64 * word + std::countr_zero(left), symmetry)] = 1;
      }
    }
  }

  // How many stones stand next to the cell, one after the other, in one direction; `room` cells are left that way.
  static int RunFrom(const Bits& bits, int cell, int step, int room) {
    int run = 0;
    while (run < room && Has(bits, cell + (run + 1) * step)) ++run;
    return run;
  }

  // Asks `line(step, room_before, room_after)` in each direction until one says yes; whether one has.
  template <typename Line>
  static bool OnLinesThrough(int cell, Line line) {
    const int up = cell / size;
    const int down = size - 1 - up;
    const int left = cell % size;
    const int right = size - 1 - left;
    return line(1, left, right) || line(size, up, down) || line(size + 1, std::min(up, left), std::min(down, right)) ||
           line(size - 1, std::min(up, right), std::min(down, left));
  }

  static bool HasLineThrough(const Bits& bits, int cell) {
    return OnLinesThrough(cell, [&](int step, int room_before, int room_after) {
      return 1 + RunFrom(bits, cell, -step, room_before) + RunFrom(bits, cell, step, room_after) >= kInARow;
    });
  }

  const Bits& StonesOf(Whose whose) const { return stones_[whose == Whose::kToMove ? ply_ % 2 : 1 - ply_ % 2]; }

  static int Write(const Bits& bits, std::uint8_t* cells) {
    int count = 0;
    for (int word = 0; word < kWords; ++word) {
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
        cells[count++] = static_cast<std::uint8_t>(64 * word + std::countr_zero(left));
      }
    }
    return count;
  }

  // The cells of a direction where in_a_row cells begin that lie on the board.
  template <int step>
  static constexpr Bits kStarts = [] {
    Bits starts{};
    constexpr int kRight = step == size ? 0 : step == size - 1 ? -1 : 1;
    constexpr int kDown = step == 1 ? 0 : 1;
    for (int cell = 0; cell < kActions; ++cell) {
      const int row = cell / size + kDown * (kInARow - 1);
      const int column = cell % size + kRight * (kInARow - 1);
      if (row < size && 0 <= column && column < size) starts[cell / 64] |= std::uint64_t{1} << (cell % 64);
    }
    return starts;
  }();

  // Each cell's bit moves so many cells towards the first, or away from it.
  template <int by>
  static Bits Lowered(const Bits& bits) {
    Bits moved{};
    for (int word = 0; word < kWords; ++word) {
      moved[word] = bits[word] >> by;
      if (word + 1 < kWords) moved[word] |= bits[word + 1] << (64 - by);
    }
    return moved;
  }
  template <int by>
  static Bits Raised(const Bits& bits) {
    Bits moved{};
    for (int word = kWords - 1; word >= 0; --word) {
      moved[word] = bits[word] << by;
      if (word > 0) moved[word] |= bits[word - 1] >> (64 - by);
    }
    return moved;
  }

  // The empty cells of the lines that have none of the other side's stones and lack exactly so many of their own.
  template <int lacking>
  Bits Completing(Whose whose) const {
    const Bits& own = StonesOf(whose);
    const Bits& other = stones_[&own == stones_.data() ? 1 : 0];
    Bits cells{};
    AddCompleting<lacking, 1>(own, other, cells);
    AddCompleting<lacking, size>(own, other, cells);
    AddCompleting<lacking, size + 1>(own, other, cells);
    AddCompleting<lacking, size - 1>(own, other, cells);
    for (int word = 0; word < kWords; ++word) cells[word] &= Empty(word);
    return cells;
  }

  template <int lacking, int step>
  static void AddCompleting(Bits own, Bits other, Bits& cells) {
    Bits blocked{};
    std::array<Bits, lacking + 1> lacks{};  // [n]: the lines, each at its first cell, that lack more than n
    for (int stone = 0; stone < kInARow; ++stone) {
      for (int word = 0; word < kWords; ++word) {
        blocked[word] |= other[word];
        for (int n = lacking; n > 0; --n) lacks[n][word] |= lacks[n - 1][word] & ~own[word];
        lacks[0][word] |= ~own[word];
      }
      own = Lowered<step>(own);
      other = Lowered<step>(other);
    }
    Bits lines{};
    std::uint64_t any = 0;
    for (int word = 0; word < kWords; ++word) {
      lines[word] = kStarts<step>[word] & lacks[lacking - 1][word] & ~lacks[lacking][word] & ~blocked[word];
      any |= lines[word];
    }
    if (any == 0) return;
    for (int stone = 0; stone < kInARow; ++stone) {
      for (int word = 0; word < kWords; ++word) cells[word] |= lines[word];
      lines = Raised<step>(lines);
    }
  }

  std::array<Bits, 2> stones_{};  // by player, the first player's first
  Hashes hashes_{};               // of the image under each symmetry
  std::uint8_t ply_ = 0;
  bool won_ = false;  // by the side that has just moved
};

static_assert(ReadableGame<Gomoku<15, 5>> && SeesFours<Gomoku<15, 5>>);

}  // namespace c4
