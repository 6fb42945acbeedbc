// SPDX-License-Identifier: MIT
// Specification of dropout: each element asks the mask.
#include "kernels/dropout.hpp"

#include "kernels/backends.hpp"
#include "kernels/reference/real_copy.hpp"

namespace weft::kernels::reference {
namespace {

Real dropped(const DropoutMask& mask, GlobalId id, std::int64_t column, Real value) {
  return mask.keeps(id, static_cast<std::uint32_t>(column)) ? value * mask.scale() : Real{0};
}

}  // namespace

void dropout(Context&,
             const DropoutMask& mask,
             std::span<const GlobalId> global_ids,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows) {
  const RealInput in(x);
  const RealOutput out(y);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const std::int64_t r = rows[i];
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      out.view().at(r, c) =
          dropped(mask, global_ids[static_cast<std::size_t>(r)], c, in.view().at(r, c));
    }
  }
  out.store();
}

void dropout_sparse(Context&,
                    const DropoutMask& mask,
                    std::span<const GlobalId> global_ids,
                    const SparseView& x,
                    std::span<Real> dropped_values) {
  for (std::size_t r = 0; r < static_cast<std::size_t>(x.num_rows); ++r) {
    const auto end = static_cast<std::size_t>(x.row_end_of(static_cast<std::int64_t>(r)));
    for (auto e = static_cast<std::size_t>(x.row_ptr[r]); e < end; ++e) {
      const Real value = x.values.empty() ? Real{1} : x.values[e];
      dropped_values[e] = dropped(mask, global_ids[r], x.col_idx[e], value);
    }
  }
}

}  // namespace weft::kernels::reference
