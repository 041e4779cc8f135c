// Random calls on a handful of trees that share a batch and a cache: moves, budgets, knobs changed on the way, answers
// that are not finite, calls out of order.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "hash_evaluator.h"
#include "rng.h"
#include "sample_params.h"
#include "search/batch.h"
#include "search/policy.h"
#include "search/rollout.h"
#include "tree_check.h"

namespace c4::testing {

template <Game G>
class SearchFuzzer {
 public:
  explicit SearchFuzzer(Rng& rng)
      : rng_(rng),
        params_(AnySearch(rng)),
        trees_(1 + rng.Below(4)),
        cache_(0.01 * rng.Below(2)),
        threads_(static_cast<int>(1 + rng.Below(2))) {}

  void Call() {
    switch (rng_.Below(12)) {
      case 0:
        return ChangeParams();
      case 1:
        return Play();
      case 2:
        return Restart();
      case 3:
        return SetNoise();
      case 4:
        return RollOut();
      case 5:
        Tree().DropBudget();
        return;
      case 6:
        return Conclude();
      case 7:
      case 8:
        Tree().AddBudget(static_cast<int>(rng_.Below(40)));
        return;
      default:
        if (batch_.waiting()) return Apply();
        Gather();
    }
  }

  // Spends what is left of the budgets: a search must end by them. Then all trees are looked at.
  void Finish() {
    if (batch_.waiting()) Apply();
    for (int round = 0; Gather() > 0; ++round) {
      CHECK(round < 10'000);
      Apply();
    }
    for (const Search<G>& tree : trees_) {
      CHECK(tree.Done(params_));
      CheckTree(tree, tree.root());
    }
  }

 private:
  Search<G>& Tree() { return trees_[rng_.Below(static_cast<std::uint32_t>(trees_.size()))]; }

  int Gather() {
    planes_.assign(trees_.size() * static_cast<std::size_t>(params_.leaves_per_batch) * LeafBatch<G>::kPlaneBytes, 0);
    const auto advance = [this](std::size_t first, std::size_t last, int, const auto& lookup,
                                SearchCounters& counters) {
      for (std::size_t i = first; i < last; ++i) trees_[i].Gather(params_, lookup, counters);
    };
    const int rows = batch_.Gather(trees_, cache_, threads_, planes_.data(), advance);
    THROWN(std::logic_error, batch_.Gather(trees_, cache_, threads_, planes_.data(), advance));
    if (rows == 0) Apply();
    return rows;
  }

  void Apply() {
    NetworkOutput output = network_.Evaluate(planes_, batch_.rows());
    output.rows += static_cast<int>(1 + rng_.Below(3));
    THROWN(std::invalid_argument, batch_.Accept(trees_, cache_, output));
    output.rows = batch_.rows();
    if (batch_.rows() > 0 && rng_.Below(4) == 0) {
      float& spoiled = network_.logits()[rng_.Below(static_cast<std::uint32_t>(network_.logits().size()))];
      const float good = spoiled;
      spoiled = rng_.Below(2) == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
      THROWN(std::invalid_argument, batch_.Accept(trees_, cache_, output));
      spoiled = good;
    }
    batch_.Accept(trees_, cache_, output);
    THROWN(std::logic_error, batch_.Accept(trees_, cache_, output));
    threads_.ForEach(trees_.size(), [this](std::size_t i, int) { batch_.BackUp(trees_[i], params_); });
  }

  void ChangeParams() {
    if (!batch_.waiting()) params_ = AnySearch(rng_);
  }

  void Play() {
    Search<G>& tree = Tree();
    if (batch_.waiting() || tree.root().IsTerminal()) return;
    std::uint8_t legal[G::kActions];
    const int count = tree.root().LegalActions(legal);
    tree.Play(legal[rng_.Below(static_cast<std::uint32_t>(count))], params_.reuse_tree);
    CheckTree(tree, tree.root());
  }

  void Restart() {
    if (batch_.waiting()) return;
    Search<G>& tree = Tree();
    if (rng_.Below(2) == 0) {
      tree.Replant();
    } else {
      tree.Reset(G{}, {});
    }
  }

  void SetNoise() {
    Search<G>& tree = Tree();
    if (batch_.waiting() || tree.root().IsTerminal()) return;
    std::uint8_t legal[G::kActions];
    std::vector<float> noise(static_cast<std::size_t>(tree.root().LegalActions(legal)));
    rng_.Dirichlet(0.3, noise);
    tree.SetNoise(noise);
    for (float& entry : noise) entry = static_cast<float>(rng_.Gumbel());
    if (rng_.Below(2) == 0) tree.SetGumbel(noise);
  }

  void RollOut() {
    if (batch_.waiting()) return;
    Search<G>& tree = Tree();
    SearchCounters counters;
    tree.AddBudget(static_cast<int>(rng_.Below(20)));
    CHECK(!tree.Gather(params_, Rollout<G>{rng_}, counters));
    CheckTree(tree, tree.root());
  }

  void Conclude() {
    const Search<G>& tree = Tree();
    if (!tree.pool()[0].expanded()) return;
    const double temperature = 0.5 * rng_.Below(4);
    float sum = 0.0f;
    for (const float share : tree.Policy(params_, temperature)) {
      CHECK(share >= 0.0f);
      sum += share;
    }
    CHECK(std::abs(sum - 1.0f) < 1e-4f);
    const int best = tree.BestChild(params_);
    CHECK(0 <= best && best < tree.pool()[0].num_children);
    const int chosen = tree.SampleChild(params_, temperature, rng_.Uniform());
    CHECK(0 <= chosen && chosen < tree.pool()[0].num_children);
  }

  Rng& rng_;
  SearchParams params_;
  std::vector<Search<G>> trees_;
  EvalCache<G> cache_;
  ThreadPool threads_;
  LeafBatch<G> batch_;
  HashEvaluator<G> network_;
  std::vector<std::uint8_t> planes_;
};

template <Game G>
std::uint64_t FuzzSearch(Rng& rng) {
  SearchFuzzer<G> fuzzer(rng);
  const std::uint64_t calls = AnyLength(rng, /*most_bits=*/8);
  for (std::uint64_t call = 0; call < calls; ++call) fuzzer.Call();
  fuzzer.Finish();
  return calls;
}

}  // namespace c4::testing
