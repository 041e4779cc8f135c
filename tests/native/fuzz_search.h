// Random calls on a handful of trees that share a batch and a cache: moves, budgets, knobs changed on the way, answers
// that are not finite, calls out of order.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "draws.h"
#include "hash_evaluator.h"
#include "rng.h"
#include "sample_params.h"
#include "search/searches.h"
#include "tree_check.h"

namespace c4::testing {

template <Game G>
class SearchFuzzer {
 public:
  explicit SearchFuzzer(Draws& draws)
      : draws_(draws),
        params_(AnySearch(draws)),
        searches_(params_, {.size = static_cast<int>(1 + draws.Below(4)),
                            .cache_megabytes = 0.01 * draws.Below(2),
                            .num_threads = AnyThreads(draws, 2)}) {}

  void Call() {
    switch (draws_.Below(12)) {
      case 0:
        return Calm([this] { searches_.SetParams(params_ = AnySearch(draws_)); });
      case 1:
        return Play();
      case 2:
        return Restart();
      case 3:
        return SetNoise();
      case 4:
        return RollOut();
      case 5:
        return searches_.Stop(Any());
      case 6:
        return Conclude();
      case 7:
      case 8:
        return searches_.Think(Any(), static_cast<int>(draws_.Below(40)));
      default:
        if (rows_ >= 0) return Apply();
        Gather();
    }
  }

  // Spends what is left of the budgets: a search must end by them. Then all trees are looked at.
  void Finish() {
    if (rows_ >= 0) Apply();
    for (int round = 0; searches_.Busy(); ++round) {
      CHECK(round < 10'000);
      Gather();
      if (rows_ >= 0) Apply();
    }
    for (int tree = 0; tree < searches_.Size(); ++tree) {
      CHECK(At(tree).Done(params_));
      CheckTree(At(tree), At(tree).root());
    }
  }

 private:
  int Any() { return static_cast<int>(draws_.Below(static_cast<std::uint32_t>(searches_.Size()))); }
  const Search<G>& At(int tree) const { return searches_.tree(tree); }

  // Runs what is refused while a batch is out.
  template <typename Run>
  void Calm(Run run) {
    if (rows_ < 0) return run();
    const SearchParams before = params_;
    THROWN(std::logic_error, run());
    params_ = before;
  }

  void Gather() {
    planes_.assign(static_cast<std::size_t>(searches_.Rows()) * LeafBatch<G>::kPlaneBytes, 0);
    rows_ = searches_.Gather(planes_.data());
    THROWN(std::logic_error, searches_.Gather(planes_.data()));
    if (rows_ == 0) Apply();
  }

  void Apply() {
    NetworkOutput output = network_.Evaluate(planes_, rows_);
    output.rows += static_cast<int>(1 + draws_.Below(3));
    THROWN(std::invalid_argument, searches_.Apply(output));
    output.rows = rows_;
    if (rows_ > 0 && draws_.Below(4) == 0) {
      float& spoiled = network_.logits()[draws_.Below(static_cast<std::uint32_t>(network_.logits().size()))];
      const float good = spoiled;
      spoiled =
          draws_.Below(2) == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
      THROWN(NotFiniteError, searches_.Apply(output));
      spoiled = good;
    }
    searches_.Apply(output);
    rows_ = -1;
    THROWN(std::logic_error, searches_.Apply(output));
  }

  void Play() {
    const int tree = Any();
    const int action = static_cast<int>(draws_.Below(G::kActions + 2)) - 1;
    const G& root = At(tree).root();
    const bool legal = !root.IsTerminal() && action >= 0 && action < G::kActions && root.IsLegal(action);
    if (rows_ < 0 && !legal) {
      THROWN(std::invalid_argument, searches_.Play(tree, action));
    } else {
      Calm([&] {
        searches_.Play(tree, action);
        CheckTree(At(tree), At(tree).root());
      });
    }
  }

  void Restart() {
    const int tree = Any();
    const auto history = draws_.Below(2) == 0 ? searches_.History(tree) : std::vector<int>{};
    Calm([&] { searches_.SetPosition(tree, history); });
  }

  void SetNoise() {
    const int tree = Any();
    std::uint8_t legal[G::kActions];
    const G& root = At(tree).root();
    std::vector<float> noise(root.IsTerminal() ? 0 : static_cast<std::size_t>(root.LegalActions(legal)));
    if (noise.empty() || rows_ >= 0) return;
    Rng rng = draws_.Stream();
    rng.Dirichlet(0.3, noise);
    searches_.SetNoise(tree, noise);
    for (float& entry : noise) entry = static_cast<float>(rng.Gumbel());
    if (draws_.Below(2) == 0) searches_.SetGumbel(tree, noise);
    noise.push_back(0.0f);
    THROWN(std::invalid_argument, searches_.SetNoise(tree, noise));
  }

  void RollOut() {
    const int tree = Any();
    Calm([&] {
      searches_.Think(tree, static_cast<int>(draws_.Below(20)));
      searches_.RollOut(draws_.Stream().Next());
      CheckTree(At(tree), At(tree).root());
    });
  }

  void Conclude() {
    const int tree = Any();
    const Search<G>& search = At(tree);
    if (!search.pool()[0].expanded() || search.root().IsTerminal()) return;
    const double temperature = 0.5 * draws_.Below(4);
    float sum = 0.0f;
    for (const float share : searches_.Policy(tree, temperature)) {
      CHECK(share >= 0.0f);
      sum += share;
    }
    CHECK(std::abs(sum - 1.0f) < 1e-4f);
    CHECK(search.root().IsLegal(searches_.BestAction(tree)));
    CHECK(std::abs(searches_.Value(tree)) <= 1.0001f);
    const int chosen = search.SampleChild(params_, temperature, draws_.Stream().Uniform());
    CHECK(0 <= chosen && chosen < search.pool()[0].num_children);
    const auto root = searches_.Node(tree, {});
    CHECK(root && root->actions.size() == search.pool()[0].num_children);
  }

  Draws& draws_;
  SearchParams params_;
  Searches<G> searches_;
  HashEvaluator<G> network_;
  std::vector<std::uint8_t> planes_;
  int rows_ = -1;  // of the batch that is out; -1: none is
};

template <Game G>
std::uint64_t FuzzSearch(Draws& draws) {
  SearchFuzzer<G> fuzzer(draws);
  const std::uint64_t calls = AnyLength(draws, /*most_bits=*/8);
  for (std::uint64_t call = 0; call < calls && !draws.Ended(); ++call) fuzzer.Call();
  fuzzer.Finish();
  return calls;
}

}  // namespace c4::testing
