// The judgement of pure Monte Carlo search: one random game from the leaf to its end, and no opinion on the moves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "game.h"
#include "rng.h"
#include "search/evaluation.h"
#include "value.h"

namespace c4 {

// Each legal move as likely as any other. Precondition: !state.IsTerminal().
template <Game G>
int RandomMove(const G& state, Rng& rng) {
  if constexpr (PicksLegal<G>) {
    return state.LegalAction(static_cast<int>(rng.Below(static_cast<std::uint32_t>(state.NumLegal()))));
  } else {
    std::uint8_t legal[G::kActions];
    const int count = state.LegalActions(legal);
    return legal[rng.Below(static_cast<std::uint32_t>(count))];
  }
}

// A lookup for Search::Gather that always knows.
template <Game G>
struct Rollout {
  Rng& rng;

  bool operator()(Leaf<G>& leaf) const {
    G state = leaf.state;
    const int start = state.Ply();
    while (!state.IsTerminal()) state.Play(RandomMove(state, rng));
    const int plies = state.Ply() - start;
    const auto result = static_cast<Value>(state.Result());  // for the side to move at the end
    leaf.symmetry = 0;
    leaf.known.value = plies % 2 == 0 ? result : Flip(result);
    leaf.known.plies_left = static_cast<float>(plies);
    leaf.known.logits.fill(0.0f);
    return true;
  }
};

}  // namespace c4
