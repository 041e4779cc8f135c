// Words for a choice among knobs, and what Python is told of all of them.
#include "bindings/knobs.h"

#include <pybind11/typing.h>

#include "bindings/search.h"

namespace c4 {

namespace py = pybind11;

RootSelection RootSelectionOf(const std::string& word) {
  if (word == "puct") return RootSelection::kPuct;
  if (word == "gumbel") return RootSelection::kGumbel;
  throw py::value_error("root_selection must be puct or gumbel, not " + word);
}

const char* WordOf(RootSelection selection) { return selection == RootSelection::kGumbel ? "gumbel" : "puct"; }

void BindKnobs(py::module_& module) {
  module.def("plain_search", &PlainKnobs<SearchParams>, "Every knob of a search, as a plain search has it.");
  module.def("plain_selfplay", &PlainKnobs<SelfplayParams>, "Every knob of self-play, as plain self-play has it.");
  module.def("search_ranges", &Ranges<SearchParams>, "What each knob of a search may be, from and to.");
  module.def("selfplay_ranges", &Ranges<SelfplayParams>, "What each knob of self-play may be, from and to.");
}

}  // namespace c4
