// Work on many numbers at once. Arrays are filled up to whole steps, so that no rest is left to be done one by one.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

namespace c4 {

inline constexpr int kLanes = 16;
using Floats = float __attribute__((vector_size(4 * kLanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));

// So many, up to the end of the last step.
constexpr int WholeSteps(int count) { return (count + kLanes - 1) & -kLanes; }

// The largest; -infinity if none of them is a number.
inline float Largest(const float* numbers, int count) {
  float largest = -std::numeric_limits<float>::infinity();
  int next = 0;
  if (count >= kLanes) {
    Floats lanes = Floats{} + largest;
    for (; next + kLanes <= count; next += kLanes) {
      Floats some;
      std::memcpy(&some, numbers + next, sizeof some);
      lanes = some > lanes ? some : lanes;
    }
    for (int i = 0; i < kLanes; ++i) largest = lanes[i] > largest ? lanes[i] : largest;
  }
  for (; next < count; ++next) largest = numbers[next] > largest ? numbers[next] : largest;
  return largest;
}

}  // namespace c4
