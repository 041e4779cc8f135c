// A target of a sequence of calls: the first byte says of which game, each of the others a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "draws.h"
#include "every_game.h"

namespace c4::testing {

// Calls run.operator()<G>(draws).
int RunSequence(const std::uint8_t* bytes, std::size_t size, auto&& run) {
  Draws draws(std::span(bytes, size));
  EveryGame::With(draws.Below(EveryGame::kCount), [&]<typename G> { run.template operator()<G>(draws); });
  return 0;
}

}  // namespace c4::testing
