// What Python sees of the solver of Gomoku.
#pragma once

#include <pybind11/pybind11.h>

namespace c4 {

void BindSolver(pybind11::module_& module);

}  // namespace c4
