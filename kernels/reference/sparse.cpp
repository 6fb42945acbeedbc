// SPDX-License-Identifier: MIT
// Specification of the permutation of sparse values.
#include "kernels/sparse.hpp"

#include "kernels/backends.hpp"

namespace weft::kernels::reference {

void gather_values(Context&,
                   std::span<const Real> values,
                   std::span<const EdgeOffset> source_entry,
                   std::span<Real> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = values[static_cast<std::size_t>(source_entry[i])];
  }
}

}  // namespace weft::kernels::reference
