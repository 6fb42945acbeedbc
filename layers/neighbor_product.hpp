// SPDX-License-Identifier: MIT
// y = (A x) W, the term that every convolution of the GCN family has, in whichever order costs the
// pass less.
//
// Shapes   x [n x k], W [k x m], y [n x m]; in a pruned pass x has the rows that the layer reads,
//          y those that it computes
// Cost     nonzeros(A) * min(k, m) + n k m; an exchange of min(k, m) columns forward and back
//
//   transform first   h = x W;  y = A h      grad_h = A^T grad_y;  grad_W = x^T grad_h
//                                            grad_x = grad_h W^T
//   sum first         p = A x;  y = p W      grad_W = p^T grad_y;  grad_p = grad_y W^T
//                                            grad_x = A^T grad_p
//
// Products of rows that others wait for come first, the others run while rows travel, grad_W of the
// rows of grad_h that no other rank adds to among them. Where the
// input is the same in every pass, p is summed and exchanged in the first pass only.
#pragma once

#include <span>

#include "kernels/gemm.hpp"
#include "layers/convolution.hpp"

namespace weft::layers {

class NeighborProduct {
 public:
  explicit NeighborProduct(const ConvolutionShape& shape) : shape_(shape) {}

  /// The weights, and what becomes of y: its rows are finished, then used, as they get their last
  /// term.
  struct Output {
    kernels::ConstMatrixView weight;
    kernels::MatrixView y;
    kernels::Epilogue epilogue = {};
    RowWork use = {};
  };

  /// Writes y. Collective
  void forward(Pass& pass, const LayerInput& x, const Output& output);

  /// The weights with the places of the gradients, and the work that the convolution has besides:
  /// `meanwhile` runs once while rows travel; rows of grad_x are finished, then used.
  struct Gradients {
    kernels::ConstMatrixView weight;
    kernels::MatrixView grad_weight;
    std::span<Real> grad_bias = {};   ///< column sums of grad_y, where asked for
    kernels::MatrixView grad_x = {};  ///< unused unless the shape asks for it
    kernels::Epilogue epilogue = {};
    RowWork use_grad_x = {};
    RowWork meanwhile = {};
  };

  /// Writes grad_weight, grad_bias where it is given, and grad_x where the shape asks for it. `x`
  /// is what `forward` was given. Collective
  void backward(Pass& pass,
                const LayerInput& x,
                kernels::ConstMatrixView grad_y,
                const Gradients& gradients);

 private:
  void sum_input(Pass& pass, const LayerInput& x, const Output& output);
  void transform_backward(Pass& pass,
                          const LayerInput& x,
                          kernels::ConstMatrixView grad_y,
                          const Gradients& gradients);
  void weigh_rows(Pass& pass,
                  kernels::ConstMatrixView x,
                  const kernels::RowSet& rows,
                  kernels::MatrixView grad_weight,
                  kernels::Write write);
  void sum_backward(Pass& pass, kernels::ConstMatrixView grad_y, const Gradients& gradients);
  void keep_sum(Pass& pass, kernels::ConstMatrixView x);

  [[nodiscard]] bool transforms_in(const Pass& pass) const {
    return transforms_first(shape_) && !(pass.training && shape_.sums_in_training);
  }

  ConvolutionShape shape_;
  kernels::Matrix sum_;                 ///< p, where the sum is first: backward needs it
  kernels::Matrix added_;               ///< grad_weight of rows that other ranks add to
  bool has_sum_ = false;                ///< sum_ holds p of the constant input, all rows
  const Real* summed_input_ = nullptr;  ///< that input
};

}  // namespace weft::layers
