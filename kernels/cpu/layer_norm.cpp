// SPDX-License-Identifier: MIT
// LayerNorm: statistics in double precision by two passes over a row that is in cache by then.
#include "kernels/layer_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/gemm.hpp"

namespace weft::kernels::cpu {
namespace {

struct Statistics {
  double mean = 0;
  double inverse_sigma = 0;
};

/// Sum of term(c) for c in 0 .. dim - 1, in eight interleaved sums that the compiler can
/// vectorize; always the same order.
template <typename Term>
double sum_of(std::int64_t dim, const Term& term) {
  constexpr std::int64_t lanes = 8;
  double sums[lanes] = {};
  std::int64_t c = 0;
  for (; c + lanes <= dim; c += lanes) {
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      sums[lane] += term(c + lane);
  }
  for (std::int64_t lane = 0; c < dim; ++c, ++lane)
    sums[lane] += term(c);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

Statistics statistics(const Real* x, std::int64_t dim) {
  const double mean = sum_of(dim, [&](std::int64_t c) { return static_cast<double>(x[c]); }) /
                      static_cast<double>(dim);
  const double squares = sum_of(dim, [&](std::int64_t c) {
    const double deviation = static_cast<double>(x[c]) - mean;
    return deviation * deviation;
  });
  return {mean, 1.0 / std::sqrt(squares / static_cast<double>(dim) + layer_norm_epsilon)};
}

/// One row of the gradient: writes grad_x, adds to grad_gamma and grad_beta.
class BackwardRow {
 public:
  BackwardRow(const Real* x, const Real* gamma, const Real* grad_y, std::int64_t dim)
      : x_(x), gamma_(gamma), grad_y_(grad_y), dim_(dim), row_(statistics(x, dim)) {}

  void add_parameter_gradients(Real* grad_gamma, Real* grad_beta) const {
    for (std::int64_t c = 0; c < dim_; ++c) {
      grad_gamma[c] += static_cast<Real>(static_cast<double>(grad_y_[c]) * normalized(c));
      grad_beta[c] += grad_y_[c];
    }
  }

  void write(Real* grad_x) const {
    const auto dim = static_cast<double>(dim_);
    const double mean_h = sum_of(dim_, [&](std::int64_t c) { return h(c); }) / dim;
    const double mean_hn = sum_of(dim_, [&](std::int64_t c) { return h(c) * normalized(c); }) / dim;
    for (std::int64_t c = 0; c < dim_; ++c) {
      grad_x[c] = static_cast<Real>(row_.inverse_sigma * (h(c) - mean_h - normalized(c) * mean_hn));
    }
  }

 private:
  [[nodiscard]] double normalized(std::int64_t c) const {
    return (static_cast<double>(x_[c]) - row_.mean) * row_.inverse_sigma;
  }
  [[nodiscard]] double h(std::int64_t c) const {
    return static_cast<double>(gamma_[c]) * static_cast<double>(grad_y_[c]);
  }

  const Real* x_;
  const Real* gamma_;
  const Real* grad_y_;
  std::int64_t dim_;
  Statistics row_;
};

}  // namespace

void layer_norm(Context& ctx,
                ConstMatrixView x,
                std::span<const Real> gamma,
                std::span<const Real> beta,
                MatrixView y,
                RowSet rows) {
  const std::int64_t dim = x.num_columns;
  for_rows(ctx, rows, 2 * dim, [&](std::int64_t r) {
    const Real* in = x.row(r);
    Real* out = y.row(r);
    const Statistics row = statistics(in, dim);
    for (std::int64_t c = 0; c < dim; ++c) {
      const double normalized = (static_cast<double>(in[c]) - row.mean) * row.inverse_sigma;
      out[c] = static_cast<Real>(static_cast<double>(gamma.data()[c]) * normalized +
                                 static_cast<double>(beta.data()[c]));
    }
  });
}

void layer_norm_backward(Context& ctx,
                         ConstMatrixView x,
                         std::span<const Real> gamma,
                         ConstMatrixView grad_y,
                         MatrixView grad_x,
                         std::span<Real> grad_gamma,
                         std::span<Real> grad_beta,
                         RowSet rows) {
  const std::int64_t dim = x.num_columns;
  const std::int64_t num_chunks = (rows.size() + weight_gradient_chunk - 1) / weight_gradient_chunk;
  const auto total =
      sum_chunks(ctx, {num_chunks, 1, 2 * dim}, [&](std::int64_t chunk, std::int64_t, Real* sum) {
        std::fill_n(sum, 2 * dim, Real{0});
        const std::int64_t end = std::min(rows.size(), (chunk + 1) * weight_gradient_chunk);
        for (std::int64_t i = chunk * weight_gradient_chunk; i < end; ++i) {
          const std::int64_t r = rows[i];
          const BackwardRow row(x.row(r), gamma.data(), grad_y.row(r), dim);
          row.add_parameter_gradients(sum, sum + dim);
          row.write(grad_x.row(r));
        }
      });
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    grad_gamma[c] = static_cast<Real>(total[c]);
    grad_beta[c] = static_cast<Real>(total[gamma.size() + c]);
  }
}

}  // namespace weft::kernels::cpu
