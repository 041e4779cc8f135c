// A proof is true, says how long perfect play takes, and is decided by the state and the number of nodes alone.
#include "search/proof.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "every_game.h"
#include "harness.h"
#include "hash_evaluator.h"
#include "rng.h"
#include "sample_params.h"
#include "search/searches.h"

namespace c4 {
namespace {

// What must be equal of two proofs: result, plies, nodes left.
using Answer = std::array<int, 3>;

template <Game G>
Answer Ask(Prover<G>& prover, const G& state, int nodes) {
  const std::optional<Proof> proof = prover.Prove(state, nodes);
  const int left = prover.nodes_left();
  CHECK(left >= 0 || !proof.has_value());
  if (!SeesFours<G>) CHECK_EQ(left >= 0, proof.has_value());  // fours may not tell, however many the nodes
  return {proof ? proof->result : 9, proof ? proof->plies : 0, left};
}

template <Game G>
std::vector<std::uint8_t> Legal(const G& state) {
  std::vector<std::uint8_t> actions(G::kActions);
  actions.resize(static_cast<std::size_t>(state.LegalActions(actions.data())));
  return actions;
}

template <Game G>
G After(G state, int action) {
  state.Play(action);
  return state;
}

// Up to so many plies at random, none of which ends the game. On a large board in a corner, lest nobody
// threatens anybody.
template <Game G>
G AtRandom(Rng& rng, int plies) {
  G state;
  if (SeesFours<G>) plies = std::min(plies, 30);
  for (int tries = 0; tries < 4 * G::kMaxPlies && state.Ply() < plies; ++tries) {
    const std::vector<std::uint8_t> legal = Legal(state);
    const std::uint8_t action = legal[rng.Below(static_cast<std::uint32_t>(legal.size()))];
    if (SeesFours<G> && (action / G::kWidth > 6 || action % G::kWidth > 6)) continue;
    const G next = After(state, action);
    if (!next.IsTerminal()) state = next;
  }
  return state;
}

// Every line of play to its end.
template <Game G>
Proof Exhaustive(const G& state, std::map<std::uint64_t, Proof>& known) {
  if (state.IsTerminal()) return {.result = state.Result(), .plies = 0};
  if (const auto entry = known.find(state.Key()); entry != known.end()) return entry->second;
  Proof best{.result = -2, .plies = 0};
  for (const std::uint8_t action : Legal(state)) {
    const Proof below = Exhaustive(After(state, action), known);
    const Proof move{.result = FlipResult(below.result), .plies = below.plies + 1};
    const bool sooner = move.plies < best.plies;
    if (move.result > best.result || (move.result == best.result && (move.result > 0 ? sooner : !sooner))) best = move;
  }
  known[state.Key()] = best;
  return best;
}

// In positions with at most so many plies left.
template <Game G>
void CheckAgainstEveryLine(int games, int most_left) {
  Rng rng(HashIds(1, G::kMaxPlies));
  std::map<std::uint64_t, Proof> known;
  int proven = 0;
  for (int game = 0; game < games; ++game) {
    G state;
    do state = AtRandom<G>(rng, G::kMaxPlies - 1 - static_cast<int>(rng.Below(most_left)));
    while (G::kMaxPlies - state.Ply() > most_left);
    const Proof truth = Exhaustive(state, known);
    for (const int nodes : {1, 3, 30, 100'000}) {
      const std::optional<Proof> proof = Prover<G>::OfThread().Prove(state, nodes);
      if (!proof) continue;
      CHECK_EQ(proof->result, truth.result);
      CHECK_EQ(proof->plies, truth.plies);
      ++proven;
    }
    CHECK(Prover<G>::OfThread().nodes_left() >= 0);  // so many are always enough here
  }
  CHECK(proven > games);
}

TEST(IsWhatEveryLineOfPlaySays) {
  CheckAgainstEveryLine<TicTacToe>(/*games=*/200, /*most_left=*/9);
  CheckAgainstEveryLine<Connect4<4, 4, 4>>(/*games=*/60, /*most_left=*/11);
  CheckAgainstEveryLine<Connect4<5, 5, 4>>(/*games=*/60, /*most_left=*/11);
  CheckAgainstEveryLine<Connect4<7, 6, 4>>(/*games=*/60, /*most_left=*/11);
}

template <typename G>
void CheckOrderAndThreads() {
  Rng rng(HashIds(2));
  std::vector<G> states(200);
  std::vector<Answer> alone(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = AtRandom<G>(rng, 8 + static_cast<int>(rng.Below(30)));
    Prover<G> fresh;
    alone[i] = Ask(fresh, states[i], 200);
  }
  const auto check = [&states, &alone](bool backwards) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::size_t at = backwards ? states.size() - 1 - i : i;
      Prover<G>& shared = Prover<G>::OfThread();
      shared.Prove(states[at], static_cast<int>(1 + 7 * i));  // leaves its traces in a larger table, or a smaller one
      CHECK(Ask(shared, states[at], 200) == alone[at]);
    }
  };
  check(/*backwards=*/false);
  check(/*backwards=*/true);
  std::thread other([&check] { check(/*backwards=*/true); });
  other.join();
}

TEST(IsTheSameInAnyOrderAndInAnyThread) {
  CheckOrderAndThreads<Connect4<7, 6, 4>>();
  CheckOrderAndThreads<Gomoku<8, 5>>();
}

template <typename G>
void CheckNodes() {
  Rng rng(HashIds(3));
  Prover<G> prover;
  int tried = 0;
  while (tried < 50) {
    const G state = AtRandom<G>(rng, 20);
    const Answer answer = Ask(prover, state, 5000);
    const int needed = 5000 - answer[2];
    if (answer[2] < 0 || needed == 0) continue;
    CHECK_EQ(Ask(prover, state, needed)[2], 0);
    CHECK_EQ(Ask(prover, state, needed)[1], answer[1]);
    CHECK(Ask(prover, state, needed - 1)[2] < 0);
    ++tried;
  }
}

TEST(TakesAsManyNodesAsItSays) {
  CheckNodes<Connect4<7, 6, 4>>();
  CheckNodes<Gomoku<6, 4>>();
  CheckNodes<Gomoku<15, 5>>();
}

// Each of two threes, stopped at one end and out of reach of each other, can become a four in two ways or not yet: nine
// positions, however they were reached; and one more for the other side, which has no fours.
TEST(LooksAtEachAttackOnce) {
  using G = Gomoku<15, 5>;
  G state;
  for (const char* name : {"b15", "a15", "c15", "a8", "d15", "o15", "b1", "a1", "c1", "o8", "d1", "o1"}) {
    state.Play(G::ParseAction(name));
  }
  Prover<G> prover;
  CHECK(!prover.Prove(state, 1000));
  CHECK_EQ(prover.nodes_left(), 1000 - 10);
}

// What a game says it sees is what playing shows.
template <typename G>
void CheckThreats() {
  if constexpr (SeesThreats<G>) {
    const auto wins = [](const G& state) {
      return !state.IsTerminal() && std::ranges::any_of(Legal(state), [&state](std::uint8_t action) {
        const G next = After(state, action);
        return next.IsTerminal() && next.Result() < 0;
      });
    };
    Rng rng(HashIds(4, G::kMaxPlies));
    for (int game = 0; game < 300; ++game) {
      const G state = AtRandom<G>(rng, static_cast<int>(rng.Below(G::kMaxPlies)));
      CHECK_EQ(state.CanWin(), wins(state));
      if (state.CanWin()) continue;
      std::vector<std::uint8_t> safe(G::kActions);
      safe.resize(static_cast<std::size_t>(state.SafeActions(safe.data())));
      std::vector<std::uint8_t> expected = Legal(state);
      std::erase_if(expected, [&](std::uint8_t action) { return wins(After(state, action)); });
      std::ranges::sort(safe);
      CHECK(safe == expected);
    }
  }
}

// The stones that win at once for the side to move, by playing each.
template <typename G>
std::vector<std::uint8_t> WinsByPlaying(const G& state) {
  std::vector<std::uint8_t> wins = Legal(state);
  std::erase_if(wins, [&state](std::uint8_t action) {
    const G next = After(state, action);
    return !next.IsTerminal() || next.Result() == 0;
  });
  return wins;
}

// The cells that `write` writes.
template <typename G>
std::vector<std::uint8_t> Cells(auto write) {
  std::vector<std::uint8_t> cells(G::kActions);
  cells.resize(static_cast<std::size_t>(write(cells.data())));
  return cells;
}

// The same of fours and the cells that they leave to win in.
template <typename G>
void CheckFours() {
  if constexpr (SeesFours<G>) {
    Rng rng(HashIds(5, G::kMaxPlies));
    int fours = 0;
    int found = 0;
    for (int game = 0; game < 400; ++game) {
      const G state = AtRandom<G>(rng, static_cast<int>(rng.Below(30)));
      const auto wins = WinsByPlaying(state);
      CHECK(Cells<G>([&](std::uint8_t* cells) { return state.Wins(Whose::kToMove, cells); }) == wins);
      if (!wins.empty() || G::kMaxPlies - state.Ply() < 3) continue;
      std::vector<std::uint8_t> expected;
      for (const std::uint8_t action : Legal(state)) {
        const G next = After(state, action);
        auto through = Cells<G>([&](std::uint8_t* cells) { return next.WinsThrough(Whose::kOther, action, cells); });
        std::ranges::sort(through);
        CHECK(through == Cells<G>([&](std::uint8_t* cells) { return next.Wins(Whose::kOther, cells); }));
        auto before = Cells<G>([&](std::uint8_t* cells) { return state.WinsThrough(Whose::kToMove, action, cells); });
        std::ranges::sort(before);
        CHECK(through == before);
        // Where a reply elsewhere leaves the wins as they are, playing shows them.
        for (const std::uint8_t reply : Legal(next)) {
          const G replied = After(next, reply);
          if (std::ranges::find(through, reply) != through.end() || replied.IsTerminal()) continue;
          CHECK(WinsByPlaying(replied) == through);
          break;
        }
        if (!through.empty()) expected.push_back(action);
        found += static_cast<int>(through.size());
      }
      CHECK(Cells<G>([&](std::uint8_t* cells) { return state.Fours(cells); }) == expected);
      fours += static_cast<int>(expected.size());
    }
    CHECK(fours > 100 && found > fours);
  }
}

TEST(ThreatsAreWhatPlayingShows) {
  static_assert(SeesThreats<Connect4<7, 6, 4>>);
  for (std::uint32_t game = 0; game < testing::EveryGame::kCount; ++game) {
    testing::EveryGame::With(game, []<typename G> {
      CheckThreats<G>();
      CheckFours<G>();
    });
  }
}

TEST(AProvenLeafIsBackedUpLikeAFinishedGame) {
  using G = Connect4<7, 6, 4>;
  SearchParams params = testing::PlainSearch();
  params.proven_results = true;
  params.proof_nodes = 500;
  Searches<G> searches(params, {.size = 1, .cache_megabytes = 0.0, .num_threads = 1});
  searches.SetPosition(0, {2, 2, 3, 3});  // 1 or 4 makes three in a row with both ends open: won in 3 plies
  searches.Think(0, 50);
  testing::HashEvaluator<G> network;
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(searches.Rows()) * LeafBatch<G>::kPlaneBytes);
  while (searches.Busy()) searches.Apply(network.Evaluate(planes, searches.Gather(planes.data())));
  const NodeInfo root = searches.Node(0, {}).value_or(NodeInfo{});
  CHECK(root.expanded);
  CHECK_EQ(root.lower, 1);
  CHECK_EQ(root.proven_plies, 3);
  CHECK_EQ(root.q, 1.0f);  // for the side to move, who wins (value: native/value.h)
  const int best = searches.BestAction(0);
  CHECK(best == 1 || best == 4);
  CHECK_EQ(root.child_lower[best], -1);
  CHECK_EQ(root.child_upper[best], -1);
  CHECK_EQ(root.child_proven_plies[best], 2);
  CHECK_EQ(root.child_q[best], -1.0f);
  CHECK_EQ(root.child_m[best], 2.0f);
  CHECK(searches.Stats().at("proofs") > 0);

  // The next root has moves to choose from, whatever was proven of it.
  searches.Play(0, best);
  CHECK(!searches.Node(0, {}).value_or(NodeInfo{}).expanded);
  searches.Think(0, 50);
  while (searches.Busy()) searches.Apply(network.Evaluate(planes, searches.Gather(planes.data())));
  const NodeInfo next = searches.Node(0, {}).value_or(NodeInfo{});
  CHECK(next.expanded);
  CHECK_EQ(next.upper, -1);
  CHECK_EQ(next.proven_plies, 2);
}

}  // namespace
}  // namespace c4
