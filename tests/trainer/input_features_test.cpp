// SPDX-License-Identifier: MIT
// Feature scaling: the same numbers for any ranks, statistics of training vertices only.
#include "trainer/input_features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "graph/support/error.hpp"
#include "tests/trainer/engine_harness.hpp"
#include "trainer/gather.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

/// Scaled features by global id, on rank 0.
kernels::Matrix scaled(comm::Communicator& world,
                       const datasets::Dataset& dataset,
                       FeatureScaling scaling) {
  const partition::Part part = test_support::my_part(world, dataset, Owners::random);
  InputFeatures features =
      prepare_features(world, {part.rows.features, {}, split_of_part(part, "")}, scaling);
  kernels::Matrix dense(part.num_owned(), dataset.features.num_columns);
  dense.fill(0);
  const layers::LayerInput input = features.input();
  for (std::int64_t r = 0; r < dense.num_rows(); ++r) {
    if (input.sparse == nullptr) {
      for (std::int64_t c = 0; c < dense.num_columns(); ++c)
        dense.at(r, c) = input.dense.at(r, c);
      continue;
    }
    const kernels::SparseView view = input.sparse->view();
    for (auto e = static_cast<std::size_t>(view.row_ptr[static_cast<std::size_t>(r)]);
         e < static_cast<std::size_t>(view.row_ptr[static_cast<std::size_t>(r) + 1]); ++e) {
      dense.at(r, view.col_idx[e]) = view.values[e];
    }
  }
  return gather_by_global_id(world, part, dense.view());
}

class Scaling : public ::testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] datasets::Dataset dataset() const {
    test_support::RandomDatasetOptions options;
    options.sparse_features = GetParam();
    return test_support::random_dataset(options);
  }
};

TEST_P(Scaling, RowSumMakesAbsoluteSumsOne) {
  comm::Communicator world = comm::Communicator::world();
  const kernels::Matrix x = scaled(world, dataset(), FeatureScaling::row_sum);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    double sum = 0;
    for (std::int64_t c = 0; c < x.num_columns(); ++c)
      sum += std::abs(static_cast<double>(x.at(r, c)));
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST_P(Scaling, RowL2MakesLengthsOne) {
  comm::Communicator world = comm::Communicator::world();
  const kernels::Matrix x = scaled(world, dataset(), FeatureScaling::row_l2);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    double square = 0;
    for (std::int64_t c = 0; c < x.num_columns(); ++c) {
      square += static_cast<double>(x.at(r, c)) * static_cast<double>(x.at(r, c));
    }
    EXPECT_NEAR(square, 1, 1e-5);
  }
}

TEST_P(Scaling, StandardFitsTrainingVerticesOnly) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset data = dataset();
  const kernels::Matrix x = scaled(world, data, FeatureScaling::standard);
  for (std::int64_t c = 0; c < x.num_columns(); ++c) {
    double sum = 0;
    double square = 0;
    double count = 0;
    for (std::int64_t r = 0; r < x.num_rows(); ++r) {
      if (data.splits[static_cast<std::size_t>(r)] != 0) continue;
      sum += static_cast<double>(x.at(r, c));
      square += static_cast<double>(x.at(r, c)) * static_cast<double>(x.at(r, c));
      count += 1;
    }
    EXPECT_NEAR(sum / count, 0, 1e-5);
    EXPECT_NEAR(square / count, 1, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Scaling, ::testing::Bool(), [](const auto& p) {
  return std::string(p.param ? "sparse" : "dense");
});

TEST(Features, TakeTheStatisticsOfAnotherDataset) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset data = test_support::random_dataset();
  const partition::Part part = test_support::my_part(world, data, Owners::block);
  FeatureStatistics given;
  given.mean.assign(static_cast<std::size_t>(data.features.num_columns), 0.5);
  given.deviation.assign(given.mean.size(), 2.0);
  const InputFeatures scaled =
      prepare_features(world, {part.rows.features, {}, {}}, FeatureScaling::standard, given);
  EXPECT_EQ(scaled.statistics.mean, given.mean);
  for (std::int64_t i = 0; i < scaled.dense.size(); ++i) {
    const double raw = static_cast<double>(part.rows.features.dense[static_cast<std::size_t>(i)]);
    EXPECT_NEAR(static_cast<double>(scaled.dense.data()[i]), (raw - 0.5) / 2.0, 1e-6);
  }
  given.mean.pop_back();
  EXPECT_THROW(static_cast<void>(prepare_features(world, {part.rows.features, {}, {}},
                                                  FeatureScaling::standard, given)),
               InputError);
}

TEST(Features, AreNeeded) {
  comm::Communicator world = comm::Communicator::world();
  datasets::Dataset data = test_support::random_dataset();
  data.features = {};
  const partition::Part part = test_support::my_part(world, data, Owners::block);
  EXPECT_THROW(static_cast<void>(prepare_features(
                   world, {part.rows.features, {}, split_of_part(part, "")}, FeatureScaling::none)),
               InputError);
}

}  // namespace
}  // namespace weft::trainer
