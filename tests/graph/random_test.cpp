// SPDX-License-Identifier: MIT
#include "graph/support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace weft {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers that come with Random123, the reference of the authors of Philox.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, CounterHoldsIdBlockAndEpoch) {
  const RandomKey key{7, 8};
  EXPECT_EQ(random_block(key, 0x500000003U, 9, 11), philox({3, 5, 9, 11}, key));
  const Words block = random_block(key, 4, 2, 1);
  for (std::uint32_t column = 8; column < 12; ++column) {
    EXPECT_EQ(random_word(key, 4, column, 1), block[column - 8]);
  }
}

TEST(Random, KeysDifferBySeedPurposeAndLayer) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const auto purpose :
         {RandomPurpose::weights, RandomPurpose::dropout, RandomPurpose::generate_edges}) {
      for (std::uint32_t layer = 0; layer < 10; ++layer) {
        const RandomKey key = random_key(seed, purpose, layer);
        keys.insert({key.low, key.high});
      }
    }
  }
  EXPECT_EQ(keys.size(), 300U);
  const RandomKey again = random_key(3, RandomPurpose::dropout, 2);
  EXPECT_EQ(again.low, random_key(3, RandomPurpose::dropout, 2).low);
}

TEST(Random, UniformFillsItsBinsEvenly) {
  const RandomKey key = random_key(1, RandomPurpose::test);
  constexpr std::size_t num_bins = 50;
  constexpr double num_draws = 200000;
  std::vector<double> bins(num_bins);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(num_draws); ++i) {
    const float draw = random_uniform(key, i / 100, static_cast<std::uint32_t>(i % 100));
    ASSERT_GE(draw, 0.0F);
    ASSERT_LT(draw, 1.0F);
    bins[static_cast<std::size_t>(draw * static_cast<float>(num_bins))] += 1.0;
  }
  double chi_square = 0.0;
  for (const double count : bins) {
    const double expected = num_draws / num_bins;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_GT(chi_square, 24.0);  // 0.1 % and 99.9 % points of 49 degrees of freedom: 23.98, 85.35
  EXPECT_LT(chi_square, 85.4);
}

TEST(Random, UniformEndsAreExact) {
  EXPECT_EQ(uniform_from_word(0), 0.0F);
  EXPECT_EQ(uniform_from_word(0x80000000U), 0.5F);
  EXPECT_EQ(uniform_from_word(0xffffffffU), 1.0F - 0x1.0p-24F);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  const RandomKey key = random_key(5, RandomPurpose::test);
  constexpr int num_draws = 100000;
  double sum = 0.0;
  double squares = 0.0;
  int beyond_two = 0;
  for (std::uint64_t i = 0; i < num_draws; ++i) {
    const double draw = random_normal(key, i, 3);
    ASSERT_TRUE(std::isfinite(draw));
    sum += draw;
    squares += draw * draw;
    beyond_two += std::abs(draw) > 2.0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / num_draws, 0.0, 0.015);
  EXPECT_NEAR(squares / num_draws, 1.0, 0.02);
  EXPECT_NEAR(static_cast<double>(beyond_two) / num_draws, 0.0455, 0.003);
}

}  // namespace
}  // namespace weft
