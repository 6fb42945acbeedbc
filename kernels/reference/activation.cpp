// SPDX-License-Identifier: MIT
// Specification of the elementwise functions.
#include "kernels/activation.hpp"

#include <algorithm>

#include "kernels/backends.hpp"

namespace weft::kernels::reference {

void relu(Context&, ConstMatrixView x, MatrixView y, RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.at(rows[i], c) = std::max(x.at(rows[i], c), Real{0});
    }
  }
}

void relu_backward(
    Context&, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c) {
      grad_x.at(rows[i], c) = y.at(rows[i], c) > 0 ? grad_y.at(rows[i], c) : Real{0};
    }
  }
}

void add_rows(Context&, ConstMatrixView x, MatrixView y, RowSet rows) {
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.at(rows[i], c) += x.at(rows[i], c);
    }
  }
}

}  // namespace weft::kernels::reference
