// SPDX-License-Identifier: MIT
// What follows a product or an aggregation, done to each row while it is still in cache.
//
// Invariant (same bits): a fused epilogue gives exactly what the separate operations give one
// after the other on the same instruction set, so fusing is a matter of time only. Where y is
// stored as bf16, it is rounded once instead of after every step.
#pragma once

#include <span>

#include "kernels/dropout.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels {

/// The steps of one row, in this order; each is left out where its member is empty:
///
///   bias            y[r] += bias
///   residual        y[r] += residual[r]
///   gamma           LayerNorm of y[r] to normalized[r]; y[r] stays as it is from here on, and what
///                   follows is done to normalized[r]
///   relu            as `relu`
///   dropout         as `dropout`, row r having the global id global_ids[r]
///   gate            y[r][c] = gate[r][c] > 0 ? y[r][c] * gate_scale : 0: the gradient of relu
///                   followed by dropout, whose output is `gate`
///
/// Shapes   with y [n x dim]: bias, gamma, beta [dim], residual, normalized, gate [>= n x dim],
///          global_ids [>= n]. None of them may overlap y
struct Epilogue {
  std::span<const Real> bias = {};
  ConstMatrixView residual = {};
  std::span<const Real> gamma = {};
  std::span<const Real> beta = {};
  MatrixView normalized = {};
  bool relu = false;
  const DropoutMask* dropout = nullptr;
  std::span<const GlobalId> global_ids = {};
  ConstMatrixView gate = {};
  Real gate_scale = 1;

  [[nodiscard]] bool has_layer_norm() const { return !gamma.empty(); }
  [[nodiscard]] bool is_empty() const {
    return bias.empty() && residual.data == nullptr && gamma.empty() && !relu &&
           dropout == nullptr && gate.data == nullptr;
  }
};

/// Does the steps of `epilogue` to the rows of y in `rows`, for rows that no product finishes.
///
/// Shapes   y [n x dim]
/// Cost     O(rows * dim) time, no allocation
void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows);

/// Throws InputError unless the members of `epilogue` fit y and `rows`.
void require_epilogue(const char* operation,
                      const Epilogue& epilogue,
                      ConstMatrixView y,
                      RowSet rows);

}  // namespace weft::kernels
