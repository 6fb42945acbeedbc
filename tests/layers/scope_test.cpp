// SPDX-License-Identifier: MIT
// What a layer's scope holds: exactly the entries between the rows that it computes and reads.
#include "layers/scope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "partition/reorder_part.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

using test_support::Owners;
using Entries = std::map<std::pair<std::int64_t, std::int64_t>, Real>;

constexpr int num_layers = 3;

Entries entries_of(const kernels::SparseView& a, bool flipped) {
  Entries entries;
  for (std::int64_t r = 0; r < a.num_rows; ++r) {
    for (EdgeOffset e = a.row_ptr[static_cast<std::size_t>(r)]; e < a.row_end_of(r); ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const std::int64_t c = a.col_idx[entry];
      EXPECT_LT(c, a.num_columns);
      entries[flipped ? std::pair{c, r} : std::pair{r, c}] = a.values[entry];
    }
  }
  return entries;
}

/// The entries of a whole matrix among the first rows and columns.
Entries corner(const kernels::SparseMatrix& a, std::int64_t num_rows, std::int64_t num_columns) {
  Entries entries = entries_of(a.view(), false);
  std::erase_if(entries, [&](const auto& entry) {
    return entry.first.first >= num_rows || entry.first.second >= num_columns;
  });
  return entries;
}

struct PrunedPart {
  explicit PrunedPart(const datasets::Dataset& dataset) {
    part = test_support::make_part(dataset,
                                   test_support::deal_owners(dataset, world.size(), Owners::random),
                                   world.size(), world.rank());
    std::vector<LocalId> training;
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      if (part.global_ids[static_cast<std::size_t>(v)] % 31 == 0) training.push_back(v);
    }
    reach = find_reach(world, part, training, num_layers);
    partition::reorder_owned(part, order_by_distance(reach));
    std::ranges::sort(reach.distance);
    aggregation = build_aggregation(part, {Normalization::mean, false});
    border = build_border(world, part, aggregation, reach);
  }
  comm::Communicator world = comm::Communicator::world();
  partition::Part part;
  Reach reach;
  Aggregation aggregation;
  Border border;
};

datasets::Dataset sparse_dataset() {
  test_support::RandomDatasetOptions options;
  options.num_vertices = 300;
  options.arcs_per_vertex = 2;
  return test_support::random_dataset(options);
}

TEST(Scope, OfALayerHoldsTheEntriesBetweenItsRows) {
  const PrunedPart pruned(sparse_dataset());
  for (int layer = 0; layer < num_layers; ++layer) {
    const Scope scope = layer_scope(pruned.aggregation, pruned.border, pruned.reach, layer);
    EXPECT_EQ(scope.num_inputs, count_within(pruned.reach.distance, num_layers - layer));
    EXPECT_EQ(scope.num_outputs, count_within(pruned.reach.distance, num_layers - layer - 1));
    const Entries owned = corner(pruned.aggregation.owned, scope.num_outputs, scope.num_inputs);
    EXPECT_EQ(entries_of(scope.owned, false), owned);
    EXPECT_EQ(entries_of(scope.owned_transposed, true), owned);
    const Entries halo =
        corner(pruned.border.halo, scope.num_outputs, pruned.border.halo.num_columns);
    EXPECT_EQ(entries_of(scope.halo, false), halo);
    EXPECT_EQ(entries_of(scope.halo_transposed, true), halo);
    for (const auto& [place, value] : halo) {
      EXPECT_LE(pruned.border.halo_distance[static_cast<std::size_t>(place.second)],
                num_layers - layer)
          << "a slot that does not travel is read";
    }
    EXPECT_EQ(scope.boundary.set().size() + scope.interior.set().size(), scope.num_outputs);
    EXPECT_EQ(scope.sent.set().size() + scope.kept.set().size(), scope.num_inputs);
  }
}

TEST(Scope, LayersAgreeWithTheirPeersOnWhatTravels) {
  PrunedPart pruned(sparse_dataset());
  for (int layer = 0; layer < num_layers; ++layer) {
    const Scope scope = layer_scope(pruned.aggregation, pruned.border, pruned.reach, layer);
    std::int64_t balance = scope.num_sent_slots();
    for (const LocalId count : scope.slots.halo)
      balance -= count;
    pruned.world.all_reduce_sum(std::span<std::int64_t>(&balance, 1));
    EXPECT_EQ(balance, 0) << "layer " << layer;
  }
}

TEST(Scope, TheWholeHasEverything) {
  const PrunedPart pruned(sparse_dataset());
  const Scope scope = whole_scope(pruned.aggregation, pruned.border);
  EXPECT_EQ(scope.num_inputs, pruned.part.num_owned());
  EXPECT_EQ(scope.num_outputs, pruned.part.num_owned());
  EXPECT_EQ(scope.num_sent_slots(), pruned.border.send.num_rows);
  EXPECT_EQ(scope.halo_slots.set().size(), pruned.border.halo.num_columns);
}

TEST(RowList, IsARangeWhereItCan) {
  const RowList run(10, [](LocalId row) { return row >= 3 && row < 7; });
  EXPECT_FALSE(run.set().is_list);
  EXPECT_EQ(run.set().size(), 4);
  EXPECT_EQ(run.set()[0], 3);
  const RowList odd(10, [](LocalId row) { return row % 2 == 1; });
  EXPECT_TRUE(odd.set().is_list);
  EXPECT_EQ(odd.set().size(), 5);
  EXPECT_EQ(RowList(10, [](LocalId) { return false; }).set().size(), 0);
}

}  // namespace
}  // namespace weft::layers
