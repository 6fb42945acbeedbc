// SPDX-License-Identifier: MIT
// Graph convolution: y = A x W + b, with A the symmetrically normalized adjacency with loops.
//
// Source: Kipf and Welling, "Semi-Supervised Classification with Graph Convolutional Networks",
// ICLR 2017. A is given by the aggregation of the pass; weighted in-degrees as in PyG's GCNConv.
//
// Shapes   x [n x k], W [k x m], b [m], y [n x m]
// Cost     nonzeros(A) * min(k, m) + n k m; an exchange of min(k, m) columns forward and back
//
// The product with its gradients, in both orders, is NeighborProduct's; grad_b = column sums of
// grad_y.
#pragma once

#include "layers/convolution.hpp"
#include "layers/neighbor_product.hpp"

namespace weft::layers {

class GcnConvolution final : public Convolution {
 public:
  GcnConvolution(ParameterStore& store, const ConvolutionShape& shape);

  [[nodiscard]] bool may_overwrite_gradient() const override { return true; }
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
  bool has_bias_;
  NeighborProduct neighbors_;
  ParameterId weight_;
  ParameterId bias_ = 0;
};

}  // namespace weft::layers
