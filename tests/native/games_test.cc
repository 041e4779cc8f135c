// Facts about the games that take a fast board to check, and what any bytes that are unpacked must not do. The rules
// themselves are compared with the reference in tests/differential.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "harness.h"
#include "rng.h"

namespace c4 {
namespace {

// How many different positions can stand on the board after each ply, up to `plies`.
template <Game G>
std::vector<std::size_t> CountByPly(int plies) {
  std::vector<std::size_t> counts;
  std::vector<G> level(1);
  for (int ply = 0; ply <= plies; ++ply) {
    counts.push_back(level.size());
    std::vector<std::pair<std::uint64_t, G>> next;
    for (const G& state : level) {
      if (state.IsTerminal()) continue;
      std::uint8_t actions[G::kActions];
      const int count = state.LegalActions(actions);
      for (int i = 0; i < count; ++i) {
        G child = state;
        child.Play(actions[i]);
        next.emplace_back(child.Key(), child);
      }
    }
    std::ranges::sort(next, {}, [](const auto& entry) { return entry.first; });
    level.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (i == 0 || next[i].first != next[i - 1].first) level.push_back(next[i].second);
    }
  }
  return counts;
}

TEST(ConnectFourHasThePositionsOfTheEncyclopaedia) {  // OEIS A212693
  const std::vector<std::size_t> known = {1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623};
  const std::vector<std::size_t> counted = CountByPly<Connect4<7, 6, 4>>(10);
  CHECK_EQ(counted.size(), known.size());
  for (std::size_t ply = 0; ply < known.size(); ++ply) CHECK_EQ(counted[ply], known[ply]);
}

TEST(TicTacToeHasTheKnownNumberOfPositions) {  // 5478 in all
  const std::vector<std::size_t> known = {1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78};
  const std::vector<std::size_t> counted = CountByPly<TicTacToe>(9);
  for (std::size_t ply = 0; ply < known.size(); ++ply) CHECK_EQ(counted[ply], known[ply]);
}

TEST(GomokuOnThreeByThreeIsTicTacToe) { CHECK((CountByPly<Gomoku<3, 3>>(9) == CountByPly<TicTacToe>(9))); }

TEST(AFullBoardWithoutALineIsADraw) {
  Connect4<4, 4, 4> state;
  for (const int action : {0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2}) {
    CHECK(!state.IsTerminal());
    CHECK(state.IsLegal(action));
    state.Play(action);
  }
  CHECK(state.IsTerminal());
  CHECK_EQ(state.Result(), 0);
}

// Plays at random to the end, and looks at every position on the way.
template <Game G, typename Look>
void PlayAtRandom(int games, Look look) {
  Rng rng(HashIds(G::kActions, G::kInARow));
  for (int game = 0; game < games; ++game) {
    G state;
    look(state);
    while (!state.IsTerminal()) {
      std::uint8_t actions[G::kActions];
      const int count = state.LegalActions(actions);
      state.Play(actions[rng.Below(static_cast<std::uint32_t>(count))]);
      look(state);
    }
    CHECK(state.Ply() <= G::kMaxPlies);
  }
}

template <Game G>
void CheckPacking() {
  PlayAtRandom<G>(20, [](const G& state) {
    std::array<std::uint8_t, G::kPackedBytes> packed{};
    state.Pack(packed.data());
    const G copy = G::Unpack(packed.data());
    CHECK_EQ(copy.Key(), state.Key());
    CHECK_EQ(copy.Ply(), state.Ply());
    CHECK_EQ(copy.IsTerminal(), state.IsTerminal());
    if (state.IsTerminal()) CHECK_EQ(copy.Result(), state.Result());
    int symmetry = 0;
    int symmetry_of_copy = 0;
    CHECK_EQ(copy.CanonicalKey(&symmetry_of_copy), state.CanonicalKey(&symmetry));
    CHECK_EQ(symmetry_of_copy, symmetry);
  });
}

TEST(AnUnpackedPositionIsThePackedOne) {
  CheckPacking<Connect4<7, 6, 4>>();
  CheckPacking<Connect4<5, 4, 4>>();
  CheckPacking<Gomoku<6, 4>>();
  CheckPacking<Gomoku<15, 5>>();
  CheckPacking<TicTacToe>();
}

// Bytes from a stranger may be nonsense, but using them must stay inside of the board (the sanitizers watch).
template <Game G>
void UnpackNonsense() {
  Rng rng(HashIds(G::kPackedBytes));
  for (int round = 0; round < 2000; ++round) {
    std::array<std::uint8_t, G::kPackedBytes> packed{};
    const std::uint64_t mask = round % 2 == 0 ? ~std::uint64_t{0} : rng.Next();
    for (std::uint8_t& byte : packed) byte = static_cast<std::uint8_t>(rng.Next() & mask);
    G state = G::Unpack(packed.data());
    CHECK(state.Ply() <= G::kMaxPlies);
    std::array<std::uint8_t, G::kPlanes * G::kHeight * G::kWidth> planes{};
    state.WritePlanes(planes.data(), round % G::kSymmetries);
    for (const std::uint8_t cell : planes) CHECK(cell <= 1);
    while (!state.IsTerminal()) {
      std::uint8_t actions[G::kActions];
      const int count = state.LegalActions(actions);
      CHECK(count > 0);
      state.Play(actions[rng.Below(static_cast<std::uint32_t>(count))]);
    }
  }
}

TEST(NonsenseUnpacksToSomeState) {
  UnpackNonsense<Connect4<7, 6, 4>>();
  UnpackNonsense<Connect4<5, 4, 4>>();
  UnpackNonsense<Gomoku<6, 4>>();
  UnpackNonsense<Gomoku<15, 5>>();
  UnpackNonsense<TicTacToe>();
}

}  // namespace
}  // namespace c4
