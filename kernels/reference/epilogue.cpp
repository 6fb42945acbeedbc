// SPDX-License-Identifier: MIT
// Specification of the epilogues: the separate operations, one after the other.
#include "kernels/reference/epilogue.hpp"

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

void scale_rows(Real scale, MatrixView y, RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c)
      y.at(rows[i], c) *= scale;
  }
}

}  // namespace

void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows) {
  const RealOutput finished(y);
  y = finished.view();
  if (!epilogue.bias.empty()) reference::add_bias(ctx, epilogue.bias, y, rows);
  if (epilogue.residual.data != nullptr) reference::add_rows(ctx, epilogue.residual, y, rows);
  const RealOutput normalized(epilogue.normalized);
  if (epilogue.has_layer_norm()) {
    reference::layer_norm(ctx, y, epilogue.gamma, epilogue.beta, normalized.view(), rows);
    y = normalized.view();
  }
  if (epilogue.relu) reference::relu(ctx, y, y, rows);
  if (epilogue.dropout != nullptr) {
    reference::dropout(ctx, *epilogue.dropout, epilogue.global_ids, y, y, rows);
  }
  if (epilogue.gate.data != nullptr) {
    scale_rows(epilogue.gate_scale, y, rows);
    reference::relu_backward(ctx, epilogue.gate, y, y, rows);
  }
  finished.store();
  if (epilogue.has_layer_norm()) normalized.store();
}

}  // namespace weft::kernels::reference
