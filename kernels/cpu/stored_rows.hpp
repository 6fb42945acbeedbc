// SPDX-License-Identifier: MIT
// Rows of matrices of any storage, as rows of Real.
#pragma once

#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/matrix.hpp"

namespace weft::kernels::cpu {

/// Rows of at most `dim` numbers. A row of Real is read and written in place; another passes
/// through a buffer of the thread that asks, one for each slot. One object an operation: all
/// objects of a context share their buffers.
class StoredRows {
 public:
  static constexpr std::int64_t num_slots = 4;

  StoredRows(Context& ctx, std::int64_t dim)
      : ctx_(ctx),
        vectors_(vector_kernels(ctx.instruction_set())),
        pitch_((dim + 15) / 16 * 16),
        buffers_(ctx.scratch<Real>(ScratchSlot::row_buffers, ctx.num_threads() * num_slots * pitch_)
                     .data()) {}

  /// The numbers of row r, until the thread uses the slot again.
  [[nodiscard]] const Real* read(const ConstMatrixView& x, std::int64_t r, int slot) const {
    if (x.storage == Storage::real) return x.row(r);
    Real* row = buffer(slot);
    vectors_.widen_row(x.row_bf16(r), x.num_columns, row);
    return row;
  }

  /// Where to write row r; `store` ends it.
  [[nodiscard]] Real* target(const MatrixView& y, std::int64_t r, int slot) const {
    return y.storage == Storage::real ? y.row(r) : buffer(slot);
  }

  /// The same, with the numbers that the row holds.
  [[nodiscard]] Real* update(const MatrixView& y, std::int64_t r, int slot) const {
    if (y.storage == Storage::real) return y.row(r);
    Real* row = buffer(slot);
    vectors_.widen_row(y.row_bf16(r), y.num_columns, row);
    return row;
  }

  void store(const MatrixView& y, std::int64_t r, int slot) const {
    if (y.storage == Storage::real) return;
    vectors_.narrow_row(buffer(slot), y.num_columns, y.row_bf16(r));
  }

 private:
  [[nodiscard]] Real* buffer(int slot) const {
    return buffers_ + (ctx_.thread_index() * num_slots + slot) * pitch_;
  }

  const Context& ctx_;
  const VectorKernels& vectors_;
  std::int64_t pitch_;
  Real* buffers_;
};

}  // namespace weft::kernels::cpu
