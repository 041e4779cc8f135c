// Self-play of many games in lockstep. The games are in groups: while the network works on the leaves of one group,
// the trees of the next are walked. Under one set of weights whose answers depend on the position alone, game i is the
// same whatever the number of groups, threads and games in flight.
//
//   Gather(group) -> the network -> Apply(group) -> Gather(group) ...     TakeSamples, TakeGames: whenever ready
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "game.h"
#include "search/batch.h"
#include "search/eval_cache.h"
#include "search/search.h"
#include "search/thread_pool.h"
#include "selfplay/bytes.h"
#include "selfplay/params.h"
#include "selfplay/sample.h"
#include "selfplay/slot.h"
#include "value.h"

namespace c4 {

// Which games this generator plays: first, first + stride, first + 2 * stride, ... Workers share the games so.
struct GameIds {
  std::int64_t first;
  std::int64_t stride;
};

struct GameCounters {
  std::int64_t started = 0;
  std::int64_t games = 0;
  std::int64_t plies = 0;
  std::int64_t first_wins = 0;
  std::int64_t second_wins = 0;
  std::int64_t draws = 0;
  std::int64_t samples = 0;
};

template <Game G>
class Generator {
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
      for (std::size_t i = 0; i < group.slots.size(); ++i) BeginNextGame(group, i);
    }
  }

  int groups() const { return params_.groups; }
  int rows() const { return params_.games_per_group * search_params_.leaves_per_batch; }
  int group_rows(int group) const { return groups_[static_cast<std::size_t>(group)].batch.rows(); }

  // A game that ends leaves its place to a new one in the next call, so that every call ends.
  int Gather(int index, std::uint8_t* planes) {
    Group& group = groups_[static_cast<std::size_t>(index)];
    const auto advance = [&](std::size_t first, std::size_t last, int, const auto& lookup, SearchCounters& counters) {
      for (std::size_t begin = first; begin < last; begin += kSideBySide) {
        const std::size_t end = std::min(begin + kSideBySide, last);
        DescendSideBySide(group, begin, end);
        for (std::size_t i = begin; i < end; ++i) {
          Slot<G>& slot = group.slots[i];
          Search<G>& search = group.searches[i];
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
  void Apply(int index, const NetworkOutput& output) {
    Group& group = groups_[static_cast<std::size_t>(index)];
    group.batch.Accept(group.searches, cache_, output);
  }

  const std::vector<Sample<G>>& samples() const { return samples_; }
  std::vector<Sample<G>> TakeSamples() { return std::exchange(samples_, {}); }
  std::vector<GameRecord> TakeGames() { return std::exchange(games_, {}); }
  const GameCounters& counters() const { return counters_; }

  SearchCounters search_counters() const {
    SearchCounters sum;
    for (const Group& group : groups_) {
      sum.simulations += group.batch.counters().simulations;
      sum.cache_hits += group.batch.counters().cache_hits;
      sum.terminal_hits += group.batch.counters().terminal_hits;
    }
    return sum;
  }

  std::uint64_t evaluations() const {
    std::uint64_t sum = 0;
    for (const Group& group : groups_) sum += group.batch.evaluations();
    return sum;
  }

  // Takes effect from the next simulation on; not while a batch is out, whose size depends on leaves_per_batch.
  void SetParams(const SearchParams& params) {
    for (const Group& group : groups_) {
      if (group.batch.waiting()) throw std::logic_error("set_params while a batch is out: call apply first");
    }
    for (Group& group : groups_) {
      for (Search<G>& search : group.searches) group.batch.BackUp(search, search_params_);
    }
    search_params_ = params;
  }

  void SetOpenings(Openings openings) { openings_ = std::move(openings); }

  // What the old weights said is forgotten: the cache, the trees, and the leaves in flight. The games go on.
  void SetWeightsVersion(std::int32_t version) {
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

  // Games in flight, what is not taken yet, counters: all there is at a change of weights. Trees are not part of it.
  std::string State() const {
    ByteWriter out;
    out.Put(kStateMagic);
    out.Put(Shape());
    out.Put(weights_version_);
    out.Put(counters_);
    for (const Group& group : groups_) {
      for (const Slot<G>& slot : group.slots) {
        Write(out, slot.record);
        out.PutAll(slot.samples);
      }
    }
    out.PutAll(samples_);
    out.Put(static_cast<std::uint64_t>(games_.size()));
    for (const GameRecord& game : games_) Write(out, game);
    return out.Take();
  }

  // Refuses what is not a state of such a generator, and then changes nothing.
  void Restore(std::string_view bytes) {
    ByteReader in(bytes);
    if (in.Get<std::uint64_t>() != kStateMagic) {
      throw std::invalid_argument("this is no saved state of a generator, or one of an older version");
    }
    if (in.Get<StateShape>() != Shape()) {
      throw std::invalid_argument("the saved state is of another game, or of other selfplay.groups or games_per_group");
    }
    const auto version = in.Get<std::int32_t>();
    const auto counters = in.Get<GameCounters>();
    if (counters.started < 0 || counters.started > kMostGames) {
      throw std::invalid_argument("the saved state counts an impossible number of games");
    }
    std::vector<Slot<G>> slots(groups_.size() * groups_[0].slots.size());
    std::vector<G> roots;
    for (Slot<G>& slot : slots) {
      slot.record = ReadRecord(in);
      slot.samples = ReadSamples(in);
      CheckSamplesAreOf(slot.record, slot.samples);
      roots.push_back(Replay(slot.record));
      if (roots.back().IsTerminal()) throw std::invalid_argument("the saved state holds a game in flight that is over");
    }
    auto samples = ReadSamples(in);
    std::vector<GameRecord> games;
    for (auto left = in.Get<std::uint64_t>(); left > 0; --left) {
      games.push_back(ReadRecord(in));
      const G end = Replay(games.back());
      if (!end.IsTerminal() || games.back().result != ResultOfFirst(end)) {
        throw std::invalid_argument("the saved state holds a finished game with another end than its moves lead to");
      }
    }
    in.ExpectEnd();

    std::size_t next = 0;
    for (Group& group : groups_) {
      for (std::size_t i = 0; i < group.slots.size(); ++i, ++next) {
        group.searches[i].Reset(roots[next], slots[next].record.actions);
        group.slots[i] = std::move(slots[next]);
      }
    }
    counters_ = counters;
    samples_ = std::move(samples);
    games_ = std::move(games);
    SetWeightsVersion(version);
  }

 private:
  static constexpr std::size_t kSideBySide = 16;
  static constexpr Value kMostValue = 1.01f;  // a mean of values that were rounded on the way

  struct Group {
    std::vector<Search<G>> searches;
    std::vector<Slot<G>> slots;
    LeafBatch<G> batch;
  };

  struct StateShape {
    std::int32_t sample_bytes, actions, max_plies, groups, games_per_group;
    bool operator==(const StateShape&) const = default;
  };
  static constexpr std::int64_t kMostGames = std::int64_t{1} << 40;
  static constexpr std::uint64_t kStateMagic = 0x326e65672d3463ULL;  // "c4-gen2"

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
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (descending[i]->StepDown(search_params_)) descending[left++] = descending[i];
      }
      count = left;
    }
  }

  void BeginNextGame(Group& group, std::size_t i) {
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

  static void Write(ByteWriter& out, const GameRecord& record) {
    out.Put(record.game_id);
    out.Put(record.weights_version);
    out.Put(record.result);
    out.PutAll(record.actions);
    out.PutAll(record.best);
    out.PutAll(record.flags);
    out.PutAll(record.root_values);
  }

  static GameRecord ReadRecord(ByteReader& in) {
    GameRecord record;
    record.game_id = in.Get<std::int64_t>();
    record.weights_version = in.Get<std::int32_t>();
    record.result = in.Get<std::int8_t>();
    record.actions = in.GetAll<std::uint8_t>();
    record.best = in.GetAll<std::uint8_t>();
    record.flags = in.GetAll<std::uint8_t>();
    record.root_values = in.GetAll<float>();
    const std::size_t plies = record.actions.size();
    if (record.best.size() != plies || record.flags.size() != plies || record.root_values.size() != plies) {
      throw std::invalid_argument("the saved state holds a game whose plies do not fit together");
    }
    for (std::size_t ply = 0; ply < plies; ++ply) {
      const float value = record.root_values[ply];
      const bool proven = (record.flags[ply] & kProvenRoot) != 0;
      if (!IsWithin(-kMostValue, value, kMostValue) || (proven && value != kWin && value != kDraw && value != kLoss)) {
        throw std::invalid_argument("the saved state holds a game with a value that is none");
      }
      if (ply > 0 && (record.flags[ply] & kOpeningPly) > (record.flags[ply - 1] & kOpeningPly)) {
        throw std::invalid_argument("the saved state holds a game with an opening in its middle");
      }
    }
    return record;
  }

  // Of a game in flight, what its end will tell is 0.
  static std::vector<Sample<G>> ReadSamples(ByteReader& in) {
    auto samples = in.GetAll<Sample<G>>();
    for (const Sample<G>& sample : samples) {
      const bool sound = std::ranges::all_of(sample.policy, [](float share) { return IsWithin(0.0f, share, 1.0f); }) &&
                         std::isfinite(sample.surprise) && IsWithin(-kMostValue, sample.root_value, kMostValue) &&
                         IsWithin(-kMostValue, sample.bootstrap, kMostValue) &&
                         IsWithin(0.0f, sample.outcome_share, 1.0f) && IsWithin(-1, sample.outcome, 1) &&
                         IsWithin(-1, sample.result, 1) && IsWithin(0, sample.ply, G::kMaxPlies) &&
                         IsWithin(0, sample.plies_left, G::kMaxPlies - sample.ply);
      if (!sound) throw std::invalid_argument("the saved state holds a sample that no game can have left");
    }
    return samples;
  }

  static void CheckSamplesAreOf(const GameRecord& game, const std::vector<Sample<G>>& samples) {
    for (const Sample<G>& sample : samples) {
      const auto ply = static_cast<std::size_t>(sample.ply);
      if (sample.game_id != game.game_id || ply >= game.actions.size() || (game.flags[ply] & kOpeningPly) != 0) {
        throw std::invalid_argument("the saved state holds a sample of a ply that its game has not searched");
      }
    }
  }

  // False of what is no number.
  template <typename T>
  static bool IsWithin(T low, std::type_identity_t<T> number, T high) {
    return low <= number && number <= high;
  }

  static G Replay(const GameRecord& record) {
    G state;
    for (const std::uint8_t action : record.actions) {
      if (state.IsTerminal() || action >= G::kActions || !state.IsLegal(action)) {
        throw std::invalid_argument("the saved state holds a game with an illegal move");
      }
      state.Play(action);
    }
    return state;
  }

  SearchParams search_params_;
  SelfplayParams params_;
  std::uint64_t seed_;
  GameIds ids_;
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
