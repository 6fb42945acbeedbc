// SPDX-License-Identifier: MIT
// Sums whose bits are fixed, gathers of unequal sizes, agreement of numbers.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/random.hpp"

namespace weft::comm {
namespace {

// Numbers of very different sizes, so that another order of summing gives other bits.
template <typename T>
std::vector<T> values_of_rank(int rank, std::size_t size) {
  const RandomKey key = random_key(7, RandomPurpose::test);
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto id = static_cast<std::uint64_t>(rank) << 32 | i;
    const auto exponent = static_cast<int>(random_word(key, id, 1) % 24);
    values[i] = static_cast<T>(std::ldexp(random_uniform(key, id) - 0.5F, exponent));
  }
  return values;
}

template <typename T>
void expect_sum_in_rank_order(std::size_t size) {
  Communicator world = Communicator::world();
  std::vector<T> expected = values_of_rank<T>(0, size);
  for (int rank = 1; rank < world.size(); ++rank) {
    const std::vector<T> values = values_of_rank<T>(rank, size);
    for (std::size_t i = 0; i < size; ++i)
      expected[i] += values[i];
  }
  std::vector<T> sum = values_of_rank<T>(world.rank(), size);

  world.all_reduce_sum(std::span<T>(sum));

  EXPECT_EQ(sum, expected) << "size " << size;
  EXPECT_TRUE(world.is_same_on_all_ranks(checksum_of<T>(sum))) << "size " << size;
}

TEST(Collectives, SumsFloatsInRankOrderWithTheSameBitsEverywhere) {
  for (const std::size_t size : {0U, 1U, 2U, 7U, 1000U, 1024U, 1025U, 5000U, 100003U}) {
    expect_sum_in_rank_order<float>(size);
    expect_sum_in_rank_order<double>(size);
  }
}

TEST(Collectives, GathersTextsByRank) {
  Communicator world = Communicator::world();
  const auto text_of = [](int rank) {
    return std::string(static_cast<std::size_t>(rank) * 3, 'x');
  };
  const std::vector<std::string> texts = world.all_gather(text_of(world.rank()));
  ASSERT_EQ(static_cast<int>(texts.size()), world.size());
  for (int rank = 0; rank < world.size(); ++rank) {
    EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text_of(rank));
  }
}

TEST(Collectives, GathersBytesOfUnequalSizesOnTheRoot) {
  Communicator world = Communicator::world();
  const int root = world.size() - 1;
  const auto bytes_of = [](int rank) {
    return std::vector<std::byte>(static_cast<std::size_t>(rank) * 70001,
                                  static_cast<std::byte>(rank));
  };
  const auto all = world.gather(bytes_of(world.rank()), root);
  if (world.rank() != root) {
    EXPECT_TRUE(all.empty());
    return;
  }
  ASSERT_EQ(static_cast<int>(all.size()), world.size());
  for (int rank = 0; rank < world.size(); ++rank) {
    EXPECT_EQ(all[static_cast<std::size_t>(rank)], bytes_of(rank));
  }
}

TEST(Collectives, NoticesADifferentValue) {
  Communicator world = Communicator::world();
  constexpr std::uint64_t high_bit = std::uint64_t{1} << 63;
  EXPECT_TRUE(world.is_same_on_all_ranks(high_bit | 5U));
  const bool last = world.rank() == world.size() - 1;
  EXPECT_EQ(world.is_same_on_all_ranks(last ? high_bit : 0U), world.size() == 1);
}

}  // namespace
}  // namespace weft::comm
