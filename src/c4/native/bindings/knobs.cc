// The checks of knobs.h and their messages.
#include "bindings/knobs.h"

#include <pybind11/typing.h>

#include "bindings/search.h"

namespace c4 {

namespace py = pybind11;

void CheckKnobs(const SearchParams& params) {
  if (params.leaves_per_batch < 1 || params.leaves_per_batch > 255) {
    throw py::value_error("leaves_per_batch must be from 1 to 255");
  }
  if (params.num_simulations < 1) throw py::value_error("num_simulations must be at least 1");
  if (params.gumbel_considered < 1) throw py::value_error("gumbel_considered must be at least 1");
}

void CheckKnobs(const SelfplayParams& params) {
  if (params.games_per_group < 1 || params.groups < 1 || params.num_threads < 1 || params.fast_simulations < 1 ||
      params.random_opening_plies < 0) {
    throw py::value_error(
        "games_per_group, groups, num_threads and fast_simulations must be at least 1, random_opening_plies at least "
        "0");
  }
  CheckCache(params.cache_megabytes);
}

void CheckCache(double megabytes) {
  constexpr double kMost = 1e6;
  if (!(megabytes >= 0.0 && megabytes <= kMost)) throw py::value_error("cache_megabytes must be from 0 to 1000000");
}

RootSelection RootSelectionOf(const std::string& word) {
  if (word == "puct") return RootSelection::kPuct;
  if (word == "gumbel") return RootSelection::kGumbel;
  throw py::value_error("root_selection must be puct or gumbel, not " + word);
}

const char* WordOf(RootSelection selection) { return selection == RootSelection::kGumbel ? "gumbel" : "puct"; }

void BindKnobs(py::module_& module) {
  module.def("plain_search", &PlainKnobs<SearchParams>, "Every knob of a search, as a plain search has it.");
  module.def("plain_selfplay", &PlainKnobs<SelfplayParams>, "Every knob of self-play, as plain self-play has it.");
}

}  // namespace c4
