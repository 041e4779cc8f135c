// The registry of games, and what a position can say without knowing its game's type.
#include "registry/runtime.h"

#include <functional>
#include <map>
#include <stdexcept>

namespace c4 {
namespace {

using Registry = std::map<std::string, std::unique_ptr<const GameRuntime>, std::less<>>;

Registry& Games() {
  static Registry games;  // made at first use: games are registered before main, from several files
  return games;
}

}  // namespace

std::vector<std::string> GameNames() {
  std::vector<std::string> names;
  for (const auto& [name, game] : Games()) names.push_back(name);
  return names;
}

const GameRuntime& FindGame(std::string_view name) {
  const auto found = Games().find(name);
  if (found != Games().end()) return *found->second;
  std::string known;
  for (const auto& [other, game] : Games()) known += (known.empty() ? "" : ", ") + other;
  throw std::invalid_argument("no game is called " + Quoted(name) + "; known games: " + known);
}

void AddGame(std::unique_ptr<const GameRuntime> game) {
  const std::string name = game->Info().name;
  if (!Games().emplace(name, std::move(game)).second) throw std::logic_error("two games are called " + name);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  std::size_t length = kMost;
  while (length > 0 && (text[length] & 0xC0) == 0x80) --length;  // no character is cut in two
  return "'" + std::string(text.substr(0, length)) + "...'";
}

std::vector<std::vector<std::uint8_t>> GameRuntime::Openings(const std::vector<std::vector<int>>& actions) const {
  std::vector<std::vector<std::uint8_t>> openings;
  for (const std::vector<int>& opening : actions) {
    if (FromActions(opening)->IsTerminal()) throw std::invalid_argument("an opening must leave something to play");
    openings.emplace_back(opening.begin(), opening.end());
  }
  return openings;
}

std::string Position::Text() const {
  std::string text;
  for (const int action : actions_) {
    if (game_.SeparateNames() && !text.empty()) text += ' ';
    text += game_.ActionName(action);
  }
  return text;
}

std::vector<std::pair<int, int>> Position::WinningCells() const {
  if (!IsTerminal() || Result() == 0) return {};
  const GameSpec& info = game_.Info();
  const int winner = Ply() % 2 == 1 ? 1 : 2;
  const auto is_winners = [&](int row, int column) {
    return row >= 0 && row < info.height && column >= 0 && column < info.width && StoneAt(row, column) == winner;
  };
  const auto run = [&](int row, int column, int down, int right) {
    int length = 0;
    while (is_winners(row + (length + 1) * down, column + (length + 1) * right)) ++length;
    return length;
  };
  constexpr std::pair<int, int> kDirections[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  std::vector<std::pair<int, int>> cells;
  for (int row = 0; row < info.height; ++row) {
    for (int column = 0; column < info.width; ++column) {
      if (!is_winners(row, column)) continue;
      for (const auto& [down, right] : kDirections) {
        if (1 + run(row, column, down, right) + run(row, column, -down, -right) >= info.in_a_row) {
          cells.emplace_back(row, column);
          break;
        }
      }
    }
  }
  return cells;
}

}  // namespace c4
