#include "kernels/spmm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/matrix.hpp"

namespace weft::kernels::cpu {
namespace {

void sum_row(const SparseView& a, ConstMatrixView x, std::int64_t r, Real* sum) {
  std::fill_n(sum, x.num_columns, Real{0});
  const auto end = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(r) + 1]);
  for (auto e = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(r)]); e < end; ++e) {
    const Real value = a.values.empty() ? Real{1} : a.values[e];
    const Real* row = x.row(a.col_idx[e]);
    for (std::int64_t c = 0; c < x.num_columns; ++c)
      sum[c] += value * row[c];
  }
}

}  // namespace

void spmm(Context& ctx, const SparseView& a, ConstMatrixView x, MatrixView y, RowSet rows) {
  for_rows(ctx, rows, x.num_columns * 16, [&](std::int64_t r) { sum_row(a, x, r, y.row(r)); });
}

void spmm_add(Context& ctx, const SparseView& a, ConstMatrixView x, MatrixView y, RowSet rows) {
  std::vector<Matrix> sums(static_cast<std::size_t>(ctx.num_threads()));
  for (Matrix& sum : sums)
    sum.resize(1, x.num_columns);
  for_rows(ctx, rows, x.num_columns * 16, [&](std::int64_t r) {
    Real* sum = sums[static_cast<std::size_t>(ctx.thread_index())].data();
    sum_row(a, x, r, sum);
    for (std::int64_t c = 0; c < x.num_columns; ++c)
      y.at(r, c) += sum[c];
  });
}

}  // namespace weft::kernels::cpu
