// c4.native._core: every class and function of the core that Python sees, bound in the files beside this one.
#include <pybind11/pybind11.h>

#include <exception>
#include <system_error>
#include <utility>

#include "bindings/position.h"
#include "bindings/search.h"
#include "bindings/solver.h"

namespace {

// What the system refuses is an OSError; threads are all that is asked of it.
void TranslateSystemError(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const std::system_error& error) {
    const auto arguments = pybind11::make_tuple(error.code().value(), error.what(), "num_threads");
    PyErr_SetObject(PyExc_OSError, arguments.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "Games, search and self-play in C++: the compiled half of c4.";
  pybind11::register_exception_translator(&TranslateSystemError);
  c4::BindGames(module);
  c4::BindPosition(module);
  c4::BindKnobs(module);
  c4::BindSearches(module);
  c4::BindGenerator(module);
  c4::BindSolver(module);
}
