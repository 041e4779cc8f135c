// One search tree: descends to leaves, waits for their evaluations, backs them up. Knows neither where evaluations come
// from (a batch, a cache, a rollout) nor who plays; the caller holds the knobs, so that they can change on a live tree.
//
//   Reset / Play  ->  AddBudget  ->  Gather  ->  Apply  ->  Gather ... until Gather returns false  ->  policy.h
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "game.h"
#include "search/backup.h"
#include "search/evaluation.h"
#include "search/expand.h"
#include "search/gumbel.h"
#include "search/node.h"
#include "search/params.h"
#include "search/policy.h"
#include "search/proof.h"
#include "search/select.h"

namespace c4 {

struct SearchCounters {
  std::uint64_t simulations = 0;
  std::uint64_t cache_hits = 0;     // simulations whose evaluation was known
  std::uint64_t terminal_hits = 0;  // simulations that ended in a finished or settled state
  std::uint64_t proofs = 0;         // simulations whose leaf was settled by a proof of its own

  SearchCounters& operator+=(const SearchCounters& other) {
    simulations += other.simulations;
    cache_hits += other.cache_hits;
    terminal_hits += other.terminal_hits;
    proofs += other.proofs;
    return *this;
  }
};

template <Game G>
class Search {
 public:
  using Index = NodePool::Index;

  Search() { Reset(G{}, {}); }

  // A new tree without a budget. `history` are the actions that led to `root`, for messages only.
  void Reset(const G& root, std::span<const std::uint8_t> history) {
    root_ = root;
    history_.assign(history.begin(), history.end());
    Replant();
  }

  // Forgets the tree and what is in flight, keeps the position.
  void Replant() {
    leaves_.clear();
    ForgetPlans();
    pool_.Clear();
    pool_.Allocate(1);
    if (root_.IsTerminal()) MarkTerminal(pool_[0], root_.Result());
  }

  // Makes a move; keeps what is known of the state it leads to with reuse_tree, but for a proof: a root has moves to
  // choose from, of which a proof says nothing. Precondition: the action is legal and no leaf is in flight.
  void Play(int action, const SearchParams& params) {
    Index child = 0;
    if (params.reuse_tree) {
      pool_.ForChildren(pool_[0], [&](const Node& node, Index index) {
        child = node.action == action && !node.by_proof ? index : child;
      });
    }
    root_.Play(action);
    history_.push_back(static_cast<std::uint8_t>(action));
    if (child == 0) {
      Replant();
      return;
    }
    ForgetPlans();
    pool_.KeepSubtree(child);
    TemperRoot(pool_, params);
    if (root_.IsTerminal()) MarkTerminal(pool_[0], root_.Result());
  }

  void AddBudget(int simulations) {
    budget_ += simulations;
    halving_.considered.clear();
  }
  void DropBudget() { budget_ = 0; }
  int budget() const { return budget_; }

  // One entry per legal action, until the root changes; mixed into the priors as P_eff, never stored in a node.
  void SetNoise(std::vector<float> noise) { noise_ = std::move(noise); }
  RootNoise noise() const { return {noise_}; }

  // The same for root_selection=gumbel: one draw of the Gumbel distribution per legal action.
  void SetGumbel(std::vector<float> gumbel) { gumbel_ = std::move(gumbel); }

  // Whether the search has nothing left to do. A root whose result is known needs no simulation.
  bool Done(const SearchParams& params) const {
    if (budget_ <= 0 || pool_[0].terminal) return true;
    if (params.proven_results && pool_[0].settled()) return true;
    return params.early_stop && !ByGumbel(params) && CannotBeOvertaken();
  }

  // Simulates until leaves wait for an evaluation (true) or the search is done (false). `lookup(leaf)` fills
  // leaf.known and returns true where the evaluation is known. Precondition: no leaf is in flight.
  template <typename Lookup>
  bool Gather(const SearchParams& params, Lookup&& lookup, SearchCounters& counters) {
    while (descending_ || !Done(params)) {
      bool all_known = true;
      while (descending_ ||
             (static_cast<int>(leaves_.size()) < params.leaves_per_batch && !Done(params) && !MustWait(params))) {
        const Descent descent = Descend(params, lookup, counters);
        if (descent == Descent::kCollision) break;
        if (descent == Descent::kUnknown) all_known = false;
      }
      if (leaves_.empty()) continue;  // only finished states were reached, and the budget has shrunk
      if (!all_known) return true;
      Apply(params, [](const Leaf<G>& leaf) { return View(leaf.known); });
    }
    return false;
  }

  // Expands and backs up the leaves in flight, in the order in which they were found.
  template <typename Evaluate>
  void Apply(const SearchParams& params, Evaluate&& evaluate) {
    for (Leaf<G>& leaf : leaves_) {
      const EvaluationView view = leaf.row == Leaf<G>::kKnown ? View(leaf.known) : evaluate(leaf);
      const std::span<const Index> path(leaf.path.data(), static_cast<std::size_t>(leaf.path_length));
      if (counted_in_flight_) {
        for (const Index index : path) --pool_[index].in_flight;
      }
      pool_[path.back()].awaiting = false;
      Expand(pool_, path.back(), leaf.state, view.logits, leaf.symmetry,
             PolicyTemperatureOf(params, /*is_root=*/path.size() == 1));
      Backup(pool_, path, view.value, view.plies_left, params);
    }
    leaves_.clear();
  }

