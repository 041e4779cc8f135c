// What a generator is at a change of weights, as bytes: the games in flight with their samples, what is not taken yet,
// the counters. Trees are not part of it. Whatever is read is checked as if a stranger had written it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "game.h"
#include "selfplay/bytes.h"
#include "selfplay/sample.h"
#include "value.h"

namespace c4 {

struct GameCounters {
  std::int64_t started = 0;
  std::int64_t games = 0;
  std::int64_t plies = 0;
  std::int64_t first_wins = 0;
  std::int64_t second_wins = 0;
  std::int64_t draws = 0;
  std::int64_t samples = 0;
};

// A state fits generators of the same shape only.
struct StateShape {
  std::int32_t sample_bytes, actions, max_plies, groups, games_per_group;
  bool operator==(const StateShape&) const = default;
};

template <Game G>
struct SavedState {
  struct InFlight {
    GameRecord record;
    std::vector<Sample<G>> samples;
    G position;  // follows from the record, and is not written
  };

  std::int32_t weights_version = 0;
  GameCounters counters;
  std::vector<InFlight> in_flight;  // group by group
  std::vector<Sample<G>> samples;
  std::vector<GameRecord> games;
};

template <Game G>
class StateFormat {
 public:
  static std::string Write(const SavedState<G>& state, const StateShape& shape) {
    ByteWriter out;
    out.Put(kMagic);
    out.Put(shape);
    out.Put(state.weights_version);
    out.Put(state.counters);
    for (const auto& game : state.in_flight) {
      Write(out, game.record);
      out.PutAll(game.samples);
    }
    out.PutAll(state.samples);
    out.Put(static_cast<std::uint64_t>(state.games.size()));
    for (const GameRecord& game : state.games) Write(out, game);
    return out.Take();
  }

  // Throws std::invalid_argument for what is no state of such a generator.
  static SavedState<G> Read(std::string_view bytes, const StateShape& shape) {
    ByteReader in(bytes);
    if (in.Get<std::uint64_t>() != kMagic) {
      throw std::invalid_argument("this is no saved state of a generator, or one of an older version");
    }
    if (in.Get<StateShape>() != shape) {
      throw std::invalid_argument("the saved state is of another game, or of other selfplay.groups or games_per_group");
    }
    SavedState<G> state;
    state.weights_version = in.Get<std::int32_t>();
    state.counters = in.Get<GameCounters>();
    if (state.counters.started < 0 || state.counters.started > kMostGames) {
      throw std::invalid_argument("the saved state counts an impossible number of games");
    }
    state.in_flight.resize(static_cast<std::size_t>(shape.groups) * static_cast<std::size_t>(shape.games_per_group));
    for (auto& game : state.in_flight) {
      game.record = ReadRecord(in);
      game.samples = ReadSamples(in);
      CheckSamplesAreOf(game.record, game.samples);
      game.position = Replay(game.record);
      if (game.position.IsTerminal()) {
        throw std::invalid_argument("the saved state holds a game in flight that is over");
      }
    }
    state.samples = ReadSamples(in);
    for (auto left = in.Get<std::uint64_t>(); left > 0; --left) {
      state.games.push_back(ReadRecord(in));
      const G end = Replay(state.games.back());
      if (!end.IsTerminal() || state.games.back().result != ResultOfFirst(end)) {
        throw std::invalid_argument("the saved state holds a finished game with another end than its moves lead to");
      }
    }
    in.ExpectEnd();
    return state;
  }

 private:
  static constexpr Value kMostValue = 1.01f;  // a mean of values that were rounded on the way
  static constexpr std::int64_t kMostGames = std::int64_t{1} << 40;
  static constexpr std::uint64_t kMagic = 0x326e65672d3463ULL;  // "c4-gen2"

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
};

}  // namespace c4
