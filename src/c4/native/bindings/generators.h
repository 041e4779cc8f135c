// A generator of self-play for a game known at run time only. Knows nothing of Python.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/runtime.h"
#include "search/batch.h"
#include "search/params.h"
#include "selfplay/params.h"
#include "selfplay/sample.h"

namespace c4 {

// Samples as columns, in the order in which their games ended.
struct SampleColumns {
  std::size_t rows = 0;
  std::vector<std::uint8_t> packed;  // [rows, packed_bytes]
  std::vector<float> policy;         // [rows, actions]
  std::vector<std::int8_t> result;
  std::vector<std::int16_t> plies_left;
  std::vector<float> root_value;
  std::vector<float> surprise;
  std::vector<std::int8_t> outcome;
  std::vector<float> outcome_share;
  std::vector<float> bootstrap;
  std::vector<std::int16_t> ply;
  std::vector<std::int64_t> game_id;
  std::vector<std::int32_t> weights_version;
};

// See _core.pyi.
class Generators {
 public:
  virtual ~Generators() = default;

  virtual const GameRuntime& Game() const = 0;
  virtual int Groups() const = 0;
  virtual int Rows() const = 0;
  virtual int Gather(int group, std::uint8_t* planes) = 0;
  virtual void Apply(int group, const NetworkOutput& output) = 0;
  virtual std::int64_t SamplesReady() const = 0;
  virtual SampleColumns TakeSamples() = 0;
  virtual std::vector<GameRecord> TakeGames() = 0;
  virtual std::map<std::string, std::int64_t> Stats() const = 0;
  virtual void SetParams(const SearchParams& params) = 0;
  virtual void SetWeightsVersion(std::int32_t version) = 0;
  virtual void SetOpenings(const std::vector<std::vector<int>>& openings) = 0;
  virtual std::string State() const = 0;
  virtual void Restore(std::string_view state) = 0;
};

}  // namespace c4
