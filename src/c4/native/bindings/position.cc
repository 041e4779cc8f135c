// Binds GameSpec, Position and the functions about games. The rules are in games/, the messages in runtime_of.h.
#include "bindings/position.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bindings/arrays.h"
#include "registry/runtime.h"

namespace c4 {

namespace py = pybind11;
using py::literals::operator""_a;

namespace {

py::array_t<std::int32_t> SymmetryActions(const std::string& name) {
  const GameRuntime& game = FindGame(name);
  py::array_t<std::int32_t> table({game.Info().symmetries, game.Info().actions});
  auto entry = table.mutable_unchecked<2>();
  for (int symmetry = 0; symmetry < game.Info().symmetries; ++symmetry) {
    for (int action = 0; action < game.Info().actions; ++action) {
      entry(symmetry, action) = game.Transform(action, symmetry);
    }
  }
  return table;
}

void UnpackPlanes(const std::string& name, const py::array& packed, const py::array& symmetry, py::array& planes) {
  const GameRuntime& game = FindGame(name);
  const GameSpec& info = game.Info();
  const py::ssize_t rows = packed.ndim() > 0 ? packed.shape(0) : 0;
  const auto* packed_data = Readable<std::uint8_t>(packed, {rows, info.packed_bytes}, "packed");
  const auto* symmetry_data = Readable<std::uint8_t>(symmetry, {rows}, "symmetry");
  auto* planes_data = Writable<std::uint8_t>(planes, {rows, info.planes, info.height, info.width}, "planes");
  const std::span<const std::uint8_t> symmetries(symmetry_data, static_cast<std::size_t>(rows));
  {
    const py::gil_scoped_release release;
    const auto unknown = std::ranges::find_if(symmetries, [&](int entry) { return entry >= info.symmetries; });
    if (unknown == symmetries.end()) {
      game.UnpackPlanes(symmetries, packed_data, planes_data);
      return;
    }
  }
  throw py::value_error("symmetry must be below " + std::to_string(info.symmetries) + " in " + name);
}

py::array_t<std::int8_t> Board(const Position& position) {
  const GameSpec& info = position.Game().Info();
  py::array_t<std::int8_t> board({info.height, info.width});
  auto cell = board.mutable_unchecked<2>();
  for (int row = 0; row < info.height; ++row) {
    for (int column = 0; column < info.width; ++column) {
      cell(row, column) = static_cast<std::int8_t>(position.StoneAt(row, column));
    }
  }
  return board;
}

py::array_t<std::uint8_t> Planes(const Position& position) {
  const GameSpec& info = position.Game().Info();
  py::array_t<std::uint8_t> planes({info.planes, info.height, info.width});
  position.WritePlanes(planes.mutable_data());
  return planes;
}

py::array_t<std::uint8_t> Packed(const Position& position) {
  py::array_t<std::uint8_t> packed(position.Game().Info().packed_bytes);
  position.Pack(packed.mutable_data());
  return packed;
}

int CanonicalSymmetry(const Position& position) {
  int symmetry = 0;
  position.CanonicalKey(&symmetry);
  return symmetry;
}

}  // namespace

void BindGames(py::module_& module) {
  py::classh<GameSpec>(module, "GameSpec",
                       "The shape of a game. Planes are [planes, height, width], policies [actions].")
      .def_readonly("name", &GameSpec::name)
      .def_readonly("title", &GameSpec::title, "For people.")
      .def_readonly("planes", &GameSpec::planes,
                    "Input planes of the network: own stones, the opponent's, ones if the first player is to move.")
      .def_readonly("height", &GameSpec::height)
      .def_readonly("width", &GameSpec::width)
      .def_readonly("actions", &GameSpec::actions)
      .def_readonly("max_plies", &GameSpec::max_plies, "The longest game; plies left run from 0 to this.")
      .def_readonly("symmetries", &GameSpec::symmetries, "Symmetry 0 is the identity.")
      .def_readonly("packed_bytes", &GameSpec::packed_bytes)
      .def_readonly("in_a_row", &GameSpec::in_a_row)
      .def("__eq__",
           [](const GameSpec& game, const py::object& other) {
             return py::isinstance<GameSpec>(other) && other.cast<const GameSpec&>().name == game.name;
           })
      .def("__hash__", [](const GameSpec& game) { return py::hash(py::str(game.name)); })
      .def(py::pickle([](const GameSpec& game) { return game.name; },  // copied, and sent to other processes
                      [](const std::string& name) { return FindGame(name).Info(); }));

  module.def("game_names", &GameNames, "The registered games, in alphabetical order.");
  module.def(
      "game_spec", [](const std::string& game) { return FindGame(game).Info(); }, "game"_a,
      "ValueError when there is no such game.");
  module.def("symmetry_actions", &SymmetryActions, "game"_a,
             "table[s, a] is the action that a becomes when the board is seen under symmetry s.");
  module.def("unpack_planes", &UnpackPlanes, "game"_a, "packed"_a, "symmetry"_a, "planes"_a,
             "Packed positions uint8 [n, packed_bytes], each seen under its own symmetry uint8 [n], written to planes\n"
             "uint8 [n, C, H, W].");
}

void BindPosition(py::module_& module) {
  py::classh<Position>(module, "Position", "Immutable: the plies of a game so far and where they led.")
      .def(py::init([](const std::string& game, const std::string& text) { return FindGame(game).Parse(text); }),
           "game"_a, "text"_a = "", "ValueError names the ply that cannot be played and the reason.")
      .def_static(
          "from_actions",
          [](const std::string& game, const std::vector<int>& actions) { return FindGame(game).FromActions(actions); },
          "game"_a, "actions"_a, "ValueError names the ply that cannot be played and the reason.")
      .def_property_readonly("game", [](const Position& position) { return position.Game().Info().name; })
      .def_property_readonly("text", &Position::Text, "\"4453\" or \"h8 i9\"; parses back to the same position.")
      .def_property_readonly("actions", &Position::Actions, "The plies played so far.")
      .def_property_readonly("ply", &Position::Ply)
      .def_property_readonly("legal", &Position::Legal, "In increasing order; empty when the game is over.")
      .def_property_readonly("is_terminal", &Position::IsTerminal)
      .def_property_readonly("value", &Position::Result,
                             "Result for the side to move: -1 lost, 0 drawn (value: native/value.h). ValueError when\n"
                             "the game is not over.")
      .def_property_readonly("key", &Position::Key, "Equal positions (stones and side to move) have equal keys.")
      .def_property_readonly(
          "canonical_key",
          [](const Position& position) {
            int symmetry = 0;
            return position.CanonicalKey(&symmetry);
          },
          "Equal for all symmetric images.")
      .def_property_readonly("canonical_symmetry", &CanonicalSymmetry, "Takes the position to its canonical image.")
      .def_property_readonly("winning_cells", &Position::WinningCells,
                             "(row from the top, column) of the stones of winning lines; empty when nobody has won.")
      .def("play", &Position::Play, "action"_a, "ValueError names the ply and the reason it cannot be played.")
      .def(
          "action_name", [](const Position& position, int action) { return position.Game().ActionName(action); },
          "action"_a, "\"4\" or \"h8\".")
      .def("board", &Board, "int8 [H, W], row 0 on top: 0 empty, 1 the first player's stone, 2 the second player's.")
      .def("planes", &Planes, "uint8 [C, H, W] of 0 and 1, row 0 on top.")
      .def("packed", &Packed, "uint8 [packed_bytes]; unpack_planes reads it.")
      .def("__repr__", [](const Position& position) {
        return "Position('" + position.Game().Info().name + "', '" + position.Text() + "')";
      });
}

}  // namespace c4
