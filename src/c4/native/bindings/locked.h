// An object with a lock, for methods that release the GIL: two Python threads could meet inside.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <utility>

namespace c4 {

class GameRuntime;

template <typename T>
struct Locked {
  std::unique_ptr<T> object;
  const GameRuntime* game = nullptr;  // that it is of, where it is asked
  std::mutex mutex;

  // Calls body(object) without the GIL.
  template <typename Body>
  decltype(auto) Do(Body&& body) {
    const pybind11::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    return body(*object);
  }
};

// A method of the object as one of the Python class.
template <typename T, typename Result, typename... Arguments>
auto Method(Result (T::*method)(Arguments...)) {
  return [method](Locked<T>& self, Arguments... arguments) {
    return self.Do([&](T& object) { return (object.*method)(std::forward<Arguments>(arguments)...); });
  };
}

template <typename T, typename Result, typename... Arguments>
auto Method(Result (T::*method)(Arguments...) const) {
  return [method](Locked<T>& self, Arguments... arguments) {
    return self.Do([&](const T& object) { return (object.*method)(std::forward<Arguments>(arguments)...); });
  };
}

}  // namespace c4
