// The checks of arrays.h and their messages.
#include "bindings/arrays.h"

#include <algorithm>

namespace c4 {

namespace py = pybind11;

std::string ShapeText(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + "]";
}

void CheckArray(const py::array& array, const py::dtype& type, const Shape& shape, const char* name) {
  const Shape given(array.shape(), array.shape() + array.ndim());
  const bool same_type = array.dtype().is(type) || array.dtype().equal(type);
  if (same_type && given == shape && (array.flags() & py::array::c_style) != 0) return;
  std::string text = std::string(name) + " must be a C-contiguous array of " + py::str(type).cast<std::string>() +
                     " with shape " + ShapeText(shape) + ", not one of " + py::str(array.dtype()).cast<std::string>() +
                     " with shape " + ShapeText(given);
  if (same_type && given == shape) text += " with gaps";
  throw py::value_error(text);
}

void CheckWritable(const py::array& array, const char* name) {
  if (!array.writeable()) throw py::value_error(std::string(name) + " must be writable: results are put into it");
}

}  // namespace c4
