// What Python sees of games and positions.
#pragma once

#include <pybind11/pybind11.h>

namespace c4 {

void BindGames(pybind11::module_& module);
void BindPosition(pybind11::module_& module);

}  // namespace c4
