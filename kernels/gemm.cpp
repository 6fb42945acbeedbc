// SPDX-License-Identifier: MIT
// Dense products: checks the shapes and passes on to the backend.
#include "kernels/gemm.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void require_bias(const char* operation, std::span<const Real> grad_b, ConstMatrixView g) {
  require_equal(operation, {"length of grad_b", static_cast<std::int64_t>(grad_b.size())},
                {"columns of g", g.num_columns}, "pass one number a column");
}

}  // namespace

void multiply(Context& ctx,
              ConstMatrixView x,
              ConstMatrixView w,
              MatrixView y,
              RowSet rows,
              Write write,
              const Epilogue& epilogue) {
  require_equal("multiply", {"columns of x", x.num_columns}, {"rows of w", w.num_rows},
                "pass weights with a row for each input column");
  require_equal("multiply", {"columns of y", y.num_columns}, {"columns of w", w.num_columns},
                "pass a y with a column for each output column of w");
  require_rows("multiply", rows, {"rows of x", x.num_rows});
  require_real("multiply", "w", w.storage);
  require_rows("multiply", rows, {"rows of y", y.num_rows});
  require_epilogue("multiply", epilogue, y, rows);
  choose_backend(ctx, "multiply", reference::multiply, cpu::multiply)(ctx, x, w, y, rows, write,
                                                                      epilogue);
}

void multiply_transposed(Context& ctx,
                         ConstMatrixView g,
                         ConstMatrixView w,
                         MatrixView y,
                         RowSet rows,
                         Write write,
                         const Epilogue& epilogue) {
  require_equal("multiply_transposed", {"columns of g", g.num_columns},
                {"columns of w", w.num_columns}, "pass a gradient of the width of the output");
  require_equal("multiply_transposed", {"columns of y", y.num_columns}, {"rows of w", w.num_rows},
                "pass a y of the width of the input");
  require_rows("multiply_transposed", rows, {"rows of g", g.num_rows});
  require_real("multiply_transposed", "w", w.storage);
  require_rows("multiply_transposed", rows, {"rows of y", y.num_rows});
  require_epilogue("multiply_transposed", epilogue, y, rows);
  choose_backend(ctx, "multiply_transposed", reference::multiply_transposed,
                 cpu::multiply_transposed)(ctx, g, w, y, rows, write, epilogue);
}

void weight_gradient(Context& ctx,
                     ConstMatrixView x,
                     ConstMatrixView g,
                     MatrixView grad_w,
                     RowSet rows,
                     std::span<Real> grad_b) {
  require_equal("weight_gradient", {"rows of grad_w", grad_w.num_rows},
                {"columns of x", x.num_columns}, "pass a grad_w of the shape of the weights");
  require_equal("weight_gradient", {"columns of grad_w", grad_w.num_columns},
                {"columns of g", g.num_columns}, "pass a grad_w of the shape of the weights");
  require_real("weight_gradient", "grad_w", grad_w.storage);
  if (!grad_b.empty()) require_bias("weight_gradient", grad_b, g);
  require_rows("weight_gradient", rows, {"rows of x", x.num_rows});
  require_rows("weight_gradient", rows, {"rows of g", g.num_rows});
  choose_backend(ctx, "weight_gradient", reference::weight_gradient, cpu::weight_gradient)(
      ctx, x, g, grad_w, rows, grad_b);
}

void bias_gradient(Context& ctx, ConstMatrixView g, std::span<Real> grad_b, RowSet rows) {
  require_bias("bias_gradient", grad_b, g);
  require_rows("bias_gradient", rows, {"rows of g", g.num_rows});
  choose_backend(ctx, "bias_gradient", reference::bias_gradient, cpu::bias_gradient)(ctx, g, grad_b,
                                                                                     rows);
}

void add_bias(Context& ctx, std::span<const Real> b, MatrixView y, RowSet rows) {
  require_equal("add_bias", {"length of b", static_cast<std::int64_t>(b.size())},
                {"columns of y", y.num_columns}, "pass one number a column");
  require_rows("add_bias", rows, {"rows of y", y.num_rows});
  choose_backend(ctx, "add_bias", reference::add_bias, cpu::add_bias)(ctx, b, y, rows);
}

}  // namespace weft::kernels
