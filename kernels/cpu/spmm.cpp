// SPDX-License-Identifier: MIT
// Aggregation, row by row: a row's sums stay in registers while its neighbors' rows stream by.
//
// Tasks are cut at equal numbers of entries, not of rows. A row that is longer than many tasks, a
// hub's, is cut at the blocks of its sum, which are added in order afterwards: the same bits.
#include "kernels/spmm.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/backends.hpp"
#include "kernels/cpu/entry_tasks.hpp"
#include "kernels/cpu/front_panels.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Blocks of a hub's row that a task sums.
constexpr std::int64_t blocks_per_task = 4;

/// Sums the rows of a matrix.
struct MatrixTable {
  ConstMatrixView x;

  [[nodiscard]] std::int64_t first_column() const { return 0; }
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

  [[nodiscard]] std::int64_t first_column() const { return 0; }
  [[nodiscard]] std::int64_t dim() const { return x.num_columns; }
  void sum(const VectorKernels& vectors, const SparseRow& row, Real* y, bool add) const {
    const auto sum_row = x.storage == Storage::bf16 ? vectors.sum_row_at_bf16 : vectors.sum_row_at;
    sum_row(row, x.rows.data(), x.num_columns, y, add);
  }
};

/// Sums a panel of columns of a matrix, whose first rows are copied.
struct PanelTable {
  FrontedMatrix x;
  std::int64_t first;
  std::int64_t num_columns;
  Storage storage;

  [[nodiscard]] std::int64_t first_column() const { return first; }
  [[nodiscard]] std::int64_t dim() const { return num_columns; }
  void sum(const VectorKernels& vectors, const SparseRow& row, Real* y, bool add) const {
    sum_rows(vectors,
             {row.col_idx, row.values, &row.begin, &row.end, 1, row.num_entries, row.block, 0, add},
             y);
  }
  void sum_rows(const VectorKernels& vectors, const SparseRows& rows, Real* y) const {
    const auto sum_fronted =
        storage == Storage::bf16 ? vectors.sum_rows_fronted_bf16 : vectors.sum_rows_fronted;
    sum_fronted(rows, x, num_columns, y);
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
        stored_(ctx, x.first_column() + x.dim()),
        finisher_(vectors_, stored_, epilogue, x.first_column() + x.dim()) {}

  void run(MatrixView y, RowSet rows) const {
    for_sparse_stretches(
        ctx_, a_, rows, [&](std::int64_t first, std::int64_t end) { sum_stretch(first, end, y); },
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
    finisher_.finish(r, out - x_.first_column());
    stored_.store(y, r, 0);
  }

  void sum(EdgeOffset first, EdgeOffset last, Real* y, bool add) const {
    x_.sum(vectors_, {a_.col_idx.data(), values_, first, last, a_.num_nonzeros(), summation_block},
           y, add);
  }

  void sum_stretch(std::int64_t first, std::int64_t end, const MatrixView& y) const {
    if constexpr (std::is_same_v<Table, PanelTable>) {
      if (y.storage == Storage::real) return sum_in_one_call(first, end, y);
    }
    for (std::int64_t r = first; r < end; ++r) {
      Real* out = open(y, r);
      sum(begin(r), a_.row_end_of(r), out, add_);
      close(y, r, out);
    }
  }

  void sum_in_one_call(std::int64_t first, std::int64_t end, const MatrixView& y) const {
    const EdgeOffset* begins = a_.row_ptr.data() + first;
    const EdgeOffset* ends = a_.row_end.empty() ? begins + 1 : a_.row_end.data() + first;
    x_.sum_rows(vectors_,
                {a_.col_idx.data(), values_, begins, ends, end - first, a_.num_nonzeros(),
                 summation_block, y.stride, add_},
                y.row(first));
    for (std::int64_t r = first; r < end; ++r)
      close(y, r, y.row(r));
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

/// y (+)= a x, for whose panels the first rows of x are copied, unless that is none.
struct MatrixOperands {
  ConstMatrixView x;
  MatrixView y;
  bool add;
  std::int64_t num_front_rows;
};

/// Goes panel by panel; the last pass finishes the rows. A row of bf16 that is to be finished would
/// be rounded between the passes.
void aggregate_panels(Context& ctx,
                      const SparseView& a,
                      const MatrixOperands& m,
                      RowSet rows,
                      const Epilogue& epilogue) {
  const ColumnPanels panels(m.x.num_columns);
  for (std::int64_t p = 0; p < panels.size(); ++p) {
    const ConstMatrixView x = m.x.columns(panels.begin(p), panels.end(p));
    const FrontedMatrix fronted = copy_front(ctx, x, m.num_front_rows);
    const PanelTable table{fronted, panels.begin(p), x.num_columns, x.storage};
    const Epilogue none;
    Aggregation(ctx, a, table, m.add, p + 1 < panels.size() ? none : epilogue)
        .run(m.y.columns(panels.begin(p), panels.end(p)), rows);
  }
}

void aggregate(Context& ctx,
               const SparseView& a,
               const MatrixOperands& m,
               RowSet rows,
               const Epilogue& epilogue) {
  if (m.num_front_rows > 0 && (m.y.storage == Storage::real || epilogue.is_empty())) {
    aggregate_panels(ctx, a, m, rows, epilogue);
  } else {
    Aggregation(ctx, a, MatrixTable{m.x}, m.add, epilogue).run(m.y, rows);
  }
}

}  // namespace

void spmm(Context& ctx,
          const SparseView& a,
          ConstMatrixView x,
          MatrixView y,
          RowSet rows,
          const Epilogue& epilogue) {
  aggregate(ctx, a, {x, y, false, front_rows(ctx, a, x, rows)}, rows, epilogue);
}

void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  aggregate(ctx, a, {x, y, true, front_rows(ctx, a, x, rows)}, rows, epilogue);
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
