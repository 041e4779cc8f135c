// Tic-tac-toe: the smallest game that the concept allows, and the example in docs/ADDING_A_GAME.md.
//
// Nine bits for each side, row by row from the top left; the key is both of them and thus the whole position.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "game.h"
#include "games/square.h"
#include "value.h"

namespace c4 {

class TicTacToe {
 public:
  static constexpr int kPlanes = 3;
  static constexpr int kHeight = 3;
  static constexpr int kWidth = 3;
  static constexpr int kInARow = 3;
  static constexpr int kActions = 9;
  static constexpr int kMaxPlies = 9;
  static constexpr int kSymmetries = Square<3>::kSymmetries;
  static constexpr bool kSeparateNames = true;
  static constexpr std::string_view kActionNoun = "cell";

  int Ply() const { return std::popcount(Stones()); }
  bool IsTerminal() const { return HasLine(stones_[1 - ToMove()]) || Stones() == kFull; }
  int Result() const { return static_cast<int>(HasLine(stones_[1 - ToMove()]) ? kLoss : kDraw); }
  bool IsLegal(int action) const { return ((Stones() >> action) & 1) == 0; }

  int LegalActions(std::uint8_t* actions) const {
    int count = 0;
    for (int action = 0; action < kActions; ++action) {
      if (IsLegal(action)) actions[count++] = static_cast<std::uint8_t>(action);
    }
    return count;
  }

  void Play(int action) { stones_[ToMove()] |= 1u << action; }

  std::uint64_t Key() const { return KeyUnder(0); }

  std::uint64_t CanonicalKey(int* symmetry) const {
    std::uint64_t lowest = KeyUnder(0);
    *symmetry = 0;
    for (int other = 1; other < kSymmetries; ++other) {
      const std::uint64_t key = KeyUnder(other);
      if (key < lowest) {
        lowest = key;
        *symmetry = other;
      }
    }
    return lowest;
  }

  static int Transform(int action, int symmetry) { return Square<3>::kImage[symmetry][action]; }

  void WritePlanes(std::uint8_t* planes, int symmetry) const {
    for (int action = 0; action < kActions; ++action) {
      const int cell = Transform(action, symmetry);
      planes[cell] = (stones_[ToMove()] >> action) & 1;
      planes[kActions + cell] = (stones_[1 - ToMove()] >> action) & 1;
      planes[2 * kActions + cell] = ToMove() == 0 ? 1 : 0;
    }
  }

  // The first player's bits, then the second player's, two bytes each.
  static constexpr int kPackedBytes = 4;

  void Pack(std::uint8_t* packed) const {
    for (const unsigned stones : stones_) {
      *packed++ = static_cast<std::uint8_t>(stones);
      *packed++ = static_cast<std::uint8_t>(stones >> 8);
    }
  }

  // Any bytes give some state, though not one that can be reached.
  static TicTacToe Unpack(const std::uint8_t* packed) {
    TicTacToe state;
    state.stones_[0] = (packed[0] | (packed[1] << 8)) & kFull;
    state.stones_[1] = (packed[2] | (packed[3] << 8)) & kFull & ~state.stones_[0];
    return state;
  }

  int StoneAt(int row, int column) const {
    const int cell = 3 * row + column;
    return ((stones_[0] >> cell) & 1) != 0 ? 1 : ((stones_[1] >> cell) & 1) != 0 ? 2 : 0;
  }

  static std::string ActionName(int action) { return Square<3>::Name(action); }
  static int ParseAction(std::string_view word) { return Square<3>::Parse(word); }
  std::string WhyIllegal(int action) const { return "cell " + ActionName(action) + " is taken"; }

 private:
  static constexpr unsigned kFull = 0b111'111'111;
  static constexpr std::array<unsigned, 8> kLines = {0b000'000'111, 0b000'111'000, 0b111'000'000, 0b001'001'001,
                                                     0b010'010'010, 0b100'100'100, 0b100'010'001, 0b001'010'100};

  unsigned Stones() const { return stones_[0] | stones_[1]; }
  int ToMove() const { return Ply() % 2; }

  static bool HasLine(unsigned stones) {
    for (const unsigned line : kLines) {
      if ((stones & line) == line) return true;
    }
    return false;
  }

  std::uint64_t KeyUnder(int symmetry) const {
    std::uint64_t key = 0;
    for (int action = 0; action < kActions; ++action) {
      const int cell = Transform(action, symmetry);
      key |= static_cast<std::uint64_t>((stones_[0] >> action) & 1) << cell;
      key |= static_cast<std::uint64_t>((stones_[1] >> action) & 1) << (kActions + cell);
    }
    return key;
  }

  std::array<unsigned, 2> stones_{};  // by player, the first player's first
};

static_assert(ReadableGame<TicTacToe>);

}  // namespace c4
