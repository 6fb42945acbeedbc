// SPDX-License-Identifier: MIT
// The aggregation matrix without communication: coefficients, order of entries, transposes.
#include "layers/aggregation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/csr_build.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

using test_support::Owners;
using Entries = std::map<std::pair<GlobalId, GlobalId>, double>;

/// Adds the entries of a part to `entries`, by global ids of (row, column).
void collect(const partition::Part& part, const Aggregation& a, Entries& entries) {
  const auto global = [&](std::int64_t v) { return part.global_ids[static_cast<std::size_t>(v)]; };
  const auto add = [&](const kernels::SparseMatrix& m, std::int64_t row0, std::int64_t column0) {
    for (std::int64_t r = 0; r < m.num_rows; ++r) {
      for (auto e = static_cast<std::size_t>(m.row_ptr[static_cast<std::size_t>(r)]);
           e < static_cast<std::size_t>(m.row_ptr[static_cast<std::size_t>(r) + 1]); ++e) {
        entries[{global(row0 + r), global(column0 + m.col_idx[e])}] +=
            static_cast<double>(m.values[e]);
      }
    }
  };
  add(a.owned, 0, 0);
  add(a.halo, 0, part.num_owned());
}

Entries entries_of(const datasets::Dataset& dataset,
                   int num_parts,
                   const std::vector<std::int32_t>& owners,
                   const AggregationOptions& options) {
  Entries entries;
  for (int p = 0; p < num_parts; ++p) {
    const partition::Part part = test_support::make_part(dataset, owners, num_parts, p);
    collect(part, build_aggregation(part, options), entries);
  }
  return entries;
}

Entries entries_of(const datasets::Dataset& dataset,
                   int num_parts,
                   Owners owners,
                   const AggregationOptions& options) {
  return entries_of(dataset, num_parts, test_support::deal_owners(dataset, num_parts, owners),
                    options);
}

/// The edge 0 - 1 of this weight, the arc 1 -> 2 of weight 3, and a loop of weight 1 at each
/// vertex.
datasets::Dataset dataset_with_edge(float weight) {
  graph::EdgeList edges{3, {{0, 1}, {1, 0}, {1, 2}, {0, 0}, {1, 1}, {2, 2}}, {}};
  edges.weights = {weight, weight, 3, 1, 1, 1};
  graph::CsrGraph graph = graph::build_csr(std::move(edges));
  datasets::Dataset dataset;
  dataset.num_vertices = 3;
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  dataset.graph.edge_weight = keep(dataset, std::move(graph.edge_weight));
  return dataset;
}

TEST(Aggregation, HasTheSameEntriesForAnyPartition) {
  const datasets::Dataset dataset = test_support::random_dataset();
  for (const Normalization normalization :
       {Normalization::symmetric, Normalization::mean, Normalization::sum}) {
    const AggregationOptions options{normalization, normalization == Normalization::symmetric};
    const Entries whole = entries_of(dataset, 1, Owners::block, options);
    for (const int num_parts : {2, 3, 7}) {
      for (const Owners owners : {Owners::block, Owners::random, Owners::one_empty}) {
        EXPECT_EQ(entries_of(dataset, num_parts, owners, options), whole)
            << num_parts << " parts, " << test_support::owners_name(owners);
      }
    }
  }
}

TEST(Aggregation, AddsExactlyOneLoopAVertex) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const Entries entries = entries_of(dataset, 3, Owners::random, {Normalization::symmetric, true});
  std::int64_t loops = 0;
  for (const auto& [ends, value] : entries) {
    if (ends.first == ends.second) ++loops;
    EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_EQ(loops, dataset.num_vertices);
}

TEST(Aggregation, MeanRowsSumToOneAndIsolatedRowsToZero) {
  const datasets::Dataset dataset = test_support::random_dataset();
  std::map<GlobalId, double> sums;
  for (const auto& [ends, value] :
       entries_of(dataset, 3, Owners::random, {Normalization::mean, false})) {
    sums[ends.first] += value;
  }
  for (const auto& [vertex, sum] : sums)
    EXPECT_NEAR(sum, 1.0, 1e-6) << vertex;
  EXPECT_EQ(sums.count(dataset.num_vertices - 1), 0U);
}

