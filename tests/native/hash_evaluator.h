// A network in whose place a hash of the position answers: deterministic, different for every position, and free of any
// order in which positions are asked. Also what a batch of planes is answered with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "game.h"
#include "rng.h"
#include "search/batch.h"

namespace c4::testing {

// The outputs for a batch of planes, as a network would write them.
template <Game G>
class HashEvaluator {
 public:
  static constexpr std::size_t kPlaneBytes = static_cast<std::size_t>(G::kPlanes) * G::kHeight * G::kWidth;

  NetworkOutput Evaluate(std::span<const std::uint8_t> planes, int rows) {
    const auto count = static_cast<std::size_t>(rows);
    logits_.resize(count * G::kActions);
    value_.resize(count);
    plies_left_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      Rng rng(HashOf(planes.subspan(row * kPlaneBytes, kPlaneBytes)));
      value_[row] = static_cast<float>(2.0 * rng.Uniform() - 1.0);
      plies_left_[row] = static_cast<float>(G::kMaxPlies * rng.Uniform());
      for (std::size_t action = 0; action < G::kActions; ++action) {
        logits_[row * G::kActions + action] = static_cast<float>(4.0 * rng.Uniform());
      }
    }
    return {.rows = rows, .policy_logits = logits_.data(), .value = value_.data(), .plies_left = plies_left_.data()};
  }

  std::vector<float>& logits() { return logits_; }

 private:
  // By eight bytes at a time: large boards are hashed more often than anything else is done in a test.
  static std::uint64_t HashOf(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = bytes.size();
    while (!bytes.empty()) {
      std::uint64_t word = 0;
      const std::size_t length = std::min(bytes.size(), sizeof(word));
      std::memcpy(&word, bytes.data(), length);
      hash = HashIds(hash, word);
      bytes = bytes.subspan(length);
    }
    return hash;
  }

  std::vector<float> logits_;
  std::vector<float> value_;
  std::vector<float> plies_left_;
};

}  // namespace c4::testing
