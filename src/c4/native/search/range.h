// What a knob may be: outside of its range a search may never end, or write where it must not. params.h lists it beside
// the field; c4/params refuses the same values earlier, in the words of who typed them, and a test compares the two.
#pragma once

#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace c4 {

struct Range {
  double low;  // both ends are allowed
  double high;
};

// Throws std::invalid_argument with the name and the range. What is no number is in no range.
template <typename T>
void ExpectWithin(const std::string& name, T value, const Range& range) {
  if (static_cast<T>(range.low) <= value && value <= static_cast<T>(range.high)) return;
  std::ostringstream text;
  text.precision(9);
  text << name << " must be from " << range.low << " to " << range.high << ", not " << value;
  throw std::invalid_argument(text.str());
}

template <typename T>
void ExpectWithin(const std::string& name, const std::optional<T>& value, const Range& range) {
  if (value) ExpectWithin(name, *value, range);
}

// Every knob of which params.h says a range.
template <typename Params>
void ExpectAllWithin(const Params& params) {
  Params::ForEach(params, [](const char* name, const auto& knob, const auto&... range) {
    if constexpr (sizeof...(range) == 1) ExpectWithin(name, knob, range...);
  });
}

}  // namespace c4
