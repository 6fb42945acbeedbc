// SPDX-License-Identifier: MIT
// A model on one rank's part of a test dataset, with the global loss as a function of the weights:
// what gradient checks need.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/context.hpp"
#include "layers/model.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::test_support {

class ModelHarness {
 public:
  ModelHarness(comm::Communicator& communicator,
               const datasets::Dataset& dataset,
               Owners owners,
               const layers::AggregationOptions& aggregation,
               layers::ModelSpec spec,
               bool pruned = false);

  /// Mean cross entropy over all labelled vertices of all ranks, dropout on. Collective
  double loss();
  /// The gradient of `loss`, summed over ranks. Collective
  std::vector<double> gradient();

  [[nodiscard]] layers::Model& model() { return *model_; }
  void set_gradients_done(std::function<void(int layer)> told) {
    gradients_done_ = std::move(told);
  }

 private:
  void find_labelled();
  std::vector<LocalId> prune(int num_layers);
  void make_features(std::span<const LocalId> order);
  kernels::ConstMatrixView forward(layers::Pass& pass);
  [[nodiscard]] layers::Pass pass();
  double global_loss(kernels::ConstMatrixView logits, kernels::MatrixView grad_logits);

  comm::Communicator& communicator_;
  kernels::Context ctx_{2};
  partition::Part part_;
  layers::Aggregation aggregation_;
  layers::Reach reach_;
  layers::Border border_;
  std::unique_ptr<layers::NeighborSum> neighbors_;
  layers::Workspace workspace_;
  std::unique_ptr<layers::SparseInput> sparse_;
  kernels::Matrix dense_;
  std::unique_ptr<layers::Model> model_;
  kernels::Matrix grad_logits_;
  std::vector<LocalId> labelled_;
  double global_count_ = 0;
  std::function<void(int layer)> gradients_done_;
};

/// Over the parameters, the largest L2 of (numeric - analytic) / L2 of analytic (1e-6 at least), by
/// central differences of the global loss. Collective
[[nodiscard]] double gradient_error(ModelHarness& harness);

}  // namespace weft::test_support
