// SPDX-License-Identifier: MIT
// Gradients that sum over vertices: chunks of 1,024 rows, each by itself, added in order.
//
// A chunk of the weight gradient is a sum of outer products. Blocks of 256 of its rows are packed
// into panels of 6 columns of x and panels of columns of g, both read front to back by the same
// register tile that multiplies rows.
#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/gemm.hpp"

namespace weft::kernels::cpu {
namespace {

constexpr std::int64_t row_block = 256;

/// Columns of x that one task takes: what it packs, 192 KiB of floats, fits a second-level cache.
constexpr std::int64_t part_columns = 32 * tile_rows;

std::int64_t num_chunks_of(RowSet rows) {
  return (rows.size() + weight_gradient_chunk - 1) / weight_gradient_chunk;
}

/// Copies columns first .. first + count - 1 of rows begin .. end-1 of the set, `padded` apart.
void pack_columns(ConstMatrixView x,
                  RowSet rows,
                  std::int64_t begin,
                  std::int64_t end,
                  std::int64_t first,
                  std::int64_t count,
                  std::int64_t padded,
                  Real* out) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Real* row = x.row(rows[i]) + first;
    for (std::int64_t c = 0; c < count; ++c)
      out[c] = row[c];
    for (std::int64_t c = count; c < padded; ++c)
      out[c] = 0;
    out += padded;
  }
}

/// One task: a part of the columns of x, one chunk of rows.
class OuterProduct {
 public:
  OuterProduct(ConstMatrixView x, ConstMatrixView g, RowSet rows, const VectorKernels& vectors)
      : x_(x), g_(g), rows_(rows), vectors_(vectors) {}

  /// Numbers of scratch that a thread needs.
  [[nodiscard]] std::int64_t scratch_size() const {
    return row_block * (part_columns + vectors_.panel_columns);
  }

  /// sum [k x m] = x^T g over the rows of `chunk`, in the columns of x of `part`.
  void run(std::int64_t chunk, std::int64_t part, Real* scratch, Real* sum) const {
    const std::int64_t chunk_begin = chunk * weight_gradient_chunk;
    const std::int64_t chunk_end = std::min(rows_.size(), chunk_begin + weight_gradient_chunk);
    const std::int64_t first = part * part_columns;
    const std::int64_t last = std::min(x_.num_columns, first + part_columns);
    Real* packed_x = scratch;
    Real* packed_g = scratch + row_block * part_columns;
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += row_block) {
      const std::int64_t end = std::min(chunk_end, begin + row_block);
      for (std::int64_t k = first; k < last; k += tile_rows) {
        pack_columns(x_, rows_, begin, end, k, std::min<std::int64_t>(tile_rows, last - k),
                     tile_rows, packed_x + (k - first) * (end - begin));
      }
      for (std::int64_t c = 0; c < g_.num_columns; c += vectors_.panel_columns) {
        const std::int64_t count =
            std::min<std::int64_t>(vectors_.panel_columns, g_.num_columns - c);
        const std::int64_t padded = (count + vectors_.lanes - 1) / vectors_.lanes * vectors_.lanes;
        pack_columns(g_, rows_, begin, end, c, count, padded, packed_g);
        ProductTile tile{};
        tile.panel = packed_g;
        tile.depth = end - begin;
        tile.num_columns = static_cast<int>(count);
        tile.add = begin > chunk_begin;
        add_panel(tile, packed_x, first, last, sum + c);
      }
    }
  }

 private:
  /// All columns of x in the part times one panel of g.
  void add_panel(ProductTile tile,
                 const Real* packed_x,
                 std::int64_t first,
                 std::int64_t last,
                 Real* sum) const {
    tile.x_step = tile_rows;
    for (std::int64_t k = first; k < last; k += tile_rows) {
      tile.num_rows = static_cast<int>(std::min<std::int64_t>(tile_rows, last - k));
      for (int i = 0; i < tile.num_rows; ++i) {
        tile.x[i] = packed_x + (k - first) * tile.depth + i;
        tile.y[i] = sum + (k + i) * g_.num_columns;
      }
      vectors_.product_tile(tile);
    }
  }

  ConstMatrixView x_;
  ConstMatrixView g_;
  RowSet rows_;
  const VectorKernels& vectors_;
};

void add_row(const Real* row, std::int64_t width, Real* sum) {
  for (std::int64_t c = 0; c < width; ++c)
    sum[c] += row[c];
}

}  // namespace

void weight_gradient(
    Context& ctx, ConstMatrixView x, ConstMatrixView g, MatrixView grad_w, RowSet rows) {
  const OuterProduct product(x, g, rows, vector_kernels(ctx.instruction_set()));
  const std::int64_t num_parts = (x.num_columns + part_columns - 1) / part_columns;
  const std::int64_t per_thread = product.scratch_size();
  Real* scratch =
      ctx.scratch<Real>(ScratchSlot::packed_rows, ctx.num_threads() * per_thread).data();
  const std::span<double> total =
      sum_chunks(ctx, {num_chunks_of(rows), num_parts, x.num_columns * g.num_columns},
                 [&](std::int64_t chunk, std::int64_t part, Real* sum) {
                   product.run(chunk, part, scratch + ctx.thread_index() * per_thread, sum);
                 });
  for (std::int64_t k = 0; k < x.num_columns; ++k) {
    const double* from = total.data() + k * g.num_columns;
    std::transform(from, from + g.num_columns, grad_w.row(k),
                   [](double value) { return static_cast<Real>(value); });
  }
}

void bias_gradient(Context& ctx, ConstMatrixView g, std::span<Real> grad_b, RowSet rows) {
  const std::int64_t width = g.num_columns;
  const std::span<double> total = sum_chunks(
      ctx, {num_chunks_of(rows), 1, width}, [&](std::int64_t chunk, std::int64_t, Real* sum) {
        const std::int64_t begin = chunk * weight_gradient_chunk;
        const std::int64_t end = std::min(rows.size(), begin + weight_gradient_chunk);
        std::fill_n(sum, width, Real{0});
        for (std::int64_t i = begin; i < end; ++i)
          add_row(g.row(rows[i]), width, sum);
      });
  std::transform(total.begin(), total.end(), grad_b.begin(),
                 [](double value) { return static_cast<Real>(value); });
}

}  // namespace weft::kernels::cpu
