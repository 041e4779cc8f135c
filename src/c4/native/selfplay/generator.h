// Self-play of many games in lockstep. The games are in groups: while the network works on the leaves of one group,
// the trees of the next are walked. Under one set of weights whose answers depend on the position alone, game i is the
// same whatever the number of groups, threads and games in flight.
//
//   Gather(group) -> the network -> Apply(group) -> Gather(group) ...     TakeSamples, TakeGames: whenever ready
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.h"
#include "search/batch.h"
#include "search/eval_cache.h"
#include "search/search.h"
#include "search/thread_pool.h"
#include "selfplay/any_generator.h"
#include "selfplay/params.h"
#include "selfplay/sample.h"
#include "selfplay/saved_state.h"
#include "selfplay/slot.h"

namespace c4 {

template <Game G>
class Generator final : public AnyGenerator {
 public:
  Generator(const SearchParams& search, const SelfplayParams& params, std::uint64_t seed, GameIds ids)
      : search_params_(search),
        params_(params),
        seed_(seed),
        ids_(ids),
        cache_(params.cache_megabytes),
        threads_(params.num_threads),
        groups_(static_cast<std::size_t>(params.groups)) {
    for (Group& group : groups_) {
      group.searches.resize(static_cast<std::size_t>(params.games_per_group));
      group.slots.resize(static_cast<std::size_t>(params.games_per_group));
      for (std::size_t i = 0; i < group.slots.size(); ++i) {
        if (ids.count == GameIds::kEndless) {
          BeginNextGame(group, i);
        } else {
          group.slots[i].resting = true;  // begins at the first Gather, which knows the openings
        }
      }
    }
  }

  int Groups() const override { return params_.groups; }
  int Rows() const override { return params_.games_per_group * search_params_.leaves_per_batch; }
  int GroupRows(int group) const { return At(group).batch.rows(); }  // of the batch that is out

  // A game that ends leaves its place to a new one in the next call, so that every call ends.
  int Gather(int index, std::uint8_t* planes) override {
    Group& group = At(index);
    if (HasNextGame()) {
      Wake(group);
    } else {
      MoveTogether(group);
    }
    const auto advance = [&](std::size_t first, std::size_t last, int, const auto& lookup, SearchCounters& counters) {
      for (std::size_t begin = first; begin < last; begin += kSideBySide) {
        const std::size_t end = std::min(begin + kSideBySide, last);
        DescendSideBySide(group, begin, end);
        for (std::size_t i = begin; i < end; ++i) {
          Slot<G>& slot = group.slots[i];
          Search<G>& search = group.searches[i];
          if (slot.resting) continue;
          while (!slot.finished) {
            if (!slot.searching) slot.BeginMove(search, seed_, search_params_, params_);
            if (search.Gather(search_params_, lookup, counters)) break;
            slot.FinishMove(search, seed_, search_params_, params_, weights_version_);
          }
        }
      }
    };
    const int rows = group.batch.Gather(group.searches, cache_, threads_, planes, advance);
    for (std::size_t i = 0; i < group.slots.size(); ++i) {
      if (!group.slots[i].finished) continue;
      Harvest(group.slots[i]);
      BeginNextGame(group, i);
    }
    return rows;
  }

  // The answers are backed up when the trees are walked next, while what both touch is at hand.
  void Apply(int index, const NetworkOutput& output) override {
    Group& group = At(index);
    group.batch.Accept(group.searches, cache_, output);
  }

  std::int64_t SamplesReady() const override { return static_cast<std::int64_t>(samples_.size()); }
  std::vector<Sample<G>> TakeSamples() { return std::exchange(samples_, {}); }
  std::vector<GameRecord> TakeGames() override { return std::exchange(games_, {}); }

  SampleRecords TakeRecords() override {
    const auto samples = std::make_shared<const std::vector<Sample<G>>>(TakeSamples());
    return {.owner = samples, .first = samples->data(), .count = samples->size()};
  }

