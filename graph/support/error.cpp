// SPDX-License-Identifier: MIT
// The one place that ends the program: a broken invariant leaves nothing worth saving.
#include "graph/support/error.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace weft {

void assertion_failed(const char* condition, const char* file, int line) {
  fmt::print(stderr, "weft: broken invariant: {} at {}:{}; please report this\n", condition, file,
             line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace weft
