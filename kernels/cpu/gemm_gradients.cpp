// SPDX-License-Identifier: MIT
// Gradients that sum over vertices: chunks of 1,024 rows, each by itself, added in order.
//
// A chunk of the weight gradient is a sum of outer products. Blocks of 256 of its rows are packed
// into panels of 6 columns of x and panels of columns of g, both read front to back by the same
// register tile that multiplies rows.
#include <algorithm>
#include <cstring>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/gemm.hpp"

namespace weft::kernels::cpu {
namespace {

constexpr std::int64_t row_block = 256;

/// Columns of x that one task takes: what it packs, 192 KiB of floats, fits a second-level cache.
constexpr std::int64_t part_columns = 32 * tile_rows;

/// Columns of g that are packed together.
constexpr std::int64_t group_columns = 128;

/// Numbers from one packed panel of x to the next: a whole number of cache lines, but not of 4 KiB,
/// so that panels do not fall on each other in the first-level cache.
constexpr std::int64_t x_panel_stride = row_block * tile_rows + 16;

/// Rows begin .. end-1 of a set, and columns first .. last-1 of a matrix.
struct Block {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t first;
  std::int64_t last;
};

/// Rows that are fetched into cache ahead of the one that is copied.
constexpr std::int64_t rows_ahead = 8;

/// Copies a few numbers, without the call that a copy of any length makes.
inline void copy_few(const Real* from, std::int64_t count, Real* to) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    std::memcpy(to + i, from + i, 4 * sizeof(Real));
  if ((count & 2) != 0) {
    std::memcpy(to + i, from + i, 2 * sizeof(Real));
    i += 2;
  }
  if ((count & 1) != 0) to[i] = from[i];
}

/// Columns first .. last-1 of row r: in place, or widened into `buffer`.
const Real* columns_of(const VectorKernels& vectors,
                       ConstMatrixView x,
                       std::int64_t r,
                       std::int64_t first,
                       std::int64_t last,
                       Real* buffer) {
  if (x.storage == Storage::real) return x.row(r) + first;
  vectors.widen_row(x.row_bf16(r) + first, last - first, buffer);
  return buffer;
}

/// Copies a block of x into panels of `panel_columns` columns, each of whose rows is filled up with
/// zeros to a multiple of `lanes`; panels lie `panel_stride` apart.
struct Packing {
  const VectorKernels& vectors;
  std::int64_t panel_columns;
  std::int64_t lanes;
  std::int64_t panel_stride;

  [[nodiscard]] std::int64_t row_length(std::int64_t columns) const {
    return (columns + lanes - 1) / lanes * lanes;
  }

  void run(ConstMatrixView x, RowSet rows, const Block& block, Real* packed) const {
    Real buffer[part_columns];
    for (std::int64_t i = block.begin; i < block.end; ++i) {
      const Real* row = columns_of(vectors, x, rows[i], block.first, block.last, buffer);
      const std::byte* later = x.row_begin(rows[std::min(block.end - 1, i + rows_ahead)]);
      Real* panel = packed;
      for (std::int64_t c = block.first; c < block.last; c += panel_columns) {
        const std::int64_t columns = std::min(panel_columns, block.last - c);
        const std::int64_t length = row_length(columns);
        Real* out = panel + (i - block.begin) * length;
        __builtin_prefetch(later + c * element_bytes(x.storage));
        copy_few(row + (c - block.first), columns, out);
        for (std::int64_t filled = columns; filled < length; ++filled)
          out[filled] = 0;
        panel += panel_stride;
      }
    }
  }
};

/// One task: a part of the columns of x, one chunk of rows.
class OuterProduct {
 public:
  OuterProduct(ConstMatrixView x, ConstMatrixView g, RowSet rows, const VectorKernels& vectors)
      : x_(x),
        g_(g),
        rows_(rows),
        vectors_(vectors),
        x_packing_{vectors, tile_rows, tile_rows, x_panel_stride},
        g_packing_{vectors, vectors.panel_columns, vectors.lanes,
                   row_block * vectors.panel_columns} {}

  /// Numbers of scratch that a thread needs.
  [[nodiscard]] static std::int64_t scratch_size() {
    return packed_x_size + row_block * group_columns;
  }

