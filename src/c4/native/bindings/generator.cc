// Binds Generator.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/knobs.h"
#include "bindings/locked.h"
#include "bindings/network_rows.h"
#include "bindings/search.h"
#include "registry/runtime.h"
#include "selfplay/any_generator.h"

namespace c4 {

namespace py = pybind11;
using py::literals::operator""_a;

namespace {

using LockedGenerator = Locked<AnyGenerator>;

constexpr double kMostGames = std::int64_t{1} << 60;  // the number of a game never overflows

std::unique_ptr<LockedGenerator> MakeLocked(const std::string& game, const SearchParams& search,
                                            const SelfplayParams& selfplay, std::uint64_t seed, std::int64_t first_game,
                                            std::int64_t game_stride, std::optional<std::int64_t> games) {
  ExpectWithin("first_game", first_game, {0.0, kMostGames});
  ExpectWithin("game_stride", game_stride, {1.0, 1e6});
  ExpectWithin("games", games, {1.0, kMostGames});
  auto locked = std::make_unique<LockedGenerator>();
  locked->game = &FindGame(game);
  locked->object = locked->game->MakeGenerator(
      search, selfplay, seed,
      GameIds{.first = first_game, .stride = game_stride, .count = games.value_or(GameIds::kEndless)});
  return locked;
}

int Gather(LockedGenerator& self, py::array& planes, int group) {
  const Planes room = PlanesOf(planes, self.game->Info());
  return self.Do([&](AnyGenerator& generator) {
    ExpectRoom(room, generator.Rows());
    return generator.Gather(group, room.data);
  });
}

void Apply(LockedGenerator& self, const py::array& policy_logits, const py::array& value, const py::array& plies_left,
           int group) {
  GiveAnswer(
      OutputRows(policy_logits, value, plies_left, self.game->Info()), *self.game,
      [&](const NetworkOutput& output) { self.Do([&](AnyGenerator& generator) { generator.Apply(group, output); }); });
}

py::dtype SampleType(const std::string& game) {
  const SampleLayout& layout = FindGame(game).Samples();
  py::list names, formats, offsets;
  for (const SampleField& field : layout.fields) {
    names.append(field.name);
    formats.append(py::make_tuple(field.format, py::tuple(py::cast(field.shape))));
    offsets.append(field.offset);
  }
  // Aligned as in C++: numpy then copies records whole, and keeps the layout when it joins them.
  py::dict description;
  description["names"] = names;
  description["formats"] = formats;
  description["offsets"] = offsets;
  description["itemsize"] = layout.bytes;
  return py::module_::import("numpy").attr("dtype")(description, "align"_a = true);
}

py::array TakeSamples(LockedGenerator& self) {
  const py::dtype type = SampleType(self.game->Info().name);
  SampleRecords records = self.Do([](AnyGenerator& generator) { return generator.TakeRecords(); });
  using Owner = std::shared_ptr<const void>;
  const py::capsule owner(new Owner(std::move(records.owner)), [](void* kept) { delete static_cast<Owner*>(kept); });
  return py::array(type, {static_cast<py::ssize_t>(records.count)}, {type.itemsize()}, records.first, owner);
}

std::vector<int> Widen(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

py::typing::List<py::typing::Dict<py::str, py::object>> TakeGames(LockedGenerator& self) {
  py::typing::List<py::typing::Dict<py::str, py::object>> games;
  for (const GameRecord& record : self.Do([](AnyGenerator& generator) { return generator.TakeGames(); })) {
    std::vector<int> best = Widen(record.best);
    for (int& action : best) action = action == GameRecord::kNoBest ? -1 : action;
    py::dict game;
    game["game_id"] = record.game_id;
    game["actions"] = Widen(record.actions);
    game["best"] = best;
    game["flags"] = Widen(record.flags);
    game["root_values"] = record.root_values;
    game["result"] = static_cast<int>(record.result);
    game["weights_version"] = record.weights_version;
    games.append(game);
  }
  return games;
}

}  // namespace

void BindGenerator(py::module_& module) {
  module.attr("OPENING_PLY") = static_cast<int>(kOpeningPly);
  module.attr("FULL_SEARCH") = static_cast<int>(kFullSearch);
  module.attr("SAMPLED_MOVE") = static_cast<int>(kSampledMove);
  module.attr("WORSE_MOVE") = static_cast<int>(kWorseMove);
  module.attr("PROVEN_ROOT") = static_cast<int>(kProvenRoot);

  module.def("sample_dtype", &SampleType, "game"_a,
             "A sample as a record: packed and policy are arrays in it. What its fields are: selfplay/sample.h.");

  py::classh<LockedGenerator>(
      module, "Generator",
      "Self-play of many games, in groups that are gathered and applied in turn.\n\n"
      "n = gather(planes, group), the network, apply(..., group), and take_samples() at any time.")
      .def(py::init(&MakeLocked), "game"_a, "search"_a, "selfplay"_a, py::kw_only(), "seed"_a, "first_game"_a = 0,
           "game_stride"_a = 1, "games"_a = py::none(),
           "Plays first_game, first_game + game_stride, ...: `games` of them, or without an end.")
      .def_property_readonly("groups", Method(&AnyGenerator::Groups))
      .def_property_readonly("rows", Method(&AnyGenerator::Rows),
                             "The most rows of a group's batch: planes are uint8 [rows, C, H, W].")
      .def("gather", &Gather, "planes"_a, "group"_a = 0,
           "Writes the positions to evaluate and returns how many; after 0 apply must be called too.")
      .def("apply", &Apply, "policy_logits"_a, "value"_a, "plies_left"_a, "group"_a = 0,
           "The network's answer, row by row: float32 [n, actions], [n], [n]. Refuses what is not finite.")
      .def_property_readonly("samples_ready", Method(&AnyGenerator::SamplesReady))
      .def("take_samples", &TakeSamples,
           "Of the games that ended: a structured array [n] of sample_dtype(game); value: for the side to move.")
      .def(
          "take_games", &TakeGames,
          "Records of the games that ended: game_id, weights_version, result for the first player; and by ply: "
          "actions,\n"
          "best (the search's choice, -1 in the opening), root_values (for the side to move, 0 in the opening), flags\n"
          "(OPENING_PLY, FULL_SEARCH, SAMPLED_MOVE, WORSE_MOVE, PROVEN_ROOT).")
      .def("stats", Method(&AnyGenerator::Stats),
           "games, plies, first_wins, second_wins, draws, samples; and since the generator was made: simulations,\n"
           "evaluations, cache_hits, terminal_hits, proofs.")
      .def("set_params", Method(&AnyGenerator::SetParams), "search"_a, "Not while a batch is out.")
      .def("set_weights_version", Method(&AnyGenerator::SetWeightsVersion), "version"_a,
           "Empties the cache, starts the trees anew and drops leaves in flight; the games go on.")
      .def(
          "set_openings",
          [](LockedGenerator& self, const std::vector<std::vector<int>>& openings) {
            self.Do([&](AnyGenerator& generator) { generator.SetOpenings(self.game->Openings(openings)); });
          },
          "openings"_a, "Lists of actions that games begin with, with book_probability.")
      .def(
          "add_games",
          [](LockedGenerator& self, std::int64_t first_game, std::int64_t games) {
            ExpectWithin("first_game", first_game, {0.0, kMostGames});
            ExpectWithin("games", games, {1.0, kMostGames});
            self.Do([&](AnyGenerator& generator) {
              generator.AddGames(GameIds{.first = first_game, .stride = 1, .count = games});
            });
          },
          "first_game"_a, "games"_a, "first_game, first_game + 1, ... follow on those of a generator that has an end.")
      .def(
          "state",
          [](LockedGenerator& self) {
            return py::bytes(self.Do([](AnyGenerator& generator) { return generator.State(); }));
          },
          "Games in flight and counters, to be saved at a change of weights: trees are not part of it.")
      .def(
          "restore",
          [](LockedGenerator& self, const py::bytes& state) {
            const auto view = static_cast<std::string_view>(state);
            self.Do([&](AnyGenerator& generator) { generator.Restore(view); });
          },
          "state"_a, "ValueError when it is not the state of such a generator; then nothing changes.");
}

}  // namespace c4
