// What self-play leaves behind: samples to learn from, and records of whole games to look at.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game.h"

namespace c4 {

// One position that was searched: fully, or fast, and then all of `policy` is 0, for a small budget makes no target.
// Values are for its side to move (value: native/value.h).
template <Game G>
struct Sample {
  std::array<std::uint8_t, G::kPackedBytes> packed;
  std::array<float, G::kActions> policy;
  float root_value;
  float surprise;   // KL(policy || the root's prior) in nats, 0 of a fast search
  float bootstrap;  // with the next and `outcome`, its value trace: see trace.h
  float outcome_share;
  std::int16_t ply;
  std::int16_t plies_left;  // known, like the result, once the game is over
  std::int32_t weights_version;
  std::int64_t game_id;
  std::int8_t result;
  std::int8_t outcome;
};

// How a ply of a game came about: bits of GameRecord::flags.
enum PlyFlag : std::uint8_t {
  kOpeningPly = 1,   // given or random, not searched
  kFullSearch = 2,   // with num_simulations and noise
  kSampledMove = 4,  // the temperature chose another move than the best
  kWorseMove = 8,    // ... and the search holds it for worse, by more than trace_tolerance
  kProvenRoot = 16,  // the result of the position was proven, and is its root_value
};

struct GameRecord {
  static constexpr std::uint8_t kNoBest = 255;  // of a ply that was not searched

  std::int64_t game_id = 0;
  std::int32_t weights_version = 0;  // at the end of the game
  std::int8_t result = 0;            // for the player who moved first: this is no value, it does not change sides
  std::vector<std::uint8_t> actions;
  std::vector<std::uint8_t> best;  // the move that the search held for the best, at each ply
  std::vector<std::uint8_t> flags;
  std::vector<float> root_values;  // for the side to move at each ply (value: native/value.h); 0 if not searched
};

}  // namespace c4
