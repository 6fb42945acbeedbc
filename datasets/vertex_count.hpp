// SPDX-License-Identifier: MIT
// The number of vertices as several files know it: all must agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weft::datasets {

/// A number of vertices with its source, for messages: 3, "rows of features.npy".
struct VertexCount {
  std::int64_t count = 0;
  std::string source;
};

/// Sets `known`, or checks that it agrees.
/// Errors   InputError that names both numbers and sources; 0 and more than 2^31 - 1 vertices
void learn_vertex_count(std::optional<VertexCount>& known, const VertexCount& found);

}  // namespace weft::datasets
