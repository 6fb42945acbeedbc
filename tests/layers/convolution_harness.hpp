// SPDX-License-Identifier: MIT
// One convolution on this rank's part of a random dataset, and the pieces of its equation computed
// by other means.
#pragma once

#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "layers/aggregation.hpp"
#include "layers/convolution.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::test_support {

class ConvolutionHarness {
 public:
  explicit ConvolutionHarness(const layers::AggregationOptions& options);

  [[nodiscard]] std::int64_t num_inputs() const { return dataset_.features.num_columns; }
  /// [num_owned x num_inputs]
  [[nodiscard]] const kernels::Matrix& input() const { return input_; }
  [[nodiscard]] layers::Pass pass(bool training);

  /// conv(x), evaluated through the convolution. Collective
  [[nodiscard]] kernels::Matrix forward(layers::Convolution& convolution,
                                        layers::ParameterStore& store,
                                        std::int64_t num_outputs);
  [[nodiscard]] std::int64_t bytes_sent() const { return neighbors_.traffic().bytes_sent; }
  /// A x from the whole graph, each rank by itself: no exchange is involved.
  [[nodiscard]] kernels::Matrix neighbor_sum() const;
  /// x w by three loops.
  [[nodiscard]] static kernels::Matrix multiply(const kernels::Matrix& x,
                                                kernels::ConstMatrixView w);
  static void expect_near(const kernels::Matrix& found, const kernels::Matrix& expected);

 private:
  layers::AggregationOptions options_;
  comm::Communicator world_;
  datasets::Dataset dataset_;
  partition::Part part_;
  kernels::Context ctx_{2};
  layers::Aggregation aggregation_;
  layers::Border border_;
  layers::NeighborSum neighbors_;
  layers::Workspace workspace_;
  kernels::Matrix input_;
};

}  // namespace weft::test_support
