// The arrays of gather and apply: planes to be written, and the network's answer for the rows that were written. How
// many rows there must be is known under the lock only: ExpectRoom and LeafBatch::Accept.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.h"
#include "registry/runtime.h"
#include "search/network_output.h"

namespace c4 {

struct Planes {
  std::uint8_t* data;
  pybind11::ssize_t rows;
};

inline pybind11::ssize_t RowsOf(const pybind11::array& array) { return array.ndim() > 0 ? array.shape(0) : 0; }

inline Planes PlanesOf(pybind11::array& planes, const GameSpec& game) {
  const pybind11::ssize_t rows = RowsOf(planes);
  return {.data = Writable<std::uint8_t>(planes, {rows, game.planes, game.height, game.width}, "planes"), .rows = rows};
}

// Planes may have more rows than are needed.
inline void ExpectRoom(const Planes& planes, int rows) {
  if (planes.rows >= rows) return;
  throw std::invalid_argument("planes must have at least " + std::to_string(rows) + " rows, not " +
                              std::to_string(planes.rows));
}

// Gives the answer to whoever asked; what is not finite is refused with the position as people write it.
template <typename Apply>
void GiveAnswer(const NetworkOutput& output, const GameRuntime& game, Apply&& apply) {
  try {
    apply(output);
  } catch (const NotFiniteError& error) {
    const std::vector<int> actions(error.actions.begin(), error.actions.end());
    throw std::invalid_argument("the network's " + error.number + " for the position '" +
                                game.FromActions(actions)->Text() + "': only finite numbers can be searched");
  }
}

inline NetworkOutput OutputRows(const pybind11::array& policy_logits, const pybind11::array& value,
                                const pybind11::array& plies_left, const GameSpec& game) {
  const pybind11::ssize_t rows = RowsOf(policy_logits);
  return {.rows = static_cast<int>(rows),
          .policy_logits = Readable<float>(policy_logits, {rows, game.actions}, "policy_logits"),
          .value = Readable<float>(value, {rows}, "value"),
          .plies_left = Readable<float>(plies_left, {rows}, "plies_left")};
}

}  // namespace c4