  // The trees of many games do not stay in the processor's caches, and a simulation is mostly waiting for memory. So
  // several trees go down side by side, a level at a time, and each asks for its next nodes before the others' turn:
  // PrefetchPaths, then (after Apply) BeginDescent, then StepDown until it returns false. Gather finishes the descent.
  // What only prefetches is always inlined: GCC takes such a function for one without effect, and drops its calls.
  [[gnu::always_inline]] void PrefetchPaths() const {
    for (const Leaf<G>& leaf : leaves_) {
      for (int i = 0; i < leaf.path_length; ++i) __builtin_prefetch(&pool_[leaf.path[i]]);
    }
    if constexpr (kHasManyMoves<G>) Prefetch(pool_.Free(), Edges::Bytes(root_.NumLegal()));  // the leaf's will be there
  }

  // Whether there is a descent to make. Precondition: no leaf is in flight.
  bool BeginDescent(const SearchParams& params) {
    if (Done(params)) return false;
    Begin();
    return true;
  }

  // The children themselves of a node with edges, when those are at hand.
  [[gnu::always_inline]] void PrefetchTried() const {
    const Node& node = pool_[at_];
    if (!node.has_edges) return;
    const Edges& edges = pool_.EdgesAt(node.first_child);
    for (std::uint32_t k = 0; k < edges.num_tried; k = Edges::FirstOf(Edges::BlockOf(k) + 1)) {
      const std::uint32_t block = Edges::BlockOf(k);
      const std::uint32_t end = std::min(edges.num_tried, Edges::FirstOf(block + 1));
      Prefetch(&pool_[edges.blocks[block]], (end - k) * sizeof(Node));
    }
  }

  // One level down. False at a node that has no children yet, or whose result is known.
  bool StepDown(const SearchParams& params) {
    if (!pool_[at_].expanded() || (params.proven_results && pool_[at_].settled())) return false;
    Leaf<G>& leaf = leaves_.back();
    if (at_ != 0) {
      if constexpr (kHasManyMoves<G>) {
        at_ = SelectMove(pool_, pool_[at_], params);
      } else {
        at_ = SelectChild(pool_, pool_[at_], params, RootNoise{});
      }
    } else {
      at_ = SelectAtRoot(params);
    }
    PrefetchChildren(at_);
    leaf.path[leaf.path_length++] = at_;
    leaf.state.Play(pool_[at_].action);
    return true;
  }

  // What the search concludes, by place among the root's children. Precondition: the root is expanded.
  std::vector<float> Policy(const SearchParams& params, double temperature) const {
    if (ByGumbel(params)) return ImprovedPolicy(pool_, params, temperature);
    return c4::Policy(pool_, params, temperature, TargetVisits(pool_, params, noise()));
  }
  int BestChild(const SearchParams& params) const {
    if (ByGumbel(params)) return ChooseByGumbel(pool_, params, halving_, gumbel_, /*temperature=*/0.0);
    return c4::BestChild(pool_, params);
  }
  // A sample of the policy, made by `uniform` in [0, 1) or by the Gumbel noise.
  int SampleChild(const SearchParams& params, double temperature, double uniform) const {
    if (ByGumbel(params)) return ChooseByGumbel(pool_, params, halving_, gumbel_, temperature);
    return Draw(Policy(params, temperature), uniform);
  }
  Value RootValue(const SearchParams& params) const {
    const Node& root = pool_[0];  // its mean may be older than its proof, where proven_results was off in between
    if (params.proven_results && root.settled()) return static_cast<Value>(root.lower);
    return ByGumbel(params) ? ImprovedValue(pool_, params) : root.q;
  }

  std::span<Leaf<G>> leaves() { return leaves_; }
  std::span<const Leaf<G>> leaves() const { return leaves_; }
  const NodePool& pool() const { return pool_; }
  const G& root() const { return root_; }
  std::span<const std::uint8_t> history() const { return history_; }

 private:
  enum class Descent { kBackedUp, kUnknown, kKnown, kCollision };

  static bool ByGumbel(const SearchParams& params) { return params.root_selection == RootSelection::kGumbel; }

  // A phase of the halving is judged when all its leaves are backed up.
  bool MustWait(const SearchParams& params) const {
    return ByGumbel(params) && !leaves_.empty() && halving_.IsOver(budget_);
  }

  Index SelectAtRoot(const SearchParams& params) {
    Index chosen = 0;
    if (ByGumbel(params)) {
      chosen = SelectRootChild(pool_, params, halving_, gumbel_, budget_);
    } else if constexpr (kHasManyMoves<G>) {
      if (!tried_prior_) tried_prior_ = TriedPrior(pool_, pool_[0]);
      chosen = SelectAmongMany(pool_, pool_[0], *tried_prior_, params, noise());
    } else {
      chosen = SelectChild(pool_, pool_[0], params, noise());
    }
    if (pool_[chosen].visits + pool_[chosen].in_flight == 0) tried_prior_.reset();  // it is tried from now on
    return chosen;
  }

