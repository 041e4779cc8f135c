// Who wins a position of a k-in-a-row game, and in how many plies: exactly, or by fours and threes alone. Knows nothing
// of networks, search trees or Python. Its plain twin is reference/gomoku_solver.py.
//
// The question is always whether an attacker can force a line within n plies, whatever a defender does; who wins a
// position is two such questions. A stone too many harms nobody, so a defender who could even pass needs no search:
// passing is tried first, and where it holds, some stone does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>

#include "solve/board.h"
#include "solve/moves.h"
#include "solve/table.h"

namespace c4::solve {

// What the attacker may play besides the stone that wins. A four threatens to win at once; a three threatens a stone
// that leaves two cells to win in.
enum class Threats : std::uint8_t { kFours, kFoursAndThrees, kAny };

template <int size, int in_a_row>
class Solver {
 public:
  static_assert(in_a_row >= 3);
  using Board = solve::Board<size, in_a_row>;
  using Cells = Board::Cells;

  // A position is two boards, each with one side as its attacker.
  struct Position {
    Board own;    // the side to move attacks
    Board other;  // it defends

    // The side to move lays a stone, and the sides change.
    Position After(int cell) const {
      Position after{.own = other, .other = own};
      after.own.Play(kDefender, cell);
      after.other.Play(kAttacker, cell);
      return after;
    }
  };

  // `entries`: positions that are remembered; more: less is searched twice.
  explicit Solver(std::size_t entries) : table_(entries) {}

  std::uint64_t Nodes() const { return nodes_; }
  std::size_t Bytes() const { return table_.Bytes(); }

  // Plies to the end under perfect play: positive when the side to move wins, negative when it loses, 0 for a draw.
  // Nothing when that takes more than `budget` nodes; what they have found is kept for the next call. Precondition:
  // nobody has won.
  std::optional<int> Solve(const Position& position, std::uint64_t budget) {
    const std::uint64_t end = nodes_ + std::min(budget, ~std::uint64_t{0} - nodes_);
    const int cells = position.own.Empty().Count();
    // Whoever is found to win has been refuted for all fewer plies, so the two sides need not keep step: they are asked
    // in turns, longer each time, lest the side that wins waits until the other is refuted.
    int own_refuted = 0;
    int other_refuted = 0;
    for (std::uint64_t slice = kFirstSlice; std::min(own_refuted, other_refuted) < cells; slice *= 2) {
      limit_ = nodes_ + std::min(slice, end - nodes_);
      const int own = Deepen(position.own, kAttacker, cells, Threats::kAny, own_refuted);
      if (own > 0) return own;
      limit_ = nodes_ + std::min(slice, end - nodes_);
      const int other = Deepen(position.other, kDefender, cells, Threats::kAny, other_refuted);
      if (other > 0) return -other;
      if (nodes_ >= end) return std::nullopt;
    }
    return 0;
  }

  // Plies of the shortest win of the side to move by these threats alone, 0 when there is none within `most` plies.
  // Every reply is answered, so such a win is one; but there may be a shorter one, or another where there is none of
  // these.
  std::optional<int> Forced(const Position& position, Threats threats, int most, std::uint64_t budget) {
    limit_ = nodes_ + std::min(budget, ~std::uint64_t{0} - nodes_);
    most = std::min(most, position.own.Empty().Count());  // as long as a game can last: what is refuted goes no further
    int refuted = 0;
    const int plies = Deepen(position.own, kAttacker, most, threats, refuted);
    if (plies == 0 && refuted < most) return std::nullopt;
    return plies;
  }

 private:
  static constexpr std::uint64_t kFirstSlice = 1 << 8;

  struct Answer {
    bool won;
    int plies;  // won: within so many; else: not within so many, kNever: not at all

    Answer OnePlyBefore() const { return {.won = won, .plies = std::min(plies + 1, kNever)}; }
  };
  static Answer Won(int plies) { return {.won = true, .plies = plies}; }
  static Answer Refuted(int plies) { return {.won = false, .plies = plies}; }

  struct OutOfNodes : std::exception {};

  void CountNode() {
    if (nodes_ >= limit_) throw OutOfNodes{};
    ++nodes_;
  }

  // One attack with more and more plies after `refuted`, which grows with what is refuted: the plies of the shortest
  // win; 0 when there is none within `most`, or the limit of nodes was reached.
  int Deepen(const Board& board, Side to_move, int most, Threats threats, int& refuted) {
    try {
      while (refuted < most) {
        const Answer answer = to_move == kAttacker ? Attack(board, (refuted + 1) | 1, threats)
                                                   : Defend(board, (refuted + 2) & ~1, threats);
        if (answer.won) return answer.plies <= most ? answer.plies : 0;
        refuted = answer.plies;
      }
    } catch (const OutOfNodes&) {
      return 0;
    }
    return 0;
  }

