// SPDX-License-Identifier: MIT
// Specification of the aggregation: blocks of 4,096 entries, each summed from zero, added in order.
#include "kernels/spmm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/bfloat16.hpp"
#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

Real value_of(const SparseView& a, EdgeOffset entry) {
  return a.values.empty() ? Real{1} : a.values[static_cast<std::size_t>(entry)];
}

Real element(ConstMatrixView x, LocalId r, std::int64_t c) {
  return x.at(r, c);
}
Real element(const RowPointers& x, LocalId r, std::int64_t c) {
  const Real* row = x.rows[static_cast<std::size_t>(r)];
  if (x.storage == Storage::real) return row[c];
  return static_cast<Real>(from_bf16(reinterpret_cast<const std::uint16_t*>(row)[c]));
}

/// Element (r, c) of A x.
template <typename Table>
Real sum_of_row(const SparseView& a, const Table& x, std::int64_t r, std::int64_t c) {
  const EdgeOffset end = a.row_end_of(r);
  Real sum = 0;
  for (EdgeOffset begin = a.row_ptr[static_cast<std::size_t>(r)]; begin < end;
       begin += summation_block) {
    Real block = 0;
    for (EdgeOffset e = begin; e < std::min(end, begin + summation_block); ++e) {
      block += value_of(a, e) * element(x, a.col_idx[static_cast<std::size_t>(e)], c);
    }
    sum += block;
  }
  return sum;
}

/// y += A x for the rows, then the steps of the epilogue.
template <typename Table>
void add_sums(Context& ctx,
              const SparseView& a,
              const Table& x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c) {
      out.view().at(rows[i], c) += sum_of_row(a, x, rows[i], c);
    }
  }
  reference::finish_rows(ctx, epilogue, out.view(), rows);
  out.store();
}

}  // namespace

void spmm(Context& ctx,
          const SparseView& a,
          ConstMatrixView x,
          MatrixView y,
          RowSet rows,
          const Epilogue& epilogue) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c) {
      out.view().at(rows[i], c) = sum_of_row(a, in.view(), rows[i], c);
    }
  }
  reference::finish_rows(ctx, epilogue, out.view(), rows);
  out.store();
}

void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  const RealInput in(x);
  add_sums(ctx, a, in.view(), y, rows, epilogue);
}

void spmm_add_rows_at(Context& ctx,
                      const SparseView& a,
                      const RowPointers& x,
                      MatrixView y,
                      RowSet rows,
                      const Epilogue& epilogue) {
  add_sums(ctx, a, x, y, rows, epilogue);
}

}  // namespace weft::kernels::reference