  std::map<std::string, std::int64_t> Stats() const override {
    std::uint64_t evaluations = 0;
    SearchCounters searches;
    for (const Group& group : groups_) {
      evaluations += group.batch.evaluations();
      searches += group.batch.counters();
    }
    return {{"games", counters_.games},
            {"plies", counters_.plies},
            {"first_wins", counters_.first_wins},
            {"second_wins", counters_.second_wins},
            {"draws", counters_.draws},
            {"samples", counters_.samples},
            {"simulations", static_cast<std::int64_t>(searches.simulations)},
            {"evaluations", static_cast<std::int64_t>(evaluations)},
            {"cache_hits", static_cast<std::int64_t>(searches.cache_hits)},
            {"terminal_hits", static_cast<std::int64_t>(searches.terminal_hits)},
            {"proofs", static_cast<std::int64_t>(searches.proofs)}};
  }

  // Takes effect from the next simulation on; not while a batch is out, whose size depends on leaves_per_batch.
  void SetParams(const SearchParams& params) override {
    for (const Group& group : groups_) {
      if (group.batch.waiting()) throw std::logic_error("set_params while a batch is out: call apply first");
    }
    for (Group& group : groups_) {
      for (Search<G>& search : group.searches) group.batch.BackUp(search, search_params_);
    }
    search_params_ = params;
  }

  void SetOpenings(Openings openings) override { openings_ = std::move(openings); }

  // They follow on those that there are, in the same places.
  void AddGames(GameIds ids) override {
    if (ids_.count == GameIds::kEndless) throw std::logic_error("a generator without an end takes no more games");
    following_.push_back(ids);
  }

  // What the old weights said is forgotten: the cache, the trees, and the leaves in flight. The games go on.
  void SetWeightsVersion(std::int32_t version) override {
    weights_version_ = version;
    cache_.Clear();
    for (Group& group : groups_) {
      group.batch.ForgetRows();
      for (std::size_t i = 0; i < group.slots.size(); ++i) {
        group.searches[i].Replant();
        group.slots[i].searching = false;
      }
    }
  }

  std::string State() const override {
    ExpectEndless();
    SavedState<G> state{.weights_version = weights_version_,
                        .counters = counters_,
                        .in_flight = {},
                        .samples = samples_,
                        .games = games_};
    for (const Group& group : groups_) {
      for (const Slot<G>& slot : group.slots) state.in_flight.push_back({slot.record, slot.samples, G{}});
    }
    return StateFormat<G>::Write(state, Shape());
  }

  // Refuses what is not a state of such a generator, and then changes nothing.
  void Restore(std::string_view bytes) override {
    ExpectEndless();
    SavedState<G> state = StateFormat<G>::Read(bytes, Shape());
    auto next = state.in_flight.begin();
    for (Group& group : groups_) {
      for (std::size_t i = 0; i < group.slots.size(); ++i, ++next) {
        group.searches[i].Reset(next->position, next->record.actions);
        group.slots[i] = Slot<G>{};
        group.slots[i].record = std::move(next->record);
        group.slots[i].samples = std::move(next->samples);
      }
    }
    counters_ = state.counters;
    samples_ = std::move(state.samples);
    games_ = std::move(state.games);
    SetWeightsVersion(state.weights_version);
  }

 private:
  static constexpr std::size_t kSideBySide = 16;

  struct Group {
    std::vector<Search<G>> searches;
    std::vector<Slot<G>> slots;
    LeafBatch<G> batch;

    std::size_t Playing() const {
      return static_cast<std::size_t>(std::ranges::count_if(slots, [](const Slot<G>& slot) { return !slot.resting; }));
    }
  };

  const Group& At(int group) const {
    if (group >= 0 && group < Groups()) return groups_[static_cast<std::size_t>(group)];
    throw std::out_of_range("group " + std::to_string(group) + " is not between 0 and " + std::to_string(Groups() - 1));
  }
  Group& At(int group) { return const_cast<Group&>(std::as_const(*this).At(group)); }

