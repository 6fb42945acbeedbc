// SPDX-License-Identifier: MIT
#include "trainer/thread_share.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "graph/support/process.hpp"

namespace weft::trainer {
namespace {

std::vector<int> cpu_range(int begin, int end) {
  std::vector<int> cpus(static_cast<std::size_t>(end - begin));
  std::iota(cpus.begin(), cpus.end(), begin);
  return cpus;
}

TEST(ThreadShare, RanksThatAreNotBoundDivideTheHost) {
  EXPECT_EQ(thread_share({cpu_range(0, 16)}, 0, 0), 16);
  EXPECT_EQ(thread_share({cpu_range(0, 16), cpu_range(0, 16)}, 1, 0), 8);
  EXPECT_EQ(thread_share({cpu_range(0, 4), cpu_range(0, 4), cpu_range(0, 4)}, 2, 0), 1);
}

TEST(ThreadShare, RanksBoundToCpusOfTheirOwnKeepThem) {
  EXPECT_EQ(thread_share({cpu_range(0, 16), cpu_range(16, 32)}, 0, 0), 16);
  EXPECT_EQ(thread_share({cpu_range(0, 16), cpu_range(16, 32)}, 1, 0), 16);
}

TEST(ThreadShare, SharedCpusCountByTheirSharers) {
  EXPECT_EQ(thread_share({cpu_range(0, 4), cpu_range(2, 4)}, 0, 0), 3);
  EXPECT_EQ(thread_share({cpu_range(0, 3), cpu_range(0, 3), cpu_range(0, 3)}, 0, 0), 1);
}

TEST(ThreadShare, AQuotaIsSharedToo) {
  EXPECT_EQ(thread_share({cpu_range(0, 64), cpu_range(0, 64)}, 0, 8), 4);
  EXPECT_EQ(thread_share({cpu_range(0, 64)}, 0, 1.5), 2);
  EXPECT_EQ(thread_share({cpu_range(0, 64), cpu_range(0, 64)}, 0, 0.5), 1);
}

TEST(ThreadShare, OfThisJobFollowsItsRanks) {
  comm::Communicator world = comm::Communicator::world();
  EXPECT_EQ(threads_of_rank(world, 5), 5);
  EXPECT_EQ(threads_of_rank(world, 0), std::max(1, usable_cpus() / world.local_size()));
}

}  // namespace
}  // namespace weft::trainer
