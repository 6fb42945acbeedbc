// SPDX-License-Identifier: MIT
// The protocol under drift: every row says whose it is and which publication, and no row changes
// while somebody reads it.
#include "comm/shared_rows.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"

namespace weft::comm {
namespace {

constexpr std::int64_t num_rounds = 200;
constexpr std::int64_t dim = 24;

std::uint32_t draw(int rank, std::int64_t round) {
  return random_word(random_key(6, RandomPurpose::test), static_cast<std::uint64_t>(rank),
                     static_cast<std::uint32_t>(round));
}

// Some work, none in most rounds, so that ranks drift apart.
void work_at_random(int rank, std::int64_t round) {
  const std::uint32_t word = draw(rank, round);
  if (word % 4 != 0) return;
  volatile std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < word % 200000; ++i)
    sum = sum + draw(rank, i);
}

// A number of rank, publication and row that float holds exactly.
Real value_of(int rank, std::int64_t publication, std::int64_t row) {
  return static_cast<Real>((rank * num_rounds + publication) * 64 + row);
}

std::int64_t num_rows_of(int rank) {
  return 1 + rank * 5 % 13;  // unequal
}

void write_rows(kernels::Matrix& x, int rank, std::int64_t publication) {
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    for (std::int64_t c = 0; c < x.num_columns(); ++c)
      x.at(r, c) = value_of(rank, publication, r);
  }
}

void expect_rows(kernels::ConstMatrixView rows, int rank, std::int64_t publication) {
  ASSERT_EQ(rows.num_rows, num_rows_of(rank));
  ASSERT_EQ(rows.num_columns, dim);
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    for (std::int64_t c = 0; c < dim; ++c) {
      ASSERT_EQ(rows.at(r, c), value_of(rank, publication, r))
          << "rank " << rank << " publication " << publication << " row " << r;
    }
  }
}

/// Memory for `num_matrices` of this rank's rows and `num_flags` protocols.
SharedMemory memory_for(Communicator& world, std::int64_t num_matrices, std::int64_t num_flags) {
  const std::int64_t matrix_bytes = num_rows_of(world.rank()) * dim * std::int64_t{sizeof(Real)};
  return SharedMemory(world, num_matrices * SharedMemory::room_for(matrix_bytes) +
                                 num_flags * SharedRows::room(world.size()));
}

kernels::Matrix matrix_in(SharedMemory& memory, int rank) {
  kernels::Matrix x;
  if (memory.is_on()) x.use(memory, num_rows_of(rank), dim);
  x.resize(num_rows_of(rank), dim);
  return x;
}

std::vector<int> others(const Communicator& world) {
  std::vector<int> ranks;
  for (int rank = 0; rank < world.size(); ++rank) {
    if (rank != world.rank()) ranks.push_back(rank);
  }
  return ranks;
}

// One matrix, written anew in each round: a writer that did not wait would be seen.
TEST(SharedRows, AreNeverOverwrittenWhileTheyAreRead) {
  Communicator world = Communicator::world();
  SharedMemory memory = memory_for(world, 1, 1);
  const std::vector<int> peers = others(world);
  SharedRows rows(world, memory, peers, peers);
  kernels::Matrix x = matrix_in(memory, world.rank());
  for (std::int64_t round = 1; round <= num_rounds; ++round) {
    rows.wait_until_read();
    write_rows(x, world.rank(), round);
    EXPECT_EQ(rows.publish(x.view()), round);
    for (const int peer : peers) {
      const PublishedRows theirs = rows.read(peer);
      expect_rows(theirs.rows, peer, round);
      work_at_random(world.rank(), round);
      expect_rows(theirs.rows, peer, round);  // still
      rows.done(peer);
    }
  }
}

