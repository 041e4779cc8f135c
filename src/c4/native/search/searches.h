// What any_searches.h promises, for one game: trees that share a batch, a cache and knobs, and refuse a wrong call.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "game.h"
#include "rng.h"
#include "search/any_searches.h"
#include "search/batch.h"
#include "search/rollout.h"
#include "search/search.h"

namespace c4 {

template <Game G>
class Searches final : public AnySearches {
 public:
  Searches(const SearchParams& params, const SearchesOptions& options)
      : params_(params),
        trees_(static_cast<std::size_t>(options.size)),
        cache_(options.cache_megabytes),
        threads_(options.num_threads) {}

  int Size() const override { return static_cast<int>(trees_.size()); }
  int Rows() const override { return Size() * params_.leaves_per_batch; }

  void SetParams(const SearchParams& params) override {
    ExpectNoBatch("set_params");
    params_ = params;
  }

  void SetPosition(int tree, const std::vector<int>& actions) override {
    ExpectNoBatch("set_position");
    G state;
    for (const int action : actions) {
      ExpectLegal(state, action);
      state.Play(action);
    }
    At(tree).Reset(state, std::vector<std::uint8_t>(actions.begin(), actions.end()));
  }

  std::vector<int> History(int tree) const override {
    const auto history = At(tree).history();
    return {history.begin(), history.end()};
  }

  void Play(int tree, int action) override {
    ExpectNoBatch("play");
    ExpectLegal(At(tree).root(), action);
    At(tree).Play(action, params_);
  }

  void SetNoise(int tree, std::vector<float> noise) override {
    CheckNoise(tree, noise);
    if (!std::all_of(noise.begin(), noise.end(), [](float share) { return std::isfinite(share) && share >= 0.0f; })) {
      throw std::invalid_argument("noise is mixed into probabilities: its entries must be finite numbers from 0 up");
    }
    At(tree).SetNoise(std::move(noise));
  }

  void SetGumbel(int tree, std::vector<float> gumbel) override {
    CheckNoise(tree, gumbel);
    if (!std::all_of(gumbel.begin(), gumbel.end(), [](float draw) { return std::isfinite(draw); })) {
      throw std::invalid_argument("draws of the Gumbel distribution must be finite numbers");
    }
    At(tree).SetGumbel(std::move(gumbel));
  }

  void Think(int tree, int simulations) override {
    constexpr int kMost = 10'000'000;  // of one tree at once: a slip of the finger must not fill the memory
    if (simulations < 0 || simulations > kMost - At(tree).budget()) {
      throw std::invalid_argument("think needs 0 to " + std::to_string(kMost) + " simulations in all, not " +
                                  std::to_string(simulations));
    }
    At(tree).AddBudget(simulations);
  }

  void Stop(int tree) override { At(tree).DropBudget(); }

  int Gather(std::uint8_t* planes) override {
    return batch_.Gather(
        trees_, cache_, threads_, planes,
        [this](std::size_t first, std::size_t last, int, const auto& lookup, SearchCounters& counters) {
          for (std::size_t i = first; i < last; ++i) trees_[i].Gather(params_, lookup, counters);
        });
  }

  void Apply(const NetworkOutput& output) override {
    batch_.Accept(trees_, cache_, output);
    threads_.ForEach(trees_.size(), [this](std::size_t i, int) { batch_.BackUp(trees_[i], params_); });
  }

  void RollOut(std::uint64_t seed) override {
    ExpectNoBatch("roll_out");
    std::vector<SearchCounters> counters(static_cast<std::size_t>(threads_.size()));
    threads_.ForEach(trees_.size(), [&](std::size_t i, int thread) {
      Rng rng(HashIds(seed, i, trees_[i].root().Ply()));
      trees_[i].Gather(params_, Rollout<G>{rng}, counters[static_cast<std::size_t>(thread)]);
    });
    for (const SearchCounters& part : counters) rollouts_ += part.simulations;
  }

  bool Busy() const override {
    if (batch_.waiting()) return true;
    for (const Search<G>& tree : trees_) {
      if (!tree.Done(params_)) return true;
    }
    return false;
  }