  // What holds for this root and its budget alone.
  void ForgetPlans() {
    noise_.clear();
    gumbel_.clear();
    halving_.considered.clear();
    tried_prior_.reset();
    budget_ = 0;
  }

  void Begin() {
    Leaf<G>& leaf = leaves_.emplace_back();
    leaf.state = root_;
    leaf.path[0] = 0;
    leaf.path_length = 1;
    at_ = 0;
    descending_ = true;
    PrefetchChildren(0);
    Prefetch(noise_.data(), noise_.size() * sizeof(float));
  }

  [[gnu::always_inline]] void PrefetchChildren(Index index) const {
    const Node& node = pool_[index];
    const std::size_t bytes = node.has_edges ? Edges::Bytes(node.num_children) : node.num_children * sizeof(Node);
    Prefetch(&pool_[node.first_child], bytes);
  }

  [[gnu::always_inline]] static void Prefetch(const void* from, std::size_t bytes) {
    const char* first = static_cast<const char*>(from);
    for (const char* line = first; line < first + bytes; line += 64) __builtin_prefetch(line);
  }

  static void MarkTerminal(Node& node, int result) {
    node.terminal = true;
    node.lower = node.upper = static_cast<std::int8_t>(result);
    node.proven_plies = 0;
  }

  static bool SettleByProof(Node& node, const G& state, const SearchParams& params) {
    const std::optional<Proof> proof = Prover<G>::OfThread().Prove(state, params.proof_nodes);
    if (!proof) return false;
    node.by_proof = true;
    node.lower = node.upper = static_cast<std::int8_t>(proof->result);
    node.proven_plies = static_cast<std::uint8_t>(proof->plies);
    return true;
  }

  bool CannotBeOvertaken() const {
    const Node& root = pool_[0];
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    for (int i = 0; i < root.num_children; ++i) {
      const std::uint32_t visits = pool_[root.first_child + i].visits;
      if (visits > first) {
        second = first;
        first = visits;
      } else if (visits > second) {
        second = visits;
      }
    }
    return root.num_children == 1 || first - second > static_cast<std::uint32_t>(budget_ + leaves_.size());
  }

  // One simulation, up to the point where it needs an evaluation.
  template <typename Lookup>
  Descent Descend(const SearchParams& params, Lookup&& lookup, SearchCounters& counters) {
    // 1. Select down to a node that has no children yet, or whose result is known.
    if (!descending_) Begin();
    while (StepDown(params)) {
    }
    descending_ = false;
    Leaf<G>& leaf = leaves_.back();
    Node& node = pool_[at_];
    if (node.awaiting) {
      leaves_.pop_back();
      return Descent::kCollision;
    }
    --budget_;
    ++counters.simulations;

    // 2. A known result is backed up at once; the network is never asked about it.
    if (!node.settled() && leaf.state.IsTerminal()) MarkTerminal(node, leaf.state.Result());
    const std::span<const Index> path(leaf.path.data(), static_cast<std::size_t>(leaf.path_length));
    if (node.terminal || (params.proven_results && node.settled())) {
      ++counters.terminal_hits;
      Backup(pool_, path, static_cast<Value>(node.lower), static_cast<float>(node.proven_plies), params);
      leaves_.pop_back();
      return Descent::kBackedUp;
    }

    // 3. So is what the rules alone can prove in a few steps, and is then settled; but the root needs its moves.
    if (params.proof_nodes > 0 && params.proven_results && at_ != 0 && SettleByProof(node, leaf.state, params)) {
      ++counters.proofs;
      Backup(pool_, path, static_cast<Value>(node.lower), static_cast<float>(node.proven_plies), params);
      leaves_.pop_back();
      return Descent::kBackedUp;
    }

    // 4. Anything else waits: for the batch, or for its turn among the leaves of this tree.
    node.awaiting = true;
    counted_in_flight_ = params.leaves_per_batch > 1;
    if (counted_in_flight_) {
      for (const Index on_path : path) ++pool_[on_path].in_flight;
    }
    leaf.row = Leaf<G>::kUnknown;
    if (!lookup(leaf)) return Descent::kUnknown;
    leaf.row = Leaf<G>::kKnown;
    ++counters.cache_hits;
    return Descent::kKnown;
  }

  G root_;
  NodePool pool_;
  std::vector<Leaf<G>> leaves_;
  std::vector<float> noise_;
  std::vector<float> gumbel_;
  Halving halving_;
  std::optional<float> tried_prior_;  // of the root's moves, as long as no other is tried
  std::vector<std::uint8_t> history_;
  int budget_ = 0;
  Index at_ = 0;                    // where the present descent is
  bool descending_ = false;         // whether the last leaf is on its way down still
  bool counted_in_flight_ = false;  // whether the leaves in flight are counted on their paths
};

}  // namespace c4
