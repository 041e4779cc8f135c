// Many search trees and one batch, for those who know the game at run time only. search/searches.h is one for each
// game.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/network_output.h"
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

// See _core.pyi. Methods throw std::out_of_range for a tree that does not exist, std::logic_error for a call out of
// order, std::invalid_argument for what the rules do not allow; why they do not is said by those who know its words.
class AnySearches {
 public:
  AnySearches() = default;
  AnySearches(const AnySearches&) = delete;
  AnySearches& operator=(const AnySearches&) = delete;
  virtual ~AnySearches() = default;

  virtual int Size() const = 0;
  virtual int Rows() const = 0;
  virtual void SetParams(const SearchParams& params) = 0;
  virtual void SetPosition(int tree, const std::vector<int>& actions) = 0;  // plies from the start of the game
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
  virtual std::optional<NodeInfo> Node(int tree, const std::vector<int>& path) const = 0;  // none: no such path
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
