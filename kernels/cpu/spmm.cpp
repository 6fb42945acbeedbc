// SPDX-License-Identifier: MIT
// Aggregation, row by row: a row's sums stay in registers while its neighbors' rows stream by.
//
// Tasks are cut at equal numbers of entries, not of rows. A row that is longer than many tasks, a
// hub's, is cut at the blocks of its sum, which are added in order afterwards: the same bits.
#include "kernels/spmm.hpp"

#include <algorithm>
#include <atomic>

#include "kernels/backends.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Largest and smallest work of a task, in entries; and what a row costs beside its entries.
constexpr std::int64_t most_entries_per_task = 16384;
constexpr std::int64_t fewest_entries_per_task = 2048;
constexpr std::int64_t entries_per_row = 2;

/// Rows that are longer than this and than a thread's share of all entries are shared out among
/// threads, so many blocks a task. Where many rows are long, each has a thread of its own.
constexpr std::int64_t most_entries_per_row = 16 * summation_block;
constexpr std::int64_t blocks_per_task = 4;

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

/// One aggregation: y[r] (+)= the sum of row r, and what follows.
class Aggregation {
 public:
  Aggregation(
      Context& ctx, const SparseView& a, ConstMatrixView x, bool add, const Epilogue& epilogue)
      : ctx_(ctx),
        a_(a),
        x_(x),
        add_(add),
        values_(a.values.empty() ? nullptr : a.values.data()),
        longest_row_(std::max(most_entries_per_row, a.num_nonzeros() / (2 * ctx.num_threads()))),
        vectors_(vector_kernels(ctx.instruction_set())),
        stored_(ctx, x.num_columns),
        finisher_(vectors_, stored_, epilogue, x.num_columns) {}

  void run(MatrixView y, RowSet rows) const {
    const EntryTasks tasks(a_, rows, ctx_.num_threads());
    std::atomic<bool> has_long_rows = false;
    ctx_.parallel_for(tasks.num_tasks(), [&](std::int64_t task) {
      const std::int64_t end = tasks.first_row(task + 1);
      for (std::int64_t i = tasks.first_row(task); i < end; ++i) {
        const std::int64_t r = rows[i];
        if (num_entries(r) > longest_row_) {
          has_long_rows = true;
        } else {
          Real* out = open(y, r);
          sum(begin(r), a_.row_end_of(r), out, add_);
          close(y, r, out);
        }
      }
    });
    for (std::int64_t i = 0; has_long_rows && i < rows.size(); ++i) {
      if (num_entries(rows[i]) > longest_row_) sum_long_row(rows[i], y);
    }
  }

 private:
  [[nodiscard]] EdgeOffset begin(std::int64_t r) const {
    return a_.row_ptr[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] EdgeOffset num_entries(std::int64_t r) const { return a_.row_end_of(r) - begin(r); }

  [[nodiscard]] Real* open(const MatrixView& y, std::int64_t r) const {
    return add_ ? stored_.update(y, r, 0) : stored_.target(y, r, 0);
  }
  void close(const MatrixView& y, std::int64_t r, Real* out) const {
    finisher_.finish(r, out);
    stored_.store(y, r, 0);
  }

  void sum(EdgeOffset first, EdgeOffset last, Real* y, bool add) const {
    const SparseRow row{a_.col_idx.data(), values_,        first, last,
                        a_.num_nonzeros(), summation_block};
    if (x_.storage == Storage::bf16) {
      vectors_.sum_row_bf16(row, x_.row_bf16(0), x_.stride, x_.num_columns, y, add);
    } else {
      vectors_.sum_row(row, x_.data, x_.stride, x_.num_columns, y, add);
    }
  }

  /// Sums the blocks of the row in parallel, then adds them in order.
  void sum_long_row(std::int64_t r, const MatrixView& y) const {
    const std::int64_t dim = x_.num_columns;
    const std::int64_t num_blocks = (num_entries(r) + summation_block - 1) / summation_block;
    Real* sums = ctx_.scratch<Real>(ScratchSlot::chunk_sums, num_blocks * dim).data();
    const std::int64_t num_tasks = (num_blocks + blocks_per_task - 1) / blocks_per_task;
    ctx_.parallel_for(num_tasks, [&](std::int64_t task) {
      const std::int64_t end = std::min(num_blocks, (task + 1) * blocks_per_task);
      for (std::int64_t block = task * blocks_per_task; block < end; ++block) {
        const EdgeOffset first = begin(r) + block * summation_block;
        sum(first, std::min(first + summation_block, a_.row_end_of(r)), sums + block * dim, false);
      }
    });
    for (std::int64_t block = 1; block < num_blocks; ++block) {
      for (std::int64_t c = 0; c < dim; ++c)
        sums[c] += sums[block * dim + c];
    }
    Real* out = open(y, r);
    for (std::int64_t c = 0; c < dim; ++c)
      out[c] = add_ ? out[c] + sums[c] : sums[c];
    close(y, r, out);
  }

  Context& ctx_;
  const SparseView& a_;
  ConstMatrixView x_;
  bool add_;
  const Real* values_;
  std::int64_t longest_row_;
  const VectorKernels& vectors_;
  StoredRows stored_;
  RowFinisher finisher_;
};

}  // namespace

void spmm(Context& ctx,
          const SparseView& a,
          ConstMatrixView x,
          MatrixView y,
          RowSet rows,
          const Epilogue& epilogue) {
  Aggregation(ctx, a, x, false, epilogue).run(y, rows);
}

void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  Aggregation(ctx, a, x, true, epilogue).run(y, rows);
}

}  // namespace weft::kernels::cpu
