// SPDX-License-Identifier: MIT
// Sums over neighbors that read slots in shared memory equal those by messages, bit for bit: of all
// rows and of pruned layers, rows of sources and partial sums, there and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/support/text.hpp"
#include "layers/neighbor_sum.hpp"
#include "partition/reorder_part.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

using test_support::Owners;

constexpr int num_layers = 2;
constexpr std::int64_t widest = 19;

datasets::Dataset wide_dataset() {
  test_support::RandomDatasetOptions options;
  options.num_vertices = 400;
  return test_support::random_dataset(options);
}

/// A part whose sums go by shared memory and, beside them, by messages.
struct TwoWays {
  TwoWays(Owners owners, bool partial_sums) : dataset(wide_dataset()) {
    part =
        test_support::make_part(dataset, test_support::deal_owners(dataset, world.size(), owners),
                                world.size(), world.rank());
    std::vector<LocalId> training;
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      if (part.global_ids[static_cast<std::size_t>(v)] % 31 == 0) training.push_back(v);
    }
    reach = find_reach(world, part, training, num_layers);
    partition::reorder_owned(part, order_by_distance(reach));
    std::ranges::sort(reach.distance);
    aggregation = build_aggregation(part, {Normalization::symmetric, true});
    border = build_border(world, part, aggregation, reach, {partial_sums});
  }
  comm::Communicator world = comm::Communicator::world();
  datasets::Dataset dataset;
  partition::Part part;
  Reach reach;
  Aggregation aggregation;
  Border border;
};

kernels::Matrix some_rows(std::int64_t num_rows, std::int64_t dim, std::int64_t round) {
  kernels::Matrix x(num_rows, dim);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<Real>((i * 7919 + round * 104729) % 1009) / Real{37};
  return x;
}

/// A sum, and the matrix that layers share.
struct Sum {
  Sum(TwoWays& ways, comm::SharedMemory* memory)
      : neighbors(ways.world,
                  ways.aggregation,
                  ways.border,
                  ways.reach,
                  {.shared = memory, .row_bytes = {row_bytes, row_bytes}}) {
    if (memory != nullptr && memory->is_on()) x.use(*memory, ways.part.num_owned(), widest);
  }
  static constexpr std::int64_t row_bytes = widest * std::int64_t{sizeof(Real)};
  NeighborSum neighbors;
  kernels::Matrix x;
};

/// Both directions of one scope, one matrix behind the other.
std::vector<Real> both_directions(Sum& sum,
                                  const Scope& scope,
                                  std::int64_t dim,
                                  std::int64_t round) {
  kernels::Context ctx(2);
  const kernels::Matrix input = some_rows(scope.num_inputs, dim, round);
  const kernels::Matrix grad_y = some_rows(scope.num_outputs, dim, round + 1);
  kernels::Matrix y(scope.num_outputs, dim);
  kernels::Matrix grad_x(scope.num_inputs, dim);
  const bool lies_in_x = round % 2 == 0;
  sum.x.resize(input.num_rows(), dim);
  const auto make = [&](const kernels::RowSet& rows) {
    for (std::int64_t i = 0; lies_in_x && i < rows.size(); ++i)
      std::copy_n(input.view().row(rows[i]), dim, sum.x.view().row(rows[i]));
  };
  sum.neighbors.forward(ctx, scope, lies_in_x ? std::as_const(sum.x).view() : input.view(),
                        y.view(), {.make_input = make, .input_is_shared = lies_in_x});
  sum.neighbors.backward(ctx, scope, grad_y.view(), grad_x.view());
  std::vector<Real> all(y.values().begin(), y.values().end());
  all.insert(all.end(), grad_x.values().begin(), grad_x.values().end());
  return all;
}

void expect_equal_sums(const TwoWays& ways, Sum& in_place, Sum& by_messages) {
  for (std::int64_t round = 0; round < 12; ++round) {
    const std::int64_t dim = 1 + round * 5 % widest;
    const int layer = static_cast<int>(round % (num_layers + 1));
    const auto scope_of = [&](const Sum& sum) -> const Scope& {
      return layer == num_layers ? sum.neighbors.whole() : sum.neighbors.training_scope(layer);
    };
    ASSERT_EQ(both_directions(in_place, scope_of(in_place), dim, round),
              both_directions(by_messages, scope_of(by_messages), dim, round))
        << "round " << round << " of part " << ways.part.part;
  }
}

TEST(SharedSum, EqualsTheSumByMessages) {
  comm::Communicator world = comm::Communicator::world();
  for (const Owners owners : {Owners::block, Owners::random, Owners::one_empty}) {
    for (const bool partial_sums : {true, false}) {
      SCOPED_TRACE(text(owners_name(owners), partial_sums ? ", partial sums" : ", rows"));
      TwoWays ways(owners, partial_sums);
      comm::SharedMemory memory(
          world, comm::SlotExchange::shared_room(
                     ways.border.peers, {Sum::row_bytes, Sum::row_bytes}, world.local_size()) +
                     comm::SharedMemory::room_for(ways.part.num_owned() * Sum::row_bytes));
      Sum in_place(ways, &memory);
      Sum by_messages(ways, nullptr);
      expect_equal_sums(ways, in_place, by_messages);
      EXPECT_EQ(memory.is_on(), world.size() > 1) << memory.reason();
      EXPECT_EQ(in_place.neighbors.traffic().bytes_sent, 0);
      EXPECT_EQ(in_place.neighbors.traffic().bytes_in_place,
                by_messages.neighbors.traffic().bytes_sent);
    }
  }
}

}  // namespace
}  // namespace weft::layers
