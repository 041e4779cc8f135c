// What is made of visits: the policy target at a temperature.
#include "search/policy.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "harness.h"
#include "sample_params.h"

namespace c4 {
namespace {

TEST(TheTargetIsTheSoftmaxOfTheLogarithmOfTheVisits) {
  const std::vector<std::uint32_t> visits = {50, 30, 20};
  NodePool pool;
  pool.Allocate(1);
  pool[0].first_child = pool.Allocate(3);
  pool[0].num_children = 3;
  const auto is = [&](double temperature, const std::vector<float>& expected) {
    const std::vector<float> policy = Policy(pool, testing::PlainSearch(), temperature, visits);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(policy[i] - expected[i]) < 5e-4f);
  };
  is(1.0, {0.5f, 0.3f, 0.2f});
  is(0.5, {0.658f, 0.237f, 0.105f});  // the squares, normalised
  is(0.0, {1.0f, 0.0f, 0.0f});
}

}  // namespace
}  // namespace c4
