// SPDX-License-Identifier: MIT
// Sparse values in the order of a transpose.
#include "kernels/sparse.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void gather_values(Context& ctx,
                   std::span<const Real> values,
                   std::span<const EdgeOffset> source_entry,
                   std::span<Real> out) {
  const auto num_entries = static_cast<std::int64_t>(out.size());
  for_row_blocks(ctx, num_entries, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      out[i] = values[static_cast<std::size_t>(source_entry[i])];
    }
  });
}

}  // namespace weft::kernels::cpu
