// e^x in single precision from additions and multiplications alone, so that the specification in Python gives the
// same bits: libraries of mathematics differ in the last one.
#pragma once

#include <bit>
#include <cstdint>

namespace c4 {

// What Exp takes at least. Cut off in a loop of its own, since where there is a choice before the polynomial, compilers
// for processors without masks do not make many at once of it.
inline constexpr float kLeastExponent = -87.0f;

// For x from kLeastExponent to 0, to about 2 units in the last place (Cephes' polynomial). reference/mcts.py: exp.
inline float Exp(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  const float n = (x * 1.44269504088896341f + kRound) - kRound;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

}  // namespace c4
