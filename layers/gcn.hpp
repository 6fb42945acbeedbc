// SPDX-License-Identifier: MIT
// Graph convolution: y = A x W + b, with A the symmetrically normalized adjacency with loops.
//
// Source: Kipf and Welling, "Semi-Supervised Classification with Graph Convolutional Networks",
// ICLR 2017. A is given by the aggregation of the pass; weighted in-degrees as in PyG's GCNConv.
//
// Shapes   x [n x k], W [k x m], b [m], y [n x m]
// Cost     nonzeros(A) * min(k, m) + n k m; an exchange of min(k, m) columns forward and back
//
//   transform first   h = x W;  y = A h + b      grad_h = A^T grad_y;  grad_W = x^T grad_h
//                                                grad_x = grad_h W^T
//   sum first         p = A x;  y = p W + b      grad_W = p^T grad_y;  grad_p = grad_y W^T
//                                                grad_x = A^T grad_p
#pragma once

#include "layers/convolution.hpp"

namespace weft::layers {

class GcnConvolution final : public Convolution {
 public:
  GcnConvolution(ParameterStore& store, const ConvolutionShape& shape);

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
  ConvolutionShape shape_;
  bool transforms_first_;
  ParameterId weight_;
  ParameterId bias_ = 0;
  kernels::Matrix hidden_;       ///< h [n x m] or p [n x k]
  kernels::Matrix grad_hidden_;  ///< gradient of h or p
};

}  // namespace weft::layers
