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
//   transform first   h = x W_neighbor;  y = A h + x W_self + b
//                     grad_h = A^T grad_y;  grad_W_neighbor = x^T grad_h
//                     grad_x = grad_h W_neighbor^T + grad_y W_self^T
//   sum first         p = A x;  y = p W_neighbor + x W_self + b
//                     grad_W_neighbor = p^T grad_y;  grad_p = grad_y W_neighbor^T
//                     grad_x = A^T grad_p + grad_y W_self^T
#pragma once

#include "layers/convolution.hpp"

namespace weft::layers {

class SageConvolution final : public Convolution {
 public:
  SageConvolution(ParameterStore& store, const ConvolutionShape& shape);

  void initialize(ParameterStore& store, std::uint64_t seed) override;
  void forward(Pass& pass,
               ParameterStore& store,
               const LayerInput& x,
               kernels::MatrixView y) override;
  void backward(Pass& pass,
                ParameterStore& store,
                const LayerInput& x,
                kernels::ConstMatrixView grad_y,
                kernels::MatrixView grad_x) override;

 private:
  /// Gradient of W_neighbor and, where the shape asks for it, the neighbor term of grad_x.
  void backward_neighbors(Pass& pass,
                          ParameterStore& store,
                          const LayerInput& x,
                          kernels::ConstMatrixView grad_y,
                          kernels::MatrixView grad_x);

  ConvolutionShape shape_;
  bool transforms_first_;
  ParameterId weight_self_;
  ParameterId weight_neighbor_;
  ParameterId bias_ = 0;
  kernels::Matrix hidden_;       ///< h [n x m] or p [n x k]
  kernels::Matrix grad_hidden_;  ///< gradient of h or p
};

}  // namespace weft::layers
