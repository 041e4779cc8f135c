// What every game must do: played at random, it keeps the promises of the concept Game, while the sanitizers watch. A
// new game is added to the list below. That the rules are the right ones is shown from Python, against independent
// implementations, and here by published counts that a slow board does not reach.
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fuzz_game.h"
#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "harness.h"
#include "rng.h"

namespace c4 {
namespace {

template <Game... Games>
void PlayAll() {
  testing::Draws draws(HashIds(1));
  for (int game = 0; game < 30; ++game) (testing::FuzzGame<Games>(draws), ...);
}

TEST(EveryGameKeepsThePromisesOfTheConcept) {
  PlayAll<TicTacToe, Connect4<4, 4, 4>, Connect4<5, 4, 4>, Connect4<5, 5, 4>, Connect4<6, 5, 4>, Connect4<7, 6, 4>,
          Gomoku<6, 4>, Gomoku<8, 5>, Gomoku<9, 5>, Gomoku<15, 5>>();
}

// How many different positions can stand on the board after each ply, up to `plies`.
template <Game G>
std::vector<std::size_t> CountByPly(int plies) {
  std::vector<std::size_t> counts;
  std::vector<G> level(1);
  for (int ply = 0; ply <= plies; ++ply) {
    counts.push_back(level.size());
    std::unordered_set<std::uint64_t> seen;
    std::vector<G> next;
    for (const G& state : level) {
      if (state.IsTerminal()) continue;
      std::uint8_t actions[G::kActions];
      const int count = state.LegalActions(actions);
      for (int i = 0; i < count; ++i) {
        G child = state;
        child.Play(actions[i]);
        if (seen.insert(child.Key()).second) next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return counts;
}

TEST(ConnectFourHasThePositionsOfTheEncyclopaedia) {  // OEIS A212693
  const std::vector<std::size_t> known = {1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623};
  CHECK((CountByPly<Connect4<7, 6, 4>>(10) == known));
}

TEST(GomokuOnThreeByThreeIsTicTacToe) {
  const std::vector<std::size_t> known = {1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78};  // 5478 in all
  CHECK((CountByPly<TicTacToe>(9) == known));
  CHECK((CountByPly<Gomoku<3, 3>>(9) == known));
}

// Tic-tac-toe that says that it were larger.
template <int actions, int max_plies>
struct Sized : TicTacToe {
  static constexpr int kActions = actions;
  static constexpr int kMaxPlies = max_plies;
  static Sized Unpack(const std::uint8_t*) { return {}; }
};
static_assert(Game<Sized<255, 254>> && !Game<Sized<256, 254>> && !Game<Sized<255, 255>>);

template <Game G>
G After(std::initializer_list<int> actions) {
  G state;
  for (const int action : actions) state.Play(action);
  return state;
}

TEST(TheSideToMoveInAWonGameHasLost) {
  const auto vertical = After<Connect4<7, 6, 4>>({0, 1, 0, 1, 0, 1, 0});
  CHECK(vertical.IsTerminal());
  CHECK_EQ(vertical.Result(), -1);
}

TEST(FourAcrossTheEdgeOfTheBoardAreNoLine) {
  // Top of one column and bottom of the next are neighbours in the word, kept apart by the spare bit.
  const auto state = After<Connect4<7, 6, 4>>({0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 3, 1});
  CHECK(!state.IsTerminal());
}

TEST(SixInARowWinGomokuToo) {
  // x x x . x x x on the top row of a 9 x 9 board, then the gap is filled.
  const auto state = After<Gomoku<9, 5>>({0, 20, 1, 22, 2, 24, 4, 40, 5, 42, 6, 44, 3});
  CHECK(state.IsTerminal());
  CHECK_EQ(state.Result(), -1);
}

}  // namespace
}  // namespace c4
