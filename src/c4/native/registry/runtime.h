// Games by name: what people need of one, its positions, and its searches and generators, all of a type that is known
// at run time only, so that one Python class serves all games. Knows nothing of Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace c4 {

struct GameSpec {
  std::string name;
  std::string title;
  int planes;
  int height;
  int width;
  int actions;
  int max_plies;
  int symmetries;
  int packed_bytes;
  int in_a_row;
};

class AnyGenerator;
class AnySearches;
class GameRuntime;
struct GameIds;
struct SampleLayout;
struct SearchesOptions;
struct SearchParams;
struct SelfplayParams;

// Immutable: the plies played so far and the state they led to. See _core.pyi for what the methods mean.
class Position {
 public:
  using Pointer = std::shared_ptr<const Position>;

  virtual ~Position() = default;

  const GameRuntime& Game() const { return game_; }
  const std::vector<int>& Actions() const { return actions_; }
  int Ply() const { return static_cast<int>(actions_.size()); }
  std::string Text() const;

  virtual bool IsTerminal() const = 0;
  virtual int Result() const = 0;  // throws std::invalid_argument when the game is not over
  virtual std::vector<int> Legal() const = 0;
  virtual std::uint64_t Key() const = 0;
  virtual std::uint64_t CanonicalKey(int* symmetry) const = 0;
  virtual int StoneAt(int row, int column) const = 0;
  virtual void WritePlanes(std::uint8_t* planes) const = 0;
  virtual void Pack(std::uint8_t* packed) const = 0;
  virtual Pointer Play(int action) const = 0;  // throws std::invalid_argument with the ply and the reason

  // (row, column) of every stone that is part of a winning line, row by row.
  std::vector<std::pair<int, int>> WinningCells() const;

 protected:
  Position(const GameRuntime& game, std::vector<int> actions) : game_(game), actions_(std::move(actions)) {}

 private:
  const GameRuntime& game_;
  std::vector<int> actions_;
};

// One for each registered game; lives as long as the program. What needs the game's type at compile time (a search, a
// generator) is made by a virtual method here and implemented in GameRuntimeOf.
class GameRuntime {
 public:
  virtual ~GameRuntime() = default;

  const GameSpec& Info() const { return info_; }

  virtual Position::Pointer Parse(std::string_view text) const = 0;               // as Position::Play throws
  virtual Position::Pointer FromActions(std::span<const int> actions) const = 0;  // as Position::Play throws
  virtual int Transform(int action, int symmetry) const = 0;
  virtual std::string ActionName(int action) const = 0;  // throws std::invalid_argument when there is no such action
  virtual bool SeparateNames() const = 0;
  virtual const SampleLayout& Samples() const = 0;
  // Packed positions side by side, seen each under its own symmetry, to planes. Precondition: the symmetries exist.
  virtual void UnpackPlanes(std::span<const std::uint8_t> symmetries, const std::uint8_t* packed,
                            std::uint8_t* planes) const = 0;
  virtual std::unique_ptr<AnySearches> MakeSearches(const SearchParams& params,
                                                    const SearchesOptions& options) const = 0;
  virtual std::unique_ptr<AnyGenerator> MakeGenerator(const SearchParams& search, const SelfplayParams& selfplay,
                                                      std::uint64_t seed, const GameIds& games) const = 0;

  // Openings for a generator: as Position::Play throws, and where nothing is left to play.
  std::vector<std::vector<std::uint8_t>> Openings(const std::vector<std::vector<int>>& actions) const;

 protected:
  explicit GameRuntime(GameSpec info) : info_(std::move(info)) {}

 private:
  GameSpec info_;
};

std::vector<std::string> GameNames();                   // in alphabetical order
const GameRuntime& FindGame(std::string_view name);     // throws std::invalid_argument with the known names
void AddGame(std::unique_ptr<const GameRuntime> game);  // its name must be new

// In quotation marks, and not all of what is long: a sentence has an end, whatever it speaks of.
std::string Quoted(std::string_view text);

}  // namespace c4
