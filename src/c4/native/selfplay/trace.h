// Value traces: what a game says of each of its positions, when not all that was played is believed.
//
// The result of a game says little of a position after which somebody blundered, and a blunder that the temperature,
// the noise or a random opening chose is no fault of the position. So a trace goes back from the end and believes what
// the search found at a ply with a share of 1 - lambda, and alone where a worse move than the search's own was played,
// as in Watkins's Q(lambda). Knows nothing of trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "selfplay/sample.h"
#include "value.h"

namespace c4 {

// outcome_share * outcome + bootstrap, for the side to move. Kept apart, since the first part knows draws.
struct ValueTrace {
  std::int8_t outcome;  // of the game, or what a search proved on the way to its end
  float outcome_share;
  float bootstrap;  // what root values on the way add
};

// By ply; nothing of plies that were not searched. Like the result, values are not discounted by the plies in between.
inline std::vector<ValueTrace> ValueTraces(const GameRecord& game, float lambda) {
  std::vector<ValueTrace> traces(game.actions.size(), ValueTrace{});
  const bool first_to_move = game.actions.size() % 2 == 0;
  ValueTrace next{.outcome = static_cast<std::int8_t>(first_to_move ? game.result : FlipResult(game.result)),
                  .outcome_share = 1.0f,
                  .bootstrap = 0.0f};
  for (std::size_t left = traces.size(); left > 0 && (game.flags[left - 1] & kOpeningPly) == 0; --left) {
    const std::size_t ply = left - 1;
    const Value root_value = game.root_values[ply];
    const auto outcome = static_cast<std::int8_t>(FlipResult(next.outcome));
    if ((game.flags[ply] & kProvenRoot) != 0) {
      next = {static_cast<std::int8_t>(root_value), 1.0f, 0.0f};
    } else if ((game.flags[ply] & kWorseMove) != 0) {
      next = {outcome, 0.0f, root_value};
    } else {
      next = {outcome, lambda * next.outcome_share, (1.0f - lambda) * root_value + lambda * Flip(next.bootstrap)};
    }
    traces[ply] = next;
  }
  return traces;
}

}  // namespace c4
