// Proofs that one side never completes a line, whatever it does: it attacks, the other one defends. If every line that
// the attacker could still complete has a pair of empty cells of its own, the defender answers a stone on the one with
// a stone on the other and is safe. Where there is no such pairing yet, the defender first lays stones that make one
// possible. A proof stands on some of the empty cells, its zone: as long as the attacker plays elsewhere it holds as it
// is, so only stones within it need answers of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rng.h"
#include "solve/board.h"

namespace c4::solve {

template <int size, int in_a_row>
class Draws {
 public:
  using Board = solve::Board<size, in_a_row>;
  using Cells = Board::Cells;

  explicit Draws(std::size_t entries) : found_(std::max(std::size_t{1}, entries)) {}

  // Whether it is proven that the attacker, to move, never completes a line: by at most `answers` stones of the
  // defender one after another, those not counted that stop a line at once. nullopt: it takes more than `nodes`.
  // Precondition: nobody has completed one.
  std::optional<bool> Holds(const Board& board, int answers, std::uint64_t nodes) {
    most_ = nodes_ + std::min(nodes, ~std::uint64_t{0} - nodes_);
    const bool holds = Hold(board, answers).has_value();
    if (IsOver()) return std::nullopt;
    return holds;
  }

  std::uint64_t Nodes() const { return nodes_; }
  std::size_t Bytes() const { return found_.size() * sizeof(Found); }

 private:
  using Table = Board::Table;
  using LineSet = Board::LineSet;
  using Zone = std::optional<Cells>;  // of a proof; nullopt: none was found

  static constexpr int kPairings = 40;  // steps of a search for a pairing: those that there are are found at once
  static constexpr int kWidth = 4;      // answers that are looked at, one more for each that may follow

  struct Found {
    Cells attacker;
    Cells defender;
    Cells zone;
    int answers = -1;  // with which none was found; -1: this place is empty
    bool holds = false;
  };

  bool IsOver() const { return nodes_ > most_; }

  // Lines that the attacker could still complete.
  static LineSet Open(const Board& board) {
    LineSet lines;
    for (int stones = 0; stones < in_a_row; ++stones) lines |= board.LinesWith(kAttacker, stones);
    return lines;
  }

  // The cells in each of which the side wins at once.
  static Cells Wins(const Board& board, Side side) { return board.EmptyOn(board.LinesWith(side, in_a_row - 1)); }

  // How much a stone on the cell does on lines where one side has at least so many stones and the other none.
  static int Weight(const Board& board, Side side, int cell, int least = 0) {
    int weight = 0;
    for (int stones = least; stones < in_a_row; ++stones) {
      weight += (Table::kThrough[cell] & board.LinesWith(side, stones)).Count() << (2 * stones);
    }
    return weight;
  }

  static Board After(Board board, Side side, int cell) {
    board.Play(side, cell);
    return board;
  }

  // The zone with `least` empty cells of each line that the attacker could complete: so many stones within it are
  // what a line takes at least.
  static Cells Guarded(const Board& board, Cells zone, int least) {
    Open(board).ForEach([&](int line) {
      const Cells empty = Table::kMask[line] - board.Stones(kAttacker);
      Cells others = empty - zone;
      for (int has = (empty & zone).Count(); has < least; ++has) {
        const auto cell = Cells::Only(others.First());
        zone |= cell;
        others -= cell;
      }
    });
    return zone;
  }

  // Adds to `zone` a pair of free cells for each line, no cell in two of them.
  bool Paired(const LineSet& lines, const Cells& free, Cells& zone) {
    if (!lines.Any()) return true;
    if (pairings_-- == 0) return false;
    int scarce = size * size + 1;
    Cells within;
    lines.ForEach([&](int line) {
      const Cells cells = Table::kMask[line] & free;
      if (cells.Count() < scarce) {
        scarce = cells.Count();
        within = cells;
      }
    });
    if (scarce < 2) return false;
    struct Pair {
      Cells cells;
      LineSet served;
      int worth;
    };
    const auto goes_before = [](const Pair& left, const Pair& right) {
      return left.worth != right.worth ? left.worth > right.worth : left.cells.words < right.cells.words;
    };
    std::array<Pair, in_a_row*(in_a_row - 1) / 2> pairs;
    int count = 0;
    within.ForEach([&](int one) {
      within.ForEach([&](int other) {
        if (other <= one) return;
        const LineSet served = Table::kThrough[one] & Table::kThrough[other] & lines;
        const int harmed = ((Table::kThrough[one] | Table::kThrough[other]) & lines).Count() - served.Count();
        const Pair pair{Cells::Only(one) | Cells::Only(other), served, 16 * served.Count() - harmed};
        int place = count++;
        for (; place > 0 && goes_before(pair, pairs[place - 1]); --place) pairs[place] = pairs[place - 1];
        pairs[place] = pair;
      });
    });
    for (int i = 0; i < count && pairings_ > 0; ++i) {
      Cells with = zone | pairs[i].cells;
      if (Paired(lines - pairs[i].served, free - pairs[i].cells, with)) {
        zone = with;
        return true;
      }
    }
    return false;
  }

