// SPDX-License-Identifier: MIT
// Candidates are made on the graph without the arcs between parts, so that one pass serves all.
#include "partition/vertex_order.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/transforms.hpp"
#include "partition/indexing.hpp"
#include "partition/metis.hpp"
#include "partition/metis_input.hpp"

namespace weft::partition {
namespace {

constexpr std::int64_t stretch_rows = 4096;  ///< counted without a gap
constexpr std::int64_t counted_arcs = std::int64_t{4} << 20;
constexpr double least_gain = 0.05;

using Places = std::vector<std::int32_t>;

/// Place of each vertex if they stand as in `order`.
Places places_of(std::span<const std::int32_t> order) {
  Places place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[position(order[i])] = static_cast<std::int32_t>(i);
  return place;
}

std::vector<std::int32_t> rising_ids(std::int64_t count) {
  std::vector<std::int32_t> ids(position(count));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

/// The arcs inside parts, in both directions, without loops and weights.
SymmetricGraph inner_graph(const graph::CsrView& graph, std::span<const std::int32_t> owner) {
  const bool is_one_part =
      std::all_of(owner.begin(), owner.end(), [&](std::int32_t p) { return p == owner.front(); });
  if (is_one_part) return symmetric_graph(graph);
  graph::CsrGraph inner;
  inner.row_ptr.assign(1, 0);
  inner.row_ptr.reserve(owner.size() + 1);
  inner.col_idx.reserve(graph.col_idx.size());
  for (std::int64_t row = 0; row < graph.num_vertices(); ++row) {
    for (const std::int32_t source : graph.neighbors(row)) {
      const bool is_inner = owner[position(source)] == owner[position(row)];
      if (is_inner && source != row) inner.col_idx.push_back(source);
    }
    inner.row_ptr.push_back(count_of(inner.col_idx));
  }
  if (is_symmetric_without_loops(inner.view())) {
    SymmetricGraph result{std::move(inner), {}};
    result.view = result.made.view();
    return result;
  }
  SymmetricGraph result{graph::symmetrized_without_loops(inner.view()), {}};
  result.view = result.made.view();
  return result;
}

Places falling_degree_places(const graph::CsrView& graph) {
  std::vector<std::int32_t> order = rising_ids(graph.num_vertices());
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return graph.degree(a) > graph.degree(b);
  });
  return places_of(order);
}

/// Source: Cuthill and McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969; reversed
/// as in George, 1971. Each component starts at its vertex of smallest degree.
Places cuthill_mckee_places(const graph::CsrView& graph) {
  std::vector<std::int32_t> starts = rising_ids(graph.num_vertices());
  const auto by_degree = [&](std::int32_t a, std::int32_t b) {
    return graph.degree(a) != graph.degree(b) ? graph.degree(a) < graph.degree(b) : a < b;
  };
  std::sort(starts.begin(), starts.end(), by_degree);
  std::vector<bool> is_met(starts.size(), false);
  std::vector<std::int32_t> order;
  order.reserve(starts.size());
  for (const std::int32_t start : starts) {
    if (is_met[position(start)]) continue;
    is_met[position(start)] = true;
    order.push_back(start);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      const std::size_t begin = order.size();
      for (const std::int32_t neighbor : graph.neighbors(order[next])) {
        if (is_met[position(neighbor)]) continue;
        is_met[position(neighbor)] = true;
        order.push_back(neighbor);
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), by_degree);
    }
  }
  std::reverse(order.begin(), order.end());
  return places_of(order);
}

/// Vertices by piece, in a piece by id.
Places piece_places(const graph::CsrView& graph, std::uint64_t seed, PartitionTimes* times) {
  const std::int64_t num_vertices = graph.num_vertices();
  const std::int64_t num_pieces = (num_vertices + piece_vertices - 1) / piece_vertices;
  const std::vector<std::int32_t> ones(position(num_vertices), 1);
  MetisProblem problem;
  problem.row_ptr = graph.row_ptr;
  problem.col_idx = graph.col_idx;
  problem.weights = ones;
  problem.total_weights = {num_vertices};
  problem.shares.assign(position(num_pieces), 1.0 / static_cast<double>(num_pieces));
  problem.seed = seed;
  const Stopwatch watch;
  const std::vector<std::int32_t> piece = run_metis(problem);
  if (times != nullptr) times->metis_seconds += watch.seconds();
  std::vector<std::int32_t> order = rising_ids(num_vertices);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return piece[position(a)] < piece[position(b)];
  });
  return places_of(order);
}

