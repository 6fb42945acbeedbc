// SPDX-License-Identifier: MIT
// Specification of the classification loss, in double precision.
#include "kernels/softmax_cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

/// log(sum of exp(row)), with the maximum taken out so that nothing overflows.
double log_sum_exp(std::span<const Real> row) {
  const auto largest = static_cast<double>(*std::max_element(row.begin(), row.end()));
  double sum = 0;
  for (const Real value : row)
    sum += std::exp(static_cast<double>(value) - largest);
  return largest + std::log(sum);
}

std::span<const Real> row_of(ConstMatrixView x, std::int64_t r) {
  return {x.row(r), static_cast<std::size_t>(x.num_columns)};
}

void clear(MatrixView x) {
  for (std::int64_t r = 0; r < x.num_rows; ++r) {
    std::fill_n(x.row(r), x.num_columns, Real{0});
  }
}

}  // namespace

double softmax_cross_entropy(Context&,
                             ConstMatrixView logits,
                             std::span<const std::int32_t> labels,
                             std::span<const LocalId> rows,
                             double scale,
                             MatrixView grad_logits) {
  const RealInput in(logits);
  const RealOutput out(grad_logits);
  if (grad_logits.data != nullptr) clear(out.view());
  double loss = 0;
  for (const LocalId r : rows) {
    const std::int32_t label = labels[static_cast<std::size_t>(r)];
    const double normalizer = log_sum_exp(row_of(in.view(), r));
    loss += normalizer - static_cast<double>(in.view().at(r, label));
    if (grad_logits.data == nullptr) continue;
    for (std::int64_t c = 0; c < logits.num_columns; ++c) {
      const double softmax = std::exp(static_cast<double>(in.view().at(r, c)) - normalizer);
      out.view().at(r, c) = static_cast<Real>((softmax - (c == label ? 1.0 : 0.0)) * scale);
    }
  }
  out.store();
  return loss;
}

std::int64_t count_correct(Context&,
                           ConstMatrixView logits,
                           std::span<const std::int32_t> labels,
                           std::span<const LocalId> rows) {
  const RealInput in(logits);
  return std::count_if(rows.begin(), rows.end(), [&](LocalId r) {
    const std::span<const Real> row = row_of(in.view(), r);
    const auto largest = std::max_element(row.begin(), row.end()) - row.begin();
    return largest == labels[static_cast<std::size_t>(r)];
  });
}

}  // namespace weft::kernels::reference
