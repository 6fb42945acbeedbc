// SPDX-License-Identifier: MIT
// Dense products on register tiles of 6 rows times a panel of columns.
//
// The small matrix is packed once a call into panels that a tile reads front to back; rows of the
// tall matrix are read in place. Depth is cut into blocks of 256, so that a panel stays in the
// first-level cache; a block's sum starts from zero and is added to the result in order.
#include "kernels/gemm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

constexpr std::int64_t depth_block = 256;

/// Multiply-adds that a task does at least, and rows that it takes at most.
constexpr std::int64_t multiply_adds_per_task = std::int64_t{4} << 20;
constexpr std::int64_t most_rows_per_task = 64 * tile_rows;

/// Bytes of the result that are finished together: small enough to be in the second-level cache
/// when their epilogue reads them, beside the rows of the tall matrix and the panels.
constexpr std::int64_t strip_bytes = std::int64_t{64} << 10;

/// Reads the small matrix as [depth x width], transposed or not.
struct SmallMatrix {
  ConstMatrixView w;
  bool is_transposed;

  [[nodiscard]] std::int64_t depth() const { return is_transposed ? w.num_columns : w.num_rows; }
  [[nodiscard]] std::int64_t width() const { return is_transposed ? w.num_rows : w.num_columns; }
  [[nodiscard]] Real at(std::int64_t k, std::int64_t c) const {
    return is_transposed ? w.at(c, k) : w.at(k, c);
  }
};

/// Where the panels of a packed matrix lie: blocks of depth, each block panel by panel.
class PanelLayout {
 public:
  PanelLayout(std::int64_t depth, std::int64_t width, const VectorKernels& vectors)
      : depth_(depth),
        width_(width),
        panel_columns_(vectors.panel_columns),
        padded_width_((width + vectors.lanes - 1) / vectors.lanes * vectors.lanes) {}

  [[nodiscard]] std::int64_t size() const { return depth_ * padded_width_; }
  [[nodiscard]] std::int64_t num_blocks() const { return (depth_ + depth_block - 1) / depth_block; }
  [[nodiscard]] std::int64_t num_panels() const {
    return (width_ + panel_columns_ - 1) / panel_columns_;
  }
  [[nodiscard]] std::int64_t block_depth(std::int64_t block) const {
    return std::min(depth_block, depth_ - block * depth_block);
  }
  /// First column of a panel.
  [[nodiscard]] std::int64_t column(std::int64_t panel) const { return panel * panel_columns_; }
  /// Columns of a panel that exist, and with the padding to whole vectors.
  [[nodiscard]] std::int64_t columns(std::int64_t panel) const {
    return std::min(panel_columns_, width_ - column(panel));
  }
  [[nodiscard]] std::int64_t padded_columns(std::int64_t panel) const {
    return std::min(panel_columns_, padded_width_ - column(panel));
  }
  [[nodiscard]] std::int64_t offset(std::int64_t block, std::int64_t panel) const {
    return block * depth_block * padded_width_ + block_depth(block) * column(panel);
  }

 private:
  std::int64_t depth_;
  std::int64_t width_;
  std::int64_t panel_columns_;
  std::int64_t padded_width_;
};

void pack_panel(const SmallMatrix& w,
                const PanelLayout& layout,
                std::int64_t block,
                std::int64_t panel,
                Real* packed) {
  Real* out = packed + layout.offset(block, panel);
  const std::int64_t first_row = block * depth_block;
  const std::int64_t columns = layout.columns(panel);
  const std::int64_t padded = layout.padded_columns(panel);
  for (std::int64_t k = 0; k < layout.block_depth(block); ++k) {
    for (std::int64_t c = 0; c < columns; ++c) {
      out[c] = w.at(first_row + k, layout.column(panel) + c);
    }
    std::fill(out + columns, out + padded, Real{0});
    out += padded;
  }
}

const Real* pack(Context& ctx, const SmallMatrix& w, const PanelLayout& layout) {
  Real* packed = ctx.scratch<Real>(ScratchSlot::packed_weights, layout.size()).data();
  ctx.parallel_for(layout.num_blocks(), [&](std::int64_t block) {
    for (std::int64_t panel = 0; panel < layout.num_panels(); ++panel) {
      pack_panel(w, layout, block, panel, packed);
    }
  });
  return packed;
}

/// The product of some rows of x with a packed matrix, and what follows.
class RowProduct {
 public:
  RowProduct(ConstMatrixView x, MatrixView y, RowSet rows, Write write, const RowFinisher& finisher)
      : x_(x), y_(y), rows_(rows), write_(write), finisher_(finisher) {}

