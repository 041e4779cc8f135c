// Where a fuzzer's choices come from: a seed, or the bytes that are handed to a target of tests/fuzz.
#pragma once

#include <cstdint>
#include <span>

#include "rng.h"

namespace c4::testing {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed) {}
  explicit Draws(std::span<const std::uint8_t> bytes) : stream_(0), bytes_(bytes), from_bytes_(true) {}

  bool FromBytes() const { return from_bytes_; }

  // Whether all bytes are used up: each choice after them is 0. A seed has no end.
  bool Ended() const { return from_bytes_ && bytes_.empty(); }

  // In [0, n). Takes as few bytes as tell n choices apart, so that an input that differs in a byte differs in a choice.
  std::uint32_t Below(std::uint32_t n) {
    if (!from_bytes_) return stream_.Below(n);
    std::uint64_t drawn = 0;
    for (std::uint64_t reach = 1; reach < n; reach <<= 8) drawn = drawn << 8 | Byte();
    return static_cast<std::uint32_t>(drawn % n);
  }

  // For what nobody has to choose number by number, such as noise.
  Rng Stream() { return Rng(from_bytes_ ? HashIds(Byte()) : stream_.Next()); }

 private:
  std::uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  Rng stream_;
  std::span<const std::uint8_t> bytes_;
  bool from_bytes_ = false;
};

}  // namespace c4::testing
