// Many games at once: which games are played depends on the seed alone, not on threads, groups, places or the cache.
#include "selfplay/generator.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "harness.h"
#include "hash_evaluator.h"
#include "sample_params.h"

namespace c4 {
namespace {

using testing::HashEvaluator;
using testing::PlainSearch;
using testing::PlainSelfplay;
using Small = Connect4<5, 4, 4>;

// One gather, evaluation and apply of each group.
template <Game G>
void Step(Generator<G>& generator) {
  HashEvaluator<G> network;
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(generator.Rows()) * LeafBatch<G>::kPlaneBytes);
  for (int group = 0; group < generator.Groups(); ++group) {
    const int rows = generator.Gather(group, planes.data());
    generator.Apply(group, network.Evaluate(planes, rows));
  }
}

// The moves of games 0 to 11.
template <Game G>
std::map<std::int64_t, std::vector<std::uint8_t>> FirstGames(const SearchParams& search, const SelfplayParams& params) {
  Generator<G> generator(search, params, /*seed=*/5, {.first = 0, .stride = 1});
  std::map<std::int64_t, std::vector<std::uint8_t>> games;
  for (std::int64_t first_missing = 0; first_missing < 12;) {
    Step(generator);
    for (const GameRecord& game : generator.TakeGames()) games[game.game_id] = game.actions;
    while (games.contains(first_missing)) ++first_missing;
  }
  games.erase(games.upper_bound(11), games.end());
  return games;
}

void CheckGamesDoNotDependOnHowTheyArePlayed(const SearchParams& search) {
  const auto plain = FirstGames<Small>(search, PlainSelfplay());
  CHECK_EQ(plain.size(), 12u);
  for (const int threads : {1, 3}) {
    for (const int groups : {1, 2}) {
      for (const double cache_megabytes : {0.0, 0.004, 0.25}) {
        SelfplayParams params = PlainSelfplay();
        params.num_threads = threads;
        params.groups = groups;
        params.games_per_group = 7;
        params.cache_megabytes = cache_megabytes;
        CHECK(FirstGames<Small>(search, params) == plain);
      }
    }
  }
}

TEST(GamesDoNotDependOnHowTheyArePlayed) { CheckGamesDoNotDependOnHowTheyArePlayed(PlainSearch()); }

TEST(NorDoTheyWithEveryFeatureOn) {
  SearchParams search = PlainSearch();
  search.leaves_per_batch = 4;
  search.proven_results = true;
  search.forced_visits = 2.0f;
  search.early_stop = true;
  CheckGamesDoNotDependOnHowTheyArePlayed(search);
}

TEST(NorDoTheyWithGumbelNoise) {
  SearchParams search = PlainSearch();
  search.root_selection = RootSelection::kGumbel;
  search.leaves_per_batch = 4;
  search.proven_results = true;
  CheckGamesDoNotDependOnHowTheyArePlayed(search);
}

TEST(AnotherSeedPlaysOtherGames) {
  Generator<Small> one(PlainSearch(), PlainSelfplay(), /*seed=*/1, {.first = 0, .stride = 1});
  Generator<Small> other(PlainSearch(), PlainSelfplay(), /*seed=*/2, {.first = 0, .stride = 1});
  while (one.Stats().at("games") < 4) Step(one);
  while (other.Stats().at("games") < 4) Step(other);
  CHECK(one.TakeGames().front().actions != other.TakeGames().front().actions);
}

TEST(AStateGoesOnAsTheGeneratorItWasTakenFrom) {
  SelfplayParams params = PlainSelfplay();
  params.num_threads = 2;
  Generator<Small> one(PlainSearch(), params, /*seed=*/5, {.first = 0, .stride = 1});
  for (int i = 0; i < 200; ++i) Step(one);
  one.SetWeightsVersion(1);
  Generator<Small> other(PlainSearch(), params, /*seed=*/5, {.first = 0, .stride = 1});
  other.Restore(one.State());
  for (int i = 0; i < 200; ++i) {
    Step(one);
    Step(other);
  }
  one.SetWeightsVersion(2);
  other.SetWeightsVersion(2);
  CHECK(one.State() == other.State());
}

// A game of tic-tac-toe is short enough to damage its state everywhere.
TEST(ADamagedStateIsRefusedOrPlaysOn) {
  SearchParams search = PlainSearch();
  search.num_simulations = 2;
  SelfplayParams params = PlainSelfplay();
  params.games_per_group = 1;
  params.value_trace = 0.9;
  Generator<TicTacToe> generator(search, params, /*seed=*/5, {.first = 0, .stride = 1});
  while (generator.Stats().at("games") < 1) Step(generator);  // which leaves a finished game in the state
  for (int i = 0; i < 6; ++i) Step(generator);                // ... and one in flight that has samples
  generator.SetWeightsVersion(1);
  const std::string good = generator.State();
  int refused = 0;
  for (std::size_t place = 0; place < good.size(); ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = good;
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << bit));
      try {
        generator.Restore(damaged);
      } catch (const std::invalid_argument&) {
        ++refused;
        CHECK(generator.State() == good);
        continue;
      }
      for (int i = 0; i < 20; ++i) Step(generator);
      for (const Sample<TicTacToe>& sample : generator.TakeSamples()) {
        CHECK(0 <= sample.ply && sample.ply + sample.plies_left <= TicTacToe::kMaxPlies);
        CHECK(std::abs(sample.result) <= 1 && std::abs(sample.outcome) <= 1);
        CHECK(std::abs(sample.root_value) < 1.1f && std::abs(sample.bootstrap) < 1.1f);
        CHECK(0.0f <= sample.outcome_share && sample.outcome_share <= 1.0f);
        for (const float share : sample.policy) CHECK(0.0f <= share && share <= 1.0f);
      }
      generator.Restore(good);
    }
  }
  CHECK(refused > 0);
}

