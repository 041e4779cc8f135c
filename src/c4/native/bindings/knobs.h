// Knobs cross the boundary as they are in Python: an object of c4.params with an attribute for each. The fields that
// params.h lists are looked up by their names; ranges are c4.params' business, but for those that would break memory.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <string>
#include <type_traits>

#include "search/params.h"
#include "selfplay/params.h"

namespace c4 {

void CheckKnobs(const SearchParams& params);
void CheckKnobs(const SelfplayParams& params);
void CheckCache(double megabytes);

RootSelection RootSelectionOf(const std::string& word);
const char* WordOf(RootSelection selection);

template <typename Params>
Params KnobsOf(pybind11::handle source) {
  namespace py = pybind11;
  Params params;
  Params::ForEach(params, [&](const char* name, auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    const py::object given = source.attr(name);
    try {
      if constexpr (std::is_same_v<Field, RootSelection>) {
        field = RootSelectionOf(given.cast<std::string>());
      } else {
        field = given.cast<Field>();
      }
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(name) + " cannot be " + py::repr(given).cast<std::string>());
    }
  });
  CheckKnobs(params);
  return params;
}

template <typename Params>
pybind11::typing::Dict<pybind11::str, pybind11::object> PlainKnobs() {
  pybind11::typing::Dict<pybind11::str, pybind11::object> knobs;
  const Params plain;
  Params::ForEach(plain, [&](const char* name, const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, RootSelection>) {
      knobs[name] = WordOf(field);
    } else {
      knobs[name] = field;
    }
  });
  return knobs;
}

}  // namespace c4

namespace pybind11::detail {

template <>
struct type_caster<c4::SearchParams> {
  PYBIND11_TYPE_CASTER(c4::SearchParams, const_name("c4.params.search.SearchParams"));
  bool load(handle source, bool) {
    value = c4::KnobsOf<c4::SearchParams>(source);
    return true;
  }
};

template <>
struct type_caster<c4::SelfplayParams> {
  PYBIND11_TYPE_CASTER(c4::SelfplayParams, const_name("c4.params.selfplay.SelfplayParams"));
  bool load(handle source, bool) {
    value = c4::KnobsOf<c4::SelfplayParams>(source);
    return true;
  }
};

}  // namespace pybind11::detail
