// Many trees in one batch: each grows as if it were alone, and a wrong call changes nothing.
#include "search/searches.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "games/connect4.h"
#include "harness.h"
#include "hash_evaluator.h"
#include "sample_params.h"

namespace c4 {
namespace {

using G = Connect4<7, 6, 4>;
using Many = Searches<G>;

// Spends all budgets.
void Run(Many& searches) {
  testing::HashEvaluator<G> network;
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(searches.Rows()) * LeafBatch<G>::kPlaneBytes);
  while (searches.Busy()) searches.Apply(network.Evaluate(planes, searches.Gather(planes.data())));
}

NodeInfo Root(const Many& searches, int tree) { return searches.Node(tree, {}).value_or(NodeInfo{}); }

TEST(EachTreeGrowsAsIfItWereAlone) {
  const std::vector<std::vector<int>> positions = {{}, {3}, {3, 3, 2}, {3}};
  for (const double cache_megabytes : {0.0, 0.25}) {
    Many together(testing::PlainSearch(), {.size = 4, .cache_megabytes = cache_megabytes, .num_threads = 3});
    for (int tree = 0; tree < 4; ++tree) {
      together.SetPosition(tree, positions[static_cast<std::size_t>(tree)]);
      together.Think(tree, 100 + 50 * tree);
    }
    Run(together);
    for (int tree = 0; tree < 4; ++tree) {
      Many alone(testing::PlainSearch(), {.size = 1, .cache_megabytes = 0.0, .num_threads = 1});
      alone.SetPosition(0, positions[static_cast<std::size_t>(tree)]);
      alone.Think(0, 100 + 50 * tree);
      Run(alone);
      CHECK(Root(alone, 0).child_visits == Root(together, tree).child_visits);
      CHECK(Root(alone, 0).child_q == Root(together, tree).child_q);
      CHECK(alone.Policy(0, 1.0) == together.Policy(tree, 1.0));
    }
  }
}

TEST(AWrongCallChangesNothing) {
  Many searches(testing::PlainSearch(), {.size = 2, .cache_megabytes = 0.0, .num_threads = 1});
  THROWN(std::out_of_range, searches.Think(2, 1));
  THROWN(std::invalid_argument, searches.Think(0, -1));
  THROWN(std::invalid_argument, searches.Play(0, 7));
  THROWN(std::invalid_argument, searches.Play(0, -1));
  THROWN(std::invalid_argument, searches.SetPosition(0, {3, 3, 3, 3, 3, 3, 3}));
  THROWN(std::invalid_argument, searches.SetPosition(0, {0, 1, 0, 1, 0, 1, 0, 1}));  // on after a win
  THROWN(std::invalid_argument, searches.SetNoise(0, {0.5f, 0.5f}));
  THROWN(std::invalid_argument, searches.SetGumbel(0, std::vector<float>(7, std::numeric_limits<float>::infinity())));
  THROWN(std::logic_error, searches.Policy(0, 1.0));
  CHECK(searches.History(0).empty());
  CHECK(!searches.Busy());

  searches.Think(0, 5);
  std::vector<std::uint8_t> planes(static_cast<std::size_t>(searches.Rows()) * LeafBatch<G>::kPlaneBytes);
  CHECK_EQ(searches.Gather(planes.data()), 1);
  THROWN(std::logic_error, searches.Play(0, 3));
  THROWN(std::logic_error, searches.SetPosition(1, {3}));
  THROWN(std::logic_error, searches.SetParams(testing::PlainSearch()));
  THROWN(std::logic_error, searches.RollOut(1));
  testing::HashEvaluator<G> network;
  searches.Apply(network.Evaluate(planes, 1));
  searches.Play(0, 3);
  CHECK(searches.History(0) == std::vector<int>{3});
}

TEST(AnAnswerThatIsNotFiniteNamesItsPosition) {
  Many searches(testing::PlainSearch(), {.size = 1, .cache_megabytes = 0.0, .num_threads = 1});
  searches.SetPosition(0, {3, 2});
  searches.Think(0, 5);
  std::vector<std::uint8_t> planes(LeafBatch<G>::kPlaneBytes);
  searches.Gather(planes.data());
  testing::HashEvaluator<G> network;
  const NetworkOutput output = network.Evaluate(planes, 1);
  network.logits()[4] = std::numeric_limits<float>::quiet_NaN();
  try {
    searches.Apply(output);
    CHECK(false);
  } catch (const NotFiniteError& error) {
    CHECK(error.number.starts_with("policy logit 4 is "));
    CHECK(error.actions == (std::vector<std::uint8_t>{3, 2}));
  }
  network.logits()[4] = 0.0f;
  searches.Apply(output);
  Run(searches);
  CHECK_EQ(Root(searches, 0).visits, 5u);
}

}  // namespace
}  // namespace c4
