// The arrays of gather and apply: planes to be written, and the network's answer for the rows that were written.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>

#include "bindings/arrays.h"
#include "bindings/runtime.h"
#include "search/batch.h"

namespace c4 {

// Planes may have more rows than are needed.
inline std::uint8_t* PlanesBuffer(pybind11::array& planes, const GameInfo& game, int rows) {
  const pybind11::ssize_t given = planes.ndim() > 0 ? planes.shape(0) : 0;
  return Writable<std::uint8_t>(planes, {given >= rows ? given : rows, game.planes, game.height, game.width}, "planes");
}

// Exactly as many rows as gather returned.
inline NetworkOutput OutputRows(const pybind11::array& policy_logits, const pybind11::array& value,
                                const pybind11::array& plies_left, const GameInfo& game, int rows) {
  return {.policy_logits = Readable<float>(policy_logits, {rows, game.actions}, "policy_logits"),
          .value = Readable<float>(value, {rows}, "value"),
          .plies_left = Readable<float>(plies_left, {rows}, "plies_left")};
}

}  // namespace c4