template <Game G>
void CheckLayout() {
  const SampleLayout layout = LayoutOfSamples<G>();
  CHECK_EQ(layout.bytes, sizeof(Sample<G>));
  std::size_t end = 0;
  for (const SampleField& field : layout.fields) {
    const auto number = static_cast<std::size_t>(field.format[1] - '0');
    CHECK_EQ(field.offset, (end + number - 1) / number * number);  // next to the one before, but for alignment
    end = field.offset + number * (field.shape.empty() ? 1 : field.shape[0]);
  }
  CHECK_EQ(layout.bytes, (end + 7) / 8 * 8);  // and none is missing
}

TEST(TheLayoutOfSamplesNamesAllOfTheirFields) {
  CheckLayout<TicTacToe>();
  CheckLayout<Small>();
  CheckLayout<Gomoku<15, 5>>();
}

TEST(AnAnswerOfOtherRowsIsRefused) {
  Generator<TicTacToe> generator(PlainSearch(), PlainSelfplay(), /*seed=*/1, {.first = 0, .stride = 1});
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(generator.Rows()) * LeafBatch<TicTacToe>::kPlaneBytes);
  const int rows = generator.Gather(0, planes.data());
  HashEvaluator<TicTacToe> network;
  NetworkOutput output = network.Evaluate(planes, rows);
  for (const int other : {0, rows - 1, rows + 1}) {
    output.rows = other;
    const std::string said = THROWN(std::invalid_argument, generator.Apply(0, output));
    CHECK(said.find("but gather asked for 4") != std::string::npos);
  }
  output.rows = rows;
  generator.Apply(0, output);
}

TEST(TemperatureFallsInAStraightLine) {
  SearchParams params = PlainSearch();
  params.temperature_start = 1.0;
  params.temperature_end = 0.25;
  params.temperature_plies = 12;
  const double expected[] = {1.0, 0.9375, 0.875, 0.8125, 0.75, 0.6875, 0.625, 0.5625, 0.5, 0.4375, 0.375, 0.3125};
  for (int ply = 0; ply < 12; ++ply) CHECK_EQ(TemperatureAt(params, ply), expected[ply]);
  for (const int ply : {12, 13, 41}) CHECK_EQ(TemperatureAt(params, ply), 0.25);
  params.temperature_plies = 0;
  CHECK_EQ(TemperatureAt(params, 0), 0.25);
}

TEST(CallsOutOfOrderSayWhatToCall) {
  Generator<TicTacToe> generator(PlainSearch(), PlainSelfplay(), /*seed=*/1, {.first = 0, .stride = 1});
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(generator.Rows()) * LeafBatch<TicTacToe>::kPlaneBytes);
  CHECK(THROWN(std::logic_error, generator.Apply(0, NetworkOutput{})).find("call gather first") != std::string::npos);
  generator.Gather(0, planes.data());
  CHECK(THROWN(std::logic_error, generator.Gather(0, planes.data())).find("call apply") != std::string::npos);
}

// Every reply loses or draws at once somewhere near the end; searches there meet only finished games.
TEST(AGameIsPlayedToItsEndWhateverTheTreesHold) {
  SearchParams search = PlainSearch();
  search.num_simulations = 2'000;
  for (const bool proven : {false, true}) {
    search.proven_results = proven;
    Generator<TicTacToe> generator(search, PlainSelfplay(), /*seed=*/1, {.first = 0, .stride = 1});
    for (int i = 0; generator.Stats().at("games") < 4; ++i) {
      CHECK(i < 100'000);
      Step(generator);
    }
  }
}

}  // namespace
}  // namespace c4