  // The attacker is to move, `plies` is odd.
  Answer Attack(const Board& board, int plies, Threats threats) {
    CountNode();
    if (board.LinesWith(kAttacker, in_a_row - 1).Any()) return Won(1);
    const Cells losses = board.WinsOf(kDefender);
    if (losses.Count() > 1 || !board.Empty().Any()) return Refuted(kNever);
    const int harmless = board.HarmlessStones(/*to_move=*/kAttacker);
    if (harmless == in_a_row) return Refuted(kNever);
    if (plies <= 2 * harmless) return Refuted(2 * harmless);
    if (plies < 3) return Refuted(2);
    const bool forced = losses.Any();
    const Cells twofold = DoubleThreatsOn(board).with;
    if ((forced ? twofold & losses : twofold).Any()) return Won(3);
    if (plies < 5) return Refuted(4);
    return Remembering(board, plies, threats, kAttacker, [&](const BestCell& best) {
      // With five plies a stone that makes neither a four nor a three is too slow.
      const bool all = threats == Threats::kAny && plies > 5;
      const Cells cells = forced ? losses : all ? Undominated(board) : ThreatsOn(board, threats);
      int refuted = threats == Threats::kAny && !all && !forced ? 6 : kNever;
      for (const int cell : InOrder(board, cells, best.cell)) {
        Board after = board;
        after.Play(kAttacker, cell);
        const Answer answer = Defend(after, plies - 1, threats).OnePlyBefore();
        if (answer.won) return best.Is(cell, answer);
        refuted = std::min(refuted, answer.plies);
      }
      return Refuted(refuted);
    });
  }

  // The defender is to move, `plies` is even.
  Answer Defend(const Board& board, int plies, Threats threats) {
    CountNode();
    if (board.LinesWith(kDefender, in_a_row - 1).Any()) return Refuted(kNever);
    const Cells wins = board.WinsOf(kAttacker);
    if (wins.Count() > 1) return Won(2);
    const int harmless = board.HarmlessStones(/*to_move=*/kDefender);
    if (harmless == in_a_row || !board.Empty().Any()) return Refuted(kNever);
    if (plies <= 2 * harmless + 1) return Refuted(2 * harmless + 1);
    if (plies < 4) return Refuted(3);
    if (wins.Any()) {
      Board after = board;
      after.Play(kDefender, wins.First());
      return Attack(after, plies - 1, threats).OnePlyBefore();
    }
    if (threats == Threats::kFours) return Refuted(kNever);
    return Remembering(board, plies, threats, kDefender, [&](const BestCell& best) {
      const DoubleThreats twofold = DoubleThreatsOn(board);
      Cells replies = twofold.parries | board.EmptyOn(board.LinesWith(kDefender, in_a_row - 2));
      if (!twofold.with.Any()) {  // then the attacker's last stone was no three
        if (threats != Threats::kAny) return Refuted(kNever);
        const Answer passed = Attack(board, plies - 1, threats);
        if (!passed.won) return passed.OnePlyBefore();
        replies = Undominated(board);
      }
      int longest = 4;  // of the replies that are left out, which neither stop a double threat nor make a four
      for (const int cell : InOrder(board, replies, best.cell)) {
        Board after = board;
        after.Play(kDefender, cell);
        const Answer answer = Attack(after, plies - 1, threats).OnePlyBefore();
        if (!answer.won) return best.Is(cell, answer);
        longest = std::max(longest, answer.plies);
      }
      return Won(longest);
    });
  }

  // Where a stone may make a four, or a three; precondition: there is no double threat yet, and no line of four.
  static Cells ThreatsOn(const Board& board, Threats threats) {
    auto lines = board.LinesWith(kAttacker, in_a_row - 2);
    if (threats != Threats::kFours) lines |= board.LinesWith(kAttacker, in_a_row - 3);
    return board.EmptyOn(lines);
  }

  // The cell that decides a position: found in the table, and kept there.
  struct BestCell {
    int cell;    // kNever: not known
    int* found;  // where a new one goes

    Answer Is(int decisive, const Answer& answer) const {
      *found = decisive;
      return answer;
    }
  };

  // Asks the table first, and tells it afterwards.
  template <typename Search>
  Answer Remembering(const Board& board, int plies, Threats threats, Side to_move, Search search) {
    const auto question = static_cast<std::uint8_t>(2 * static_cast<int>(threats) + to_move);
    const auto key = Table<Board>::KeyOf(board, question);
    Bounds bounds = table_.Find(key);
    if (bounds.won_in <= plies) return Won(bounds.won_in);
    if (bounds.refuted_to >= plies) return Refuted(bounds.refuted_to);
    const std::uint64_t before = nodes_;
    const auto& image = Square<size>::kImage[key.symmetry];
    int found = kNever;
    const int known =
        bounds.best == kNever ? kNever : static_cast<int>(std::ranges::find(image, bounds.best) - image.begin());
    Answer answer = search(BestCell{.cell = known, .found = &found});
    if (!answer.won && plies >= board.Empty().Count()) answer = Refuted(kNever);
    (answer.won ? bounds.won_in : bounds.refuted_to) = static_cast<std::uint8_t>(answer.plies);
    if (found != kNever) bounds.best = image[found];
    table_.Store(key, bounds, nodes_ - before);
    return answer;
  }

  Table<Board> table_;
  std::uint64_t nodes_ = 0;
  std::uint64_t limit_ = 0;
};

}  // namespace c4::solve