// Vertices 0 and 1 have the degree 1 + weight, 0 or -1; vertex 2 has 4.
TEST(Aggregation, ADegreeThatIsNotPositiveGivesZeros) {
  for (const float weight : {-1.0F, -2.0F}) {
    const datasets::Dataset dataset = dataset_with_edge(weight);
    for (const Normalization normalization : {Normalization::symmetric, Normalization::mean}) {
      for (const std::vector<std::int32_t>& owners :
           {std::vector<std::int32_t>{0, 0, 0}, std::vector<std::int32_t>{0, 1, 1}}) {
        const bool is_symmetric = normalization == Normalization::symmetric;
        const Entries entries =
            entries_of(dataset, 1 + owners[2], owners, {normalization, is_symmetric});
        ASSERT_EQ(entries.size(), 6U);
        for (const auto& [ends, value] : entries) {
          if (ends.first < 2) {
            EXPECT_EQ(value, 0.0) << ends.second << " -> " << ends.first << ", " << weight;
          }
        }
        EXPECT_EQ(entries.at({2, 2}), 0.25);
        // GCN divides by the degrees of both ends, the mean by the row's alone.
        EXPECT_EQ(entries.at({2, 1}), is_symmetric ? 0.0 : 0.75);
      }
    }
  }
}

TEST(Aggregation, RowsRiseByColumnInBothDirections) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const auto dealt = test_support::deal_owners(dataset, 3, Owners::random);
  for (int p = 0; p < 3; ++p) {
    const partition::Part part = test_support::make_part(dataset, dealt, 3, p);
    const Aggregation a = build_aggregation(part, {Normalization::symmetric, true});
    for (const kernels::SparseMatrix* m : {&a.owned, &a.transpose_of_owned()}) {
      for (std::size_t r = 0; r + 1 < m->row_ptr.size(); ++r) {
        for (auto e = static_cast<std::size_t>(m->row_ptr[r]) + 1;
             e < static_cast<std::size_t>(m->row_ptr[r + 1]); ++e) {
          EXPECT_LT(m->col_idx[e - 1], m->col_idx[e]);
        }
      }
    }
  }
}

TEST(Aggregation, OneCopyServesBothDirectionsWhereTheyAreEqual) {
  for (const bool directed : {false, true}) {
    test_support::RandomDatasetOptions options;
    options.directed = directed;
    const datasets::Dataset dataset = test_support::random_dataset(options);
    for (const int num_parts : {1, 2}) {
      const auto dealt = test_support::deal_owners(dataset, num_parts, Owners::random);
      const partition::Part part = test_support::make_part(dataset, dealt, num_parts, 0);
      const Aggregation gcn = build_aggregation(part, {Normalization::symmetric, true});
      EXPECT_EQ(gcn.owned_is_symmetric, !directed);
      EXPECT_EQ(gcn.owned_transposed.col_idx.empty(), !directed);
      EXPECT_EQ(gcn.transpose_of_owned().num_rows, part.num_owned());
      const Aggregation mean = build_aggregation(part, {Normalization::mean, false});
      EXPECT_FALSE(mean.owned_is_symmetric);
    }
  }
}

TEST(Aggregation, TransposesHoldTheSameEntries) {
  const datasets::Dataset dataset = test_support::random_dataset();
  const auto dealt = test_support::deal_owners(dataset, 2, Owners::random);
  const partition::Part part = test_support::make_part(dataset, dealt, 2, 0);
  const Aggregation a = build_aggregation(part, {Normalization::mean, false});
  const auto sorted_entries = [](const kernels::SparseMatrix& m, bool flip) {
    std::map<std::pair<std::int64_t, std::int64_t>, Real> entries;
    for (std::int64_t r = 0; r < m.num_rows; ++r) {
      for (auto e = static_cast<std::size_t>(m.row_ptr[static_cast<std::size_t>(r)]);
           e < static_cast<std::size_t>(m.row_ptr[static_cast<std::size_t>(r) + 1]); ++e) {
        const std::int64_t c = m.col_idx[e];
        entries[flip ? std::pair{c, r} : std::pair{r, c}] = m.values[e];
      }
    }
    return entries;
  };
  EXPECT_EQ(sorted_entries(a.owned, false), sorted_entries(a.transpose_of_owned(), true));
}

}  // namespace
}  // namespace weft::layers
