// SPDX-License-Identifier: MIT
// Exchanges halo rows around a ring of ranks until each has sent about the bytes asked for, and
// prints what rank 0 counted:
//   traffic_program MEGABYTES  ->  bytes_sent=N
// tests/comm/cluster_test.sh compares it with the counter of the network interface.
#include <cstdlib>
#include <iostream>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/halo_exchange.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "tests/comm/plan_support.hpp"

namespace {

using namespace weft;  // NOLINT(google-build-using-namespace): a program, not a header

constexpr int rows_per_rank = 2048;
constexpr std::int64_t dim = 128;

// Each rank owns rows_per_rank vertices and reads those of the rank before it.
comm::HandPart ring_part(const comm::Communicator& world) {
  std::vector<int> owner;
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (GlobalId v = 0; v < GlobalId{rows_per_rank} * world.size(); ++v) {
    const int rank = static_cast<int>(v / rows_per_rank);
    owner.push_back(rank);
    if (world.size() > 1) reads[static_cast<std::size_t>((rank + 1) % world.size())].insert(v);
  }
  return comm::make_hand_part(owner, reads, world.rank());
}

void check_rows(kernels::ConstMatrixView rows, const comm::HandPart& part, int round) {
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    const auto expected = static_cast<Real>(part.halo[static_cast<std::size_t>(r)] + round);
    if (rows.at(r, 0) == expected && rows.at(r, dim - 1) == expected) continue;
    throw RuntimeError(text("traffic: row ", r, " of round ", round, " is ", rows.at(r, 0),
                            ", expected ", expected));
  }
}

void exchange(std::int64_t megabytes) {
  comm::Communicator world = comm::Communicator::world();
  const comm::HandPart part = ring_part(world);
  comm::HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  kernels::Matrix x(part.num_owned(), dim);
  const std::int64_t round_bytes = std::int64_t{rows_per_rank} * dim * std::int64_t{sizeof(Real)};
  for (int round = 0; round * round_bytes < megabytes * 1000000; ++round) {
    for (std::int64_t r = 0; r < x.num_rows(); ++r) {
      const auto value = static_cast<Real>(part.owned[static_cast<std::size_t>(r)] + round);
      for (std::int64_t c = 0; c < dim; ++c)
        x.at(r, c) = value;
    }
    halo.begin(ctx, std::as_const(x).view());
    check_rows(halo.finish(ctx), part, round);
  }
  if (world.rank() == 0) std::cout << "bytes_sent=" << halo.traffic().bytes_sent << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  comm::Environment environment(&argc, &argv);
  int status = 0;
  try {
    exchange(argc > 1 ? std::atoll(argv[1]) : 1);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    status = 1;
  }
  environment.set_exit_status(status);
  return status;
}
