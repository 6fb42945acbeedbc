// SPDX-License-Identifier: MIT
// Gradients that sum over vertices: chunks of 1,024 rows, each by itself, added in order.
//
// A chunk of the weight gradient is a sum of outer products. Of a block of its rows, those of g are
// packed into panels that a register tile reads front to back; those of x are copied, and the tile
// reads down their columns. It is the tile that multiplies rows. Rows of bf16 are widened on the
// way, once a task.
#include <algorithm>
#include <cstring>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/fetch_ahead.hpp"
#include "kernels/cpu/panels.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/gemm.hpp"

namespace weft::kernels::cpu {
namespace {

/// Rows of a chunk that are packed together.
constexpr std::int64_t row_block = 128;

/// Columns of x that one task takes at most: the copy of a block, 160 KiB of floats, leaves room
/// for g in a second-level cache.
constexpr std::int64_t most_part_columns = 312;

/// Parts of x are of about equal width, a multiple of the columns that most tiles take.
constexpr std::int64_t part_step = 12;

/// Numbers from one copied row to the next: an odd number of cache lines, so that the lines of a
/// column spread over all sets of the first-level cache.
constexpr std::int64_t spread_stride(std::int64_t num_columns) {
  constexpr std::int64_t line = 64 / sizeof(Real);
  return ((num_columns + line - 1) / line | 1) * line;
}

/// Rows begin .. end-1 of a set, and columns first .. last-1 of x.
struct Block {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t first;
  std::int64_t last;
};

/// Copies a few numbers, without the call that a copy of any length makes.
inline void copy_few(const Real* from, std::int64_t count, Real* to) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    std::memcpy(to + i, from + i, 8 * sizeof(Real));
  if ((count & 4) != 0) {
    std::memcpy(to + i, from + i, 4 * sizeof(Real));
    i += 4;
  }
  if ((count & 2) != 0) {
    std::memcpy(to + i, from + i, 2 * sizeof(Real));
    i += 2;
  }
  if ((count & 1) != 0) to[i] = from[i];
}

/// Columns first .. last-1 of a matrix.
ConstMatrixView columns_of(ConstMatrixView x, std::int64_t first, std::int64_t last) {
  const std::byte* begin = x.row_begin(0) + first * element_bytes(x.storage);
  return {reinterpret_cast<const Real*>(begin), x.num_rows, last - first, x.stride, x.storage};
}

/// One task: a part of the columns of x, one chunk of rows.
class OuterProduct {
 public:
  OuterProduct(ConstMatrixView x, ConstMatrixView g, RowSet rows, const VectorKernels& vectors)
      : x_(x), g_(g), rows_(rows), vectors_(vectors), panels_(g.num_columns, vectors) {
    if (g.num_columns == 0) return;
    num_parts_ =
        std::max<std::int64_t>(1, (x.num_columns + most_part_columns - 1) / most_part_columns);
    const std::int64_t share = (x.num_columns + num_parts_ - 1) / num_parts_;
    part_columns_ = (share + part_step - 1) / part_step * part_step;
    x_stride_ = spread_stride(part_columns_);
  }

  /// Tasks of a chunk; none where g has no columns.
  [[nodiscard]] std::int64_t num_parts() const { return num_parts_; }
  /// Numbers of scratch that a thread needs.
  [[nodiscard]] std::int64_t scratch_size() const {
    return row_block * (x_stride_ + panels_.padded_width());
  }

  /// sum [k x m] = x^T g over the rows of `chunk`, in the columns of x of `part`. The first part
  /// adds the rows of g to `column_sum` [m], unless it is null.
  void run(
      std::int64_t chunk, std::int64_t part, Real* scratch, Real* sum, Real* column_sum) const {
    Real* packed_g = scratch + row_block * x_stride_;
    const std::int64_t chunk_begin = chunk * weight_gradient_chunk;
    const std::int64_t chunk_end = std::min(rows_.size(), chunk_begin + weight_gradient_chunk);
    const std::int64_t first = part * part_columns_;
    const std::int64_t last = std::min(x_.num_columns, first + part_columns_);
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += row_block) {
      const Block block{begin, std::min(chunk_end, begin + row_block), first, last};
      copy_x(block, scratch);
      pack_g(block, packed_g);
      if (part == 0 && column_sum != nullptr) add_columns(block, packed_g, column_sum);
      add_block(block, begin > chunk_begin, scratch, sum);
    }
  }

 private:
  void copy_x(const Block& block, Real* out) const {
    const std::int64_t columns = block.last - block.first;
    for (std::int64_t i = block.begin; i < block.end; ++i) {
      if (x_.storage == Storage::real) {
        std::memcpy(out, x_.row(rows_[i]) + block.first,
                    static_cast<std::size_t>(columns) * sizeof(Real));
      } else {
        vectors_.widen_row(x_.row_bf16(rows_[i]) + block.first, columns, out);
      }
      out += x_stride_;
    }
  }

