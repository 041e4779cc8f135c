// Where the fields of a game's samples lie in memory, for those who know the game at run time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "game.h"
#include "selfplay/sample.h"

namespace c4 {

struct SampleField {
  std::string name;
  std::string format;  // as numpy writes it: "i2" is a signed integer of two bytes, "u" an unsigned one, "f" a float
  std::vector<std::size_t> shape;  // empty: one number
  std::size_t offset;
};

struct SampleLayout {
  std::vector<SampleField> fields;
  std::size_t bytes;
};

template <Game G>
SampleLayout LayoutOfSamples() {
  SampleLayout layout{.fields = {}, .bytes = sizeof(Sample<G>)};
  const Sample<G> sample{};
  Sample<G>::ForEach(sample, [&](const char* name, const auto& field) {
    const auto add = [&]<typename Number>(const Number&, std::vector<std::size_t> shape) {
      const char* kind = std::is_floating_point_v<Number> ? "f" : std::is_signed_v<Number> ? "i" : "u";
      layout.fields.push_back(
          {.name = name,
           .format = kind + std::to_string(sizeof(Number)),
           .shape = std::move(shape),
           .offset = reinterpret_cast<std::uintptr_t>(&field) - reinterpret_cast<std::uintptr_t>(&sample)});
    };
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(field)>>) {
      add(field, {});
    } else {
      add(field[0], {field.size()});
    }
  });
  return layout;
}

// Samples of any game: records side by side as the layout says, as long as somebody holds the owner.
struct SampleRecords {
  std::shared_ptr<const void> owner;
  const void* first;
  std::size_t count;
};

}  // namespace c4
