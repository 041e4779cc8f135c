// Random call sequences on games, searches and generators: fuzz_main SEQUENCES SEED. Each draws a game, a subject and
// knobs from a seed of its own, which is printed when it fails: fuzz_main 1 THAT_SEED repeats it alone.
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "draws.h"
#include "every_game.h"
#include "fuzz_calls.h"
#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "rng.h"

// The sanitizers end the program with SIGABRT, as a failed assertion does, so that one handler can say the seed.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace c4::testing {
namespace {

std::uint64_t sequence_seed = 0;

void SaySeed() { std::cerr << "\nthis sequence again: fuzz_main 1 " << sequence_seed << "\n"; }

template <Game G>
std::uint64_t Sequence(Draws& draws) {
  constexpr std::uint32_t kGame = EveryGame::kNumber<G>;
  switch (draws.Below(4)) {
    case 0:
      return GameCalls(kGame, draws);
    case 1:
      return GeneratorCalls(kGame, draws);
    default:
      return SearchCalls(kGame, draws);
  }
}

std::uint64_t SequenceOnAnyGame() {
  Draws draws(sequence_seed);
  switch (draws.Below(10)) {
    case 0:
      return Sequence<Connect4<4, 4, 4>>(draws);
    case 1:
      return Sequence<Gomoku<6, 4>>(draws);
    case 2:
      return Sequence<Gomoku<15, 5>>(draws);
    case 3:
    case 4:
    case 5:
      return Sequence<TicTacToe>(draws);
    default:
      return Sequence<Connect4<7, 6, 4>>(draws);
  }
}

int Fuzz(std::uint64_t sequences, std::uint64_t seed) {
  std::signal(SIGABRT, [](int) { SaySeed(); });
  std::uint64_t calls = 0;
  sequence_seed = seed;
  for (std::uint64_t i = 0; i < sequences; ++i, sequence_seed = HashIds(sequence_seed)) {
    try {
      calls += SequenceOnAnyGame();
    } catch (const std::exception& error) {
      std::cerr << error.what();
      SaySeed();
      return 1;
    }
  }
  std::cout << "fuzz: " << sequences << " sequences of " << calls << " calls in all from seed " << seed
            << " found nothing\n";
  return 0;
}

}  // namespace
}  // namespace c4::testing

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: fuzz_main SEQUENCES SEED\n";
    return 2;
  }
  return c4::testing::Fuzz(std::strtoull(arguments[1], nullptr, 10), std::strtoull(arguments[2], nullptr, 10));
}
