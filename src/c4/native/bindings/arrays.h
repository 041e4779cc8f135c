// Numpy arrays that cross the boundary: checked, never converted or copied behind the caller's back.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace c4 {

using Shape = std::vector<pybind11::ssize_t>;

std::string ShapeText(const Shape& shape);

// Throws pybind11::value_error that names the argument, what was expected and what came.
void CheckArray(const pybind11::array& array, const pybind11::dtype& type, const Shape& shape, const char* name);
void CheckWritable(const pybind11::array& array, const char* name);

// The data of an array that must have exactly this type and shape, and no gaps.
template <typename T>
const T* Readable(const pybind11::array& array, const Shape& shape, const char* name) {
  CheckArray(array, pybind11::dtype::of<T>(), shape, name);
  return static_cast<const T*>(array.data());
}

template <typename T>
T* Writable(pybind11::array& array, const Shape& shape, const char* name) {
  CheckArray(array, pybind11::dtype::of<T>(), shape, name);
  CheckWritable(array, name);
  return static_cast<T*>(array.mutable_data());
}

}  // namespace c4
