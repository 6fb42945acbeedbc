// SPDX-License-Identifier: MIT
// Specification of the aggregation by extremes: entry after entry, each compared with the best.
#include "kernels/extreme_aggregation.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backends.hpp"
#include "kernels/spmm.hpp"

namespace weft::kernels::reference {
namespace {

/// True if `number`, which comes later, takes the place of `best`.
bool beats(Extreme kind, Real number, Real best) {
  if (std::isnan(best)) return false;
  if (std::isnan(number)) return true;
  return kind == Extreme::max ? number > best : number < best;
}

/// Element (u, c) of the gradient: blocks of 4,096 entries, as in `spmm`.
Real gradient_of(const SparseView& a_transposed,
                 const ExtremeGradient& gradient,
                 std::int64_t u,
                 std::int64_t c) {
  const EdgeOffset first = a_transposed.row_ptr[static_cast<std::size_t>(u)];
  const EdgeOffset end = a_transposed.row_end_of(u);
  Real sum = 0;
  for (EdgeOffset begin = first; begin < end; begin += summation_block) {
    Real block = 0;
    for (EdgeOffset e = begin; e < std::min(end, begin + summation_block); ++e) {
      const LocalId* entry = a_transposed.col_idx.data() + e;
      const bool is_repeat = e > first && entry[0] == entry[-1];
      const bool is_held = gradient.argument.at(*entry, c) == u + gradient.column_offset;
      if (is_held && !is_repeat) block += gradient.grad_y.at(*entry, c);
    }
    sum += block;
  }
  return sum;
}

}  // namespace

void aggregate_extreme(
    Context& ctx, const SparseView& a, ConstMatrixView x, ExtremeView y, RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.values.at(rows[i], c) = 0;
      y.argument.at(rows[i], c) = no_argument;
    }
  }
  reference::extreme_continue(ctx, a, x, 0, y, rows);
}

void extreme_continue(Context&,
                      const SparseView& a,
                      ConstMatrixView x,
                      LocalId column_offset,
                      ExtremeView y,
                      RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const EdgeOffset end = a.row_end_of(rows[i]);
    for (EdgeOffset e = a.row_ptr[static_cast<std::size_t>(rows[i])]; e < end; ++e) {
      const LocalId u = a.col_idx[static_cast<std::size_t>(e)];
      for (std::int64_t c = 0; c < x.num_columns; ++c) {
        Real& best = y.values.at(rows[i], c);
        LocalId& argument = y.argument.at(rows[i], c);
        if (argument != no_argument && !beats(y.kind, x.at(u, c), best)) continue;
        best = x.at(u, c);
        argument = u + column_offset;
      }
    }
  }
}

void extreme_backward(Context&,
                      const SparseView& a_transposed,
                      const ExtremeGradient& gradient,
                      MatrixView grad_x,
                      RowSet rows,
                      Write write) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < grad_x.num_columns; ++c) {
      const Real sum = gradient_of(a_transposed, gradient, rows[i], c);
      Real& out = grad_x.at(rows[i], c);
      out = write == Write::add ? out + sum : sum;
    }
  }
}

}  // namespace weft::kernels::reference
