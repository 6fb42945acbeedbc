// SPDX-License-Identifier: MIT
// Dense products on register tiles of 6 rows times a panel of columns.
//
// The small matrix is packed once a call into panels that a tile reads front to back; rows of the
// tall matrix are read in place, or widened strip by strip into cache. Depth is cut into blocks of
// 256, so that a panel stays in the first-level cache; a block's sum starts from zero and is added
// to the result in order.
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

/// Rows begin .. end-1 of a row set, and copies of them as Real where they are not stored so.
struct Strip {
  std::int64_t begin;
  std::int64_t end;
  Real* x;
  Real* y;
};

/// The product of some rows of x with a packed matrix, and what follows.
class RowProduct {
 public:
  RowProduct(Context& ctx,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows,
             Write write,
             const RowFinisher& finisher)
      : ctx_(ctx),
        vectors_(vector_kernels(ctx.instruction_set())),
        x_(x),
        y_(y),
        rows_(rows),
        write_(write),
        finisher_(finisher) {
    const std::int64_t copied_depth = x.storage == Storage::real ? 0 : x.num_columns;
    const std::int64_t copied_width = y.storage == Storage::real ? 0 : y.num_columns;
    const std::int64_t row_bytes =
        std::max(y.num_columns, copied_depth) * std::int64_t{sizeof(Real)};
    strip_rows_ = std::max<std::int64_t>(1, strip_bytes / (tile_rows * row_bytes)) * tile_rows;
    copied_x_ = strip_rows_ * copied_depth;
    copied_y_ = strip_rows_ * copied_width;
    copies_ =
        ctx.scratch<Real>(ScratchSlot::packed_rows, ctx.num_threads() * (copied_x_ + copied_y_))
            .data();
  }

  /// Rows begin .. end-1 of the row set, strip by strip.
  void run(const PanelLayout& layout,
           const Real* packed,
           std::int64_t begin,
           std::int64_t end) const {
    for (std::int64_t first = begin; first < end; first += strip_rows_) {
      const Strip strip = open(first, std::min(end, first + strip_rows_));
      run_strip(layout, packed, strip);
      close(strip);
    }
  }

 private:
  /// Widens the rows of a strip that are read: x, and y where the product is added to it.
  [[nodiscard]] Strip open(std::int64_t begin, std::int64_t end) const {
    Real* copies = copies_ + ctx_.thread_index() * (copied_x_ + copied_y_);
    const Strip strip{begin, end, copied_x_ == 0 ? nullptr : copies,
                      copied_y_ == 0 ? nullptr : copies + copied_x_};
    for (std::int64_t i = begin; i < end; ++i) {
      if (strip.x != nullptr) {
        vectors_.widen_row(x_.row_bf16(rows_[i]), x_.num_columns,
                           strip.x + (i - begin) * x_.num_columns);
      }
      if (strip.y != nullptr && write_ == Write::add) {
        vectors_.widen_row(y_.row_bf16(rows_[i]), y_.num_columns, y_row(strip, i));
      }
    }
    return strip;
  }

  void close(const Strip& strip) const {
    for (std::int64_t i = strip.begin; i < strip.end; ++i) {
      Real* y = y_row(strip, i);
      finisher_.finish(rows_[i], y);
      if (strip.y != nullptr) vectors_.narrow_row(y, y_.num_columns, y_.row_bf16(rows_[i]));
    }
  }

  [[nodiscard]] const Real* x_row(const Strip& strip, std::int64_t i) const {
    return strip.x == nullptr ? x_.row(rows_[i]) : strip.x + (i - strip.begin) * x_.num_columns;
  }
  [[nodiscard]] Real* y_row(const Strip& strip, std::int64_t i) const {
    return strip.y == nullptr ? y_.row(rows_[i]) : strip.y + (i - strip.begin) * y_.num_columns;
  }

  void run_strip(const PanelLayout& layout, const Real* packed, const Strip& strip) const {
    for (std::int64_t block = 0; block < layout.num_blocks(); ++block) {
      for (std::int64_t panel = 0; panel < layout.num_panels(); ++panel) {
        ProductTile tile{};
        tile.x_step = 1;
        tile.panel = packed + layout.offset(block, panel);
        tile.depth = layout.block_depth(block);
        tile.num_columns = static_cast<int>(layout.columns(panel));
        tile.add = write_ == Write::add || block > 0;
        for (std::int64_t i = strip.begin; i < strip.end; i += tile_rows) {
          tile.num_rows = static_cast<int>(std::min<std::int64_t>(tile_rows, strip.end - i));
          for (int t = 0; t < tile.num_rows; ++t) {
            tile.x[t] = x_row(strip, i + t) + block * depth_block;
            tile.y[t] = y_row(strip, i + t) + layout.column(panel);
          }
          vectors_.product_tile(tile);
        }
      }
    }
  }

  Context& ctx_;
  const VectorKernels& vectors_;
  ConstMatrixView x_;
  MatrixView y_;
  RowSet rows_;
  Write write_;
  const RowFinisher& finisher_;
  std::int64_t strip_rows_ = 0;
  std::int64_t copied_x_ = 0;  ///< numbers of a strip that are copied
  std::int64_t copied_y_ = 0;
  Real* copies_ = nullptr;
};

/// The product of matrices without depth, which is zero.
void finish_zeros(const StoredRows& stored,
                  Context& ctx,
                  MatrixView y,
                  RowSet rows,
                  Write write,
                  const RowFinisher& finisher) {
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    Real* row = stored.update(y, r, 0);
    if (write == Write::overwrite) std::fill_n(row, y.num_columns, Real{0});
    finisher.finish(r, row);
    stored.store(y, r, 0);
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
  const StoredRows stored(ctx, w.width());
  const RowFinisher finisher(vectors, stored, epilogue, w.width());
  if (w.depth() == 0) return finish_zeros(stored, ctx, y, rows, write, finisher);
  const PanelLayout layout(w.depth(), w.width(), vectors);
  const Real* packed = pack(ctx, w, layout);
  const RowProduct product(ctx, x, y, rows, write, finisher);
  const std::int64_t tiles_per_task =
      std::clamp<std::int64_t>(multiply_adds_per_task / (tile_rows * w.depth() * w.width()), 1,
                               most_rows_per_task / tile_rows);
  const std::int64_t rows_per_task = tiles_per_task * tile_rows;
  ctx.parallel_for((rows.size() + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
    product.run(layout, packed, task * rows_per_task,
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
  const StoredRows stored(ctx, y.num_columns);
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    Real* row = stored.update(y, r, 0);
    for (std::int64_t c = 0; c < y.num_columns; ++c)
      row[c] += bias[c];
    stored.store(y, r, 0);
  });
}

}  // namespace weft::kernels::cpu
