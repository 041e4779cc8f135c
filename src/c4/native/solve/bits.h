// A small set of numbers below `size`: cells of a board, or lines on it. Knows nothing of either.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace c4::solve {

template <int size>
struct Bits {
  static constexpr int kWords = (size + 63) / 64;
  std::array<std::uint64_t, kWords> words{};

  friend constexpr bool operator==(const Bits&, const Bits&) = default;

  constexpr bool Has(int member) const { return ((words[member / 64] >> (member % 64)) & 1) != 0; }
  constexpr void Add(int member) { words[member / 64] |= std::uint64_t{1} << (member % 64); }

  static constexpr Bits Only(int member) {
    Bits bits;
    bits.Add(member);
    return bits;
  }

  constexpr bool Any() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any != 0;
  }

  constexpr int Count() const {
    int count = 0;
    for (const std::uint64_t word : words) count += std::popcount(word);
    return count;
  }

  // Precondition: Any().
  constexpr int First() const {
    int word = 0;
    while (words[word] == 0) ++word;
    return 64 * word + std::countr_zero(words[word]);
  }

  // Calls `visit` with each member, in increasing order.
  template <typename Visit>
  constexpr void ForEach(Visit visit) const {
    for (int word = 0; word < kWords; ++word) {
      for (std::uint64_t left = words[word]; left != 0; left &= left - 1) visit(64 * word + std::countr_zero(left));
    }
  }

  constexpr Bits& operator|=(const Bits& other) {
    for (int word = 0; word < kWords; ++word) words[word] |= other.words[word];
    return *this;
  }
  constexpr Bits& operator&=(const Bits& other) {
    for (int word = 0; word < kWords; ++word) words[word] &= other.words[word];
    return *this;
  }
  // Takes the members of `other` out.
  constexpr Bits& operator-=(const Bits& other) {
    for (int word = 0; word < kWords; ++word) words[word] &= ~other.words[word];
    return *this;
  }
  friend constexpr Bits operator|(Bits left, const Bits& right) { return left |= right; }
  friend constexpr Bits operator&(Bits left, const Bits& right) { return left &= right; }
  friend constexpr Bits operator-(Bits left, const Bits& right) { return left -= right; }
};

}  // namespace c4::solve
