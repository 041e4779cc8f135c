// Every registered game as a type, by number; a test of tests/contracts holds the list against the registry.
#pragma once

#include <cstdint>
#include <type_traits>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"

namespace c4::testing {

template <typename... Games>
struct GameList {
  static constexpr std::uint32_t kCount = sizeof...(Games);

  // The number of one of them.
  template <typename G>
  static constexpr std::uint32_t kNumber = [] {
    std::uint32_t i = 0;
    static_cast<void>(((std::is_same_v<G, Games> || (++i, false)) || ...));
    return i;
  }();

  // Calls visit.operator()<G>() for the game of this number. Precondition: number < kCount.
  static void With(std::uint32_t number, auto&& visit) {
    std::uint32_t i = 0;
    ((i++ == number ? visit.template operator()<Games>() : void()), ...);
  }
};

using EveryGame = GameList<TicTacToe, Connect4<4, 4, 4>, Connect4<5, 4, 4>, Connect4<5, 5, 4>, Connect4<6, 5, 4>,
                           Connect4<7, 6, 4>, Gomoku<6, 4>, Gomoku<8, 5>, Gomoku<9, 5>, Gomoku<15, 5>>;

}  // namespace c4::testing
