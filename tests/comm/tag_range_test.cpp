// SPDX-License-Identifier: MIT
// Tags stay within 0..32767, the range that every MPI library has, however many rounds a run has.
// A program of its own: it stands between the library and MPI and watches every message.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>
#include <vector>

#include "comm/halo_exchange.hpp"
#include "tests/comm/plan_support.hpp"

namespace {

constexpr int guaranteed_tag_limit = 32767;
std::atomic<int> num_messages{0};
std::atomic<int> num_bad_tags{0};

void watch(int tag) {
  ++num_messages;
  if (tag < 0 || tag > guaranteed_tag_limit) ++num_bad_tags;
}

}  // namespace

extern "C" int MPI_Isend(const void* data,
                         int count,
                         MPI_Datatype type,
                         int to,
                         int tag,
                         MPI_Comm communicator,
                         MPI_Request* request) {
  watch(tag);
  return PMPI_Isend(data, count, type, to, tag, communicator, request);
}

extern "C" int MPI_Irecv(void* data,
                         int count,
                         MPI_Datatype type,
                         int from,
                         int tag,
                         MPI_Comm communicator,
                         MPI_Request* request) {
  watch(tag);
  return PMPI_Irecv(data, count, type, from, tag, communicator, request);
}

namespace weft::comm {
namespace {

// 100,000 vertices dealt out in turn; each rank reads two vertices of every other.
HandPart sparse_borders(const Communicator& world) {
  std::vector<int> owner;
  for (GlobalId v = 0; v < 100000; ++v)
    owner.push_back(static_cast<int>(v) % world.size());
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (int rank = 0; rank < world.size(); ++rank) {
    for (int other = 0; other < world.size(); ++other) {
      if (other == rank) continue;
      const GlobalId last = 99000 / world.size() * world.size() + other;
      reads[static_cast<std::size_t>(rank)].insert({GlobalId{other}, last});
    }
  }
  return make_hand_part(owner, reads, world.rank());
}

TEST(TagRange, HoldsOverFortyThousandRounds) {
  Communicator world = Communicator::world();
  const HandPart part = sparse_borders(world);
  HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  kernels::Matrix x(part.num_owned(), 1);
  for (std::int64_t v = 0; v < x.num_rows(); ++v)
    x.at(v, 0) = static_cast<Real>(part.owned[static_cast<std::size_t>(v)]);
  constexpr int num_rounds = 40000;
  for (int round = 0; round < num_rounds; ++round) {
    halo.begin(ctx, std::as_const(x).view());
    const kernels::ConstMatrixView rows = halo.finish(ctx);
    for (std::int64_t h = 0; h < rows.num_rows; ++h) {
      ASSERT_EQ(rows.at(h, 0), static_cast<Real>(part.halo[static_cast<std::size_t>(h)]));
    }
  }
  EXPECT_EQ(num_bad_tags.load(), 0);
  EXPECT_EQ(num_messages.load(), num_rounds * 2 * (world.size() - 1));
}

}  // namespace
}  // namespace weft::comm
