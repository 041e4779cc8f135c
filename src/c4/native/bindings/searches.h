// Many search trees and one batch, for a game known at run time only. Knows nothing of Python.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/runtime.h"
#include "search/batch.h"
#include "search/params.h"

namespace c4 {

// A node and its children as arrays, lowest action first. Values are for the side to move in the node or child they
// belong to (value: native/value.h).
struct NodeInfo {
  std::uint32_t visits;
  float q;
  float m;
  int lower;
  int upper;
  int proven_plies;
  bool is_terminal;
  bool expanded;
  std::vector<int> actions{};
  std::vector<int> child_visits{};
  std::vector<float> child_q{};
  std::vector<float> child_m{};
  std::vector<float> prior{};
  std::vector<float> prior_effective{};
  std::vector<int> child_lower{};
  std::vector<int> child_upper{};
  std::vector<int> child_proven_plies{};
};

// See _core.pyi. Methods throw std::out_of_range for a tree that does not exist, std::logic_error for a call
// out of order.
class Searches {
 public:
  virtual ~Searches() = default;

  virtual const GameRuntime& Game() const = 0;
  virtual int Size() const = 0;
  virtual int Rows() const = 0;
  virtual void SetParams(const SearchParams& params) = 0;
  virtual void SetPosition(int tree, const Position& position) = 0;
  virtual std::vector<int> History(int tree) const = 0;
  virtual void Play(int tree, int action) = 0;
  virtual void SetNoise(int tree, std::vector<float> noise) = 0;
  virtual void SetGumbel(int tree, std::vector<float> gumbel) = 0;
  virtual void Think(int tree, int simulations) = 0;
  virtual void Stop(int tree) = 0;
  virtual int Gather(std::uint8_t* planes) = 0;
  virtual void Apply(const NetworkOutput& output) = 0;
  virtual void RollOut(std::uint64_t seed) = 0;
  virtual bool Busy() const = 0;
  virtual std::optional<NodeInfo> Node(int tree, std::span<const int> path) const = 0;  // none: no such path
  virtual std::vector<float> Policy(int tree, double temperature) const = 0;
  virtual int BestAction(int tree) const = 0;
  virtual float Value(int tree) const = 0;
  virtual std::map<std::string, std::uint64_t> Stats() const = 0;
};

struct SearchesOptions {
  int size;
  double cache_megabytes;
  int num_threads;
};

}  // namespace c4