  StateShape Shape() const {
    return {sizeof(Sample<G>), G::kActions, G::kMaxPlies, params_.groups, params_.games_per_group};
  }

  // Backs up what was answered and makes the first descent of each of these trees, as search.h says why.
  void DescendSideBySide(Group& group, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) group.searches[i].PrefetchPaths();
    std::array<Search<G>*, kSideBySide> descending;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Search<G>& search = group.searches[i];
      group.batch.BackUp(search, search_params_);
      if (group.slots[i].searching && search.BeginDescent(search_params_)) descending[count++] = &search;
    }
    while (count > 0) {
      if constexpr (kHasManyMoves<G>) {
        for (std::size_t i = 0; i < count; ++i) descending[i]->PrefetchTried();
      }
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (descending[i]->StepDown(search_params_)) descending[left++] = descending[i];
      }
      count = left;
    }
  }

  void ExpectEndless() const {
    if (ids_.count != GameIds::kEndless) {
      throw std::logic_error("a generator of a number of games has no state: play the games again");
    }
  }

  bool HasNextGame() const { return counters_.started < ids_.count || !following_.empty(); }

  void Wake(Group& group) {
    for (std::size_t i = 0; i < group.slots.size(); ++i) {
      if (group.slots[i].resting) BeginNextGame(group, i);
    }
  }

  // When no other game is left to begin, those of a group move to others once these have room for all of them: the
  // network takes as long for a batch of few rows as for a full one.
  void MoveTogether(Group& group) {
    const std::size_t playing = group.Playing();
    if (group.batch.waiting() || playing == 0 || playing == group.slots.size()) return;
    std::vector<std::pair<Group*, std::size_t>> room;
    for (Group& other : groups_) {
      if (&other == &group || other.Playing() == 0) continue;
      for (std::size_t i = 0; i < other.slots.size(); ++i) {
        if (other.slots[i].resting) room.emplace_back(&other, i);
      }
    }
    if (room.size() < playing) return;
    for (std::size_t i = 0; i < group.slots.size(); ++i) {
      if (group.slots[i].resting) continue;
      group.batch.BackUp(group.searches[i], search_params_);
      const auto [other, place] = room.back();
      room.pop_back();
      std::swap(group.searches[i], other->searches[place]);
      std::swap(group.slots[i], other->slots[place]);
    }
  }

  void BeginNextGame(Group& group, std::size_t i) {
    if (counters_.started >= ids_.count && !following_.empty()) {
      ids_ = following_.front();
      following_.pop_front();
      counters_.started = 0;
    }
    if (counters_.started >= ids_.count) {
      group.slots[i] = Slot<G>{};
      group.slots[i].resting = true;
      group.searches[i].Reset(G{}, {});
      return;
    }
    const std::int64_t id = ids_.first + ids_.stride * counters_.started++;
    group.slots[i].BeginGame(group.searches[i], id, seed_, params_, openings_);
  }

  void Harvest(Slot<G>& slot) {
    ++counters_.games;
    counters_.plies += static_cast<std::int64_t>(slot.record.actions.size());
    counters_.samples += static_cast<std::int64_t>(slot.samples.size());
    ++(slot.record.result > 0   ? counters_.first_wins
       : slot.record.result < 0 ? counters_.second_wins
                                : counters_.draws);
    samples_.insert(samples_.end(), slot.samples.begin(), slot.samples.end());
    games_.push_back(std::move(slot.record));
  }

  SearchParams search_params_;
  SelfplayParams params_;
  std::uint64_t seed_;
  GameIds ids_;
  std::deque<GameIds> following_;
  EvalCache<G> cache_;
  ThreadPool threads_;
  std::vector<Group> groups_;
  Openings openings_;
  std::int32_t weights_version_ = 0;
  GameCounters counters_;
  std::vector<Sample<G>> samples_;
  std::vector<GameRecord> games_;
};

}  // namespace c4
