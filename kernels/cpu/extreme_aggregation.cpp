// SPDX-License-Identifier: MIT
// Aggregation by extremes, row by row: a row's extremes stay in registers while its neighbors'
// rows stream by, and so do a row's gradients. A hub's row is shared out by columns.
#include "kernels/extreme_aggregation.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/entry_tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/spmm.hpp"

namespace weft::kernels::cpu {
namespace {

/// Columns of a hub's row that a task takes: two cache lines of floats.
constexpr std::int64_t columns_per_task = 32;

SparseRow entries_of(const SparseView& a, std::int64_t r) {
  return {a.col_idx.data(), nullptr,          a.row_ptr[static_cast<std::size_t>(r)],
          a.row_end_of(r),  a.num_nonzeros(), summation_block};
}

/// Calls body(r, begin, end) on the pool for the rows of the set, once with all columns 0 .. dim-1
/// or several times with some.
template <typename Body>
void for_row_parts(
    Context& ctx, const SparseView& a, std::int64_t dim, RowSet rows, const Body& body) {
  for_sparse_rows(
      ctx, a, rows, [&](std::int64_t r) { body(r, 0, dim); },
      [&](std::int64_t r) {
        ctx.parallel_for((dim + columns_per_task - 1) / columns_per_task, [&](std::int64_t task) {
          const std::int64_t begin = task * columns_per_task;
          body(r, begin, std::min(dim, begin + columns_per_task));
        });
      });
}

/// Compares the entries of the rows with what y holds, after forgetting it where `is_first`.
void compare(Context& ctx,
             const SparseView& a,
             const ExtremeOperand& x,
             const ExtremeView& y,
             RowSet rows,
             bool is_first) {
  const VectorKernels& vectors = vector_kernels(ctx.instruction_set());
  for_row_parts(ctx, a, y.values.num_columns, rows,
                [&](std::int64_t r, std::int64_t begin, std::int64_t end) {
                  Real* values = y.values.row(r) + begin;
                  LocalId* argument = y.argument.row(r) + begin;
                  if (is_first) {
                    std::fill_n(values, end - begin, Real{0});
                    std::fill_n(argument, end - begin, no_argument);
                  }
                  ExtremeOperand columns = x;
                  columns.x += begin;
                  vectors.extreme_row(entries_of(a, r), columns, end - begin, values, argument);
                });
}

}  // namespace

void aggregate_extreme(
    Context& ctx, const SparseView& a, ConstMatrixView x, ExtremeView y, RowSet rows) {
  compare(ctx, a, {x.data, x.stride, 0, y.kind == Extreme::min}, y, rows, true);
}

void extreme_continue(Context& ctx,
                      const SparseView& a,
                      ConstMatrixView x,
                      LocalId column_offset,
                      ExtremeView y,
                      RowSet rows) {
  compare(ctx, a, {x.data, x.stride, column_offset, y.kind == Extreme::min}, y, rows, false);
}

void extreme_backward(Context& ctx,
                      const SparseView& a_transposed,
                      const ExtremeGradient& gradient,
                      MatrixView grad_x,
                      RowSet rows,
                      Write write) {
  const VectorKernels& vectors = vector_kernels(ctx.instruction_set());
  const auto& [grad_y, argument, column_offset] = gradient;
  const ExtremeGradientOperand all{grad_y.data, grad_y.stride, argument.data, argument.stride, 0};
  for_row_parts(ctx, a_transposed, grad_x.num_columns, rows,
                [&, offset = column_offset](std::int64_t u, std::int64_t begin, std::int64_t end) {
                  ExtremeGradientOperand columns = all;
                  columns.grad_y += begin;
                  columns.argument += begin;
                  columns.wanted = static_cast<LocalId>(u) + offset;
                  vectors.extreme_gradient_row(entries_of(a_transposed, u), columns, end - begin,
                                               grad_x.row(u) + begin, write == Write::add);
                });
}

}  // namespace weft::kernels::cpu
