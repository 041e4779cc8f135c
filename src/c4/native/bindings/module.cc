// c4.native._core: every class and function of the core that Python sees, bound in the files beside this one.
#include <pybind11/pybind11.h>

#include "bindings/position.h"
#include "bindings/search.h"
#include "bindings/solver.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "Games, search and self-play in C++: the compiled half of c4.";
  c4::BindGames(module);
  c4::BindPosition(module);
  c4::BindKnobs(module);
  c4::BindSearches(module);
  c4::BindGenerator(module);
  c4::BindSolver(module);
}
