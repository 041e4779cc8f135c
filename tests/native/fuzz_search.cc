#include "fuzz_search.h"

#include <cstdint>

#include "every_game.h"
#include "fuzz_calls.h"

namespace c4::testing {

std::uint64_t SearchCalls(std::uint32_t game, Draws& draws) {
  std::uint64_t calls = 0;
  EveryGame::With(game, [&]<typename G> { calls = FuzzSearch<G>(draws); });
  return calls;
}

}  // namespace c4::testing
