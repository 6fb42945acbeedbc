// SPDX-License-Identifier: MIT
// A part with renumbered rows is the same part: every row keeps its id, neighbors, degree, labels.
#include "partition/reorder_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/support/random_dataset.hpp"

namespace weft::partition {
namespace {

using test_support::Owners;

std::vector<std::pair<GlobalId, float>> neighbors_of(const Part& part, std::size_t row) {
  std::vector<std::pair<GlobalId, float>> neighbors;
  for (auto e = static_cast<std::size_t>(part.graph.row_ptr[row]);
       e < static_cast<std::size_t>(part.graph.row_ptr[row + 1]); ++e) {
    neighbors.emplace_back(part.global_ids[static_cast<std::size_t>(part.graph.col_idx[e])],
                           part.graph.edge_weight[e]);
  }
  return neighbors;
}

void expect_same_row(const Part& after, std::size_t i, const Part& before, std::size_t old) {
  EXPECT_EQ(after.global_ids[i], before.global_ids[old]);
  EXPECT_EQ(after.in_degree[i], before.in_degree[old]);
  EXPECT_EQ(after.has_loop[i], before.has_loop[old]);
  EXPECT_EQ(after.rows.labels[i], before.rows.labels[old]);
  EXPECT_EQ(after.rows.splits[i], before.rows.splits[old]);
  EXPECT_EQ(neighbors_of(after, i), neighbors_of(before, old));
}

TEST(ReorderPart, RowsTakeEverythingAlong) {
  const datasets::Dataset dataset = test_support::random_dataset();
  for (const int num_parts : {1, 3}) {
    const auto owners = test_support::deal_owners(dataset, num_parts, Owners::random);
    for (int p = 0; p < num_parts; ++p) {
      const Part before = test_support::make_part(dataset, owners, num_parts, p);
      std::vector<LocalId> order(static_cast<std::size_t>(before.num_owned()));
      std::iota(order.begin(), order.end(), LocalId{0});
      std::ranges::reverse(order);
      std::rotate(order.begin(), order.begin() + 2, order.end());
      Part after = before;
      reorder_owned(after, order);
      for (std::size_t i = 0; i < order.size(); ++i)
        expect_same_row(after, i, before, static_cast<std::size_t>(order[i]));
      ASSERT_EQ(after.plan.send_rows.size(), before.plan.send_rows.size());
      for (std::size_t s = 0; s < before.plan.send_rows.size(); ++s) {
        EXPECT_EQ(after.global_ids[static_cast<std::size_t>(after.plan.send_rows[s])],
                  before.global_ids[static_cast<std::size_t>(before.plan.send_rows[s])]);
      }
      EXPECT_TRUE(std::equal(after.global_ids.begin() + after.num_owned(), after.global_ids.end(),
                             before.global_ids.begin() + before.num_owned()));
    }
  }
}

TEST(ReorderPart, APartWithoutVerticesStaysOne) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const auto owners = test_support::deal_owners(dataset, 2, Owners::one_empty);
  Part part = test_support::make_part(dataset, owners, 2, 1);
  reorder_owned(part, {});
  EXPECT_EQ(part.num_owned(), 0);
  EXPECT_EQ(part.graph.row_ptr, std::vector<EdgeOffset>{0});
}

}  // namespace
}  // namespace weft::partition