  void pack_g(const Block& block, Real* packed) const {
    for (std::int64_t panel = 0; panel < panels_.num_panels(); ++panel) {
      const std::int64_t column = panels_.column(panel);
      const std::int64_t columns = panels_.columns(panel);
      const std::int64_t padded = panels_.padded_columns(panel);
      Real* out = packed + column * row_block;
      for (std::int64_t i = block.begin; i < block.end; ++i) {
        if (g_.storage == Storage::real) {
          copy_few(g_.row(rows_[i]) + column, columns, out);
        } else {
          vectors_.widen_row(g_.row_bf16(rows_[i]) + column, columns, out);
        }
        for (std::int64_t filled = columns; filled < padded; ++filled)
          out[filled] = 0;
        out += padded;
      }
    }
  }

  /// Adds the packed rows of g, each column from the first row to the last.
  void add_columns(const Block& block, const Real* packed_g, Real* column_sum) const {
    for (std::int64_t panel = 0; panel < panels_.num_panels(); ++panel) {
      const std::int64_t columns = panels_.columns(panel);
      const std::int64_t padded = panels_.padded_columns(panel);
      const Real* row = packed_g + panels_.column(panel) * row_block;
      Real* sum = column_sum + panels_.column(panel);
      for (std::int64_t i = block.begin; i < block.end; ++i) {
        for (std::int64_t c = 0; c < columns; ++c)
          sum[c] += row[c];
        row += padded;
      }
    }
  }

  /// sum = x^T g over the block, which is packed in `scratch`, or is added to; meanwhile the rows
  /// of the next block are fetched.
  void add_block(const Block& block, bool add, const Real* scratch, Real* sum) const {
    const Real* packed_g = scratch + row_block * x_stride_;
    const std::int64_t end = std::min(rows_.size(), block.end + row_block);
    const std::int64_t num_tiles = panels_.num_tiles(block.last - block.first);
    const ConstMatrixView part_of_x = columns_of(x_, block.first, block.last);
    FetchAhead next_x(part_of_x, rows_, block.end, end, num_tiles);
    FetchAhead next_g(g_, rows_, block.end, end, num_tiles);
    for (std::int64_t panel = 0; panel < panels_.num_panels(); ++panel) {
      const std::int64_t tile_rows = panels_.tile_rows(panel);
      ProductTile tile = panel_tile(panel, packed_g);
      tile.depth = block.end - block.begin;
      tile.add = add;
      for (std::int64_t k = block.first; k < block.last; k += tile_rows) {
        place_columns(tile, scratch + (k - block.first), std::min(tile_rows, block.last - k),
                      sum + k * g_.num_columns + panels_.column(panel));
        next_x.step();
        next_g.step();
        vectors_.product_tile(tile);
      }
    }
  }

  [[nodiscard]] ProductTile panel_tile(std::int64_t panel, const Real* packed_g) const {
    ProductTile tile{};
    tile.x_step = x_stride_;
    tile.panel = packed_g + panels_.column(panel) * row_block;
    tile.num_columns = static_cast<int>(panels_.columns(panel));
    return tile;
  }

  /// The tile's rows are columns of x.
  void place_columns(ProductTile& tile, const Real* x, std::int64_t num_columns, Real* sum) const {
    tile.num_rows = static_cast<int>(num_columns);
    for (std::int64_t i = 0; i < num_columns; ++i) {
      tile.x[i] = x + i;
      tile.y[i] = sum + i * g_.num_columns;
    }
  }

  ConstMatrixView x_;
  ConstMatrixView g_;
  RowSet rows_;
  const VectorKernels& vectors_;
  Panels panels_;
  std::int64_t num_parts_ = 0;
  std::int64_t part_columns_ = 0;
  std::int64_t x_stride_ = 0;
};

}  // namespace

void weight_gradient(Context& ctx,
                     ConstMatrixView x,
                     ConstMatrixView g,
                     MatrixView grad_w,
                     RowSet rows,
                     std::span<Real> grad_b) {
  const OuterProduct product(x, g, rows, vector_kernels(ctx.instruction_set()));
  const std::int64_t per_thread = product.scratch_size();
  const std::int64_t size = x.num_columns * g.num_columns;
  const auto num_biases = static_cast<std::int64_t>(grad_b.size());
  Real* scratch =
      ctx.scratch<Real>(ScratchSlot::packed_rows, ctx.num_threads() * per_thread).data();
  const std::span<double> total =
      sum_chunks(ctx, {num_row_chunks(rows), product.num_parts(), size + num_biases},
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
