// SPDX-License-Identifier: MIT
#include "partition/gather_rows.hpp"

#include <gtest/gtest.h>

#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

template <typename T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

datasets::Dataset five_vertices() {
  return test_support::dataset_of(test_support::graph_of(5, test_support::path_arcs(5)), false);
}

const std::vector<GlobalId> chosen{4, 0, 2};

TEST(GatherRows, DenseFeaturesLabelsAndSplitsInTheListsOrder) {
  auto dataset = five_vertices();
  test_support::add_rows(dataset, false);
  const PartRows rows = gather_rows(dataset, chosen);
  EXPECT_EQ(rows.features.num_rows, 3);
  EXPECT_EQ(rows.features.num_columns, 2);
  EXPECT_EQ(copy_of(rows.features.dense), (std::vector<float>{4, 16, 0, 0, 2, 4}));
  EXPECT_EQ(copy_of(rows.labels), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(copy_of(rows.splits), (std::vector<std::int8_t>{-1, -1, 1}));
}

TEST(GatherRows, SparseFeaturesWithAnEmptyRow) {
  auto dataset = five_vertices();
  test_support::add_rows(dataset, true);
  const PartRows rows = gather_rows(dataset, chosen);
  EXPECT_TRUE(rows.features.is_sparse());
  EXPECT_EQ(copy_of(rows.features.row_ptr), (std::vector<std::int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(copy_of(rows.features.col_idx), (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(copy_of(rows.features.values), (std::vector<float>{4, 16, 2, 4}));
}

TEST(GatherRows, SeveralSplitsStayApart) {
  auto dataset = five_vertices();
  dataset.splits = keep(dataset, std::vector<std::int8_t>{0, 1, 2, 0, 1, -1, -1, 0, 1, 2});
  dataset.split_names = {"a", "b"};
  EXPECT_EQ(copy_of(gather_rows(dataset, chosen).splits),
            (std::vector<std::int8_t>{1, 0, 2, 2, -1, 0}));
}

TEST(GatherRows, MultiLabelsAndTargetsHaveNumClassesColumns) {
  auto dataset = five_vertices();
  dataset.num_classes = 2;
  dataset.multi_labels = keep(dataset, std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  dataset.targets = keep(dataset, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const PartRows rows = gather_rows(dataset, chosen);
  EXPECT_EQ(copy_of(rows.multi_labels), (std::vector<std::uint8_t>{8, 9, 0, 1, 4, 5}));
  EXPECT_EQ(copy_of(rows.targets), (std::vector<float>{8, 9, 0, 1, 4, 5}));
}

TEST(GatherRows, WhatTheDatasetLacksStaysAbsent) {
  const PartRows rows = gather_rows(five_vertices(), chosen);
  EXPECT_TRUE(rows.features.empty());
  EXPECT_TRUE(rows.labels.empty());
  EXPECT_TRUE(rows.multi_labels.empty());
  EXPECT_TRUE(rows.targets.empty());
  EXPECT_TRUE(rows.splits.empty());
}

}  // namespace
}  // namespace weft::partition
