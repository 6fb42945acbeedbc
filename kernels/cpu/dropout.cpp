#include "kernels/dropout.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void dropout(Context& ctx,
             const DropoutMask& mask,
             std::span<const GlobalId> global_ids,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows) {
  const Real scale = mask.scale();
  for_rows(ctx, rows, x.num_columns, [&](std::int64_t r) {
    const GlobalId id = global_ids[static_cast<std::size_t>(r)];
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      y.at(r, c) = mask.keeps(id, static_cast<std::uint32_t>(c)) ? x.at(r, c) * scale : Real{0};
    }
  });
}

void dropout_sparse(Context& ctx,
                    const DropoutMask& mask,
                    std::span<const GlobalId> global_ids,
                    const SparseView& x,
                    std::span<Real> dropped_values) {
  const Real scale = mask.scale();
  for_rows(ctx, RowSet::range(0, x.num_rows), 32, [&](std::int64_t row) {
    const auto r = static_cast<std::size_t>(row);
    const auto end = static_cast<std::size_t>(x.row_ptr[r + 1]);
    for (auto e = static_cast<std::size_t>(x.row_ptr[r]); e < end; ++e) {
      const Real value = x.values.empty() ? Real{1} : x.values[e];
      const bool keeps = mask.keeps(global_ids[r], static_cast<std::uint32_t>(x.col_idx[e]));
      dropped_values[e] = keeps ? value * scale : Real{0};
    }
  });
}

}  // namespace weft::kernels::cpu
