// Many trees, one batch: collects the leaves of all trees into rows for the network and hands the answers back.
//
// Trees are walked in parallel while nobody writes to the cache; rows are given out, and the cache is written, in the
// order of the trees. So neither the number of threads nor the cache changes any result.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "game.h"
#include "search/eval_cache.h"
#include "search/network_output.h"
#include "search/search.h"
#include "search/thread_pool.h"

namespace c4 {

template <Game G>
class LeafBatch {
 public:
  static constexpr int kPlaneBytes = G::kPlanes * G::kHeight * G::kWidth;

  bool waiting() const { return waiting_; }
  int rows() const { return static_cast<int>(owners_.size()); }
  const SearchCounters& counters() const { return counters_; }
  std::uint64_t evaluations() const { return evaluations_; }
  void ForgetRows() {
    owners_.clear();
    waiting_ = false;
  }

  // Calls `advance(first, last, thread, lookup, counters)` for parts of the trees, which must run each of them until
  // its leaves wait or it has nothing to do, and writes the planes of what is not known. Returns the number of rows;
  // `planes` has room for leaves_per_batch rows a tree.
  template <typename Advance>
  int Gather(std::span<Search<G>> trees, const EvalCache<G>& cache, ThreadPool& threads, std::uint8_t* planes,
             Advance&& advance) {
    if (waiting_) throw std::logic_error("gather was called twice: call apply with the network's answer first");
    const auto lookup = [&cache](Leaf<G>& leaf) {
      leaf.key = leaf.state.CanonicalKey(&leaf.symmetry);
      const Evaluation<G>* known = cache.Find(leaf.key);
      if (known == nullptr) return false;
      leaf.known = *known;
      return true;
    };
    std::vector<SearchCounters> counters(static_cast<std::size_t>(threads.size()));
    threads.ForRanges(trees.size(), [&](std::size_t first, std::size_t last, int thread) {
      advance(first, last, thread, lookup, counters[static_cast<std::size_t>(thread)]);
    });
    for (const SearchCounters& part : counters) counters_ += part;
    GiveRows(trees, cache.enabled());
    threads.ForEach(owners_.size(), [&](std::size_t row, int) {
      const Leaf<G>& leaf = trees[owners_[row].tree].leaves()[owners_[row].leaf];
      leaf.state.WritePlanes(&planes[row * kPlaneBytes], leaf.symmetry);
    });
    waiting_ = true;
    return rows();
  }

  // Keeps the answer for BackUp. Refuses one of other rows or that is not finite, and then changes nothing: a better
  // one may follow.
  void Accept(std::span<const Search<G>> trees, EvalCache<G>& cache, const NetworkOutput& output) {
    if (!waiting_) throw std::logic_error("apply was called without a batch: call gather first");
    if (output.rows != rows()) {
      throw std::invalid_argument("the network's answer has " + std::to_string(output.rows) +
                                  " rows, but gather asked for " + std::to_string(rows()));
    }
    for (std::size_t row = 0; row < owners_.size(); ++row) CheckFinite(trees, row, output);
    answers_.resize(owners_.size());
    for (std::size_t row = 0; row < owners_.size(); ++row) {
      Evaluation<G>& answer = answers_[row];
      answer.value = output.value[row];
      answer.plies_left = output.plies_left[row];
      std::copy_n(output.policy_logits + row * G::kActions, G::kActions, answer.logits.begin());
      if (cache.enabled() && cache.Find(owners_[row].key) == nullptr) cache.Insert(owners_[row].key, answer);
    }
    evaluations_ += owners_.size();
    ForgetRows();
  }

  // Backs up the leaves of a tree whose answers were accepted; of a tree without leaves, nothing.
  void BackUp(Search<G>& tree, const SearchParams& params) const {
    tree.Apply(params, [this](const Leaf<G>& leaf) { return View(answers_[static_cast<std::size_t>(leaf.row)]); });
  }

 private:
  struct Owner {  // the leaf that a row was written for; others may share the row
    std::size_t tree;
    std::size_t leaf;
    std::uint64_t key;
  };

  void GiveRows(std::span<Search<G>> trees, bool share) {
    owners_.clear();
    row_of_key_.clear();
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const std::span<Leaf<G>> leaves = trees[tree].leaves();
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        Leaf<G>& leaf = leaves[i];
        if (leaf.row == Leaf<G>::kKnown) continue;
        leaf.row = rows();
        if (share) {
          const auto [entry, is_new] = row_of_key_.try_emplace(leaf.key, leaf.row);
          leaf.row = entry->second;
          if (!is_new) continue;
        }
        owners_.push_back({tree, i, leaf.key});
      }
    }
  }

  void CheckFinite(std::span<const Search<G>> trees, std::size_t row, const NetworkOutput& output) const {
    const float* logits = output.policy_logits + row * G::kActions;
    // A sum is finite only if its parts are; the parts are looked at one by one only when it is not.
    float sum = output.value[row] + output.plies_left[row];
    for (int action = 0; action < G::kActions; ++action) sum += logits[action];
    if (std::isfinite(sum)) return;
    std::string what;
    if (!std::isfinite(output.value[row])) what = "value is " + std::to_string(output.value[row]);
    if (!std::isfinite(output.plies_left[row])) what = "plies left are " + std::to_string(output.plies_left[row]);
    for (int action = 0; action < G::kActions; ++action) {
      if (!std::isfinite(logits[action])) {
        what = "policy logit " + std::to_string(action) + " is " + std::to_string(logits[action]);
      }
    }
    if (what.empty()) return;
    const Search<G>& tree = trees[owners_[row].tree];
    const Leaf<G>& leaf = tree.leaves()[owners_[row].leaf];
    std::vector<std::uint8_t> actions(tree.history().begin(), tree.history().end());
    for (int i = 1; i < leaf.path_length; ++i) actions.push_back(tree.pool()[leaf.path[i]].action);
    throw NotFiniteError(what, std::move(actions));
  }

  bool waiting_ = false;
  std::vector<Owner> owners_;
  std::vector<Evaluation<G>> answers_;  // by row, of the last batch that was answered
  std::unordered_map<std::uint64_t, int> row_of_key_;
  SearchCounters counters_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace c4
