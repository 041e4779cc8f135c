// A small exact search from a leaf, by the rules alone: who wins and when, if so few nodes are enough to tell.
//
// Asks in turn whether the side to move wins in 1 ply, loses in 2, wins in 3, and so on, so that the first yes is the
// distance of perfect play too: the fastest win, the slowest loss. Of a game that sees fours, whose boards are too
// large for that, it asks for wins by fours and losses to them alone (fours.h): the result is exact, the distance up to
// 4 plies, from where on perfect play may be quicker. What it says depends on the state and the number of nodes alone:
// tables begin empty with every call. The same search stands in reference/proof.py.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "game.h"
#include "rng.h"
#include "search/fours.h"
#include "value.h"

namespace c4 {

struct Proof {
  int result;  // for the side to move (value: native/value.h)
  int plies;   // to the end, both sides playing perfectly, or the winner by fours
};

template <Game G>
class Prover {
 public:
  // The one of this thread: a table is too large for every tree to have its own.
  static Prover& OfThread() {
    thread_local Prover prover;
    return prover;
  }

  // None: more than `nodes` would be needed, or fours do not tell. Precondition: !state.IsTerminal().
  std::optional<Proof> Prove(const G& state, int nodes) {
    if constexpr (SeesFours<G>) {
      nodes_left_ = nodes;
      return ProveByFours(state);
    } else {
      return ProveByAll(state, nodes);
    }
  }

  int nodes_left() const { return nodes_left_; }  // of the last call; negative: they were not enough

 private:
  std::optional<Proof> ProveByFours(const G& state) {
    std::uint8_t cells[G::kActions];
    if (state.Wins(Whose::kToMove, cells) > 0) return Proof{.result = 1, .plies = 1};
    if (state.Wins(Whose::kOther, cells) > 1) return Proof{.result = -1, .plies = 2};
    if (const auto plies = fours_.WinsIn(state, nodes_left_)) return Proof{.result = 1, .plies = *plies};
    if (nodes_left_ < 0) return std::nullopt;
    if (const auto plies = fours_.LosesIn(state, nodes_left_)) return Proof{.result = -1, .plies = *plies};
    return std::nullopt;
  }

  std::optional<Proof> ProveByAll(const G& state, int nodes) {
    Begin(nodes);
    const int ply = state.Ply();
    if constexpr (SeesThreats<G>) {
      if (state.CanWin()) return Proof{.result = 1, .plies = 1};
    }
    for (int plies = SeesThreats<G> ? 2 : 1; ply + plies <= G::kMaxPlies; ++plies) {
      const bool wins = plies % 2 == 1;
      const int end = ply + plies;
      const bool reached = wins ? IsAtLeast(state, WinAt(end)) : !IsAtLeast(state, FlipResult(WinAt(end)) + 1);
      if (nodes_left_ < 0) return std::nullopt;
      if (reached) return Proof{.result = wins ? 1 : -1, .plies = plies};
    }
    return Proof{.result = 0, .plies = G::kMaxPlies - ply};
  }

  // A score is a result and its distance in one: the sooner won, the higher; the sooner lost, the lower; 0 is a draw.
  static constexpr int WinAt(int ply) { return ply <= G::kMaxPlies ? G::kMaxPlies + 1 - ply : 0; }

  // In how many plies a side may win at whom the search looks: one that sees threats never lets it come to a win at
  // once.
  static constexpr int kSoonestWin = SeesThreats<G> ? 3 : 1;

  // What is known of a state: its score is from `lower` to `upper`.
  struct Entry {
    std::uint64_t key;
    std::uint32_t call;  // entries of an earlier call do not count; 0: never written
    std::int16_t lower;
    std::int16_t upper;
  };
  static_assert(sizeof(Entry) == 16);

  // The table has room for all nodes and as many more, so that nothing in it is ever lost.
  void Begin(int nodes) {
    nodes_left_ = nodes;
    const std::size_t size = std::bit_ceil(2 * static_cast<std::size_t>(nodes) + 2);
    if (table_.size() < size) table_.resize(size);
    mask_ = size - 1;
    if (++call_ == 0) {
      table_.assign(table_.size(), Entry{});
      call_ = 1;
    }
  }

  Entry& EntryOf(std::uint64_t key) {
    std::size_t place = Mix(key) & mask_;
    while (table_[place].call == call_ && table_[place].key != key) place = (place + 1) & mask_;
    return table_[place];
  }

  // Whether the score of the state is `least` or more; of no meaning once nodes_left_ is negative. Precondition: with
  // threats seen, the side to move cannot win at once.
  bool IsAtLeast(const G& state, int least) {
    const int ply = state.Ply();
    const int worst = FlipResult(WinAt(ply + 2));
    if (least > WinAt(ply + kSoonestWin)) return false;
    if (least <= worst) return true;

    Entry& entry = EntryOf(state.Key());
    if (entry.call == call_) {
      if (least <= entry.lower) return true;
      if (least > entry.upper) return false;
    }
    if (--nodes_left_ < 0) return false;
    if (entry.call != call_) {
      entry = {state.Key(), call_, static_cast<std::int16_t>(worst),
               static_cast<std::int16_t>(WinAt(ply + kSoonestWin))};
    }
    const bool is_at_least = HasMove(state, least);
    if (nodes_left_ < 0) return false;
    (is_at_least ? entry.lower : entry.upper) = static_cast<std::int16_t>(is_at_least ? least : least - 1);
    return is_at_least;
  }

  // Whether a move leads to such a score.
  bool HasMove(const G& state, int least) {
    std::uint8_t actions[G::kActions];
    int count = 0;
    if constexpr (SeesThreats<G>) {
      count = state.SafeActions(actions);
      if (count > 0 && least <= FlipResult(WinAt(state.Ply() + 4))) return true;  // it is not lost in two plies
    } else {
      count = state.LegalActions(actions);
      for (int i = 0; i < count; ++i) {
        if (WinsBy(state, actions[i])) return true;
      }
      if (least > WinAt(state.Ply() + 3)) return false;
    }
    for (int i = 0; i < count; ++i) {
      G next = state;
      next.Play(actions[i]);
      if (!IsAtLeast(next, FlipResult(least) + 1)) return nodes_left_ >= 0;
    }
    return false;
  }

  static bool WinsBy(const G& state, int action) {
    G next = state;
    next.Play(action);
    return next.IsTerminal() && next.Result() < 0;
  }

  Fours<G> fours_;
  std::vector<Entry> table_;
  std::size_t mask_ = 0;
  std::uint32_t call_ = 0;
  int nodes_left_ = 0;
};

}  // namespace c4
