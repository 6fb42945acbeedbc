// SPDX-License-Identifier: MIT
// The whole dataset is at hand on every rank, so expected values need no communication.
#include "tests/layers/convolution_harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft::test_support {

using kernels::Matrix;

namespace {

partition::Part part_of(comm::Communicator& world, const datasets::Dataset& dataset) {
  const int size = world.size();
  return make_part(dataset, deal_owners(dataset, size, Owners::random), size, world.rank());
}

Matrix rows_of(const datasets::FeatureView& features) {
  Matrix rows(features.num_rows, features.num_columns);
  std::ranges::copy(features.dense, rows.values().begin());
  return rows;
}

}  // namespace

ConvolutionHarness::ConvolutionHarness(const layers::AggregationOptions& options)
    : options_(options),
      world_(comm::Communicator::world()),
      dataset_(random_dataset()),
      part_(part_of(world_, dataset_)),
      aggregation_(layers::build_aggregation(part_, options)),
      border_(layers::build_border(world_, part_, aggregation_, {}, {false})),
      neighbors_(world_, aggregation_, border_, {}),
      input_(rows_of(part_.rows.features)) {}

layers::Pass ConvolutionHarness::pass(bool training) {
  const std::span<const GlobalId> ids(part_.global_ids.data(),
                                      static_cast<std::size_t>(part_.num_owned()));
  return {ctx_, neighbors_, workspace_, ids, 5, 1, training, {}};
}

Matrix ConvolutionHarness::forward(layers::Convolution& convolution,
                                   layers::ParameterStore& store,
                                   std::int64_t num_outputs) {
  Matrix y(part_.num_owned(), num_outputs);
  layers::Pass evaluation = pass(false);
  convolution.forward(evaluation, store, {input_.view(), nullptr}, y.view(), {});
  return y;
}

Matrix ConvolutionHarness::neighbor_sum() const {
  const auto owners = deal_owners(dataset_, 1, Owners::block);
  const partition::Part whole = make_part(dataset_, owners, 1, 0);
  const kernels::SparseMatrix a = layers::build_aggregation(whole, options_).owned;
  Matrix sums(part_.num_owned(), num_inputs());
  sums.fill(0);
  for (LocalId v = 0; v < part_.num_owned(); ++v) {
    const auto row = static_cast<std::size_t>(part_.global_ids[static_cast<std::size_t>(v)]);
    for (auto e = static_cast<std::size_t>(a.row_ptr[row]);
         e < static_cast<std::size_t>(a.row_ptr[row + 1]); ++e) {
      for (std::int64_t c = 0; c < num_inputs(); ++c) {
        const std::int64_t source = a.col_idx[e];
        const auto index = static_cast<std::size_t>(source * num_inputs() + c);
        sums.at(v, c) += a.values[e] * static_cast<Real>(dataset_.features.dense[index]);
      }
    }
  }
  return sums;
}

Matrix ConvolutionHarness::multiply(const Matrix& x, kernels::ConstMatrixView w) {
  Matrix y(x.num_rows(), w.num_columns);
  y.fill(0);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    for (std::int64_t k = 0; k < x.num_columns(); ++k) {
      for (std::int64_t c = 0; c < w.num_columns; ++c)
        y.at(r, c) += x.at(r, k) * w.at(k, c);
    }
  }
  return y;
}

void ConvolutionHarness::expect_near(const Matrix& found, const Matrix& expected) {
  ASSERT_EQ(found.num_rows(), expected.num_rows());
  ASSERT_EQ(found.num_columns(), expected.num_columns());
  for (std::int64_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(found.data()[i]), static_cast<double>(expected.data()[i]), 1e-5)
        << "element " << i;
  }
}

}  // namespace weft::test_support