bool may_call_metis(const graph::CsrView& graph, const PartitionOptions& options) {
  constexpr std::int64_t largest_id = std::numeric_limits<std::int32_t>::max();
  return uses_metis(options.method) && graph.num_edges() > 0 && graph.num_edges() < largest_id;
}

/// Vertices by (owner, place), in two passes of counting.
std::vector<std::int32_t> rows_in_order(std::span<const std::int32_t> owner,
                                        std::span<const std::int32_t> place) {
  std::vector<std::int32_t> by_place = rising_ids(count_of(owner));
  for (std::size_t v = 0; v < place.size(); ++v)
    by_place[position(place[v])] = static_cast<std::int32_t>(v);
  const std::int32_t num_parts = 1 + *std::max_element(owner.begin(), owner.end());
  std::vector<std::int64_t> next(position(num_parts) + 1, 0);
  for (const std::int32_t part : owner)
    ++next[position(part) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::int32_t> rows(owner.size());
  for (const std::int32_t vertex : by_place)
    rows[position(next[position(owner[position(vertex)])]++)] = vertex;
  return rows;
}

}  // namespace

const char* vertex_order_name(VertexOrder order) {
  switch (order) {
    case VertexOrder::by_id:
      return "by id";
    case VertexOrder::pieces:
      return "pieces";
    case VertexOrder::cuthill_mckee:
      return "reverse Cuthill-McKee";
    case VertexOrder::falling_degree:
      break;
  }
  return "falling degree";
}

double far_share(const graph::CsrView& graph,
                 std::span<const std::int32_t> owner,
                 std::span<const std::int32_t> place) {
  if (owner.empty()) return 0;
  const std::vector<std::int32_t> rows = rows_in_order(owner, place);
  const std::int64_t num_stretches = (count_of(rows) + stretch_rows - 1) / stretch_rows;
  // One of so many stretches is counted, one at least.
  const std::int64_t skipped =
      std::clamp<std::int64_t>(graph.num_edges() / counted_arcs, 1, num_stretches);
  std::vector<std::int64_t> last_read(rows.size(), -near_reads - 1);
  std::int64_t num_reads = 0;
  std::int64_t num_far = 0;
  for (std::int64_t i = 0; i < count_of(rows); ++i) {
    // The middle ones of each group: at its beginning an order by degree has all hubs.
    const bool is_counted = i / stretch_rows % skipped == skipped / 2;
    if (!is_counted) continue;
    const std::int32_t row = rows[position(i)];
    // A stretch begins with an empty cache: no read of the one before is near.
    if (i % stretch_rows == 0) num_reads += near_reads;
    for (const std::int32_t source : graph.neighbors(row)) {
      if (owner[position(source)] != owner[position(row)]) continue;
      std::int64_t& last = last_read[position(source)];
      num_far += num_reads - last > near_reads ? 1 : 0;
      last = num_reads++;
    }
  }
  const std::int64_t num_counted = (num_stretches - skipped / 2 + skipped - 1) / skipped;
  const std::int64_t counted = num_reads - near_reads * num_counted;
  return counted > 0 ? static_cast<double>(num_far) / static_cast<double>(counted) : 0;
}

OrderChoice choose_vertex_order(const graph::CsrView& graph,
                                std::span<const std::int32_t> owner,
                                const PartitionOptions& options,
                                PartitionTimes* times,
                                const ProgressCallback& progress) {
  OrderChoice best;
  if (graph.num_vertices() < 4 * piece_vertices) return best;
  report_progress(progress, "vertex order", 0);
  best.far_share = best.far_share_by_id = far_share(graph, owner, {});
  const SymmetricGraph inner = inner_graph(graph, owner);
  const auto consider = [&](VertexOrder order, Places place) {
    const double share = far_share(graph, owner, place);
    const double bound =
        best.order == VertexOrder::by_id ? (1 - least_gain) * best.far_share : best.far_share;
    if (share >= bound) return;
    best = {order, std::move(place), share, best.far_share_by_id};
  };
  if (may_call_metis(inner.view, options)) {
    try {
      consider(VertexOrder::pieces, piece_places(inner.view, options.seed, times));
    } catch (const Error&) {
      // An order is a help, not a need: the partition stands without METIS's pieces.
    } catch (const std::bad_alloc&) {
    }
  }
  report_progress(progress, "vertex order", 0.7);
  consider(VertexOrder::cuthill_mckee, cuthill_mckee_places(inner.view));
  consider(VertexOrder::falling_degree, falling_degree_places(inner.view));
  report_progress(progress, "vertex order", 1);
  return best;
}

}  // namespace weft::partition
