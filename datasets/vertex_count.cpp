// SPDX-License-Identifier: MIT
// Agreement on the number of vertices.
#include "datasets/vertex_count.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

void learn_vertex_count(std::optional<VertexCount>& known, const VertexCount& found) {
  if (known && known->count != found.count) {
    throw InputError(text(found.source, ": ", found.count, ", expected ", known->count, " (",
                          known->source, ")"));
  }
  if (found.count <= 0 || found.count > max_local_vertices) {
    throw InputError(text(found.source, ": ", found.count, " vertices, expected 1 to ",
                          format_count(max_local_vertices), "; split a larger graph"));
  }
  if (!known) known = found;
}

}  // namespace weft::datasets
