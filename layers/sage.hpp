// SPDX-License-Identifier: MIT
// GraphSAGE with the mean aggregator: y = x W_self + (A x) W_neighbor + b, with A the mean over
// in-neighbors (a weighted mean where the graph has weights; a vertex without neighbors gets 0).
//
// Source: Hamilton, Ying, Leskovec, "Inductive Representation Learning on Large Graphs", NIPS
// 2017; the two-matrix form of PyG's SAGEConv.
//
// Shapes   x [n x k], W_self and W_neighbor [k x m], b [m], y [n x m]
// Cost     nonzeros(A) * min(k, m) + 2 n k m; an exchange of min(k, m) columns forward and back
//
// (A x) W_neighbor with its gradients, in both orders, is NeighborProduct's. Beside it
//   grad_W_self = x^T grad_y;  grad_b = column sums of grad_y;  grad_x gains grad_y W_self^T
#pragma once

#include "layers/convolution.hpp"
#include "layers/neighbor_product.hpp"

namespace weft::layers {

class SageConvolution final : public Convolution {
 public:
  SageConvolution(ParameterStore& store, const ConvolutionShape& shape);

  [[nodiscard]] bool may_overwrite_gradient() const override { return false; }
  void initialize(ParameterStore& store, std::uint64_t seed) override;
  void forward(Pass& pass,
               ParameterStore& store,
               const LayerInput& x,
               kernels::MatrixView y,
               const kernels::Epilogue& epilogue) override;
  void backward(Pass& pass,
                ParameterStore& store,
                const LayerInput& x,
                kernels::ConstMatrixView grad_y,
                const InputGradient& input) override;

 private:
  ConvolutionShape shape_;
  NeighborProduct neighbors_;
  ParameterId weight_self_;
  ParameterId weight_neighbor_;
  ParameterId bias_ = 0;
};

}  // namespace weft::layers