// Three matrices in turn, awaited by the number of their publication: up to two are unread.
TEST(SharedRows, SeveralMatricesAreUnderWay) {
  Communicator world = Communicator::world();
  SharedMemory memory = memory_for(world, 3, 1);
  const std::vector<int> peers = others(world);
  SharedRows rows(world, memory, peers, peers);
  std::vector<kernels::Matrix> tables;
  for (int i = 0; i < 3; ++i)
    tables.push_back(matrix_in(memory, world.rank()));
  for (std::int64_t round = 1; round <= num_rounds; ++round) {
    kernels::Matrix& x = tables[static_cast<std::size_t>(round % 3)];
    rows.wait_until_read(round - 3);
    write_rows(x, world.rank(), round);
    rows.publish(x.view(), round * 7);
    work_at_random(world.rank(), round);
    if (round == 1) continue;  // everybody reads one behind
    for (const int peer : peers) {
      const PublishedRows theirs = rows.read(peer);
      expect_rows(theirs.rows, peer, round - 1);
      EXPECT_EQ(theirs.form, (round - 1) * 7);
      rows.done(peer);
    }
  }
}

// Rank 0 is read by all and reads nobody: it runs ahead as far as it may.
TEST(SharedRows, FlowOneWay) {
  Communicator world = Communicator::world();
  SharedMemory memory = memory_for(world, 1, 1);
  const bool is_owner = world.rank() == 0;
  const std::vector<int> peers = others(world);
  const std::vector<int> owner = {0};
  const bool reads = memory.is_on() && !is_owner;
  SharedRows rows(world, memory, is_owner ? std::span<const int>(peers) : std::span<const int>(),
                  reads ? std::span<const int>(owner) : std::span<const int>());
  kernels::Matrix x = matrix_in(memory, world.rank());
  for (std::int64_t round = 1; round <= num_rounds; ++round) {
    if (!is_owner) work_at_random(world.rank(), round);
    if (reads) {
      const PublishedRows theirs = rows.read(0);
      expect_rows(theirs.rows, 0, round);
      expect_rows(theirs.rows, 0, round);
      rows.done(0);
    }
    rows.wait_until_read();
    write_rows(x, world.rank(), round);
    rows.publish(x.view());  // of the other ranks nobody reads it: they do not wait
  }
}

// The rank that is waited for waits for a message of this one: a wait that did not poll would hang.
TEST(SharedRows, MessagesProgressWhileARankWaits) {
  Communicator world = Communicator::world();
  SharedMemory memory = memory_for(world, 1, 1);
  const std::vector<int> peers = others(world);
  SharedRows rows(world, memory, peers, peers);
  kernels::Matrix x = matrix_in(memory, world.rank());
  write_rows(x, world.rank(), 1);
  constexpr std::size_t num_bytes = std::size_t{4} << 20;  // no eager message
  std::vector<std::byte> sent(num_bytes, static_cast<std::byte>(world.rank()));
  std::vector<std::byte> received(num_bytes);
  RequestSet requests(world);
  const int previous = (world.rank() + world.size() - 1) % world.size();
  requests.receive(received, previous, 0);
  requests.send(sent, (world.rank() + 1) % world.size(), 0);
  if (world.rank() % 2 == 1) requests.wait();  // publishes only once its message is through
  rows.publish(x.view());
  for (const int peer : peers) {
    expect_rows(rows.read(peer).rows, peer, 1);
    rows.done(peer);
  }
  requests.wait();
  EXPECT_EQ(received.back(), static_cast<std::byte>(previous));
}

TEST(SharedRows, OutsideOfTheSegmentAreRefused) {
  Communicator world = Communicator::world();
  SharedMemory memory = memory_for(world, 1, 1);
  const std::vector<int> peers = others(world);
  SharedRows rows(world, memory, peers, peers);
  kernels::Matrix x(3, dim);
  if (!memory.is_on()) {
    EXPECT_EQ(rows.publish(x.view()), 1);
    return;
  }
  try {
    rows.publish(x.view());
    ADD_FAILURE() << "accepted";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("a matrix of 3 x 24 lies outside the segment"),
              std::string::npos)
        << error.what();
  }
}

TEST(SharedRows, NamesASegmentWithoutRoomForItsFlags) {
  Communicator world = Communicator::world();
  const bool is_last = world.rank() == world.size() - 1;
  SharedMemory memory(world, is_last ? 100 : 10000);
  if (!memory.is_on()) return;
  const std::vector<int> peers = others(world);
  try {
    const SharedRows rows(world, memory, peers, peers);
    ADD_FAILURE() << "accepted";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("a segment of 128 B has no room left"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace weft::comm
