// SPDX-License-Identifier: MIT
// Checks that the members of an epilogue fit the rows that it is for.
#include "kernels/epilogue.hpp"

#include "graph/support/text.hpp"
#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void require_vector(const char* operation,
                    const char* name,
                    std::span<const Real> vector,
                    ConstMatrixView y) {
  require_equal(operation, {name, static_cast<std::int64_t>(vector.size())},
                {"columns of y", y.num_columns}, "pass one number a column of the result");
}

/// x holds the rows of y and is as wide.
void require_matrix(const char* operation,
                    const char* columns_name,
                    const char* rows_name,
                    ConstMatrixView x,
                    ConstMatrixView y,
                    RowSet rows) {
  require_equal(operation, {columns_name, x.num_columns}, {"columns of y", y.num_columns},
                "pass a matrix of the shape of the result");
  require_rows(operation, rows, {rows_name, x.num_rows});
}

void require_layer_norm(const char* operation,
                        const Epilogue& epilogue,
                        ConstMatrixView y,
                        RowSet rows) {
  require_vector(operation, "length of the epilogue's gamma", epilogue.gamma, y);
  require_vector(operation, "length of the epilogue's beta", epilogue.beta, y);
  require_matrix(operation, "columns of the epilogue's normalized",
                 "rows of the epilogue's normalized", epilogue.normalized, y, rows);
}

void require_dropout(const char* operation, const Epilogue& epilogue, RowSet rows) {
  require_probability(operation, *epilogue.dropout);
  require_rows(
      operation, rows,
      {"the epilogue's global ids", static_cast<std::int64_t>(epilogue.global_ids.size())});
}

}  // namespace

void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows) {
  require_rows("finish_rows", rows, {"rows of y", y.num_rows});
  require_epilogue("finish_rows", epilogue, y, rows);
  choose_backend(ctx, "finish_rows", reference::finish_rows, cpu::finish_rows)(ctx, epilogue, y,
                                                                               rows);
}

void require_epilogue(const char* operation,
                      const Epilogue& epilogue,
                      ConstMatrixView y,
                      RowSet rows) {
  if (!epilogue.bias.empty()) {
    require_vector(operation, "length of the epilogue's bias", epilogue.bias, y);
  }
  if (epilogue.residual.data != nullptr) {
    require_matrix(operation, "columns of the epilogue's residual",
                   "rows of the epilogue's residual", epilogue.residual, y, rows);
  }
  if (epilogue.has_layer_norm() || !epilogue.beta.empty()) {
    require_layer_norm(operation, epilogue, y, rows);
  }
  if (epilogue.dropout != nullptr) require_dropout(operation, epilogue, rows);
  if (epilogue.gate.data != nullptr) {
    require_matrix(operation, "columns of the epilogue's gate", "rows of the epilogue's gate",
                   epilogue.gate, y, rows);
  }
}

}  // namespace weft::kernels
