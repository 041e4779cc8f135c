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
#include "selfplay/sample_layout.h"

namespace c4 {

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
  virtual SampleRecords TakeSamples() = 0;
  virtual std::vector<GameRecord> TakeGames() = 0;
  virtual std::map<std::string, std::int64_t> Stats() const = 0;
  virtual void SetParams(const SearchParams& params) = 0;
  virtual void SetWeightsVersion(std::int32_t version) = 0;
  virtual void SetOpenings(const std::vector<std::vector<int>>& openings) = 0;
  virtual std::string State() const = 0;
  virtual void Restore(std::string_view state) = 0;
};

}  // namespace c4