  std::optional<NodeInfo> Node(int tree, const std::vector<int>& path) const override {
    const Search<G>& search = At(tree);
    const NodePool& pool = search.pool();
    c4::Node node = pool[0];
    for (const int action : path) {
      const std::vector<c4::Node> children = pool.Children(node);
      const auto child = std::ranges::find(children, action, &c4::Node::action);
      if (child == children.end()) return std::nullopt;
      node = *child;
    }
    NodeInfo info{.visits = node.visits,
                  .q = node.q,
                  .m = node.m,
                  .lower = node.lower,
                  .upper = node.upper,
                  .proven_plies = node.proven_plies,
                  .is_terminal = node.terminal,
                  .expanded = node.expanded()};
    const RootNoise noise = path.empty() ? search.noise() : RootNoise{};
    for (int i = 0; const c4::Node& child : pool.Children(node)) {
      info.actions.push_back(child.action);
      info.child_visits.push_back(static_cast<int>(child.visits));
      info.child_q.push_back(child.q);
      info.child_m.push_back(child.m);
      info.prior.push_back(child.prior);
      info.prior_effective.push_back(EffectivePrior(child.prior, i++, params_, noise));
      info.child_lower.push_back(child.lower);
      info.child_upper.push_back(child.upper);
      info.child_proven_plies.push_back(child.proven_plies);
    }
    return info;
  }

  std::vector<float> Policy(int tree, double temperature) const override {
    if (!std::isfinite(temperature) || temperature < 0.0) {
      throw std::invalid_argument("a temperature must be a finite number from 0 up, not " +
                                  std::to_string(temperature));
    }
    const NodePool& pool = Expanded(tree).pool();
    const std::vector<float> policy = At(tree).Policy(params_, temperature);
    std::vector<float> by_action(G::kActions, 0.0f);
    for (std::size_t i = 0; i < policy.size(); ++i) by_action[pool[pool[0].first_child + i].action] = policy[i];
    return by_action;
  }

  int BestAction(int tree) const override {
    const NodePool& pool = Expanded(tree).pool();
    return pool[pool[0].first_child + At(tree).BestChild(params_)].action;
  }

  float Value(int tree) const override { return Expanded(tree).RootValue(params_); }

  std::map<std::string, std::uint64_t> Stats() const override {
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    for (const Search<G>& tree : trees_) {
      nodes += tree.pool().size();
      bytes += tree.pool().capacity() * sizeof(c4::Node);
    }
    const SearchCounters& counters = batch_.counters();
    return {{"simulations", counters.simulations + rollouts_},
            {"evaluations", batch_.evaluations()},
            {"cache_hits", counters.cache_hits},
            {"terminal_hits", counters.terminal_hits},
            {"proofs", counters.proofs},
            {"nodes", nodes},
            {"bytes", bytes}};
  }

  // For tests: what the trees are is nobody else's business.
  const Search<G>& tree(int tree) const { return At(tree); }

 private:
  static void ExpectLegal(const G& state, int action) {
    if (!state.IsTerminal() && action >= 0 && action < G::kActions && state.IsLegal(action)) return;
    throw std::invalid_argument("the rules do not allow action " + std::to_string(action) + " at ply " +
                                std::to_string(state.Ply()));
  }

  const Search<G>& At(int tree) const {
    if (tree < 0 || tree >= Size()) {
      throw std::out_of_range("tree " + std::to_string(tree) + " is not between 0 and " + std::to_string(Size() - 1));
    }
    return trees_[static_cast<std::size_t>(tree)];
  }
  Search<G>& At(int tree) { return const_cast<Search<G>&>(std::as_const(*this).At(tree)); }

  void CheckNoise(int tree, const std::vector<float>& noise) const {
    std::uint8_t legal[G::kActions];
    const G& root = At(tree).root();
    const int count = root.IsTerminal() ? 0 : root.LegalActions(legal);
    if (noise.size() != static_cast<std::size_t>(count)) {
      throw std::invalid_argument("noise needs one entry for each of the " + std::to_string(count) +
                                  " legal actions, not " + std::to_string(noise.size()));
    }
  }

  const Search<G>& Expanded(int tree) const {
    const Search<G>& search = At(tree);
    if (search.root().IsTerminal()) throw std::invalid_argument("the game is over: there is no move to choose");
    if (!search.pool()[0].expanded()) throw std::logic_error("nothing was searched yet: call think, gather and apply");
    return search;
  }

  void ExpectNoBatch(const char* call) const {
    if (batch_.waiting()) throw std::logic_error(std::string(call) + " while a batch is out: call apply first");
  }

  SearchParams params_;
  std::vector<Search<G>> trees_;
  EvalCache<G> cache_;
  ThreadPool threads_;
  LeafBatch<G> batch_;
  std::uint64_t rollouts_ = 0;
};

}  // namespace c4
