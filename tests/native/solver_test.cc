// The solver of Gomoku under the sanitizers: boards of one word and of several, tables that forget, a budget that ends.
// That its answers are right is shown from Python, against the plain twin.
#include "solve/solver.h"

#include <cstdint>
#include <optional>

#include "harness.h"
#include "rng.h"
#include "solve/draws.h"

namespace c4::solve {
namespace {

constexpr int kNone = 1000;  // what nobody answers

template <typename Solver>
Solver::Position RandomPosition(Rng& rng, int stones) {
  for (;;) {
    typename Solver::Position position;
    for (int ply = 0; ply < stones; ++ply) {
      const auto empty = position.own.Empty();
      int skip = static_cast<int>(rng.Below(static_cast<std::uint32_t>(empty.Count())));
      int cell = 0;
      empty.ForEach([&](int candidate) {
        if (skip-- == 0) cell = candidate;
      });
      position = position.After(cell);
      if (position.other.HasWon(kAttacker)) break;
    }
    if (!position.other.HasWon(kAttacker)) return position;
  }
}

TEST(FourInARowOnSixBySixIsWonInElevenPlies) {
  Solver<6, 4> solver(1 << 12);
  CHECK_EQ(solver.Solve({}, /*budget=*/~std::uint64_t{0}).value_or(kNone), 11);
}

TEST(AnswersDoNotDependOnWhatIsRemembered) {
  Rng rng(HashIds(3));
  Solver<6, 4> forgetful(0);
  Solver<6, 4> remembering(1 << 14);
  for (int round = 0; round < 20; ++round) {
    const auto position = RandomPosition<Solver<6, 4>>(rng, 18 + round % 8);
    CHECK_EQ(forgetful.Solve(position, 100'000'000).value_or(kNone),
             remembering.Solve(position, 100'000'000).value_or(kNone));
  }
}

TEST(ForcedWinsOnBoardsOfSeveralWords) {
  Rng rng(HashIds(4));
  Solver<9, 5> nine(1 << 10);
  Solver<15, 5> fifteen(1 << 10);
  for (int round = 0; round < 10; ++round) {
    for (const Threats threats : {Threats::kFours, Threats::kFoursAndThrees}) {
      CHECK(nine.Forced(RandomPosition<Solver<9, 5>>(rng, 30), threats, 9, 20'000).value_or(0) <= 9);
      CHECK(fifteen.Forced(RandomPosition<Solver<15, 5>>(rng, 90), threats, 9, 20'000).value_or(0) <= 9);
    }
  }
}

TEST(ABudgetEndsASearch) {
  Rng rng(HashIds(5));
  Solver<8, 5> solver(1 << 10);
  CHECK(!solver.Solve(RandomPosition<Solver<8, 5>>(rng, 2), /*budget=*/1000).has_value());
  CHECK_EQ(solver.Nodes(), 1000u);
}

TEST(ProofsOfDraws) {
  constexpr std::uint64_t kNodes = 2000;
  Draws<5, 4> forgetful(0);
  Draws<5, 4> remembering(1 << 12);
  CHECK_EQ(forgetful.Holds({}, /*answers=*/3, ~std::uint64_t{0}).value_or(true),
           remembering.Holds({}, /*answers=*/3, ~std::uint64_t{0}).value_or(true));
  Draws<5, 4> hurried(1 << 12);
  CHECK(!hurried.Holds({}, /*answers=*/5, kNodes).has_value());
  CHECK_EQ(hurried.Nodes(), kNodes + 1);
  Rng rng(HashIds(6));
  Draws<15, 5> fifteen(1 << 10);
  for (int round = 0; round < 4; ++round) {
    const auto board = RandomPosition<Solver<15, 5>>(rng, 60).own;
    CHECK(!fifteen.Holds(board, /*answers=*/2, 50).value_or(false));
  }
}

}  // namespace
}  // namespace c4::solve
