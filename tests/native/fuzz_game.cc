#include "fuzz_game.h"

#include <cstdint>

#include "every_game.h"
#include "fuzz_calls.h"

namespace c4::testing {

std::uint64_t GameCalls(std::uint32_t game, Draws& draws) {
  std::uint64_t calls = 0;
  EveryGame::With(game, [&]<typename G> { calls = FuzzGame<G>(draws); });
  return calls;
}

}  // namespace c4::testing
