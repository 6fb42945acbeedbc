// SPDX-License-Identifier: MIT
#include "datasets/synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/transforms.hpp"
#include "tests/graph/threads.hpp"

namespace weft::datasets {
namespace {

SyntheticOptions small(SyntheticKind kind) {
  SyntheticOptions options;
  options.kind = kind;
  options.num_vertices = 600;
  options.num_rows = 20;
  options.num_columns = 30;
  options.num_classes = 4;
  options.num_features = 6;
  return options;
}

std::vector<std::int64_t> role_counts(const Dataset& dataset, const std::string& split) {
  std::vector<std::int64_t> counts(3);
  for (const std::int8_t code : dataset.split(split))
    ++counts.at(static_cast<std::size_t>(code));
  return counts;
}

TEST(Synthetic, EveryKindIsAWholeDataset) {
  for (const std::string& name : synthetic_kind_names()) {
    SCOPED_TRACE(name);
    const SyntheticOptions options = small(parse_synthetic_kind(name));
    const Dataset dataset = make_synthetic(options);
    const bool is_karate = options.kind == SyntheticKind::karate;
    const auto n = static_cast<std::size_t>(is_karate ? 34 : 600);
    EXPECT_EQ(dataset.name, name);
    EXPECT_EQ(dataset.num_vertices, static_cast<std::int64_t>(n));
    EXPECT_EQ(dataset.graph.num_vertices(), dataset.num_vertices);
    EXPECT_TRUE(graph::is_symmetric(dataset.graph));
    EXPECT_FALSE(dataset.directed);
    EXPECT_EQ(dataset.features.num_columns, is_karate ? 34 : 6);
    EXPECT_EQ(dataset.features.num_rows, dataset.num_vertices);
    EXPECT_EQ(dataset.labels.size(), n);
    EXPECT_EQ(dataset.num_classes, is_karate ? 2 : 4);
    EXPECT_GE(*std::min_element(dataset.labels.begin(), dataset.labels.end()), 0);
    EXPECT_LT(*std::max_element(dataset.labels.begin(), dataset.labels.end()), dataset.num_classes);
    EXPECT_EQ(dataset.splits.size(), 2 * n);
    EXPECT_FALSE(dataset.provenance.empty());
    for (std::int64_t v = 0; v < dataset.num_vertices; ++v) {
      const auto row = dataset.graph.neighbors(v);
      EXPECT_FALSE(std::binary_search(row.begin(), row.end(), static_cast<std::int32_t>(v)));
    }
  }
}

TEST(Synthetic, IsTheSameForAnyNumberOfThreads) {
  SyntheticOptions options = small(SyntheticKind::communities);
  options.weighted = true;
  const auto make = [&] { return make_synthetic(options); };
  const Dataset one = test_support::with_threads(1, make);
  const Dataset many = test_support::with_threads(7, make);
  const auto expect_equal = [](auto a, auto b) {
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  };
  expect_equal(one.graph.row_ptr, many.graph.row_ptr);
  expect_equal(one.graph.col_idx, many.graph.col_idx);
  expect_equal(one.graph.edge_weight, many.graph.edge_weight);
  expect_equal(one.features.dense, many.features.dense);
  expect_equal(one.labels, many.labels);
  expect_equal(one.splits, many.splits);
}

TEST(Synthetic, EverySeedIsAnotherDataset) {
  SyntheticOptions options = small(SyntheticKind::communities);
  const Dataset first = make_synthetic(options);
  options.seed = 2;
  const Dataset second = make_synthetic(options);
  EXPECT_FALSE(std::equal(first.features.dense.begin(), first.features.dense.end(),
                          second.features.dense.begin()));
  EXPECT_FALSE(std::equal(first.labels.begin(), first.labels.end(), second.labels.begin()));
  EXPECT_FALSE(std::equal(first.splits.begin(), first.splits.end(), second.splits.begin()));
}

TEST(Synthetic, EdgesStayInsideAsAsked) {
  SyntheticOptions options = small(SyntheticKind::communities);
  options.num_vertices = 4000;
  options.label_noise = 0.0;
  const Dataset dataset = make_synthetic(options);
  EXPECT_EQ(dataset.graph.num_edges(), 40000);
  std::int64_t inside = 0;
  for (std::int64_t v = 0; v < dataset.num_vertices; ++v) {
    for (const std::int32_t u : dataset.graph.neighbors(v)) {
      inside += dataset.labels[static_cast<std::size_t>(u)] ==
                dataset.labels[static_cast<std::size_t>(v)];
    }
  }
  EXPECT_EQ(inside, 28000);  // 0.7 of them
}

TEST(Synthetic, LabelNoiseFlipsItsShare) {
  SyntheticOptions options = small(SyntheticKind::communities);
  options.num_vertices = 20000;
  options.num_classes = 10;
  options.num_features = 0;
  options.label_noise = 0.0;
  const Dataset clean = make_synthetic(options);
  options.label_noise = 0.2;
  const Dataset noisy = make_synthetic(options);
  std::int64_t flipped = 0;
  for (std::size_t v = 0; v < 20000; ++v)
    flipped += clean.labels[v] != noisy.labels[v];
  EXPECT_NEAR(static_cast<double>(flipped) / 20000.0, 0.2, 0.01);
}

/// Squared distance of a feature row to a mean.
double distance(std::span<const float> row, std::span<const double> mean) {
  double sum = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    sum += std::pow(static_cast<double>(row[i]) - mean[i], 2.0);
  }
  return sum;
}

TEST(Synthetic, FeaturesAreClassMeansPlusNoise) {
  SyntheticOptions options = small(SyntheticKind::communities);
  options.num_vertices = 20000;
  options.num_features = 33;
  options.label_noise = 0.0;
  options.noise = 0.25;
  const Dataset dataset = make_synthetic(options);
  const std::size_t width = 33;
  std::vector<std::vector<double>> means(4, std::vector<double>(width));
  for (std::size_t v = 0; v < 20000; ++v) {
    for (std::size_t i = 0; i < width; ++i) {
      means[static_cast<std::size_t>(dataset.labels[v])][i] +=
          static_cast<double>(dataset.features.dense[v * width + i]) / 5000.0;
    }
  }
  double squares = 0.0;
  for (std::size_t v = 0; v < 20000; ++v) {
    squares += distance(dataset.features.dense.subspan(v * width, width),
                        means[static_cast<std::size_t>(dataset.labels[v])]);
  }
  EXPECT_NEAR(std::sqrt(squares / (20000.0 * static_cast<double>(width))), 0.25, 0.005);
  for (const auto& mean : means) {
    EXPECT_NEAR(std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0)), 1.0,
                0.05);
  }
}

