// SPDX-License-Identifier: MIT
#include "graph/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace weft::graph {

void parallel_ranges(std::int64_t count,
                     std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& work) {
  using Range = tbb::blocked_range<std::int64_t>;
  if (count <= 0) return;
  tbb::parallel_for(Range(0, count, static_cast<std::size_t>(grain)),
                    [&work](const Range& range) { work(range.begin(), range.end()); });
}

}  // namespace weft::graph
