// What the network returned for a batch, and how it is refused.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace c4 {

struct NetworkOutput {
  int rows;
  const float* policy_logits;  // [rows, kActions]
  const float* value;          // [rows], for the side to move (value: native/value.h)
  const float* plies_left;     // [rows], a count
};

// A number of it is not finite: which one, and the moves that led to the position it is about.
struct NotFiniteError : std::invalid_argument {
  NotFiniteError(const std::string& number, std::vector<std::uint8_t> moves)
      : std::invalid_argument("the network's " + number + ": only finite numbers can be searched"),
        number(number),
        actions(std::move(moves)) {}

  std::string number;
  std::vector<std::uint8_t> actions;
};

}  // namespace c4
