// SPDX-License-Identifier: MIT
// The number types that the whole of Weft shares.
//
// Invariant (ids): global vertex ids are 0..N-1 in dataset order, 64-bit between ranks and on
// disk; local ids are 32-bit and checked where they are made; edge offsets are 64-bit.
#pragma once

#include <cstdint>

namespace weft {

/// A vertex of the whole graph, in dataset order.
using GlobalId = std::int64_t;

/// A vertex of one part, or a row or column of one part's matrices.
using LocalId = std::int32_t;

/// A position in an edge array.
using EdgeOffset = std::int64_t;

/// The floating-point type of features, weights and gradients: `float`, or `double` in the build
/// that serves gradient and equality checks (CMake preset `double`).
#ifdef WEFT_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

/// Largest vertex count of one part, and of a dataset whose columns are stored as 32 bits.
inline constexpr std::int64_t max_local_vertices = (std::int64_t{1} << 31) - 1;

/// Converts to a local id. Throws InputError that names `what` if `value` does not fit 31 bits.
LocalId checked_local_id(std::int64_t value, const char* what);

}  // namespace weft
