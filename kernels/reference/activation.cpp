// SPDX-License-Identifier: MIT
// Specification of the elementwise functions.
#include "kernels/activation.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {

void relu(Context&, ConstMatrixView x, MatrixView y, RowSet rows) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      out.view().at(rows[i], c) = std::max(in.view().at(rows[i], c), Real{0});
    }
  }
  out.store();
}

void relu_backward(
    Context&, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows) {
  const RealInput gate(y);
  const RealInput in(grad_y);
  const RealOutput out(grad_x);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c) {
      const bool is_open = gate.view().at(rows[i], c) > 0;
      out.view().at(rows[i], c) = is_open ? in.view().at(rows[i], c) : Real{0};
    }
  }
  out.store();
}

void add_rows(Context&, ConstMatrixView x, MatrixView y, RowSet rows) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      out.view().at(rows[i], c) += in.view().at(rows[i], c);
    }
  }
  out.store();
}

}  // namespace weft::kernels::reference
