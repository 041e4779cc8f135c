// What a node on a large board knows of its moves. Most of them are never tried, so that a child for each would be
// memory written and read for nothing: here a move is its prior alone until it is first chosen.
//
//   [Edges][prior of each move, in steps of kStep][action of each move]      lowest action first
//
// Children lie in blocks, each twice as large as the one before, in the order in which they were first tried.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "search/lanes.h"

namespace c4 {

struct Edges {
  static constexpr int kStep = kLanes;  // moves that are looked at together
  static constexpr int kMostSteps = 16;
  static constexpr int kFirstBlock = 4;  // children
  static constexpr int kBlocks = 6;      // 252 children

  std::uint32_t blocks[kBlocks];    // the index of each block's first child
  std::uint32_t num_tried;          // children that exist
  float tried_prior;                // their sum, lowest action first
  std::uint16_t tried[kMostSteps];  // a bit for each move that was; those beyond the last move are set too

  float* priors() { return reinterpret_cast<float*>(this + 1); }
  const float* priors() const { return reinterpret_cast<const float*>(this + 1); }
  std::uint8_t* actions(int moves) { return reinterpret_cast<std::uint8_t*>(priors() + WholeSteps(moves)); }
  const std::uint8_t* actions(int moves) const {
    return reinterpret_cast<const std::uint8_t*>(priors() + WholeSteps(moves));
  }

  static constexpr int Steps(int moves) { return WholeSteps(moves) / kStep; }
  static constexpr std::size_t Bytes(int moves) {
    return sizeof(Edges) + sizeof(float) * static_cast<std::size_t>(WholeSteps(moves)) +
           static_cast<std::size_t>(moves);
  }

  // Block `block` has kFirstBlock << block children.
  static constexpr std::uint32_t BlockOf(std::uint32_t child) {
    return static_cast<std::uint32_t>(std::bit_width(child / kFirstBlock + 1)) - 1;
  }
  static constexpr std::uint32_t FirstOf(std::uint32_t block) { return kFirstBlock * ((1u << block) - 1); }

  void Begin(int moves) {
    num_tried = 0;
    tried_prior = 0.0f;
    for (int step = 0; step < Steps(moves); ++step) tried[step] = 0;
    if (moves % kStep != 0) tried[moves / kStep] = static_cast<std::uint16_t>(0xffffu << moves % kStep);
  }

  bool IsTried(int place) const { return ((tried[place / kStep] >> place % kStep) & 1) != 0; }

  void MarkTried(int place, int moves) {
    ++num_tried;
    tried[place / kStep] = static_cast<std::uint16_t>(tried[place / kStep] | 1u << place % kStep);
    tried_prior = 0.0f;
    for (int step = 0; step < Steps(moves); ++step) {
      for (unsigned left = tried[step]; left != 0; left &= left - 1) {
        const int at = kStep * step + std::countr_zero(left);
        if (at < moves) tried_prior += priors()[at];
      }
    }
  }
};
static_assert(sizeof(Edges) == 64 && alignof(Edges) == 4 && std::is_trivially_copyable_v<Edges>);

}  // namespace c4
