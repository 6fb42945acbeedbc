// SPDX-License-Identifier: MIT
// Specification of the dense products: every element is a sum in double precision.
#include "kernels/gemm.hpp"

#include "kernels/backends.hpp"
#include "kernels/reference/epilogue.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

void put(Real& y, double sum, Write write) {
  y = static_cast<Real>(write == Write::add ? static_cast<double>(y) + sum : sum);
}

}  // namespace

void multiply(Context& ctx,
              ConstMatrixView x,
              ConstMatrixView w,
              MatrixView y,
              RowSet rows,
              Write write,
              const Epilogue& epilogue) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < w.num_columns; ++c) {
      double sum = 0;
      for (std::int64_t k = 0; k < w.num_rows; ++k) {
        sum += static_cast<double>(in.view().at(rows[i], k)) * static_cast<double>(w.at(k, c));
      }
      put(out.view().at(rows[i], c), sum, write);
    }
  }
  reference::finish_rows(ctx, epilogue, out.view(), rows);
  out.store();
}

void multiply_transposed(Context& ctx,
                         ConstMatrixView g,
                         ConstMatrixView w,
                         MatrixView y,
                         RowSet rows,
                         Write write,
                         const Epilogue& epilogue) {
  const RealInput in(g);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t k = 0; k < w.num_rows; ++k) {
      double sum = 0;
      for (std::int64_t c = 0; c < w.num_columns; ++c) {
        sum += static_cast<double>(in.view().at(rows[i], c)) * static_cast<double>(w.at(k, c));
      }
      put(out.view().at(rows[i], k), sum, write);
    }
  }
  reference::finish_rows(ctx, epilogue, out.view(), rows);
  out.store();
}

void weight_gradient(Context& ctx,
                     ConstMatrixView x,
                     ConstMatrixView g,
                     MatrixView grad_w,
                     RowSet rows,
                     std::span<Real> grad_b) {
  const RealInput in(x);
  const RealInput grad(g);
  for (std::int64_t k = 0; k < x.num_columns; ++k) {
    for (std::int64_t c = 0; c < g.num_columns; ++c) {
      double sum = 0;
      for (std::int64_t i = 0; i < rows.size(); ++i) {
        sum += static_cast<double>(in.view().at(rows[i], k)) *
               static_cast<double>(grad.view().at(rows[i], c));
      }
      grad_w.at(k, c) = static_cast<Real>(sum);
    }
  }
  if (!grad_b.empty()) reference::bias_gradient(ctx, g, grad_b, rows);
}

void bias_gradient(Context&, ConstMatrixView g, std::span<Real> grad_b, RowSet rows) {
  const RealInput grad(g);
  for (std::int64_t c = 0; c < g.num_columns; ++c) {
    double sum = 0;
    for (std::int64_t i = 0; i < rows.size(); ++i) {
      sum += static_cast<double>(grad.view().at(rows[i], c));
    }
    grad_b[static_cast<std::size_t>(c)] = static_cast<Real>(sum);
  }
}

void add_bias(Context&, std::span<const Real> b, MatrixView y, RowSet rows) {
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c) {
      out.view().at(rows[i], c) += b[static_cast<std::size_t>(c)];
    }
  }
  out.store();
}

}  // namespace weft::kernels::reference