  /// Rows begin .. end-1 of the row set, strip by strip.
  void run(const VectorKernels& vectors,
           const PanelLayout& layout,
           const Real* packed,
           std::int64_t begin,
           std::int64_t end) const {
    const std::int64_t row_bytes = y_.num_columns * std::int64_t{sizeof(Real)};
    const std::int64_t strip =
        std::max<std::int64_t>(1, strip_bytes / (tile_rows * row_bytes)) * tile_rows;
    for (std::int64_t first = begin; first < end; first += strip) {
      const std::int64_t last = std::min(end, first + strip);
      run_strip(vectors, layout, packed, first, last);
      for (std::int64_t i = first; i < last; ++i)
        finisher_.finish(rows_[i], y_.row(rows_[i]));
    }
  }

 private:
  void run_strip(const VectorKernels& vectors,
                 const PanelLayout& layout,
                 const Real* packed,
                 std::int64_t begin,
                 std::int64_t end) const {
    for (std::int64_t block = 0; block < layout.num_blocks(); ++block) {
      for (std::int64_t panel = 0; panel < layout.num_panels(); ++panel) {
        ProductTile tile{};
        tile.x_step = 1;
        tile.panel = packed + layout.offset(block, panel);
        tile.depth = layout.block_depth(block);
        tile.num_columns = static_cast<int>(layout.columns(panel));
        tile.add = write_ == Write::add || block > 0;
        for (std::int64_t i = begin; i < end; i += tile_rows) {
          place_rows(tile, i, std::min<std::int64_t>(tile_rows, end - i), block * depth_block,
                     layout.column(panel));
          vectors.product_tile(tile);
        }
      }
    }
  }

  void place_rows(ProductTile& tile,
                  std::int64_t first,
                  std::int64_t num_rows,
                  std::int64_t depth,
                  std::int64_t column) const {
    tile.num_rows = static_cast<int>(num_rows);
    for (std::int64_t i = 0; i < num_rows; ++i) {
      const std::int64_t row = rows_[first + i];
      tile.x[i] = x_.row(row) + depth;
      tile.y[i] = y_.row(row) + column;
    }
  }

  ConstMatrixView x_;
  MatrixView y_;
  RowSet rows_;
  Write write_;
  const RowFinisher& finisher_;
};

/// The product of matrices without depth, which is zero.
void finish_zeros(
    Context& ctx, MatrixView y, RowSet rows, Write write, const RowFinisher& finisher) {
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    if (write == Write::overwrite) std::fill_n(y.row(r), y.num_columns, Real{0});
    finisher.finish(r, y.row(r));
  });
}

void multiply_packed(Context& ctx,
                     ConstMatrixView x,
                     const SmallMatrix& w,
                     MatrixView y,
                     RowSet rows,
                     Write write,
                     const Epilogue& epilogue) {
  if (w.width() == 0 || rows.size() == 0) return;
  const VectorKernels& vectors = vector_kernels(ctx.instruction_set());
  const RowFinisher finisher(vectors, epilogue, w.width());
  if (w.depth() == 0) return finish_zeros(ctx, y, rows, write, finisher);
  const PanelLayout layout(w.depth(), w.width(), vectors);
  const Real* packed = pack(ctx, w, layout);
  const RowProduct product(x, y, rows, write, finisher);
  const std::int64_t tiles_per_task =
      std::clamp<std::int64_t>(multiply_adds_per_task / (tile_rows * w.depth() * w.width()), 1,
                               most_rows_per_task / tile_rows);
  const std::int64_t rows_per_task = tiles_per_task * tile_rows;
  ctx.parallel_for((rows.size() + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
    product.run(vectors, layout, packed, task * rows_per_task,
                std::min(rows.size(), (task + 1) * rows_per_task));
  });
}

}  // namespace

void multiply(Context& ctx,
              ConstMatrixView x,
              ConstMatrixView w,
              MatrixView y,
              RowSet rows,
              Write write,
              const Epilogue& epilogue) {
  multiply_packed(ctx, x, {w, false}, y, rows, write, epilogue);
}

void multiply_transposed(Context& ctx,
                         ConstMatrixView g,
                         ConstMatrixView w,
                         MatrixView y,
                         RowSet rows,
                         Write write,
                         const Epilogue& epilogue) {
  multiply_packed(ctx, g, {w, true}, y, rows, write, epilogue);
}

void add_bias(Context& ctx, std::span<const Real> b, MatrixView y, RowSet rows) {
  const Real* bias = b.data();
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    Real* row = y.row(r);
    for (std::int64_t c = 0; c < y.num_columns; ++c)
      row[c] += bias[c];
  });
}

}  // namespace weft::kernels::cpu
