// Wins by fours: each stone of the attacker leaves a cell to win in at once, so that every reply is forced, until one
// leaves two. And losses to them: whatever the side to move plays, the other side wins by fours.
//
// Since no reply has to be chosen, a win is the nearest of such stones, and positions are looked at in the order of
// their distance: the first win found is the shortest by fours. The same search stands in reference/fours.py.
#pragma once

#include <algorithm>
#include <array>
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
  std::optional<int> WinsIn(const G& state, int& nodes_left)
    requires SeesFours<G>
  {
    Begin(nodes_left);
    std::uint8_t cells[G::kActions];
    Add({.state = state, .where = state.Wins(Whose::kOther, cells) > 0 ? cells[0] : kAnywhere});
    for (std::size_t at = 0; at < attacks_.size(); ++at) {
      if (--nodes_left < 0) return std::nullopt;
      if (LooksAt(at)) return attacks_[at].state.Ply() - state.Ply() + 3;
    }
    return std::nullopt;
  }

  // Plies in which the side to move loses at the latest. Nothing as above. Precondition: it cannot win at once.
  std::optional<int> LosesIn(const G& state, int& nodes_left)
    requires SeesFours<G>
  {
    std::uint8_t moves[G::kActions];
    int count = state.Wins(Whose::kOther, moves);
    if (count > 1) return 2;
    int longest = 0;
    if (count == 0) {
      const std::optional<int> passed = WinsIn(state.Exchanged(), nodes_left);
      if (!passed) return std::nullopt;
      longest = *passed + 1;
      count = Defences(state, moves);
    }
    for (int i = 0; i < count; ++i) {
      const std::optional<int> plies = LosesBy(state, moves[i], nodes_left);
      if (!plies) return std::nullopt;
      longest = std::max(longest, *plies);
    }
    return longest;
  }

 private:
  static constexpr int kAnywhere = -1;
  static constexpr int kMostWins = 8;  // through one cell: SeesFours

  // The attacker is to move, and can win nowhere at once.
  struct Attack {
    G state;
    int where;             // the one cell where the defender would win; kAnywhere: nowhere
    std::size_t from = 0;  // the attack before it, with the four and its reply that led here
    std::uint8_t four = 0;
    std::uint8_t reply = 0;
  };

  struct Seen {
    std::uint64_t key;
    std::uint32_t call;  // those of an earlier call do not count; 0: never written
  };

  // Whether a stone wins by leaving two cells to win in. If not, keeps the positions after each four and its reply.
  bool LooksAt(std::size_t at) {
    const G state = attacks_[at].state;
    const int where = attacks_[at].where;
    std::uint8_t fours[G::kActions] = {static_cast<std::uint8_t>(where)};
    const int count = where == kAnywhere ? state.Fours(fours) : 1;
    for (int i = 0; i < count; ++i) {
      num_wins_ = state.WinsThrough(Whose::kToMove, fours[i], wins_.data());
      if (num_wins_ > 1) {
        last_ = at;
        last_four_ = fours[i];
        return true;
      }
      if (num_wins_ == 1) Follow({.state = state, .where = kAnywhere, .from = at, .four = fours[i], .reply = wins_[0]});
    }
    return false;
  }

  // Whoever could not win before can do so only through the last stone.
  void Follow(Attack attack) {
    if (attacks_.size() == most_) return;
    attack.state.Play(attack.four);
    attack.state.Play(attack.reply);
    std::uint8_t wins[kMostWins];
    const int count = attack.state.WinsThrough(Whose::kOther, attack.reply, wins);
    if (count == 1) attack.where = wins[0];
    if (count <= 1) Add(attack);
  }

  void Add(const Attack& attack) {
    const std::uint64_t key = attack.state.Key();
    std::size_t place = Mix(key) & mask_;
    for (; seen_[place].call == call_; place = (place + 1) & mask_) {
      if (seen_[place].key == key) return;
    }
    seen_[place] = {.key = key, .call = call_};
    attacks_.push_back(attack);
  }

  // What could stop the win that was just found for the other side, in increasing order: its cells, and where a stone
  // would make a four or a line with the replies. After any other move the same win is there.
  int Defences(const G& state, std::uint8_t* moves) const {
    std::array<bool, G::kActions> is_defence{};
    is_defence[last_four_] = true;
    for (int i = 0; i < num_wins_; ++i) is_defence[wins_[i]] = true;
    G replied = state;
    for (std::size_t at = last_; at != 0; at = attacks_[at].from) {
      is_defence[attacks_[at].four] = is_defence[attacks_[at].reply] = true;
      replied.Lay(attacks_[at].reply);
    }
    int count = replied.Wins(Whose::kToMove, moves);
    count += replied.Fours(moves + count);
    for (int i = 0; i < count; ++i) is_defence[moves[i]] = true;
    count = 0;
    for (int action = 0; action < G::kActions; ++action) {
      if (is_defence[action]) moves[count++] = static_cast<std::uint8_t>(action);
    }
    return count;
  }

  // The same after one move of the side to move.
  std::optional<int> LosesBy(const G& state, int move, int& nodes_left) {
    std::uint8_t wins[kMostWins];
    const int count = state.WinsThrough(Whose::kToMove, move, wins);
    if (count > 1) return std::nullopt;
    G next = state;
    next.Play(move);
    if (count == 0) return Later(WinsIn(next, nodes_left), 1);
    next.Play(wins[0]);
    return Later(LosesIn(next, nodes_left), 2);
  }

  static std::optional<int> Later(std::optional<int> plies, int by) {
    if (plies) *plies += by;
    return plies;
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

  std::vector<Attack> attacks_;
  std::size_t most_ = 0;
  std::vector<Seen> seen_;
  std::size_t mask_ = 0;
  std::uint32_t call_ = 0;

  // The end of the win that was found last: after which attack, by which four, and where it wins.
  std::size_t last_ = 0;
  std::uint8_t last_four_ = 0;
  std::array<std::uint8_t, kMostWins> wins_{};
  int num_wins_ = 0;
};

}  // namespace c4
