// What self-play leaves behind: samples to learn from, and records of whole games to look at.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "game.h"
#include "value.h"

namespace c4 {

// One position that was searched: fully, or fast, and then all of `policy` is 0, for a small budget makes no target.
// Values are for its side to move (value: native/value.h). What its game's end tells is 0 until then. Python sees the
// fields that ForEach lists, as columns of a structured array; files keep a column each.
template <Game G>
struct Sample {
  std::array<std::uint8_t, G::kPackedBytes> packed;  // the position
  std::array<float, G::kActions> policy;             // the target
  float root_value;                                  // the search's
  float surprise;                                    // KL(policy || the root's prior) in nats, 0 of a fast search
  float bootstrap;               // what root values on the way to the end add to the value trace (trace.h), ...
  float outcome_share;           // ... which is outcome_share * outcome + bootstrap; 1 where there are no traces
  std::int16_t ply;              // played before
  std::int16_t plies_left;       // to the end of the game as it was played
  std::int32_t weights_version;  // of the weights that searched it
  std::int64_t game_id;
  std::int8_t result;   // -1, 0, 1
  std::int8_t outcome;  // the result, or what a search proved on the way to it

  // Calls visit("packed", sample.packed), and so on.
  static void ForEach(auto& sample, auto&& visit) {
    visit("packed", sample.packed);
    visit("policy", sample.policy);
    visit("root_value", sample.root_value);
    visit("surprise", sample.surprise);
    visit("bootstrap", sample.bootstrap);
    visit("outcome_share", sample.outcome_share);
    visit("ply", sample.ply);
    visit("plies_left", sample.plies_left);
    visit("weights_version", sample.weights_version);
    visit("game_id", sample.game_id);
    visit("result", sample.result);
    visit("outcome", sample.outcome);
  }
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

// For the player who moved first; no value, like GameRecord::result. Precondition: the game is over.
template <Game G>
std::int8_t ResultOfFirst(const G& end) {
  return static_cast<std::int8_t>(end.Ply() % 2 == 0 ? end.Result() : FlipResult(end.Result()));
}

}  // namespace c4
