// An object with a lock, for methods that release the GIL: two Python threads could meet inside.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

namespace c4 {

template <typename T>
struct Locked {
  std::unique_ptr<T> object;
  std::mutex mutex;

  // Calls body(object) without the GIL.
  template <typename Body>
  auto Do(Body&& body) {
    const pybind11::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    return body(*object);
  }
};

}  // namespace c4
