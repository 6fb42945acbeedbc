// SPDX-License-Identifier: MIT
// The one place that turns a local graph and a halo into a sum over neighbors, forward and back.
//
// Convolutions call it and never see communication. Work that needs nobody runs while rows travel:
// forward sums owned columns meanwhile, backward the owned transpose.
#pragma once

#include "comm/halo_exchange.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "layers/aggregation.hpp"

namespace weft::layers {

class NeighborSum {
 public:
  /// Both must outlive this object.
  NeighborSum(const Aggregation& aggregation, comm::HaloExchange& halo)
      : aggregation_(&aggregation), halo_(&halo) {}

  /// y = A x over owned and halo neighbors.
  ///
  /// Shapes   x, y [num_owned x dim]
  /// Cost     O(nonzeros * dim), one exchange of dim columns
  /// Collective
  void forward(kernels::Context& ctx, kernels::ConstMatrixView x, kernels::MatrixView y);

  /// grad_x = A^T grad_y, with what other ranks owe to this rank's vertices.
  ///
  /// Shapes   grad_y, grad_x [num_owned x dim]
  /// Cost     O(nonzeros * dim), one reverse exchange of dim columns
  /// Collective
  void backward(kernels::Context& ctx, kernels::ConstMatrixView grad_y, kernels::MatrixView grad_x);

 private:
  const Aggregation* aggregation_;
  comm::HaloExchange* halo_;
};

}  // namespace weft::layers
