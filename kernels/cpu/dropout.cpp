// SPDX-License-Identifier: MIT
// Dropout: the mask is computed where it is used, several Philox blocks side by side.
#include "kernels/dropout.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/dropout_row.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Work of one random word in elements streamed, for the size of tasks.
constexpr std::int64_t elements_per_word = 2;

}  // namespace

void dropout(Context& ctx,
             const DropoutMask& mask,
             std::span<const GlobalId> global_ids,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows) {
  const auto dropout_row = vector_kernels(ctx.instruction_set()).dropout_row;
  const PhiloxKeys keys = keys_of(mask.key);
  const DropoutRow any = any_row(mask, keys);
  const StoredRows stored(ctx, x.num_columns);
  for_rows(ctx, rows, elements_per_word * x.num_columns, [&](std::int64_t r) {
    DropoutRow row = any;
    row.id = static_cast<std::uint64_t>(global_ids[static_cast<std::size_t>(r)]);
    dropout_row(row, stored.read(x, r, 0), x.num_columns, stored.target(y, r, 1));
    stored.store(y, r, 1);
  });
}

void dropout_sparse(Context& ctx,
                    const DropoutMask& mask,
                    std::span<const GlobalId> global_ids,
                    const SparseView& x,
                    std::span<Real> dropped_values) {
  const auto dropout_entries = vector_kernels(ctx.instruction_set()).dropout_entries;
  const PhiloxKeys keys = keys_of(mask.key);
  const DropoutRow any = any_row(mask, keys);
  const Real* values = x.values.empty() ? nullptr : x.values.data();
  const std::int64_t entries_a_row = x.num_nonzeros() / std::max<std::int64_t>(1, x.num_rows) + 1;
  const std::int64_t row_elements = 4 * elements_per_word * entries_a_row;
  for_rows(ctx, RowSet::range(0, x.num_rows), row_elements, [&](std::int64_t r) {
    const EdgeOffset begin = x.row_ptr[static_cast<std::size_t>(r)];
    const EdgeOffset end = x.row_end_of(r);
    DropoutRow row = any;
    row.id = static_cast<std::uint64_t>(global_ids[static_cast<std::size_t>(r)]);
    dropout_entries(row, x.col_idx.data() + begin, values == nullptr ? nullptr : values + begin,
                    end - begin, dropped_values.data() + begin);
  });
}

}  // namespace weft::kernels::cpu
