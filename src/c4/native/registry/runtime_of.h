// What runtime.h promises, for one game: the only templates that are instantiated once for each registered game.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.h"
#include "registry/position_of.h"
#include "registry/runtime.h"
#include "search/searches.h"
#include "selfplay/generator.h"
#include "selfplay/sample_layout.h"

namespace c4 {

template <ReadableGame G>
class GameRuntimeOf final : public GameRuntime {
 public:
  GameRuntimeOf(std::string name, std::string title)
      : GameRuntime({.name = std::move(name),
                     .title = std::move(title),
                     .planes = G::kPlanes,
                     .height = G::kHeight,
                     .width = G::kWidth,
                     .actions = G::kActions,
                     .max_plies = G::kMaxPlies,
                     .symmetries = G::kSymmetries,
                     .packed_bytes = G::kPackedBytes,
                     .in_a_row = G::kInARow}),
        samples_(LayoutOfSamples<G>()) {}

  Position::Pointer Parse(std::string_view text) const override {
    Line<G> line;
    while (true) {
      const std::string_view word = TakeWord(text, G::kSeparateNames);
      if (word.empty()) return std::make_shared<const PositionOf<G>>(*this, std::move(line));
      line.Play(word);
    }
  }

  Position::Pointer FromActions(std::span<const int> actions) const override {
    Line<G> line;
    for (const int action : actions) line.Play(action);
    return std::make_shared<const PositionOf<G>>(*this, std::move(line));
  }

  int Transform(int action, int symmetry) const override { return G::Transform(action, symmetry); }

  std::string ActionName(int action) const override {
    if (action < 0 || action >= G::kActions) {
      throw std::invalid_argument("action " + std::to_string(action) + " is not between 0 and " +
                                  std::to_string(G::kActions - 1));
    }
    return G::ActionName(action);
  }

  bool SeparateNames() const override { return G::kSeparateNames; }
  const SampleLayout& Samples() const override { return samples_; }

  void UnpackPlanes(std::span<const std::uint8_t> symmetries, const std::uint8_t* packed,
                    std::uint8_t* planes) const override {
    for (const std::uint8_t symmetry : symmetries) {
      G::Unpack(packed).WritePlanes(planes, symmetry);
      packed += G::kPackedBytes;
      planes += G::kPlanes * G::kHeight * G::kWidth;
    }
  }

  std::unique_ptr<AnySearches> MakeSearches(const SearchParams& params, const SearchesOptions& options) const override {
    return std::make_unique<Searches<G>>(params, options);
  }

  std::unique_ptr<AnyGenerator> MakeGenerator(const SearchParams& search, const SelfplayParams& selfplay,
                                              std::uint64_t seed, const GameIds& games) const override {
    return std::make_unique<Generator<G>>(search, selfplay, seed, games);
  }

 private:
  SampleLayout samples_;
};

// A constant of this type, in a .cc file, registers a game under a name and with a title for people.
template <ReadableGame G>
struct Register {
  Register(std::string name, std::string title) {
    AddGame(std::make_unique<const GameRuntimeOf<G>>(std::move(name), std::move(title)));
  }
};

}  // namespace c4
