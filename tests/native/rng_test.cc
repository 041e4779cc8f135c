// Streams of random numbers: told apart by what they belong to, and distributed as their names say.
#include "rng.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "harness.h"

namespace c4 {
namespace {

TEST(TheSameStreamGivesTheSameNumbers) {
  Rng one(HashIds(7, 3));
  Rng other(HashIds(7, 3));
  for (int i = 0; i < 100; ++i) CHECK_EQ(one.Next(), other.Next());
}

TEST(StreamsOfAllGamesAndPliesDiffer) {
  std::set<std::uint64_t> firsts;
  for (int game = 0; game < 200; ++game) {
    for (int ply = 0; ply < 50; ++ply) firsts.insert(Rng(HashIds(1, game, ply)).Next());
  }
  CHECK_EQ(firsts.size(), 200u * 50u);
}

TEST(TheOrderOfIdsMatters) {
  CHECK(HashIds(1, 2) != HashIds(2, 1));
  CHECK(HashIds(0) != HashIds(0, 0));
}

TEST(UniformStaysInItsRangeAndIsEven) {
  Rng rng(HashIds(11));
  double sum = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = rng.Uniform();
    CHECK(0.0 <= x && x < 1.0);
    sum += x;
  }
  CHECK(std::abs(sum / 100'000 - 0.5) < 0.005);
}

TEST(BelowReachesEveryNumberEquallyOften) {
  Rng rng(HashIds(12));
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts.at(rng.Below(7));
  for (const int count : counts) CHECK(9'500 < count && count < 10'500);
  CHECK_EQ(rng.Below(1), 0u);
}

// Each entry of a symmetric Dirichlet draw of n entries has mean 1/n and variance (n - 1) / (n^2 (n alpha + 1)).
TEST(DirichletHasTheMomentsOfItsDistribution) {
  constexpr int kEntries = 7;
  constexpr int kDraws = 40'000;
  for (const double alpha : {0.03, 0.3, 1.0, 4.0}) {
    Rng rng(HashIds(13));
    std::vector<float> draw(kEntries);
    double mean = 0.0;
    double square = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      rng.Dirichlet(alpha, draw);
      double sum = 0.0;
      for (const float entry : draw) {
        CHECK(std::isfinite(entry) && entry >= 0.0f);
        sum += entry;
      }
      CHECK(std::abs(sum - 1.0) < 1e-5);
      mean += draw[2];
      square += static_cast<double>(draw[2]) * draw[2];
    }
    mean /= kDraws;
    const double variance = square / kDraws - mean * mean;
    const double expected = (kEntries - 1.0) / (kEntries * kEntries * (kEntries * alpha + 1.0));
    CHECK(std::abs(mean - 1.0 / kEntries) < 0.01);
    CHECK(std::abs(variance / expected - 1.0) < 0.06);
  }
}

TEST(GumbelHasTheMomentsOfItsDistribution) {
  constexpr int kDraws = 200'000;
  Rng rng(HashIds(15));
  double mean = 0.0;
  double square = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = rng.Gumbel();
    CHECK(std::isfinite(draw));
    mean += draw;
    square += draw * draw;
  }
  mean /= kDraws;
  CHECK(std::abs(mean - 0.5772156649) < 0.01);                           // Euler's constant
  CHECK(std::abs(square / kDraws - mean * mean - 1.6449340668) < 0.03);  // pi^2 / 6
}

TEST(DirichletOfOneActionIsCertain) {
  Rng rng(HashIds(14));
  std::array<float, 1> draw{};
  for (int i = 0; i < 1'000; ++i) {
    rng.Dirichlet(0.01, draw);
    CHECK_EQ(draw[0], 1.0f);
  }
}

}  // namespace
}  // namespace c4
