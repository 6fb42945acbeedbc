// SPDX-License-Identifier: MIT
// LayerNorm: checks the shapes and passes on to the backend.
#include "kernels/layer_norm.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void require_width(const char* operation, const char* name, std::size_t width, ConstMatrixView x) {
  require_equal(operation, {name, static_cast<std::int64_t>(width)},
                {"columns of x", x.num_columns}, "pass arrays and matrices of one width");
}

void require_like_x(const char* operation,
                    const char* name,
                    ConstMatrixView other,
                    ConstMatrixView x,
                    RowSet rows) {
  require_width(operation, name, static_cast<std::size_t>(other.num_columns), x);
  require_rows(operation, rows, {"rows of a matrix", other.num_rows});
}

}  // namespace

void layer_norm(Context& ctx,
                ConstMatrixView x,
                std::span<const Real> gamma,
                std::span<const Real> beta,
                MatrixView y,
                RowSet rows) {
  require_width("layer_norm", "length of gamma", gamma.size(), x);
  require_width("layer_norm", "length of beta", beta.size(), x);
  require_like_x("layer_norm", "columns of y", y, x, rows);
  require_rows("layer_norm", rows, {"rows of x", x.num_rows});
  choose_backend(ctx, "layer_norm", reference::layer_norm, cpu::layer_norm)(ctx, x, gamma, beta, y,
                                                                            rows);
}

void layer_norm_backward(Context& ctx,
                         ConstMatrixView x,
                         std::span<const Real> gamma,
                         ConstMatrixView grad_y,
                         MatrixView grad_x,
                         std::span<Real> grad_gamma,
                         std::span<Real> grad_beta,
                         RowSet rows) {
  const char* operation = "layer_norm_backward";
  require_width(operation, "length of gamma", gamma.size(), x);
  require_width(operation, "length of grad_gamma", grad_gamma.size(), x);
  require_width(operation, "length of grad_beta", grad_beta.size(), x);
  require_like_x(operation, "columns of grad_y", grad_y, x, rows);
  require_like_x(operation, "columns of grad_x", grad_x, x, rows);
  require_rows(operation, rows, {"rows of x", x.num_rows});
  choose_backend(ctx, operation, reference::layer_norm_backward, cpu::layer_norm_backward)(
      ctx, x, gamma, grad_y, grad_x, grad_gamma, grad_beta, rows);
}

}  // namespace weft::kernels
