// SPDX-License-Identifier: MIT
// One pass over the rows: rows are destinations, so a row's sum is an in-degree.
#include "graph/normalization.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace weft::graph {

Degrees compute_degrees(const CsrView& graph) {
  const std::int64_t num_vertices = graph.num_vertices();
  Degrees degrees;
  degrees.weighted_in.resize(static_cast<std::size_t>(num_vertices));
  degrees.has_loop.resize(static_cast<std::size_t>(num_vertices));
  const auto do_rows = [&](const tbb::blocked_range<std::int64_t>& rows) {
    for (std::int64_t v = rows.begin(); v < rows.end(); ++v) {
      const auto row = static_cast<std::size_t>(v);
      const auto sources = graph.neighbors(v);
      double sum = static_cast<double>(sources.size());
      if (graph.is_weighted()) {
        sum = 0.0;
        for (EdgeOffset e = graph.row_ptr[row]; e < graph.row_ptr[row + 1]; ++e) {
          sum += static_cast<double>(graph.edge_weight[static_cast<std::size_t>(e)]);
        }
      }
      degrees.weighted_in[row] = sum;
      degrees.has_loop[row] =
          std::binary_search(sources.begin(), sources.end(), static_cast<std::int32_t>(v));
    }
  };
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, num_vertices, 1024), do_rows);
  return degrees;
}

double symmetric_coefficient(double weight, double source_degree, double destination_degree) {
  if (!(source_degree > 0.0) || !(destination_degree > 0.0)) return 0.0;
  return weight / std::sqrt(source_degree * destination_degree);
}

}  // namespace weft::graph