  /// sum [k x m] = x^T g over the rows of `chunk`, in the columns of x of `part`. The first part
  /// adds the rows of g to `column_sum` [m], unless it is null.
  void run(
      std::int64_t chunk, std::int64_t part, Real* scratch, Real* sum, Real* column_sum) const {
    const std::int64_t chunk_begin = chunk * weight_gradient_chunk;
    const std::int64_t chunk_end = std::min(rows_.size(), chunk_begin + weight_gradient_chunk);
    const std::int64_t first = part * part_columns;
    const std::int64_t last = std::min(x_.num_columns, first + part_columns);
    Real* packed_g = scratch + packed_x_size;
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += row_block) {
      const Block x_block{begin, std::min(chunk_end, begin + row_block), first, last};
      x_packing_.run(x_, rows_, x_block, scratch);
      for (std::int64_t c = 0; c < g_.num_columns; c += group_columns) {
        const std::int64_t end_column = std::min(g_.num_columns, c + group_columns);
        g_packing_.run(g_, rows_, {x_block.begin, x_block.end, c, end_column}, packed_g);
        if (part == 0 && column_sum != nullptr) {
          add_columns({x_block.begin, x_block.end, c, end_column}, column_sum);
        }
        for (std::int64_t panel = c; panel < end_column; panel += vectors_.panel_columns) {
          ProductTile tile{};
          tile.panel = packed_g + (panel - c) * row_block;
          tile.num_columns =
              static_cast<int>(std::min<std::int64_t>(vectors_.panel_columns, end_column - panel));
          tile.add = begin > chunk_begin;
          add_panel(tile, x_block, scratch, sum + panel);
        }
      }
    }
  }

 private:
  /// Adds a block of g, which has just been read, row by row.
  void add_columns(const Block& block, Real* column_sum) const {
    Real buffer[group_columns];
    Real* sum = column_sum + block.first;
    for (std::int64_t i = block.begin; i < block.end; ++i) {
      const Real* row = columns_of(vectors_, g_, rows_[i], block.first, block.last, buffer);
      for (std::int64_t c = 0; c < block.last - block.first; ++c)
        sum[c] += row[c];
    }
  }

  static constexpr std::int64_t packed_x_size = part_columns / tile_rows * x_panel_stride;

  /// All columns of x in the block times one panel of g.
  void add_panel(ProductTile tile, const Block& block, const Real* packed_x, Real* sum) const {
    tile.x_step = tile_rows;
    tile.depth = block.end - block.begin;
    for (std::int64_t k = block.first; k < block.last; k += tile_rows) {
      tile.num_rows = static_cast<int>(std::min<std::int64_t>(tile_rows, block.last - k));
      for (int i = 0; i < tile.num_rows; ++i) {
        tile.x[i] = packed_x + i;
        tile.y[i] = sum + (k + i) * g_.num_columns;
      }
      vectors_.product_tile(tile);
      packed_x += x_panel_stride;
    }
  }

  ConstMatrixView x_;
  ConstMatrixView g_;
  RowSet rows_;
  const VectorKernels& vectors_;
  Packing x_packing_;
  Packing g_packing_;
};

}  // namespace

void weight_gradient(Context& ctx,
                     ConstMatrixView x,
                     ConstMatrixView g,
                     MatrixView grad_w,
                     RowSet rows,
                     std::span<Real> grad_b) {
  const OuterProduct product(x, g, rows, vector_kernels(ctx.instruction_set()));
  const std::int64_t num_parts =
      std::max<std::int64_t>(1, (x.num_columns + part_columns - 1) / part_columns);
  const std::int64_t per_thread = OuterProduct::scratch_size();
  const std::int64_t size = x.num_columns * g.num_columns;
  const auto num_biases = static_cast<std::int64_t>(grad_b.size());
  Real* scratch =
      ctx.scratch<Real>(ScratchSlot::packed_rows, ctx.num_threads() * per_thread).data();
  const std::span<double> total =
      sum_chunks(ctx, {num_row_chunks(rows), num_parts, size + num_biases},
                 [&](std::int64_t chunk, std::int64_t part, Real* sum) {
                   if (part == 0) std::fill_n(sum + size, num_biases, Real{0});
                   product.run(chunk, part, scratch + ctx.thread_index() * per_thread, sum,
                               num_biases == 0 ? nullptr : sum + size);
                 });
  const auto to_real = [](double value) { return static_cast<Real>(value); };
  for (std::int64_t k = 0; k < x.num_columns; ++k) {
    const double* from = total.data() + k * g.num_columns;
    std::transform(from, from + g.num_columns, grad_w.row(k), to_real);
  }
  std::transform(total.begin() + size, total.end(), grad_b.begin(), to_real);
}

void bias_gradient(Context& ctx, ConstMatrixView g, std::span<Real> grad_b, RowSet rows) {
  const std::int64_t width = g.num_columns;
  const StoredRows stored(ctx, width);
  const std::span<double> total = sum_row_chunks(ctx, rows, width, [&](std::int64_t r, Real* sum) {
    const Real* row = stored.read(g, r, 0);
    for (std::int64_t c = 0; c < width; ++c)
      sum[c] += row[c];
  });
  std::transform(total.begin(), total.end(), grad_b.begin(),
                 [](double value) { return static_cast<Real>(value); });
}

}  // namespace weft::kernels::cpu
