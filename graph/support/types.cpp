// SPDX-License-Identifier: MIT
// Checked narrowing of ids.
#include "graph/support/types.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft {

LocalId checked_local_id(std::int64_t value, const char* what) {
  if (value < 0 || value > max_local_vertices) {
    throw InputError(text(what, ": ", value, " does not fit a local id, which goes from 0 to ",
                          max_local_vertices, "; split the graph into more parts"));
  }
  return static_cast<LocalId>(value);
}

}  // namespace weft
