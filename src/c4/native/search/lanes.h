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

// The largest of whole steps of numbers; -infinity if none of them is one.
inline float Largest(const float* numbers, int whole) {
  Floats lanes = Floats{} - std::numeric_limits<float>::infinity();
  for (int i = 0; i < whole; i += kLanes) {
    Floats next;
    std::memcpy(&next, numbers + i, sizeof next);
    lanes = next > lanes ? next : lanes;
  }
  float largest = lanes[0];
  for (int i = 1; i < kLanes; ++i) largest = lanes[i] > largest ? lanes[i] : largest;
  return largest;
}

}  // namespace c4
