// The value convention, written once.
//
// A value lies in [-1, +1] and belongs to the player to move in the state it is about: +1 means that this player
// wins. The player changes with every ply, so seen from a state, what a move is worth is Flip(value of the state
// it leads to): Q(s, a) = Flip(V(s')). A count of plies is no value and is never flipped.
#pragma once

namespace c4 {

using Value = float;

inline constexpr Value kWin = 1.0f;
inline constexpr Value kDraw = 0.0f;
inline constexpr Value kLoss = -1.0f;

// The only negation of a value: the same result seen by the other player.
constexpr Value Flip(Value value) { return -value; }

// The same for results that are known exactly, which are whole numbers: -1, 0, +1.
constexpr int FlipResult(int result) { return -result; }

}  // namespace c4
