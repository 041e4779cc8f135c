// A generator of self-play, for those who know the game at run time only. selfplay/generator.h is one for each game.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "search/network_output.h"
#include "search/params.h"
#include "selfplay/sample.h"
#include "selfplay/sample_layout.h"

namespace c4 {

// Which games a generator plays: first, first + stride, first + 2 * stride, ... Workers share the games so. After
// `count` of them nothing is left to play, and batches are empty.
struct GameIds {
  static constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

  std::int64_t first;
  std::int64_t stride;
  std::int64_t count = kEndless;
};

// Actions that games may begin with. Each leaves something to play.
using Openings = std::vector<std::vector<std::uint8_t>>;

// See _core.pyi. Methods throw std::out_of_range for a group that does not exist, std::logic_error for a call out of
// order, std::invalid_argument for what cannot be meant.
class AnyGenerator {
 public:
  AnyGenerator() = default;
  AnyGenerator(const AnyGenerator&) = delete;
  AnyGenerator& operator=(const AnyGenerator&) = delete;
  virtual ~AnyGenerator() = default;

  virtual int Groups() const = 0;
  virtual int Rows() const = 0;  // of a group's largest batch
  virtual int Gather(int group, std::uint8_t* planes) = 0;
  virtual void Apply(int group, const NetworkOutput& output) = 0;
  virtual std::int64_t SamplesReady() const = 0;
  virtual SampleRecords TakeRecords() = 0;
  virtual std::vector<GameRecord> TakeGames() = 0;
  virtual std::map<std::string, std::int64_t> Stats() const = 0;
  virtual void SetParams(const SearchParams& params) = 0;
  virtual void SetWeightsVersion(std::int32_t version) = 0;
  virtual void SetOpenings(Openings openings) = 0;
  virtual void AddGames(GameIds ids) = 0;
  virtual std::string State() const = 0;
  virtual void Restore(std::string_view state) = 0;
};

}  // namespace c4