TEST(Synthetic, WeightsAreThoseOfTheEdge) {
  SyntheticOptions options = small(SyntheticKind::ring);
  options.weighted = true;
  const Dataset dataset = make_synthetic(options);
  ASSERT_TRUE(dataset.graph.is_weighted());
  EXPECT_TRUE(graph::is_symmetric(dataset.graph));
  const auto range =
      std::minmax_element(dataset.graph.edge_weight.begin(), dataset.graph.edge_weight.end());
  EXPECT_GE(*range.first, 0.5F);
  EXPECT_LT(*range.second, 1.5F);
  EXPECT_LT(*range.first, *range.second);
}

TEST(Synthetic, DirectedKeepsArcsAsDrawn) {
  SyntheticOptions options = small(SyntheticKind::path);
  options.directed = true;
  const Dataset dataset = make_synthetic(options);
  EXPECT_TRUE(dataset.directed);
  EXPECT_EQ(dataset.graph.num_edges(), 599);
  EXPECT_EQ(dataset.graph.neighbors(1).front(), 0);
  EXPECT_TRUE(dataset.graph.neighbors(0).empty());
}

TEST(Synthetic, KarateClubHasOneHotFeatures) {
  const Dataset dataset = make_synthetic(small(SyntheticKind::karate));
  EXPECT_EQ(dataset.graph.num_edges(), 156);
  EXPECT_TRUE(dataset.features.is_sparse());
  ASSERT_EQ(dataset.features.col_idx.size(), 34U);
  for (std::size_t v = 0; v < 34; ++v) {
    EXPECT_EQ(dataset.features.row_ptr[v], static_cast<std::int64_t>(v));
    EXPECT_EQ(dataset.features.col_idx[v], static_cast<std::int32_t>(v));
    EXPECT_EQ(dataset.features.values[v], 1.0F);
  }
  EXPECT_EQ(role_counts(dataset, "leaders"), (std::vector<std::int64_t>{2, 4, 28}));
}

TEST(Synthetic, GridClassesAreBandsAndRmatClassesAreDegrees) {
  SyntheticOptions options = small(SyntheticKind::grid);
  options.label_noise = 0.0;
  const Dataset grid = make_synthetic(options);
  EXPECT_EQ(grid.labels[0], 0);
  EXPECT_EQ(grid.labels[149], 0);
  EXPECT_EQ(grid.labels[150], 1);
  EXPECT_EQ(grid.labels[599], 3);
  options.kind = SyntheticKind::rmat;
  const Dataset rmat = make_synthetic(options);
  for (std::int64_t v = 0; v < 600; ++v) {
    const std::int64_t degree = rmat.graph.degree(v);
    const int expected = degree == 0 ? 0 : degree == 1 ? 1 : degree < 4 ? 2 : 3;
    EXPECT_EQ(rmat.labels[static_cast<std::size_t>(v)], expected) << degree;
  }
}

TEST(Synthetic, NamesItsKinds) {
  EXPECT_EQ(parse_synthetic_kind("karate"), SyntheticKind::karate);
  try {
    (void)parse_synthetic_kind("comunities");
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("did you mean communities"), std::string::npos) << message;
    EXPECT_NE(message.find("rmat, ring"), std::string::npos) << message;
  }
}

TEST(Synthetic, RefusesValuesOutOfRangeByTheirOption) {
  using Change = void (*)(SyntheticOptions&);
  const std::map<std::string, Change> changes{
      {"--nodes 0", [](SyntheticOptions& o) { o.num_vertices = 0; }},
      {"--degree -1", [](SyntheticOptions& o) { o.mean_degree = -1.0; }},
      {"--inside 2", [](SyntheticOptions& o) { o.inside = 2.0; }},
      {"--classes 0", [](SyntheticOptions& o) { o.num_classes = 0; }},
      {"--features -5", [](SyntheticOptions& o) { o.num_features = -5; }},
      {"--noise -1", [](SyntheticOptions& o) { o.noise = -1.0; }},
      {"--label-noise 1.5", [](SyntheticOptions& o) { o.label_noise = 1.5; }},
      {"--train-share -0.5", [](SyntheticOptions& o) { o.train_share = -0.5; }},
      {"--validation-share 0.5", [](SyntheticOptions& o) { o.validation_share = 0.5; }},
      {"--few 0", [](SyntheticOptions& o) { o.few_per_class = 0; }},
      {"exponent 1", [](SyntheticOptions& o) { o.exponent = 1.0; }}};
  for (const auto& entry : changes) {
    SyntheticOptions options = small(SyntheticKind::communities);
    entry.second(options);
    try {
      (void)make_synthetic(options);
      ADD_FAILURE() << entry.first;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(entry.first), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace weft::datasets
