// SPDX-License-Identifier: MIT
// Sums over rows that do not depend on the number of threads: rows are cut into chunks of a fixed
// number, each chunk is summed by itself, and the sums are added in order in double precision.
//
// Chunks are computed in waves, so that scratch stays bounded however many there are; as the sums
// of a wave join the total in order, the size of a wave does not change a bit of the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/support/types.hpp"
#include "kernels/context.hpp"
#include "kernels/gemm.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels::cpu {

/// Bytes of scratch that the sums of a wave may take; a wave has at least one chunk.
inline constexpr std::int64_t wave_bytes = std::int64_t{16} << 20;

/// Elements of the total that one task adds up.
inline constexpr std::int64_t total_block = 2048;

/// Adds the `num_chunks` rows of `sums` [num_chunks x width] to `total` [width], in order.
inline void add_in_order(Context& ctx,
                         const Real* sums,
                         std::int64_t num_chunks,
                         std::span<double> total) {
  const auto width = static_cast<std::int64_t>(total.size());
  ctx.parallel_for((width + total_block - 1) / total_block, [&](std::int64_t block) {
    const std::int64_t end = std::min(width, (block + 1) * total_block);
    for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) {
      const Real* sum = sums + chunk * width;
      for (std::int64_t i = block * total_block; i < end; ++i) {
        total[static_cast<std::size_t>(i)] += static_cast<double>(sum[i]);
      }
    }
  });
}

/// What is summed: `num_chunks` chunks, each computed by `parts` tasks, into `width` numbers.
struct ChunkPlan {
  std::int64_t num_chunks = 0;
  std::int64_t parts = 1;
  std::int64_t width = 0;
};

/// Calls body(chunk, part, sum) on the pool, which fills its part of the chunk's sum [width];
/// returns the total over chunks, in the context's scratch.
template <typename Body>
std::span<double> sum_chunks(Context& ctx, ChunkPlan plan, const Body& body) {
  const std::int64_t sum_bytes = std::max<std::int64_t>(1, plan.width) * std::int64_t{sizeof(Real)};
  const std::int64_t wave = std::clamp<std::int64_t>(wave_bytes / sum_bytes, 1,
                                                     std::max<std::int64_t>(1, plan.num_chunks));
  const std::span<double> total = ctx.scratch<double>(ScratchSlot::totals, plan.width);
  Real* sums = ctx.scratch<Real>(ScratchSlot::chunk_sums, wave * plan.width).data();
  std::fill(total.begin(), total.end(), 0.0);
  for (std::int64_t first = 0; first < plan.num_chunks; first += wave) {
    const std::int64_t in_wave = std::min(wave, plan.num_chunks - first);
    ctx.parallel_for(in_wave * plan.parts, [&](std::int64_t task) {
      const std::int64_t chunk = task / plan.parts;
      body(first + chunk, task % plan.parts, sums + chunk * plan.width);
    });
    add_in_order(ctx, sums, in_wave, total);
  }
  return total;
}

inline std::int64_t num_row_chunks(RowSet rows) {
  return (rows.size() + weight_gradient_chunk - 1) / weight_gradient_chunk;
}

/// Calls body(row, sum) for each row of the set, which adds the row to the sum [width] of its
/// chunk; rows of a chunk come in order. Returns the total over chunks.
template <typename Body>
std::span<double> sum_row_chunks(Context& ctx, RowSet rows, std::int64_t width, const Body& body) {
  return sum_chunks(ctx, {num_row_chunks(rows), 1, width},
                    [&](std::int64_t chunk, std::int64_t, Real* sum) {
                      const std::int64_t begin = chunk * weight_gradient_chunk;
                      const std::int64_t end = std::min(rows.size(), begin + weight_gradient_chunk);
                      std::fill_n(sum, width, Real{0});
                      for (std::int64_t i = begin; i < end; ++i)
                        body(rows[i], sum);
                    });
}

}  // namespace weft::kernels::cpu
