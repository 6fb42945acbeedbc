// SPDX-License-Identifier: MIT
#include "datasets/synthetic_splits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft::datasets {
namespace {

Dataset with_splits(std::int64_t num_vertices, int num_classes, const SyntheticOptions& options) {
  Dataset dataset;
  dataset.num_vertices = num_vertices;
  dataset.num_classes = num_classes;
  std::vector<std::int32_t> labels(static_cast<std::size_t>(num_vertices));
  for (std::size_t v = 0; v < labels.size(); ++v) {
    labels[v] = static_cast<std::int32_t>(v) % num_classes;
  }
  dataset.labels = keep(dataset, std::move(labels));
  add_splits(options, dataset);
  return dataset;
}

std::int64_t count(std::span<const std::int8_t> split, SplitRole role) {
  return std::count(split.begin(), split.end(), static_cast<std::int8_t>(role));
}

TEST(AddSplits, SharesAreExact) {
  const Dataset dataset = with_splits(1003, 5, {});
  ASSERT_EQ(dataset.split_names, (std::vector<std::string>{"random", "few"}));
  const auto random = dataset.split("random");
  EXPECT_EQ(count(random, SplitRole::train), 602);
  EXPECT_EQ(count(random, SplitRole::validation), 200);
  EXPECT_EQ(count(random, SplitRole::test), 201);
}

TEST(AddSplits, FewHasItsNumberOfEachClass) {
  const Dataset dataset = with_splits(4000, 5, {});
  const auto few = dataset.split("few");
  std::vector<std::int64_t> trained(5);
  for (std::size_t v = 0; v < few.size(); ++v) {
    if (few[v] == 0) ++trained[static_cast<std::size_t>(dataset.labels[v])];
  }
  EXPECT_EQ(trained, std::vector<std::int64_t>(5, 20));
  EXPECT_EQ(count(few, SplitRole::validation), 500);
  EXPECT_EQ(count(few, SplitRole::test), 3400);
}

TEST(AddSplits, SmallClassesGiveHalfOfThemselves) {
  const Dataset dataset = with_splits(9, 3, {});
  const auto few = dataset.split("few");
  EXPECT_EQ(count(few, SplitRole::train), 6);
  EXPECT_EQ(count(few, SplitRole::test), 3);
  const Dataset one = with_splits(1, 1, {});
  EXPECT_EQ(count(one.split("random"), SplitRole::train), 1);
  EXPECT_EQ(count(one.split("few"), SplitRole::train), 1);
}

TEST(AddSplits, FollowTheSeed) {
  SyntheticOptions options;
  const Dataset first = with_splits(500, 5, options);
  const Dataset again = with_splits(500, 5, options);
  options.seed = 2;
  const Dataset other = with_splits(500, 5, options);
  EXPECT_TRUE(std::equal(first.splits.begin(), first.splits.end(), again.splits.begin()));
  EXPECT_FALSE(std::equal(first.splits.begin(), first.splits.end(), other.splits.begin()));
}

}  // namespace
}  // namespace weft::datasets
