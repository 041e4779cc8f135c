// A target of a sequence of calls: the first byte says of which game, each of the others a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "draws.h"
#include "every_game.h"
#include "fuzz_calls.h"

namespace c4::testing {

inline int RunSequence(const std::uint8_t* bytes, std::size_t size, std::uint64_t (*calls)(std::uint32_t, Draws&)) {
  Draws draws(std::span(bytes, size));
  calls(draws.Below(EveryGame::kCount), draws);
  return 0;
}

}  // namespace c4::testing
