// Binds NodeInfo and Searches.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/knobs.h"
#include "bindings/locked.h"
#include "bindings/network_rows.h"
#include "bindings/search.h"
#include "registry/runtime.h"
#include "search/any_searches.h"

namespace c4 {

namespace py = pybind11;
using py::literals::operator""_a;

namespace {

using LockedSearches = Locked<AnySearches>;

std::unique_ptr<LockedSearches> MakeLocked(const std::string& game, int size, const SearchParams& params,
                                           double cache_megabytes, int num_threads) {
  ExpectWithin("size", size, kTreesAtOnce);
  ExpectWithin("num_threads", num_threads, RangeOf<SelfplayParams>("num_threads"));
  ExpectWithin("cache_megabytes", cache_megabytes, RangeOf<SelfplayParams>("cache_megabytes"));
  auto locked = std::make_unique<LockedSearches>();
  locked->game = &FindGame(game);
  locked->object = locked->game->MakeSearches(
      params, SearchesOptions{.size = size, .cache_megabytes = cache_megabytes, .num_threads = num_threads});
  return locked;
}

void SetPosition(LockedSearches& self, int tree, const Position& position) {
  if (&position.Game() != self.game) {
    throw py::value_error("a position of " + position.Game().Info().name + " was given to a search of " +
                          self.game->Info().name);
  }
  self.Do([&](AnySearches& searches) { searches.SetPosition(tree, position.Actions()); });
}

Position::Pointer PositionOfTree(LockedSearches& self, int tree) {
  return self.game->FromActions(self.Do([&](AnySearches& searches) { return searches.History(tree); }));
}

void Play(LockedSearches& self, int tree, int action) {
  self.Do([&](AnySearches& searches) {
    self.game->FromActions(searches.History(tree))->Play(action);  // throws with the reason in the game's words
    searches.Play(tree, action);
  });
}

int Gather(LockedSearches& self, py::array& planes) {
  const Planes room = PlanesOf(planes, self.game->Info());
  return self.Do([&](AnySearches& searches) {
    ExpectRoom(room, searches.Rows());
    return searches.Gather(room.data);
  });
}

void Apply(LockedSearches& self, const py::array& policy_logits, const py::array& value, const py::array& plies_left) {
  GiveAnswer(OutputRows(policy_logits, value, plies_left, self.game->Info()), *self.game,
             [&](const NetworkOutput& output) { self.Do([&](AnySearches& searches) { searches.Apply(output); }); });
}

NodeInfo NodeAt(LockedSearches& self, int tree, const std::vector<int>& path) {
  auto node = self.Do([&](AnySearches& searches) { return searches.Node(tree, path); });
  if (!node) throw py::key_error("the tree has no node at this path");
  return *std::move(node);
}

py::array_t<float> PolicyOf(LockedSearches& self, int tree, double temperature) {
  const auto policy = self.Do([&](AnySearches& searches) { return searches.Policy(tree, temperature); });
  return py::array_t<float>(static_cast<py::ssize_t>(policy.size()), policy.data());
}

template <typename T>
auto Column(std::vector<T> NodeInfo::* column) {
  return [column](const NodeInfo& node) {
    return py::array_t<T>(static_cast<py::ssize_t>((node.*column).size()), (node.*column).data());
  };
}

void BindNodeInfo(py::module_& module) {
  py::classh<NodeInfo>(module, "NodeInfo",
                       "A node and its children (arrays, lowest action first). Values are for the side to move in the\n"
                       "node or child they belong to (value: native/value.h).")
      .def_readonly("visits", &NodeInfo::visits)
      .def_readonly("q", &NodeInfo::q)
      .def_readonly("m", &NodeInfo::m, "Mean plies left.")
      .def_readonly("lower", &NodeInfo::lower, "The result that is proven at least.")
      .def_readonly("upper", &NodeInfo::upper, "The result that is proven at most.")
      .def_readonly("proven_plies", &NodeInfo::proven_plies, "Plies to the end; meaningful when lower == upper.")
      .def_readonly("is_terminal", &NodeInfo::is_terminal)
      .def_readonly("expanded", &NodeInfo::expanded)
      .def_property_readonly("actions", Column(&NodeInfo::actions))
      .def_property_readonly("child_visits", Column(&NodeInfo::child_visits))
      .def_property_readonly("child_q", Column(&NodeInfo::child_q))
      .def_property_readonly("child_m", Column(&NodeInfo::child_m))
      .def_property_readonly("prior", Column(&NodeInfo::prior))
      .def_property_readonly("prior_effective", Column(&NodeInfo::prior_effective), "With the root's noise mixed in.")
      .def_property_readonly("child_lower", Column(&NodeInfo::child_lower))
      .def_property_readonly("child_upper", Column(&NodeInfo::child_upper))
      .def_property_readonly("child_proven_plies", Column(&NodeInfo::child_proven_plies));
}

}  // namespace

void BindSearches(py::module_& module) {
  BindNodeInfo(module);
  py::classh<LockedSearches>(module, "Searches",
                             "Independent trees that share one batch, one cache and one set of knobs.\n\n"
                             "think(tree, n) gives a budget; then n = gather(planes), the network, apply(...) until\n"
                             "busy is False.")
      .def(py::init(&MakeLocked), "game"_a, "size"_a, "params"_a, py::kw_only(), "cache_megabytes"_a = 0.0,
           "num_threads"_a = 1)
      .def_property_readonly("size", Method(&AnySearches::Size))
      .def_property_readonly("rows", Method(&AnySearches::Rows),
                             "The most rows of a batch: planes are uint8 [rows, C, H, W].")
      .def_property_readonly("busy", Method(&AnySearches::Busy),
                             "Whether a batch is out, or some tree has something left to do.")
      .def("set_params", Method(&AnySearches::SetParams), "params"_a, "On live trees; not while a batch is out.")
      .def("set_position", &SetPosition, "tree"_a, "position"_a, "A new tree without a budget.")
      .def("position", &PositionOfTree, "tree"_a)
      .def("play", &Play, "tree"_a, "action"_a, "Keeps the subtree when reuse_tree; drops what is left of the budget.")
      .def("set_noise", Method(&AnySearches::SetNoise), "tree"_a, "noise"_a,
           "One entry for each legal action of the root; lasts until the root changes.")
      .def("set_gumbel", Method(&AnySearches::SetGumbel), "tree"_a, "gumbel"_a,
           "The same for root_selection=gumbel: draws of the Gumbel distribution.")
      .def("think", Method(&AnySearches::Think), "tree"_a, "simulations"_a, "Adds to the tree's budget.")
      .def("stop", Method(&AnySearches::Stop), "tree"_a,
           "Forgets what is left of the budget; leaves in flight still want their apply.")
      .def("gather", &Gather, "planes"_a, "Writes the positions to evaluate and returns how many; 0 is possible.")
      .def("apply", &Apply, "policy_logits"_a, "value"_a, "plies_left"_a,
           "The network's answer, row by row: float32 [n, actions], [n], [n]. Refuses what is not finite.")
      .def("roll_out", Method(&AnySearches::RollOut), "seed"_a,
           "Spends all budgets as a pure Monte Carlo search: even priors, one random game from each leaf, no network.")
      .def(
          "root", [](LockedSearches& self, int tree) { return NodeAt(self, tree, {}); }, "tree"_a)
      .def("node", &NodeAt, "tree"_a, "path"_a, "The node that these actions lead to; KeyError when there is none.")
      .def(
          "policy", &PolicyOf, "tree"_a, "temperature"_a,
          "float32 [actions]: softmax(log N / T), by gumbel softmax((logit + sigma(q)) / T); proven results respected.")
      .def("best_action", Method(&AnySearches::BestAction), "tree"_a,
           "The move to play: a proven one first, else the most visited (by gumbel, the best survivor), the lowest\n"
           "action of equals.")
      .def("value", Method(&AnySearches::Value), "tree"_a,
           "Of the root: the mean over its simulations, by gumbel the mean over the policy.")
      .def("stats", Method(&AnySearches::Stats),
           "simulations, evaluations, cache_hits, terminal_hits, proofs, nodes, bytes.");
}

}  // namespace c4
