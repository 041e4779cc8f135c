// A position of one game, and the check that every line of play goes through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.h"
#include "registry/runtime.h"

namespace c4 {

// A line of play that refuses whatever the rules do not allow, and says which ply it was.
template <ReadableGame G>
struct Line {
  G state;
  std::vector<int> actions;

  void Play(int action) {
    if (state.IsTerminal()) Refuse("the game was over after ply " + std::to_string(state.Ply()));
    if (action < 0 || action >= G::kActions) {
      Refuse("action " + std::to_string(action) + " is not between 0 and " + std::to_string(G::kActions - 1));
    }
    if (!state.IsLegal(action)) Refuse(state.WhyIllegal(action));
    state.Play(action);
    actions.push_back(action);
  }

  void Play(std::string_view word) {
    const int action = G::ParseAction(word);
    if (action < 0) Refuse(Quoted(word) + " is no " + std::string(std::string_view(G::kActionNoun)) + " of this board");
    Play(action);
  }

 private:
  [[noreturn]] void Refuse(const std::string& reason) const {
    throw std::invalid_argument("ply " + std::to_string(actions.size() + 1) + ": " + reason);
  }
};

// Takes the next word off the text: up to the next blank, or one character (of several bytes, if it is not ASCII)
// where names stand side by side. Empty at the end of the text.
inline std::string_view TakeWord(std::string_view& text, bool separate) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  std::size_t length = 0;
  if (separate) {
    length = std::min(text.find_first_of(kBlanks), text.size());
  } else if (!text.empty()) {
    for (length = 1; length < text.size() && (text[length] & 0xC0) == 0x80; ++length) {
    }
  }
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

template <ReadableGame G>
class PositionOf final : public Position {
 public:
  PositionOf(const GameRuntime& game, Line<G> line) : Position(game, std::move(line.actions)), state_(line.state) {}

  bool IsTerminal() const override { return state_.IsTerminal(); }

  int Result() const override {
    if (!IsTerminal()) throw std::invalid_argument("the game is not over after ply " + std::to_string(Ply()));
    return state_.Result();
  }

  std::vector<int> Legal() const override {
    if (IsTerminal()) return {};
    std::uint8_t actions[G::kActions];
    const int count = state_.LegalActions(actions);
    return std::vector<int>(actions, actions + count);
  }

  std::uint64_t Key() const override { return state_.Key(); }
  std::uint64_t CanonicalKey(int* symmetry) const override { return state_.CanonicalKey(symmetry); }
  int StoneAt(int row, int column) const override { return state_.StoneAt(row, column); }
  void WritePlanes(std::uint8_t* planes) const override { state_.WritePlanes(planes, /*symmetry=*/0); }
  void Pack(std::uint8_t* packed) const override { state_.Pack(packed); }

  Pointer Play(int action) const override {
    Line<G> line{state_, Actions()};
    line.Play(action);
    return std::make_shared<const PositionOf>(Game(), std::move(line));
  }

 private:
  const G state_;
};

}  // namespace c4
