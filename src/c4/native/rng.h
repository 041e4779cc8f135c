// Seeded streams of random numbers. A stream belongs to what it decides (a seed, a game, a ply, a purpose), not to a
// thread: streams are told apart by hashing, never by a product of ids.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace c4 {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection in which every bit depends on every bit.
constexpr std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Order matters: HashIds(1, 2) and HashIds(2, 1) are different streams.
template <typename... Ids>
constexpr std::uint64_t HashIds(Ids... ids) {
  std::uint64_t hash = 0;
  ((hash = Mix(hash + 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(ids))), ...);
  return hash;
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t stream) : state_(stream) {}

  constexpr std::uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15ULL); }

  // In [0, 1), with 53 random bits.
  constexpr double Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // In [0, n). Precondition: 0 < n. The bias of n / 2^32 is far below what any statistic here could see.
  constexpr std::uint32_t Below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((Next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

  double Normal() {  // Box and Muller; the second number is thrown away, which keeps the stream without state.
    const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));
    return radius * std::cos(2.0 * 3.14159265358979323846 * Uniform());
  }

  // Of the standard Gumbel distribution: finite, since neither 0 nor 1 is drawn.
  double Gumbel() {
    const double uniform = (static_cast<double>(Next() >> 12) + 0.5) * 0x1.0p-52;
    return -std::log(-std::log(uniform));
  }

  // The logarithm of a Gamma(alpha, 1) variate (Marsaglia and Tsang 2000; below 1 by the power of a uniform). In
  // logarithms, because for small alpha the variate itself underflows to 0.
  double LogGamma(double alpha) {
    if (alpha < 1.0) {
      const double power = std::log(1.0 - Uniform()) / alpha;
      return LogGamma(alpha + 1.0) + power;
    }
    const double d = alpha - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = Normal();
      const double v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
      if (v > 0.0 && std::log(1.0 - Uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) {
        return std::log(d * v);
      }
    }
  }

  // Fills `out` with a draw of the symmetric Dirichlet distribution.
  void Dirichlet(double alpha, std::span<float> out) {
    double largest = -HUGE_VAL;
    for (float& entry : out) {
      entry = static_cast<float>(LogGamma(alpha));
      largest = std::fmax(largest, static_cast<double>(entry));
    }
    double sum = 0.0;
    for (float& entry : out) {
      const double weight = std::exp(static_cast<double>(entry) - largest);
      sum += weight;
      entry = static_cast<float>(weight);
    }
    for (float& entry : out) entry = static_cast<float>(entry / sum);
  }

 private:
  std::uint64_t state_;
};

}  // namespace c4
