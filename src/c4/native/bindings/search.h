// What Python sees of searches and self-play.
#pragma once

#include <pybind11/pybind11.h>

namespace c4 {

void BindKnobs(pybind11::module_& module);
void BindSearches(pybind11::module_& module);
void BindGenerator(pybind11::module_& module);

}  // namespace c4
