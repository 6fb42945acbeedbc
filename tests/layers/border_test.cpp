// SPDX-License-Identifier: MIT
// Slots: what travels serves every arc, is never more than the plain halo, and both ranks mean the
// same by a slot. The whole graph is at hand on every rank, so expected values need no exchange.
#include "layers/border.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/csr_build.hpp"
#include "layers/neighbor_sum.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

using test_support::Owners;

/// One column of numbers by global id.
Real number_of(GlobalId v) {
  return static_cast<Real>((v * 7 + 3) % 11) - Real{5};
}

struct BorderRun {
  BorderRun(const datasets::Dataset& dataset,
            const std::vector<std::int32_t>& owners,
            BorderOptions options)
      : part(test_support::make_part(dataset, owners, world.size(), world.rank())),
        aggregation(build_aggregation(part, {Normalization::symmetric, true})),
        border(build_border(world, part, aggregation, {}, options)),
        neighbors(world, aggregation, border, {}) {}

  /// A x (or A^T x) by global id, on every rank.
  std::vector<double> apply(bool backward) {
    kernels::Context ctx(2);
    kernels::Matrix x(part.num_owned(), 1);
    kernels::Matrix y(part.num_owned(), 1);
    for (LocalId v = 0; v < part.num_owned(); ++v)
      x.at(v, 0) = number_of(part.global_ids[static_cast<std::size_t>(v)]);
    if (backward) {
      neighbors.backward(ctx, neighbors.whole(), x.view(), y.view());
    } else {
      neighbors.forward(ctx, neighbors.whole(), x.view(), y.view());
    }
    std::vector<double> sums(static_cast<std::size_t>(part.info.num_vertices), 0.0);
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      sums[static_cast<std::size_t>(part.global_ids[static_cast<std::size_t>(v)])] =
          static_cast<double>(y.at(v, 0));
    }
    world.all_reduce_sum(std::span<double>(sums));
    return sums;
  }

  std::int64_t slots_of_all_ranks() {
    std::int64_t count = border.halo.num_columns;
    world.all_reduce_sum(std::span<std::int64_t>(&count, 1));
    return count;
  }

  comm::Communicator world = comm::Communicator::world();
  partition::Part part;
  Aggregation aggregation;
  Border border;
  NeighborSum neighbors;
};

TEST(Border, PartialSumsGiveThePlainSumsBothWays) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const int size = comm::Communicator::world().size();
  for (const Owners dealt : {Owners::block, Owners::random, Owners::metis, Owners::one_empty}) {
    const auto owners = test_support::deal_owners(dataset, size, dealt);
    BorderRun plain(dataset, owners, {false});
    BorderRun summed(dataset, owners, {true});
    EXPECT_LE(summed.slots_of_all_ranks(), plain.slots_of_all_ranks());
    EXPECT_EQ(plain.border.halo.num_columns, plain.part.num_halo());
    for (const bool backward : {false, true}) {
      const std::vector<double> expected = plain.apply(backward);
      const std::vector<double> found = summed.apply(backward);
      for (std::size_t v = 0; v < expected.size(); ++v) {
        EXPECT_NEAR(found[v], expected[v], 1e-5)
            << test_support::owners_name(dealt) << ", vertex " << v << (backward ? ", back" : "");
      }
    }
  }
}

// Vertices 1 .. 20 of the last rank are read by vertex 0 of the first: one sum. Back, the last
// rank's vertices read vertex 0 alone: one row.
TEST(Border, AStarTakesOneSlotEachWay) {
  comm::Communicator world = comm::Communicator::world();
  if (world.size() < 2) GTEST_SKIP() << "needs a border";
  graph::EdgeList edges{21, {}, {}};
  for (LocalId v = 1; v <= 20; ++v) {
    edges.arcs.push_back({0, v});
    edges.arcs.push_back({v, 0});
  }
  graph::CsrGraph graph = graph::build_csr(std::move(edges));
  datasets::Dataset dataset;
  dataset.num_vertices = 21;
  dataset.graph.row_ptr = datasets::keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = datasets::keep(dataset, std::move(graph.col_idx));
  std::vector<std::int32_t> owners(21, world.size() - 1);
  owners[0] = 0;
  BorderRun plain(dataset, owners, {false});
  BorderRun summed(dataset, owners, {true});
  EXPECT_EQ(plain.slots_of_all_ranks(), 21);
  EXPECT_EQ(summed.slots_of_all_ranks(), 2);
  for (const bool backward : {false, true}) {
    const std::vector<double> expected = plain.apply(backward);
    const std::vector<double> found = summed.apply(backward);
    for (std::size_t v = 0; v < expected.size(); ++v)
      EXPECT_NEAR(found[v], expected[v], 1e-5) << v << (backward ? ", back" : "");
  }
}

TEST(Border, TransposesHoldTheSameEntries) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const int size = comm::Communicator::world().size();
  const BorderRun run(dataset, test_support::deal_owners(dataset, size, Owners::random), {true});
  const auto expect_transposed = [](const kernels::SparseMatrix& a,
                                    const kernels::SparseMatrix& transposed) {
    const kernels::SparseMatrix again = kernels::transpose(transposed.view());
    EXPECT_EQ(again.row_ptr, a.row_ptr);
    EXPECT_EQ(again.col_idx, a.col_idx);
    EXPECT_EQ(again.values, a.values);
  };
  expect_transposed(run.border.halo, run.border.halo_transposed);
  const Border& border = run.border;
  EXPECT_EQ(border.send_transposed.col_idx.size(), border.send.col_idx.size());
  EXPECT_TRUE(std::ranges::all_of(border.peers, [](const partition::HaloPeer& peer) {
    return peer.halo_begin <= peer.halo_end && peer.send_begin <= peer.send_end;
  }));
}

}  // namespace
}  // namespace weft::layers
