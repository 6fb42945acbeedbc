// SPDX-License-Identifier: MIT
// How the rows of a sparse matrix are cut into tasks: at equal numbers of entries, not of rows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"
#include "kernels/spmm.hpp"

namespace weft::kernels::cpu {

/// Largest and smallest work of a task, in entries; and what a row costs beside its entries.
inline constexpr std::int64_t most_entries_per_task = 16384;
inline constexpr std::int64_t fewest_entries_per_task = 2048;
inline constexpr std::int64_t entries_per_row = 2;

/// Rows that are longer than this and than a thread's share of all entries are shared out among
/// threads. Where many rows are long, each has a thread of its own.
inline constexpr std::int64_t most_entries_per_row = 16 * summation_block;

/// Cuts a row set into tasks of equal work. A list is cut by the work of all rows that it spans,
/// and rows that are cut short by that of whole ones, which needs no sum over rows: a task never
/// has more work than asked for.
class EntryTasks {
 public:
  EntryTasks(const SparseView& a, RowSet rows, int num_threads) : a_(a), rows_(rows) {
    const std::int64_t work = work_before(rows.size());
    per_task_ =
        std::clamp(work / (4 * num_threads), fewest_entries_per_task, most_entries_per_task);
    num_tasks_ = std::max<std::int64_t>(1, (work + per_task_ - 1) / per_task_);
  }

  [[nodiscard]] std::int64_t num_tasks() const { return num_tasks_; }

  /// Position in the row set of the first row of `task`.
  [[nodiscard]] std::int64_t first_row(std::int64_t task) const {
    if (task >= num_tasks_) return rows_.size();
    std::int64_t low = 0;
    std::int64_t high = rows_.size();
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (work_before(middle) < task * per_task_) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  /// Work of what comes before the i-th row; grows with i.
  [[nodiscard]] std::int64_t work_before(std::int64_t i) const {
    if (rows_.size() == 0) return 0;
    const std::int64_t row = i < rows_.size() ? rows_[i] : rows_.upper_bound();
    return a_.row_ptr[static_cast<std::size_t>(row)] -
           a_.row_ptr[static_cast<std::size_t>(rows_[0])] + entries_per_row * i;
  }

  const SparseView& a_;
  RowSet rows_;
  std::int64_t per_task_ = 0;
  std::int64_t num_tasks_ = 0;
};

/// Calls `whole_rows(begin, end)` on the pool for stretches of rows that together are the set.
/// Afterwards, for the few rows that are longer than many tasks, hubs, `shared_row(r)` on the
/// calling thread, which may use the pool.
template <typename WholeRows, typename SharedRow>
void for_sparse_stretches(Context& ctx,
                          const SparseView& a,
                          RowSet rows,
                          const WholeRows& whole_rows,
                          const SharedRow& shared_row) {
  const std::int64_t longest_row =
      std::max(most_entries_per_row, a.num_nonzeros() / (2 * ctx.num_threads()));
  const auto is_shared = [&](std::int64_t r) {
    return a.row_end_of(r) - a.row_ptr[static_cast<std::size_t>(r)] > longest_row;
  };
  const EntryTasks tasks(a, rows, ctx.num_threads());
  std::atomic<bool> has_shared_rows = false;
  ctx.parallel_for(tasks.num_tasks(), [&](std::int64_t task) {
    const std::int64_t end = tasks.first_row(task + 1);
    for (std::int64_t i = tasks.first_row(task); i < end;) {
      const std::int64_t first = rows[i++];
      if (is_shared(first)) {
        has_shared_rows = true;
        continue;
      }
      std::int64_t last = first;
      for (; i < end && rows[i] == last + 1 && !is_shared(last + 1); ++i)
        ++last;
      whole_rows(first, last + 1);
    }
  });
  for (std::int64_t i = 0; has_shared_rows && i < rows.size(); ++i) {
    if (is_shared(rows[i])) shared_row(rows[i]);
  }
}

/// The same, with `whole_row(r)` for each row.
template <typename WholeRow, typename SharedRow>
void for_sparse_rows(Context& ctx,
                     const SparseView& a,
                     RowSet rows,
                     const WholeRow& whole_row,
                     const SharedRow& shared_row) {
  const auto whole_rows = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      whole_row(r);
  };
  for_sparse_stretches(ctx, a, rows, whole_rows, shared_row);
}

}  // namespace weft::kernels::cpu
