// Binds GomokuSolver: one Python class for boards of several sizes. What it searches is in solve/.
#include "bindings/solver.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/locked.h"
#include "search/range.h"
#include "solve/draws.h"
#include "solve/solver.h"

namespace c4 {

namespace py = pybind11;
using py::literals::operator""_a;

namespace {

// A solver whose board is known at run time only. Actions are cells, row by row from the top left.
class AnySolver {
 public:
  AnySolver() = default;
  AnySolver(const AnySolver&) = delete;
  AnySolver& operator=(const AnySolver&) = delete;
  virtual ~AnySolver() = default;

  virtual std::optional<int> Solve(const std::vector<int>& actions, std::uint64_t nodes) = 0;
  virtual std::optional<int> Forced(const std::vector<int>& actions, solve::Threats threats, int plies,
                                    std::uint64_t nodes) = 0;
  virtual std::optional<bool> Holds(const std::vector<int>& actions, int answers, std::uint64_t nodes) = 0;
  virtual std::uint64_t Nodes() const = 0;
  virtual std::size_t Bytes() const = 0;
};

template <int size, int in_a_row>
class SolverOf final : public AnySolver {
 public:
  explicit SolverOf(std::size_t entries) : entries_(entries), solver_(entries) {}

  std::optional<int> Solve(const std::vector<int>& actions, std::uint64_t nodes) override {
    return solver_.Solve(PositionAfter(actions), nodes);
  }
  std::optional<int> Forced(const std::vector<int>& actions, solve::Threats threats, int plies,
                            std::uint64_t nodes) override {
    return solver_.Forced(PositionAfter(actions), threats, plies, nodes);
  }
  std::optional<bool> Holds(const std::vector<int>& actions, int answers, std::uint64_t nodes) override {
    const auto position = PositionAfter(actions);
    if (!draws_) draws_.emplace(entries_);
    return draws_->Holds(position.own, answers, nodes);
  }
  std::uint64_t Nodes() const override { return solver_.Nodes() + (draws_ ? draws_->Nodes() : 0); }
  std::size_t Bytes() const override { return solver_.Bytes() + (draws_ ? draws_->Bytes() : 0); }

 private:
  using Solver = solve::Solver<size, in_a_row>;

  static Solver::Position PositionAfter(const std::vector<int>& actions) {
    typename Solver::Position position;
    for (std::size_t ply = 0; ply < actions.size(); ++ply) {
      const int action = actions[ply];
      const std::string where = "ply " + std::to_string(ply + 1) + ": ";
      if (position.other.HasWon(solve::kAttacker)) throw std::invalid_argument(where + "the game is already over");
      if (action < 0 || action >= size * size || !position.own.Empty().Has(action)) {
        throw std::invalid_argument(where + "action " + std::to_string(action) + " is not legal");
      }
      position = position.After(action);
    }
    if (position.other.HasWon(solve::kAttacker) || !position.own.Empty().Any()) {
      throw std::invalid_argument("the game is over after ply " + std::to_string(actions.size()));
    }
    return position;
  }

  std::size_t entries_;
  Solver solver_;
  std::optional<solve::Draws<size, in_a_row>> draws_;  // its memory is taken when it is first asked
};

template <int size, int in_a_row>
std::unique_ptr<AnySolver> MakeIf(int wanted_size, int wanted_in_a_row, std::size_t entries) {
  if (size != wanted_size || in_a_row != wanted_in_a_row) return nullptr;
  return std::make_unique<SolverOf<size, in_a_row>>(entries);
}

using LockedSolver = Locked<AnySolver>;

std::unique_ptr<LockedSolver> MakeSolver(int size, int in_a_row, std::size_t entries) {
  ExpectWithin("entries", entries, {0.0, 1e8});
  auto locked = std::make_unique<LockedSolver>();
  const auto is_one = [&](std::unique_ptr<AnySolver> made) { return (locked->object = std::move(made)) != nullptr; };
  if (is_one(MakeIf<3, 3>(size, in_a_row, entries)) || is_one(MakeIf<4, 3>(size, in_a_row, entries)) ||
      is_one(MakeIf<4, 4>(size, in_a_row, entries)) || is_one(MakeIf<5, 4>(size, in_a_row, entries)) ||
      is_one(MakeIf<6, 4>(size, in_a_row, entries)) || is_one(MakeIf<6, 5>(size, in_a_row, entries)) ||
      is_one(MakeIf<7, 5>(size, in_a_row, entries)) || is_one(MakeIf<8, 5>(size, in_a_row, entries)) ||
      is_one(MakeIf<9, 5>(size, in_a_row, entries)) || is_one(MakeIf<15, 5>(size, in_a_row, entries))) {
    return locked;
  }
  throw py::value_error("no solver for " + std::to_string(in_a_row) + " in a row on " + std::to_string(size) + " x " +
                        std::to_string(size) + " cells");
}

std::optional<int> Forced(LockedSolver& self, const std::vector<int>& actions, bool threes, int plies,
                          std::uint64_t nodes) {
  if (plies < 0) throw py::value_error("plies must be at least 0");
  const auto threats = threes ? solve::Threats::kFoursAndThrees : solve::Threats::kFours;
  return self.Do([&](AnySolver& solver) { return solver.Forced(actions, threats, plies, nodes); });
}

std::optional<bool> Holds(LockedSolver& self, const std::vector<int>& actions, int answers, std::uint64_t nodes) {
  if (answers < 0) throw py::value_error("answers must be at least 0");
  return self.Do([&](AnySolver& solver) { return solver.Holds(actions, answers, nodes); });
}

}  // namespace

void BindSolver(py::module_& module) {
  py::classh<LockedSolver>(module, "GomokuSolver",
                           "Perfect play of k in a row on a square board, for positions given by their actions. It\n"
                           "remembers what it finds out, in memory that does not grow.")
      .def(py::init(&MakeSolver), py::kw_only(), "size"_a, "in_a_row"_a, "entries"_a,
           "ValueError when there is none for such a board. `entries`: positions that are remembered.")
      .def(
          "solve",
          [](LockedSolver& self, const std::vector<int>& actions, std::uint64_t nodes) {
            return self.Do([&](AnySolver& solver) { return solver.Solve(actions, nodes); });
          },
          "actions"_a, py::kw_only(), "nodes"_a,
          "Plies to the end under perfect play: positive when the side to move wins, negative when it loses, 0 for a\n"
          "draw. None when that takes more than `nodes`: another call goes on from there. ValueError when the game is\n"
          "over or an action is not legal.")
      .def("forced", &Forced, "actions"_a, py::kw_only(), "threes"_a, "plies"_a, "nodes"_a,
           "Plies of the shortest win of the side to move by fours alone, or by fours and `threes`: 0 when there is\n"
           "none within `plies`, which does not mean that there is no win. None and ValueError as in solve.")
      .def(
          "holds", &Holds, "actions"_a, py::kw_only(), "answers"_a, "nodes"_a,
          "Whether it is proven that the side to move does not win: by pairs of cells, after at most `answers` stones\n"
          "of the other side in a row of moves. False: not proven, which does not mean that it wins. None and\n"
          "ValueError as in solve.")
      .def_property_readonly(
          "nodes", [](LockedSolver& self) { return self.Do([](AnySolver& solver) { return solver.Nodes(); }); },
          "Positions looked at so far.")
      .def_property_readonly(
          "bytes", [](LockedSolver& self) { return self.Do([](AnySolver& solver) { return solver.Bytes(); }); },
          "Memory of what is remembered.");
}

}  // namespace c4
