// SPDX-License-Identifier: MIT
// How the columns of a product's result are cut into panels, one of which a register tile covers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {

/// Columns 0 .. width-1 in panels of whole vectors that differ by one vector at most: five vectors
/// are 3 + 2 where 3 fit a tile, never 3 + 1 + 1, because a tile of one vector waits for loads.
class Panels {
 public:
  Panels(std::int64_t width, const VectorKernels& vectors)
      : width_(width), lanes_(vectors.lanes), tiles_(vectors.tiles) {
    const std::int64_t num_vectors = (width + lanes_ - 1) / lanes_;
    num_panels_ = (num_vectors + tiles_.panel_vectors - 1) / tiles_.panel_vectors;
    if (num_panels_ == 0) return;
    least_vectors_ = num_vectors / num_panels_;
    num_larger_ = num_vectors % num_panels_;
  }

  [[nodiscard]] std::int64_t num_panels() const { return num_panels_; }
  /// First column of a panel; of the panel past the last, the width padded to whole vectors.
  [[nodiscard]] std::int64_t column(std::int64_t panel) const {
    return (panel * least_vectors_ + std::min(panel, num_larger_)) * lanes_;
  }
  /// Columns of a panel that exist, and with the padding to whole vectors.
  [[nodiscard]] std::int64_t columns(std::int64_t panel) const {
    return std::min(padded_columns(panel), width_ - column(panel));
  }
  [[nodiscard]] std::int64_t padded_columns(std::int64_t panel) const {
    return num_vectors(panel) * lanes_;
  }
  [[nodiscard]] std::int64_t padded_width() const { return column(num_panels_); }
  /// Tiles that cover `num_rows` rows of the result.
  [[nodiscard]] std::int64_t num_tiles(std::int64_t num_rows) const {
    std::int64_t count = 0;
    for (std::int64_t panel = 0; panel < num_panels_; ++panel) {
      count += (num_rows + tile_rows(panel) - 1) / tile_rows(panel);
    }
    return count;
  }
  /// Rows of a full tile on the panel.
  [[nodiscard]] std::int64_t tile_rows(std::int64_t panel) const {
    return tiles_.num_rows[num_vectors(panel) - 1];
  }

 private:
  [[nodiscard]] std::int64_t num_vectors(std::int64_t panel) const {
    return least_vectors_ + (panel < num_larger_ ? 1 : 0);
  }

  std::int64_t width_;
  std::int64_t lanes_;
  TileShapes tiles_;
  std::int64_t num_panels_ = 0;
  std::int64_t least_vectors_ = 0;
  std::int64_t num_larger_ = 0;
};

}  // namespace weft::kernels::cpu
