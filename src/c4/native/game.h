// What the program may know of a game: search and self-play the concept Game, those who speak to people or read what
// they have typed the concept ReadableGame. To add a game, see docs/ADDING_A_GAME.md.
//
// A game is a small trivially copyable state of a two-player zero-sum game of perfect information without passes.
// Two games end on the board alone: the player who has just moved has won, or nobody has.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace c4 {

template <typename G>
concept Game =
    std::is_trivially_copyable_v<G> && std::default_initializable<G> &&
    requires(G game, const G state, int action, int symmetry, std::uint8_t* bytes, const std::uint8_t* packed) {
      // Constants. kMaxPlies is the longest game and the length of every draw, kPackedBytes the size of Pack's output.
      { G::kPlanes } -> std::convertible_to<int>;
      { G::kHeight } -> std::convertible_to<int>;
      { G::kWidth } -> std::convertible_to<int>;
      { G::kActions } -> std::convertible_to<int>;
      { G::kMaxPlies } -> std::convertible_to<int>;
      { G::kSymmetries } -> std::convertible_to<int>;
      { G::kPackedBytes } -> std::convertible_to<int>;
      // Actions, children and plies are kept in a byte; action 255 is kNoBest, plies are counted one
      // further.
      requires G::kActions <= 255 && G::kMaxPlies <= 254;

      // A default-constructed G is the start of the game.
      { state.Ply() } -> std::same_as<int>;
      { state.IsTerminal() } -> std::same_as<bool>;
      // Precondition: IsTerminal(). -1 if the side to move has lost, 0 if drawn (value: native/value.h).
      { state.Result() } -> std::same_as<int>;
      // Whether the rules allow the action here. Precondition: !IsTerminal(), 0 <= action < kActions.
      { state.IsLegal(action) } -> std::same_as<bool>;
      // Writes the legal actions in increasing order, returns how many. Precondition: !IsTerminal().
      { state.LegalActions(bytes) } -> std::same_as<int>;
      // Precondition: IsLegal(action).
      { game.Play(action) };

      // Equal positions have equal keys; CanonicalKey is the same for all symmetric images, and `symmetry`
      // receives the symmetry that takes this state to the canonical image.
      { state.Key() } -> std::same_as<std::uint64_t>;
      { state.CanonicalKey(&symmetry) } -> std::same_as<std::uint64_t>;
      // The action that `action` becomes when the board is seen under a symmetry. 0 is the identity.
      { G::Transform(action, symmetry) } -> std::same_as<int>;
      // Writes kPlanes * kHeight * kWidth bytes, row 0 on top: own stones, the opponent's stones, ones if
      // the first player is to move; the board seen under `symmetry`.
      { state.WritePlanes(bytes, symmetry) };

      // Pack and Unpack keep the stones and the side to move, in kPackedBytes bytes.
      { state.Pack(bytes) };
      { G::Unpack(packed) } -> std::same_as<G>;
    };

// What a game on a large board may have besides, for random play: one legal move without a list of all.
template <typename G>
concept PicksLegal = Game<G> && requires(const G state, int n) {
  { state.NumLegal() } -> std::same_as<int>;
  // The n-th of LegalActions, from 0. Precondition: n < NumLegal().
  { state.LegalAction(n) } -> std::same_as<int>;
};

// What a game may have besides, for proofs: what threatens in the next two plies, without playing them.
template <typename G>
concept SeesThreats = Game<G> && requires(const G state, std::uint8_t* bytes) {
  // Whether the side to move can win at once. Precondition: !IsTerminal().
  { state.CanWin() } -> std::same_as<bool>;
  // Writes the legal actions after which the other side cannot win at once, those first that are to be tried first,
  // returns how many. Precondition: !IsTerminal().
  { state.SafeActions(bytes) } -> std::same_as<int>;
};

enum class Whose : std::uint8_t { kToMove, kOther };

// What a game without gravity may have besides, for proofs by fours: where a stone completes a line, and where one
// makes a four, that is, leaves a cell to win in at once. An action is the cell that the stone comes to lie on.
template <typename G>
concept SeesFours = Game<G> && requires(G game, const G state, Whose whose, int action, std::uint8_t* bytes) {
  // Writes the actions by which this side, if it were to move, would win at once, in increasing order, returns how
  // many.
  { state.Wins(whose, bytes) } -> std::same_as<int>;
  // Writes the actions of the side to move that leave it one or more cells to win in, in increasing order, returns how
  // many. Precondition: it cannot win at once.
  { state.Fours(bytes) } -> std::same_as<int>;
  // Writes where this side would complete a line through `action` if a stone of its own lay there, returns how many: at
  // most eight. Precondition: no stone of the other side lies there.
  { state.WinsThrough(whose, action, bytes) } -> std::same_as<int>;
  // As if the side to move had passed: it has the other side's stones, and the other way round.
  { state.Exchanged() } -> std::same_as<G>;
  // One more stone of the side to move, who stays to move. Of such a state only what this concept tells is right.
  { game.Lay(action) };
};

// What people need besides: the board as they see it, names, and the reason why something cannot be played.
template <typename G>
concept ReadableGame = Game<G> && requires(const G state, int action, std::string_view word) {
  // Stones in a row that win.
  { G::kInARow } -> std::convertible_to<int>;
  // 0 empty, 1 the first player's stone, 2 the second player's; row 0 on top.
  { state.StoneAt(action, action) } -> std::same_as<int>;
  // "4" or "h8". Parse returns -1 for a word that names no action of this game.
  { G::ActionName(action) } -> std::same_as<std::string>;
  { G::ParseAction(word) } -> std::same_as<int>;
  // Whether names stand side by side ("4453") or apart ("h8 i9").
  { G::kSeparateNames } -> std::convertible_to<bool>;
  // What an action is called in messages: "column" or "cell".
  { G::kActionNoun } -> std::convertible_to<std::string_view>;
  // Why a legal-looking action cannot be played: "column 4 is full".
  { state.WhyIllegal(action) } -> std::same_as<std::string>;
};

}  // namespace c4
