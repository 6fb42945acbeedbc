// SPDX-License-Identifier: MIT
// Sums in flight: in the order of ranks, bit for bit, whatever their sizes, their number, the
// message limit and who polls.
#include "comm/ordered_sums.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"

namespace weft::comm {
namespace {

// 0, 1, uneven, around the change of the algorithm, and larger than the limits below.
constexpr std::array<std::size_t, 9> sizes{0, 1, 7, 511, 1024, 1025, 2048, 50021, 100003};

// Numbers of very different sizes, so that another order of summing gives other bits.
template <typename T>
std::vector<T> values_of(int rank, std::size_t size) {
  const RandomKey key = random_key(8, RandomPurpose::test, static_cast<std::uint32_t>(size));
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto id = static_cast<std::uint64_t>(rank) << 32 | i;
    const auto exponent = static_cast<int>(random_word(key, id, 1) % 24);
    values[i] = static_cast<T>(std::ldexp(random_uniform(key, id) - 0.5F, exponent));
  }
  return values;
}

template <typename T>
std::vector<T> serial_sum(int num_ranks, std::size_t size) {
  std::vector<T> sum = values_of<T>(0, size);
  for (int rank = 1; rank < num_ranks; ++rank) {
    const std::vector<T> values = values_of<T>(rank, size);
    for (std::size_t i = 0; i < size; ++i)
      sum[i] += values[i];
  }
  return sum;
}

// Arrays of both types and all sizes.
struct Arrays {
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<double>> doubles;

  bool operator==(const Arrays&) const = default;
};

Arrays arrays_of(int rank) {
  Arrays arrays;
  for (const std::size_t size : sizes) {
    arrays.floats.push_back(values_of<float>(rank, size));
    arrays.doubles.push_back(values_of<double>(rank, size));
  }
  return arrays;
}

Arrays serial_sums(int num_ranks) {
  Arrays arrays;
  for (const std::size_t size : sizes) {
    arrays.floats.push_back(serial_sum<float>(num_ranks, size));
    arrays.doubles.push_back(serial_sum<double>(num_ranks, size));
  }
  return arrays;
}

void begin_all(OrderedSums& sums, Arrays& arrays) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sums.begin(std::span<float>(arrays.floats[i]));
    sums.begin(std::span<double>(arrays.doubles[i]));
  }
}

class OrderedSumsBy : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(OrderedSumsBy, AddInTheOrderOfRanksAllInFlightAtOnceAndAgain) {
  Communicator world = Communicator::world();
  OrderedSums sums(world, {.message_limit_bytes = GetParam()});
  const Arrays expected = serial_sums(world.size());
  for (int round = 0; round < 3; ++round) {  // the same bits in each
    Arrays arrays = arrays_of(world.rank());
    begin_all(sums, arrays);
    sums.finish();
    EXPECT_TRUE(arrays == expected) << "round " << round;
  }
}

// 1000 cuts numbers in the middle.
INSTANTIATE_TEST_SUITE_P(MessageLimits,
                         OrderedSumsBy,
                         ::testing::Values(std::int64_t{1} << 30, 65536, 1001));

TEST(OrderedSums, HaveTheBitsOfTheBlockingSumHoweverTheArrayIsCut) {
  Communicator world = Communicator::world();
  constexpr std::size_t size = 30011;
  std::vector<float> whole = values_of<float>(world.rank(), size);
  world.all_reduce_sum(std::span<float>(whole));
  for (const std::size_t piece : {size, std::size_t{7001}, std::size_t{900}}) {
    std::vector<float> cut = values_of<float>(world.rank(), size);
    OrderedSums sums(world);
    for (std::size_t begin = 0; begin < size; begin += piece)
      sums.begin(std::span<float>(cut).subspan(begin, std::min(piece, size - begin)));
    sums.finish();
    EXPECT_TRUE(cut == whole) << "pieces of " << piece;
  }
}

TEST(OrderedSums, FinishWithNothingInFlight) {
  Communicator world = Communicator::world();
  OrderedSums sums(world);
  sums.finish();
  sums.begin(std::span<float>());
  sums.finish();
}

// Nobody waits here: a sum that only `finish` carried on would leave the loop endless.
TEST(OrderedSums, AreCarriedToTheirEndByPollAlone) {
  Communicator world = Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "one rank has nothing to sum";
  OrderedSums sums(world);
  std::vector<float> values(20000, 1);
  sums.begin(std::span<float>(values));
  const SumRegistry& registry = sum_registry(world.state());
  while (registry.num_in_flight > 0)
    world.poll();
  EXPECT_EQ(values, std::vector<float>(values.size(), static_cast<float>(world.size())));
  sums.finish();
}

