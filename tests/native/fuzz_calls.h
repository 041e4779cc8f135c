// The fuzzers' sequences of calls, each compiled once for all that run them. `game` is a number of EveryGame; what
// comes back is how many calls were made.
#pragma once

#include <cstdint>

#include "draws.h"

namespace c4::testing {

std::uint64_t GameCalls(std::uint32_t game, Draws& draws);
std::uint64_t SearchCalls(std::uint32_t game, Draws& draws);
std::uint64_t GeneratorCalls(std::uint32_t game, Draws& draws);

}  // namespace c4::testing
