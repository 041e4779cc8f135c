// Knobs cross the boundary as they are in Python: an object of c4.params with an attribute for each. The fields that
// params.h lists are looked up by their names, and must lie in their ranges, whoever made the object.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "search/params.h"
#include "search/range.h"
#include "selfplay/params.h"

namespace c4 {

constexpr Range kTreesAtOnce{1, 1'000'000};  // each has a page of memory

// The range of a knob that something else than an object of knobs has too.
template <typename Params>
Range RangeOf(const std::string& knob) {
  const Params plain;
  Range found{.low = 0.0, .high = 0.0};
  Params::ForEach(plain, [&](const std::string& name, const auto&, const auto&... range) {
    if (name == knob) (..., (found = range));
  });
  return found;
}

RootSelection RootSelectionOf(const std::string& word);
const char* WordOf(RootSelection selection);

template <typename Params>
Params KnobsOf(pybind11::handle source) {
  namespace py = pybind11;
  Params params;
  Params::ForEach(params, [&](const char* name, auto& field, const auto&...) {
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
  ExpectAllWithin(params);
  if constexpr (std::is_same_v<Params, SelfplayParams>) {
    ExpectWithin("groups times games_per_group", std::int64_t{params.groups} * params.games_per_group, kTreesAtOnce);
  }
  return params;
}

template <typename Params>
pybind11::typing::Dict<pybind11::str, pybind11::object> PlainKnobs() {
  pybind11::typing::Dict<pybind11::str, pybind11::object> knobs;
  const Params plain;
  Params::ForEach(plain, [&](const char* name, const auto& field, const auto&...) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, RootSelection>) {
      knobs[name] = WordOf(field);
    } else {
      knobs[name] = field;
    }
  });
  return knobs;
}

template <typename Params>
pybind11::typing::Dict<pybind11::str, pybind11::typing::Tuple<pybind11::float_, pybind11::float_>> Ranges() {
  pybind11::typing::Dict<pybind11::str, pybind11::typing::Tuple<pybind11::float_, pybind11::float_>> ranges;
  const Params plain;
  Params::ForEach(plain, [&]([[maybe_unused]] const char* name, const auto&, const auto&... range) {
    (..., (ranges[name] = pybind11::make_tuple(range.low, range.high)));
  });
  return ranges;
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