TEST(OrderedSums, AreCarriedOnByAnyThreadThatPolls) {
  Communicator world = Communicator::world();
  std::atomic<bool> done = false;
  std::vector<std::thread> pollers;
  for (int i = 0; i < 3; ++i) {
    pollers.emplace_back([&] {
      while (!done) {
        world.poll();
        std::this_thread::yield();
      }
    });
  }
  const Arrays expected = serial_sums(world.size());
  OrderedSums sums(world, {.message_limit_bytes = 20000});
  for (int round = 0; round < 10; ++round) {
    Arrays arrays = arrays_of(world.rank());
    begin_all(sums, arrays);
    sums.finish();
    EXPECT_TRUE(arrays == expected) << "round " << round;
  }
  done = true;
  for (std::thread& poller : pollers)
    poller.join();
}

// The ranks get to their sums at different times, with other collectives and messages in between.
TEST(OrderedSums, LeaveOtherCollectivesAndMessagesAlone) {
  Communicator world = Communicator::world();
  OrderedSums sums(world);
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  for (int round = 0; round < 20; ++round) {
    std::vector<float> large = values_of<float>(world.rank(), 50021);
    double small = world.rank() + 0.5;
    sums.begin(std::span<float>(large));
    sums.begin(std::span<double>(&small, 1));
    std::vector<double> blocking = values_of<double>(world.rank(), 1025);
    world.all_reduce_sum(std::span<double>(blocking));
    std::vector<int> sent(3000, world.rank());
    std::vector<int> received(sent.size());
    RequestSet requests(world);
    requests.receive(std::as_writable_bytes(std::span(received)), previous,
                     static_cast<int>(Tag::gather));
    requests.send(std::as_bytes(std::span(sent)), next, static_cast<int>(Tag::gather));
    requests.wait();
    world.barrier();
    sums.finish();
    EXPECT_TRUE(large == serial_sum<float>(world.size(), 50021)) << "round " << round;
    EXPECT_EQ(small, world.size() * world.size() / 2.0);
    EXPECT_TRUE(blocking == serial_sum<double>(world.size(), 1025)) << "round " << round;
    EXPECT_EQ(received, std::vector<int>(sent.size(), previous));
  }
}

TEST(OrderedSums, NameALengthThatDiffersBetweenRanks) {
  Communicator world = Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "one rank has nothing to sum";
  OrderedSums sums(world);
  // By slices, each in one packet: a library may write all of a longer message that it was not
  // ready for (Open MPI 4.1 does).
  std::vector<float> values(world.rank() == 0 ? 1200 : 1600, 1);
  sums.begin(std::span<float>(values));
  try {
    sums.finish();
    ADD_FAILURE() << "expected an error";
  } catch (const RuntimeError& error) {
    // Rank 0 expects less than arrives, which MPI notices; the others get less than they expect.
    if (world.rank() != 0) {
      EXPECT_NE(std::strstr(error.what(), "message from rank 0"), nullptr) << error.what();
    }
  }
}

// One rank begins alone; its messages are taken, or they would meet a later communicator.
TEST(OrderedSums, AreGivenUpWhereAnExceptionPasses) {
  Communicator world = Communicator::world();
  const int last = world.size() - 1;
  constexpr int size = 1200;
  std::vector<float> values(size, 1);
  if (world.rank() == last) {
    OrderedSums sums(world);
    sums.begin(std::span<float>(values));
  } else {
    const int begin = size * world.rank() / world.size();
    const int end = size * (world.rank() + 1) / world.size();
    RequestSet requests(world);
    requests.receive(std::as_writable_bytes(std::span(values).subspan(
                         static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))),
                     last, static_cast<int>(Tag::background_sum));
    requests.wait();
  }
  EXPECT_EQ(sum_registry(world.state()).num_in_flight, 0);
  world.poll();
  world.barrier();
}

TEST(OrderedSums, RefuseAMessageLimitOutOfBounds) {
  Communicator world = Communicator::world();
  EXPECT_THROW(OrderedSums(world, {.message_limit_bytes = 0}), InputError);
  EXPECT_THROW(OrderedSums(world, {.message_limit_bytes = (std::int64_t{1} << 30) + 1}),
               InputError);
}

}  // namespace
}  // namespace weft::comm
