// SPDX-License-Identifier: MIT
// Ranks, collectives of MPI, waiting; one rank is an ordinary case.
#include "comm/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graph/support/process.hpp"

namespace weft::comm {
namespace {

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
