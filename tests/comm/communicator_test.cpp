// SPDX-License-Identifier: MIT
// Collectives on any number of ranks; one rank is an ordinary case.
#include "comm/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graph/support/checksum.hpp"
#include "graph/support/process.hpp"
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

TEST(Communicator, NumbersItsRanks) {
  Communicator world = Communicator::world();
  EXPECT_GE(world.size(), 1);
  EXPECT_GE(world.rank(), 0);
  EXPECT_LT(world.rank(), world.size());
}

TEST(Communicator, NumbersTheRanksOfAHost) {
  Communicator world = Communicator::world();
  const std::vector<std::string> hosts = world.all_gather(host_name());
  const auto here = hosts.begin() + world.rank();
  EXPECT_EQ(world.local_size(), std::count(hosts.begin(), hosts.end(), *here));
  EXPECT_EQ(world.local_rank(), std::count(hosts.begin(), here, *here));
}

TEST(Communicator, SumsFloatsInRankOrderWithTheSameBitsEverywhere) {
  for (const std::size_t size : {0U, 1U, 2U, 7U, 1000U, 1024U, 1025U, 5000U, 100003U}) {
    expect_sum_in_rank_order<float>(size);
    expect_sum_in_rank_order<double>(size);
  }
}

TEST(Communicator, SumsAndMaximizesIntegers) {
  Communicator world = Communicator::world();
  const std::int64_t rank = world.rank();
  const std::int64_t size = world.size();
  std::vector<std::int64_t> sums = {rank, std::int64_t{1} << 40, -rank};
  std::vector<std::int64_t> maxima = {rank, -rank, -5};
  std::vector<double> real_maxima = {-static_cast<double>(rank) - 1.5, 2.5};

  world.all_reduce_sum(std::span(sums));
  world.all_reduce_max(std::span(maxima));
  world.all_reduce_max(std::span(real_maxima));

  EXPECT_EQ(sums,
            (std::vector<std::int64_t>{size * (size - 1) / 2, size << 40, -size * (size - 1) / 2}));
  EXPECT_EQ(maxima, (std::vector<std::int64_t>{size - 1, 0, -5}));
  EXPECT_EQ(real_maxima, (std::vector<double>{-1.5, 2.5}));
}

TEST(Communicator, BroadcastsAnySizeFromAnyRoot) {
  Communicator world = Communicator::world();
  for (int root = 0; root < world.size(); ++root) {
    for (const std::size_t size : {0U, 1U, 3U, 1000003U}) {
      const auto fill = static_cast<std::byte>(root + 1);
      std::vector<std::byte> bytes(size, world.rank() == root ? fill : std::byte{0});
      world.broadcast(bytes, root);
      EXPECT_EQ(bytes, std::vector<std::byte>(size, fill)) << "root " << root;
    }
  }
}

TEST(Communicator, GathersTextsByRank) {
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

TEST(Communicator, GathersBytesOfUnequalSizesOnTheRoot) {
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

TEST(Communicator, NoticesADifferentValue) {
  Communicator world = Communicator::world();
  constexpr std::uint64_t high_bit = std::uint64_t{1} << 63;
  EXPECT_TRUE(world.is_same_on_all_ranks(high_bit | 5U));
  const bool last = world.rank() == world.size() - 1;
  EXPECT_EQ(world.is_same_on_all_ranks(last ? high_bit : 0U), world.size() == 1);
}

TEST(Communicator, SeveralDoNotMixTheirMessages) {
  Communicator first = Communicator::world();
  Communicator second = Communicator::world();
  const Communicator moved = std::move(second);
  std::vector<std::int64_t> values = {1};
  first.all_reduce_sum(std::span(values));
  EXPECT_EQ(values[0], first.size());
  EXPECT_EQ(moved.rank(), first.rank());
}

// Ranks that wait for a late one leave the cores to it: blocking calls of MPI would spin. CPU time
// is measured, not speed, because other programs run here too.
TEST(Communicator, WaitsWithoutSpinning) {
  Communicator world = Communicator::world();
  constexpr auto lateness = std::chrono::milliseconds(300);
  world.barrier();
  if (world.rank() == 0) std::this_thread::sleep_for(lateness);
  const std::clock_t start = std::clock();
  world.barrier();
  const double cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(cpu_seconds, 0.1);
}

}  // namespace
}  // namespace weft::comm
