#include "kernels/gemm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void multiply(
    Context& ctx, ConstMatrixView x, ConstMatrixView w, MatrixView y, RowSet rows, Write write) {
  for_rows(ctx, rows, x.num_columns + w.num_columns, [&](std::int64_t r) {
    Real* out = y.row(r);
    if (write == Write::overwrite) std::fill_n(out, w.num_columns, Real{0});
    for (std::int64_t k = 0; k < w.num_rows; ++k) {
      const Real value = x.at(r, k);
      for (std::int64_t c = 0; c < w.num_columns; ++c)
        out[c] += value * w.at(k, c);
    }
  });
}

void multiply_transposed(
    Context& ctx, ConstMatrixView g, ConstMatrixView w, MatrixView y, RowSet rows, Write write) {
  for_rows(ctx, rows, g.num_columns + w.num_rows, [&](std::int64_t r) {
    for (std::int64_t k = 0; k < w.num_rows; ++k) {
      Real sum = 0;
      for (std::int64_t c = 0; c < w.num_columns; ++c)
        sum += g.at(r, c) * w.at(k, c);
      y.at(r, k) = write == Write::add ? y.at(r, k) + sum : sum;
    }
  });
}

void weight_gradient(
    Context& ctx, ConstMatrixView x, ConstMatrixView g, MatrixView grad_w, RowSet rows) {
  const std::int64_t num_chunks = (rows.size() + weight_gradient_chunk - 1) / weight_gradient_chunk;
  const std::int64_t width = x.num_columns * g.num_columns;
  const auto total =
      sum_chunks(ctx, {num_chunks, 1, width}, [&](std::int64_t chunk, std::int64_t, Real* sum) {
        std::fill_n(sum, width, Real{0});
        const std::int64_t end = std::min(rows.size(), (chunk + 1) * weight_gradient_chunk);
        for (std::int64_t i = chunk * weight_gradient_chunk; i < end; ++i) {
          for (std::int64_t k = 0; k < x.num_columns; ++k) {
            const Real value = x.at(rows[i], k);
            Real* out = sum + k * g.num_columns;
            for (std::int64_t c = 0; c < g.num_columns; ++c)
              out[c] += value * g.at(rows[i], c);
          }
        }
      });
  for (std::int64_t k = 0; k < x.num_columns; ++k) {
    for (std::int64_t c = 0; c < g.num_columns; ++c) {
      grad_w.at(k, c) = static_cast<Real>(total[static_cast<std::size_t>(k * g.num_columns + c)]);
    }
  }
}

void bias_gradient(Context& ctx, ConstMatrixView g, std::span<Real> grad_b, RowSet rows) {
  const std::int64_t num_chunks = (rows.size() + weight_gradient_chunk - 1) / weight_gradient_chunk;
  const auto total = sum_chunks(
      ctx, {num_chunks, 1, g.num_columns}, [&](std::int64_t chunk, std::int64_t, Real* sum) {
        std::fill_n(sum, g.num_columns, Real{0});
        const std::int64_t end = std::min(rows.size(), (chunk + 1) * weight_gradient_chunk);
        for (std::int64_t i = chunk * weight_gradient_chunk; i < end; ++i) {
          const Real* row = g.row(rows[i]);
          for (std::int64_t c = 0; c < g.num_columns; ++c)
            sum[c] += row[c];
        }
      });
  std::transform(total.begin(), total.end(), grad_b.begin(),
                 [](double value) { return static_cast<Real>(value); });
}

void add_bias(Context& ctx, std::span<const Real> b, MatrixView y, RowSet rows) {
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    Real* row = y.row(r);
    for (std::size_t c = 0; c < b.size(); ++c)
      row[c] += b[c];
  });
}

}  // namespace weft::kernels::cpu
