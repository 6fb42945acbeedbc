// SPDX-License-Identifier: MIT
// A model is data: a list of blocks, made from a plain specification.
#pragma once

#include <cstdint>
#include <vector>

#include "layers/aggregation.hpp"
#include "layers/block.hpp"
#include "layers/reach.hpp"

namespace weft::layers {

struct ModelSpec {
  ConvolutionType type = ConvolutionType::gcn;
  std::int64_t num_inputs = 0;
  std::int64_t num_hidden = 16;
  std::int64_t num_outputs = 0;
  int num_layers = 2;
  float input_dropout = 0;  ///< before the first layer
  float dropout = 0;        ///< before every other layer
  NormType norm = NormType::none;
  ActivationType activation = ActivationType::relu;
  bool bias = true;
  bool sparse_input = false;
  /// Of rows that are kept or travel: inputs, activations, sums and their gradients. Logits and
  /// weights are Real in any case.
  kernels::Storage storage = kernels::Storage::real;
  /// [num_layers] or empty: layers whose training passes sum first because they compute few rows.
  std::vector<bool> sums_in_training = {};
};

/// The layers of `spec` whose training passes sum first; empty where nothing is pruned.
[[nodiscard]] std::vector<bool> layers_that_sum_in_training(const ModelSpec& spec,
                                                            const Reach& reach,
                                                            double arcs_per_row,
                                                            int num_ranks);

/// Layer `layer` of a model: hidden width except at the ends; no norm or activation after the last.
[[nodiscard]] BlockSpec block_spec(const ModelSpec& spec, int layer);

class Model {
 public:
  /// Weights are initialized from `seed`; the same on every rank.
  Model(const ModelSpec& spec, std::uint64_t seed);

  /// Shapes   x [num_owned x num_inputs]; returns logits [m x num_outputs] of the m rows that the
  ///          last layer computes in this pass
  /// Collective
  kernels::ConstMatrixView forward(Pass& pass, const LayerInput& x);

  /// Writes the gradients of this rank's rows; the sum over ranks is the caller's. Call
  /// after a forward of the same pass.
  ///
  /// Shapes   grad_logits [m x num_outputs]
  /// Collective
  void backward(Pass& pass, kernels::ConstMatrixView grad_logits);

  [[nodiscard]] ParameterStore& parameters() { return store_; }
  [[nodiscard]] const ModelSpec& spec() const { return spec_; }

 private:
  void resize_gradient(const Pass& pass, std::size_t block, kernels::Matrix& grad) const;
  void reserve_gradients(const Pass& pass);

  ModelSpec spec_;
  ParameterStore store_;
  std::vector<Block> blocks_;
  kernels::Matrix grad_current_;  ///< gradients between blocks, each over the one before
  kernels::Matrix grad_other_;    ///< in turn with it where a block reads its gradient to the end
};

}  // namespace weft::layers
