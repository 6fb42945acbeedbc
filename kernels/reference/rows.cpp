// SPDX-License-Identifier: MIT
// Specification of moving rows.
#include "kernels/rows.hpp"

#include "kernels/backends.hpp"

namespace weft::kernels::reference {

void gather_rows(Context&, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  for (std::int64_t i = 0; i < y.num_rows; ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.at(i, c) = x.at(rows[static_cast<std::size_t>(i)], c);
    }
  }
}

void scatter_add_rows(Context&, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  for (std::int64_t i = 0; i < x.num_rows; ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.at(rows[static_cast<std::size_t>(i)], c) += x.at(i, c);
    }
  }
}

}  // namespace weft::kernels::reference