  // The attacker is to move.
  Zone Hold(const Board& board, int answers) {
    if (++nodes_ > most_) return std::nullopt;
    if (Wins(board, kAttacker).Any()) return std::nullopt;
    const Cells &attacker = board.Stones(kAttacker), &defender = board.Stones(kDefender);
    Found& known = found_[Place(attacker, defender)];
    if (known.answers >= 0 && known.attacker == attacker && known.defender == defender) {
      if (known.holds) return known.zone;
      if (known.answers >= answers) return std::nullopt;
    }
    const Zone zone = Proof(board, answers);
    if (!IsOver()) known = {attacker, defender, zone.value_or(Cells{}), answers, zone.has_value()};
    return zone;
  }

  Zone Proof(const Board& board, int answers) {
    pairings_ = kPairings;
    if (Cells pairs; Paired(Open(board), board.Empty(), pairs)) return pairs;
    if (answers == 0) return std::nullopt;
    if (const Cells wins = Wins(board, kDefender); wins.Any()) {  // the attacker has to stop that
      const int stop = wins.First();
      const Zone zone = Answer(After(board, kAttacker, stop), answers);
      if (!zone) return std::nullopt;
      return Guarded(board, *zone | Cells::Only(stop), 2);
    }
    const Zone passed = Answer(board, answers);  // as if the attacker had done nothing
    if (!passed) return std::nullopt;
    Cells zone = *passed;
    for (Cells left = zone; left.Any();) {
      int most = -1;
      int cell = 0;
      left.ForEach([&](int one) {
        if (const int weight = Weight(board, kAttacker, one); weight > most) {
          most = weight;
          cell = one;
        }
      });
      const Zone answered = Answer(After(board, kAttacker, cell), answers);
      if (!answered) return std::nullopt;
      zone |= *answered;
      left = (left & *answered) - Cells::Only(cell);  // what lies outside is answered in the same way
    }
    return zone;
  }

  // The defender is to move.
  Zone Answer(const Board& board, int answers) {
    if (const Cells wins = Wins(board, kDefender); wins.Any()) return Guarded(board, Cells::Only(wins.First()), 1);
    const Cells stops = Wins(board, kAttacker);
    if (stops.Count() > 1) return std::nullopt;
    if (stops.Any()) return Replied(board, stops.First(), answers);
    struct Reply {
      int cell;
      int weight;
    };
    std::vector<Reply> replies;
    board.Empty().ForEach([&](int cell) {
      const int weight = 2 * Weight(board, kAttacker, cell) + Weight(board, kDefender, cell, /*least=*/1);
      if (weight > 0) replies.push_back({cell, weight});
    });
    if (replies.empty()) return Cells{};  // nobody completes a line any more
    std::sort(replies.begin(), replies.end(), [](const Reply& left, const Reply& right) {
      return left.weight != right.weight ? left.weight > right.weight : left.cell < right.cell;
    });
    replies.resize(std::min<std::size_t>(replies.size(), kWidth + answers));
    for (const Reply& reply : replies) {
      if (const Zone zone = Replied(board, reply.cell, answers - 1)) return zone;
      if (IsOver()) break;
    }
    return std::nullopt;
  }

  Zone Replied(const Board& board, int cell, int answers) {
    const Zone zone = Hold(After(board, kDefender, cell), answers);
    if (!zone) return std::nullopt;
    return *zone | Cells::Only(cell);
  }

  std::size_t Place(const Cells& attacker, const Cells& defender) const {
    std::uint64_t hash = 0;
    for (const Cells& cells : {attacker, defender}) {
      for (const std::uint64_t word : cells.words) hash = HashIds(hash, word);
    }
    return hash % found_.size();
  }

  std::vector<Found> found_;
  std::uint64_t nodes_ = 0;
  std::uint64_t most_ = 0;
  int pairings_ = 0;
};

}  // namespace c4::solve
