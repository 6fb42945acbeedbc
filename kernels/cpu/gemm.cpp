// SPDX-License-Identifier: MIT
// Dense products on register tiles of some rows times a panel of columns.
//
// The small matrix is packed once a call into panels that a tile reads front to back; rows of the
// tall matrix are read in place, or widened strip by strip into cache. Depth is cut into blocks of
// at most 256, so that a panel stays in the first-level cache; a block's sum starts from zero and
// is added to the result in order. All panels pass over a strip of rows while the rows of the next
// strip are fetched; then the strip's rows are finished.
#include "kernels/gemm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/fetch_ahead.hpp"
#include "kernels/cpu/panels.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Depth of a block at most.
constexpr std::int64_t most_block_depth = 256;

/// Rows that all panels pass over, and that are then finished, before the next: a multiple of the
/// rows of any tile, and few enough to be in the second-level cache when their epilogue reads them,
/// beside the rows of the tall matrix and the panels.
constexpr std::int64_t strip_rows = 48;

/// Multiply-adds that a task does at least, and strips that it takes at most.
constexpr std::int64_t multiply_adds_per_task = std::int64_t{8} << 20;
constexpr std::int64_t most_strips_per_task = 8;

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
  /// Takes depths of 1 or more.
  PanelLayout(std::int64_t depth, std::int64_t width, const VectorKernels& vectors)
      : depth_(depth), panels_(width, vectors) {
    const std::int64_t fewest_blocks = (depth + most_block_depth - 1) / most_block_depth;
    full_depth_ = (depth + fewest_blocks - 1) / fewest_blocks;
  }

  [[nodiscard]] const Panels& panels() const { return panels_; }
  [[nodiscard]] std::int64_t size() const { return depth_ * panels_.padded_width(); }
  [[nodiscard]] std::int64_t num_blocks() const { return (depth_ + full_depth_ - 1) / full_depth_; }
  /// First row of the matrix in a block, and their number.
  [[nodiscard]] std::int64_t first_row(std::int64_t block) const { return block * full_depth_; }
  [[nodiscard]] std::int64_t block_depth(std::int64_t block) const {
    return std::min(full_depth_, depth_ - first_row(block));
  }
  [[nodiscard]] std::int64_t offset(std::int64_t block, std::int64_t panel) const {
    return first_row(block) * panels_.padded_width() + block_depth(block) * panels_.column(panel);
  }

 private:
  std::int64_t depth_;
  std::int64_t full_depth_;
  Panels panels_;
};

void pack_panel(const SmallMatrix& w,
                const PanelLayout& layout,
                std::int64_t block,
                std::int64_t panel,
                Real* packed) {
  Real* out = packed + layout.offset(block, panel);
  const std::int64_t first_row = layout.first_row(block);
  const std::int64_t first_column = layout.panels().column(panel);
  const std::int64_t columns = layout.panels().columns(panel);
  const std::int64_t padded = layout.panels().padded_columns(panel);
  for (std::int64_t k = 0; k < layout.block_depth(block); ++k) {
    for (std::int64_t c = 0; c < columns; ++c) {
      out[c] = w.at(first_row + k, first_column + c);
    }
    std::fill(out + columns, out + padded, Real{0});
    out += padded;
  }
}

const Real* pack(Context& ctx, const SmallMatrix& w, const PanelLayout& layout) {
  Real* packed = ctx.scratch<Real>(ScratchSlot::packed_weights, layout.size()).data();
  ctx.parallel_for(layout.num_blocks(), [&](std::int64_t block) {
    for (std::int64_t panel = 0; panel < layout.panels().num_panels(); ++panel) {
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
    if (x.storage != Storage::real) copied_x_ = strip_rows * x.num_columns;
    if (y.storage != Storage::real) copied_y_ = strip_rows * y.num_columns;
    copies_ =
        ctx.scratch<Real>(ScratchSlot::packed_rows, ctx.num_threads() * (copied_x_ + copied_y_))
            .data();
  }

  /// Rows begin .. end-1 of the row set, strip by strip.
  void run(const PanelLayout& layout,
           const Real* packed,
           std::int64_t begin,
           std::int64_t end) const {
    for (std::int64_t first = begin; first < end; first += strip_rows) {
      const Strip strip = open(first, std::min(end, first + strip_rows));
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

  /// Meanwhile the rows after the strip are fetched: as tasks are taken in order, this thread most
  /// likely needs them next.
  void run_strip(const PanelLayout& layout, const Real* packed, const Strip& strip) const {
    const Panels& panels = layout.panels();
    FetchAhead next_strip(x_, rows_, strip.end, std::min(rows_.size(), strip.end + strip_rows),
                          layout.num_blocks() * panels.num_tiles(strip.end - strip.begin));
    for (std::int64_t block = 0; block < layout.num_blocks(); ++block) {
      for (std::int64_t panel = 0; panel < panels.num_panels(); ++panel) {
        ProductTile tile{};
        tile.x_step = 1;
        tile.panel = packed + layout.offset(block, panel);
        tile.depth = layout.block_depth(block);
        tile.num_columns = static_cast<int>(panels.columns(panel));
        tile.add = write_ == Write::add || block > 0;
        const std::int64_t tile_rows = panels.tile_rows(panel);
        for (std::int64_t i = strip.begin; i < strip.end; i += tile_rows) {
          tile.num_rows = static_cast<int>(std::min(tile_rows, strip.end - i));
          for (int t = 0; t < tile.num_rows; ++t) {
            tile.x[t] = x_row(strip, i + t) + layout.first_row(block);
            tile.y[t] = y_row(strip, i + t) + panels.column(panel);
          }
          next_strip.step();
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
  const std::int64_t strips_per_task = std::clamp<std::int64_t>(
      multiply_adds_per_task / (strip_rows * w.depth() * w.width()), 1, most_strips_per_task);
  const std::int64_t rows_per_task = strips_per_task * strip_rows;
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
