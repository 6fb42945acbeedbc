// SPDX-License-Identifier: MIT
// The choice is read from a sample of the entries, each time: it costs far less than a pass.
#include "kernels/cpu/front_panels.hpp"

#include <cstring>

namespace weft::kernels::cpu {
namespace {

/// Entries whose columns are looked at.
constexpr std::int64_t num_samples = 1024;

/// Entries for each copied row, at least: a copy costs as much as a few sums.
constexpr std::int64_t least_entries_per_row = 16;

/// Of 8 entries so many must lead to copied rows.
constexpr std::int64_t least_eighths_in_front = 6;

constexpr std::int64_t rows_per_task = 512;

/// Entries of the rows in the set and those between them.
struct EntrySpan {
  EdgeOffset begin = 0;
  EdgeOffset end = 0;
  std::int64_t num_rows = 0;
};

EntrySpan span_of(const SparseView& a, RowSet rows) {
  const std::int64_t first = rows[0];
  const std::int64_t last = rows.upper_bound();
  return {a.row_ptr[static_cast<std::size_t>(first)], a.row_ptr[static_cast<std::size_t>(last)],
          last - first};
}

/// Whether enough of the entries, as far as a sample shows, lead to rows below `num_rows`.
bool leads_to_front(const SparseView& a, const EntrySpan& span, std::int64_t num_rows) {
  const EdgeOffset step = std::max<EdgeOffset>(1, (span.end - span.begin) / num_samples);
  std::int64_t num_seen = 0;
  std::int64_t num_in_front = 0;
  for (EdgeOffset entry = span.begin + step / 2; entry < span.end; entry += step) {
    ++num_seen;
    if (a.col_idx[static_cast<std::size_t>(entry)] < num_rows) ++num_in_front;
  }
  return 8 * num_in_front >= least_eighths_in_front * num_seen;
}

}  // namespace

std::int64_t front_rows(const Context& ctx, const SparseView& a, ConstMatrixView x, RowSet rows) {
  if (x.num_columns <= ColumnPanels::most_columns || rows.size() == 0) return 0;
  if (x.num_rows * x.row_bytes() <= ctx.cache_bytes()) return 0;
  const std::int64_t row_bytes = ColumnPanels::most_columns * element_bytes(x.storage);
  const std::int64_t num_front = std::min(x.num_rows, ctx.cache_bytes() / 2 / row_bytes);
  const EntrySpan span = span_of(a, rows);
  // A list is taken to have its share of the entries that it spans.
  const EdgeOffset num_entries = (span.end - span.begin) / span.num_rows * rows.size();
  if (num_front == 0 || num_entries < least_entries_per_row * num_front) return 0;
  return leads_to_front(a, span, num_front) ? num_front : 0;
}

FrontedMatrix copy_front(Context& ctx, ConstMatrixView x, std::int64_t num_rows) {
  constexpr std::int64_t stride = ColumnPanels::most_columns;  // whole lines in either storage
  const std::int64_t pitch = stride * element_bytes(x.storage);
  auto* bytes = ctx.scratch<std::byte>(ScratchSlot::packed_rows, num_rows * pitch).data();
  ctx.parallel_for((num_rows + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
    const std::int64_t end = std::min(num_rows, (task + 1) * rows_per_task);
    for (std::int64_t r = task * rows_per_task; r < end; ++r) {
      std::memcpy(bytes + r * pitch, x.row_begin(r), static_cast<std::size_t>(x.row_bytes()));
    }
  });
  return {reinterpret_cast<const Real*>(bytes), stride, num_rows, x.data, x.stride};
}

}  // namespace weft::kernels::cpu
