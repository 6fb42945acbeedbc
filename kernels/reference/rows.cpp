// SPDX-License-Identifier: MIT
// Specification of moving rows.
#include "kernels/rows.hpp"

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {

void gather_rows(Context&, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < y.num_rows; ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      out.view().at(i, c) = in.view().at(rows[static_cast<std::size_t>(i)], c);
    }
  }
  out.store();
}

void scatter_add_rows(Context&, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < x.num_rows; ++i) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      out.view().at(rows[static_cast<std::size_t>(i)], c) += in.view().at(i, c);
    }
  }
  out.store();
}

}  // namespace weft::kernels::reference
