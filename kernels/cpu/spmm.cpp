// SPDX-License-Identifier: MIT
// Aggregation, row by row: a row's sums stay in registers while its neighbors' rows stream by.
//
// Tasks are cut at equal numbers of entries, not of rows. A row that is longer than many tasks, a
// hub's, is cut at the blocks of its sum, which are added in order afterwards: the same bits.
#include "kernels/spmm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/entry_tasks.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Blocks of a hub's row that a task sums.
constexpr std::int64_t blocks_per_task = 4;

/// Sums the rows of a matrix.
struct MatrixTable {
  ConstMatrixView x;

  [[nodiscard]] std::int64_t dim() const { return x.num_columns; }
  void sum(const VectorKernels& vectors, const SparseRow& row, Real* y, bool add) const {
    if (x.storage == Storage::bf16) {
      vectors.sum_row_bf16(row, x.row_bf16(0), x.stride, x.num_columns, y, add);
    } else {
      vectors.sum_row(row, x.data, x.stride, x.num_columns, y, add);
    }
  }
};

/// Sums rows that lie anywhere.
struct PointerTable {
  RowPointers x;

  [[nodiscard]] std::int64_t dim() const { return x.num_columns; }
  void sum(const VectorKernels& vectors, const SparseRow& row, Real* y, bool add) const {
    const auto sum_row = x.storage == Storage::bf16 ? vectors.sum_row_at_bf16 : vectors.sum_row_at;
    sum_row(row, x.rows.data(), x.num_columns, y, add);
  }
};

/// One aggregation: y[r] (+)= the sum of row r, and what follows.
template <typename Table>
class Aggregation {
 public:
  Aggregation(Context& ctx, const SparseView& a, const Table& x, bool add, const Epilogue& epilogue)
      : ctx_(ctx),
        a_(a),
        x_(x),
        add_(add),
        values_(a.values.empty() ? nullptr : a.values.data()),
        vectors_(vector_kernels(ctx.instruction_set())),
        stored_(ctx, x.dim()),
        finisher_(vectors_, stored_, epilogue, x.dim()) {}

  void run(MatrixView y, RowSet rows) const {
    for_sparse_rows(
        ctx_, a_, rows,
        [&](std::int64_t r) {
          Real* out = open(y, r);
          sum(begin(r), a_.row_end_of(r), out, add_);
          close(y, r, out);
        },
        [&](std::int64_t r) { sum_long_row(r, y); });
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
    x_.sum(vectors_, {a_.col_idx.data(), values_, first, last, a_.num_nonzeros(), summation_block},
           y, add);
  }

  /// Sums the blocks of the row in parallel, then adds them in order.
  void sum_long_row(std::int64_t r, const MatrixView& y) const {
    const std::int64_t dim = x_.dim();
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
  Table x_;
  bool add_;
  const Real* values_;
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
  Aggregation(ctx, a, MatrixTable{x}, false, epilogue).run(y, rows);
}

void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  Aggregation(ctx, a, MatrixTable{x}, true, epilogue).run(y, rows);
}

void spmm_add_rows_at(Context& ctx,
                      const SparseView& a,
                      const RowPointers& x,
                      MatrixView y,
                      RowSet rows,
                      const Epilogue& epilogue) {
  Aggregation(ctx, a, PointerTable{x}, true, epilogue).run(y, rows);
}

}  // namespace weft::kernels::cpu
