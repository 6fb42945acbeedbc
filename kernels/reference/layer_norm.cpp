// SPDX-License-Identifier: MIT
// Specification of LayerNorm, in double precision.
//
// With n = (x - mean) / sigma and h = gamma * grad_y, the gradient is
//   grad_x = (h - mean(h) - n * mean(h * n)) / sigma
#include "kernels/layer_norm.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

struct Statistics {
  double mean = 0;
  double inverse_sigma = 0;

  [[nodiscard]] double normalized(Real x) const {
    return (static_cast<double>(x) - mean) * inverse_sigma;
  }
};

Statistics statistics(std::span<const Real> x) {
  const auto dim = static_cast<double>(x.size());
  Statistics result;
  for (const Real value : x)
    result.mean += static_cast<double>(value) / dim;
  double variance = 0;
  for (const Real value : x) {
    const double deviation = static_cast<double>(value) - result.mean;
    variance += deviation * deviation / dim;
  }
  result.inverse_sigma = 1.0 / std::sqrt(variance + layer_norm_epsilon);
  return result;
}

std::span<const Real> row_of(ConstMatrixView x, std::int64_t r) {
  return {x.row(r), static_cast<std::size_t>(x.num_columns)};
}

void backward_row(std::span<const Real> x,
                  std::span<const Real> gamma,
                  std::span<const Real> grad_y,
                  Real* grad_x) {
  const Statistics row = statistics(x);
  const auto dim = static_cast<double>(x.size());
  double mean_h = 0;
  double mean_hn = 0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double h = static_cast<double>(gamma[c]) * static_cast<double>(grad_y[c]);
    mean_h += h / dim;
    mean_hn += h * row.normalized(x[c]) / dim;
  }
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double h = static_cast<double>(gamma[c]) * static_cast<double>(grad_y[c]);
    grad_x[c] =
        static_cast<Real>(row.inverse_sigma * (h - mean_h - row.normalized(x[c]) * mean_hn));
  }
}

}  // namespace

void layer_norm(Context&,
                ConstMatrixView x,
                std::span<const Real> gamma,
                std::span<const Real> beta,
                MatrixView y,
                RowSet rows) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const std::int64_t r = rows[i];
    const Statistics row = statistics(row_of(in.view(), r));
    for (std::size_t c = 0; c < gamma.size(); ++c) {
      const auto column = static_cast<std::int64_t>(c);
      const double normalized = row.normalized(in.view().at(r, column));
      out.view().at(r, column) = static_cast<Real>(static_cast<double>(gamma[c]) * normalized +
                                                   static_cast<double>(beta[c]));
    }
  }
  out.store();
}

void layer_norm_backward(Context&,
                         ConstMatrixView x,
                         std::span<const Real> gamma,
                         ConstMatrixView grad_y,
                         MatrixView grad_x,
                         std::span<Real> grad_gamma,
                         std::span<Real> grad_beta,
                         RowSet rows) {
  const RealInput in(x);
  const RealInput grad_in(grad_y);
  const RealOutput out(grad_x);
  std::vector<double> sum_gamma(gamma.size(), 0);
  std::vector<double> sum_beta(gamma.size(), 0);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const std::int64_t r = rows[i];
    const Statistics row = statistics(row_of(in.view(), r));
    for (std::size_t c = 0; c < gamma.size(); ++c) {
      const auto column = static_cast<std::int64_t>(c);
      const auto grad = static_cast<double>(grad_in.view().at(r, column));
      sum_gamma[c] += grad * row.normalized(in.view().at(r, column));
      sum_beta[c] += grad;
    }
    backward_row(row_of(in.view(), r), gamma, row_of(grad_in.view(), r), out.view().row(r));
  }
  out.store();
  const auto to_real = [](double value) { return static_cast<Real>(value); };
  std::transform(sum_gamma.begin(), sum_gamma.end(), grad_gamma.begin(), to_real);
  std::transform(sum_beta.begin(), sum_beta.end(), grad_beta.begin(), to_real);
}

}  // namespace weft::kernels::reference
