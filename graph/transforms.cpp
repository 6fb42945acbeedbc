// SPDX-License-Identifier: MIT
#include "graph/transforms.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "graph/parallel.hpp"
#include "graph/row_sort.hpp"
#include "graph/support/process.hpp"

namespace weft::graph {
namespace {

constexpr std::int64_t grain = 1024;

/// Position of the arc source -> destination, -1 where there is none.
EdgeOffset find_arc(const CsrView& graph, std::int32_t source, std::int64_t destination) {
  const auto row = graph.neighbors(destination);
  const auto found = std::lower_bound(row.begin(), row.end(), source);
  if (found == row.end() || *found != source) return -1;
  return graph.row_ptr[static_cast<std::size_t>(destination)] + (found - row.begin());
}

/// Whether arcs from higher to lower vertices have their reverse (with the same weight, where
/// `weights_too`), and lower to higher ones are as many, so that these have theirs as well.
bool is_symmetric_in(const CsrView& graph, bool weights_too) {
  std::atomic<bool> missing = false;
  const auto surplus =
      parallel_sum<std::int64_t>(graph.num_vertices(), grain, [&](std::int64_t v) -> std::int64_t {
        if (missing.load(std::memory_order_relaxed)) return 0;
        const auto row = graph.neighbors(v);
        const auto lower = std::lower_bound(row.begin(), row.end(), v) - row.begin();
        const auto higher = std::upper_bound(row.begin(), row.end(), v) - row.begin();
        for (auto place = static_cast<std::size_t>(higher); place < row.size(); ++place) {
          const auto edge =
              graph.row_ptr[static_cast<std::size_t>(v)] + static_cast<EdgeOffset>(place);
          const EdgeOffset reverse = find_arc(graph, static_cast<std::int32_t>(v), row[place]);
          if (reverse >= 0 && (!weights_too || graph.weight(edge) == graph.weight(reverse))) {
            continue;
          }
          missing.store(true, std::memory_order_relaxed);
          return 0;
        }
        return static_cast<std::int64_t>(row.size()) - higher - lower;
      });
  return !missing && surplus == 0;
}

/// Calls emit(u) for the neighbors u != v of v in `ahead` or `back`, in rising order.
template <typename Emit>
void visit_either(std::span<const std::int32_t> ahead,
                  std::span<const std::int32_t> back,
                  std::int64_t v,
                  Emit emit) {
  auto a = ahead.begin();
  auto b = back.begin();
  while (a != ahead.end() || b != back.end()) {
    const bool from_ahead = b == back.end() || (a != ahead.end() && *a <= *b);
    const std::int32_t u = from_ahead ? *a : *b;
    if (a != ahead.end() && *a == u) ++a;
    if (b != back.end() && *b == u) ++b;
    if (u != v) emit(u);
  }
}

/// Union of two graphs on the same vertices, without loops and weights.
CsrGraph unite(const CsrView& ahead, const CsrView& back) {
  const std::int64_t num_vertices = ahead.num_vertices();
  CsrGraph graph;
  graph.row_ptr.assign(static_cast<std::size_t>(num_vertices) + 1, 0);
  parallel_for_each(num_vertices, grain, [&](std::int64_t v) {
    EdgeOffset& count = graph.row_ptr[static_cast<std::size_t>(v)];
    visit_either(ahead.neighbors(v), back.neighbors(v), v, [&](std::int32_t) { ++count; });
  });
  offsets_from_counts(graph.row_ptr);
  graph.col_idx = make_large_vector<std::int32_t>(static_cast<std::size_t>(graph.row_ptr.back()));
  parallel_for_each(num_vertices, grain, [&](std::int64_t v) {
    auto to = static_cast<std::size_t>(graph.row_ptr[static_cast<std::size_t>(v)]);
    visit_either(ahead.neighbors(v), back.neighbors(v), v,
                 [&](std::int32_t u) { graph.col_idx[to++] = u; });
  });
  return graph;
}

}  // namespace

CsrGraph transpose(const CsrView& graph) {
  SortedRows rows = sort_transposed_rows(graph);
  parallel_for_each(static_cast<std::int64_t>(rows.keys.size()), 64 * grain, [&](std::int64_t e) {
    std::int32_t& key = rows.keys[static_cast<std::size_t>(e)];
    key = static_cast<std::int32_t>(static_cast<std::uint32_t>(key) >> 1);
  });
  return {std::move(rows.row_ptr), std::move(rows.keys), std::move(rows.weights)};
}

bool is_symmetric(const CsrView& graph) {
  return is_symmetric_in(graph, true);
}

CsrGraph symmetrized_without_loops(const CsrView& graph) {
  const CsrView structure{graph.row_ptr, graph.col_idx, {}};
  if (is_symmetric_in(structure, false)) return unite(structure, structure);
  const CsrGraph back = transpose(structure);
  return unite(structure, back.view());
}

}  // namespace weft::graph
