// Wins by fours: each stone of the attacker leaves a cell to win in at once, so that every reply is forced, until one
// leaves two.
//
// Since no reply has to be chosen, this is a search for the nearest of such stones, position after position in the
// order of their distance: the first win found is the shortest by fours. From 5 plies on perfect play may win sooner,
// by threats that are no fours. The same search stands in reference/fours.py.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "game.h"
#include "rng.h"

namespace c4 {

template <Game G>
class Fours {
 public:
  // Plies of the shortest win by fours of the side to move. Nothing: there is none, or `nodes_left` is now negative. A
  // node is a position of the attacker whose stones are looked at; each is looked at once. Precondition: the side to
  // move cannot win at once, the other side could in one cell at most.
  std::optional<int> Shortest(const G& state, int& nodes_left)
    requires SeesFours<G>
  {
    Begin(nodes_left);
    std::uint8_t cells[G::kActions];
    Add(state, state.Wins(Whose::kOther, cells) > 0 ? cells[0] : kAnywhere);
    for (std::size_t at = 0; at < attacks_.size(); ++at) {
      if (--nodes_left < 0) return std::nullopt;
      if (LooksAt(attacks_[at])) return attacks_[at].state.Ply() - state.Ply() + 3;
    }
    return std::nullopt;
  }

 private:
  static constexpr int kAnywhere = -1;

  // The attacker is to move, and can win nowhere at once.
  struct Attack {
    G state;
    int where;  // the one cell where the defender would win; kAnywhere: nowhere
  };

  struct Seen {
    std::uint64_t key;
    std::uint32_t call;  // those of an earlier call do not count; 0: never written
  };

  // Whether a stone wins by leaving two cells to win in. If not, keeps the positions after each four and its reply.
  bool LooksAt(const Attack attack) {
    std::uint8_t fours[G::kActions] = {static_cast<std::uint8_t>(attack.where)};
    const int count = attack.where == kAnywhere ? attack.state.Fours(fours) : 1;
    std::uint8_t replies[kMostWins];
    for (int i = 0; i < count; ++i) {
      const int wins = attack.state.WinsThrough(Whose::kToMove, fours[i], replies);
      if (wins > 1) return true;
      if (wins == 1) Follow(attack.state, fours[i], replies[0]);
    }
    return false;
  }

  // Whoever could not win before can do so only through the last stone.
  void Follow(G state, int four, int reply) {
    if (attacks_.size() == most_) return;
    state.Play(four);
    state.Play(reply);
    std::uint8_t wins[kMostWins];
    const int count = state.WinsThrough(Whose::kOther, reply, wins);
    if (count <= 1) Add(state, count == 1 ? wins[0] : kAnywhere);
  }

  void Add(const G& state, int where) {
    std::size_t place = Mix(state.Key()) & mask_;
    for (; seen_[place].call == call_; place = (place + 1) & mask_) {
      if (seen_[place].key == state.Key()) return;
    }
    seen_[place] = {.key = state.Key(), .call = call_};
    attacks_.push_back({.state = state, .where = where});
  }

  // There is room for one more than there are nodes, who tells that they were not enough.
  void Begin(int nodes) {
    attacks_.clear();
    most_ = static_cast<std::size_t>(nodes) + 1;
    const std::size_t size = std::bit_ceil(2 * most_);
    if (seen_.size() < size) seen_.resize(size);
    mask_ = size - 1;
    if (++call_ == 0) {
      seen_.assign(seen_.size(), Seen{});
      call_ = 1;
    }
  }

  static constexpr int kMostWins = 8;  // through one cell: SeesFours

  std::vector<Attack> attacks_;
  std::size_t most_ = 0;
  std::vector<Seen> seen_;
  std::size_t mask_ = 0;
  std::uint32_t call_ = 0;
};

}  // namespace c4
