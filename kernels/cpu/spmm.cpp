// SPDX-License-Identifier: MIT
// Aggregation, row by row: a row's sums stay in registers while its neighbors' rows stream by.
//
// Tasks are cut at equal numbers of entries, not of rows, so that hubs do not leave threads idle.
#include "kernels/spmm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Largest and smallest work of a task, in entries; and what a row costs beside its entries.
constexpr std::int64_t most_entries_per_task = 16384;
constexpr std::int64_t fewest_entries_per_task = 2048;
constexpr std::int64_t entries_per_row = 2;

/// Cuts a row set into tasks of equal work. A list is cut by the work of all rows that it spans,
/// which needs no sum over its rows: a task never has more work than asked for.
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

void aggregate(
    Context& ctx, const SparseView& a, ConstMatrixView x, MatrixView y, RowSet rows, bool add) {
  const EntryTasks tasks(a, rows, ctx.num_threads());
  const auto sum_row = vector_kernels(ctx.instruction_set()).sum_row;
  const Real* values = a.values.empty() ? nullptr : a.values.data();
  ctx.parallel_for(tasks.num_tasks(), [&](std::int64_t task) {
    const std::int64_t end = tasks.first_row(task + 1);
    for (std::int64_t i = tasks.first_row(task); i < end; ++i) {
      const std::int64_t r = rows[i];
      const EdgeOffset* bounds = a.row_ptr.data() + r;
      sum_row({a.col_idx.data(), values, bounds[0], bounds[1], a.num_nonzeros(), summation_block},
              x.data, x.stride, x.num_columns, y.row(r), add);
    }
  });
}

}  // namespace

void spmm(Context& ctx, const SparseView& a, ConstMatrixView x, MatrixView y, RowSet rows) {
  aggregate(ctx, a, x, y, rows, false);
}

void spmm_add(Context& ctx, const SparseView& a, ConstMatrixView x, MatrixView y, RowSet rows) {
  aggregate(ctx, a, x, y, rows, true);
}

}  // namespace weft::kernels::cpu
