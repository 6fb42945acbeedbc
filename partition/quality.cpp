// SPDX-License-Identifier: MIT
#include "partition/quality.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "graph/support/text.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

// Counts over rows, added over tasks.
struct RowCounts {
  std::int64_t edges = 0;
  std::int64_t loops = 0;
  std::int64_t boundary = 0;
  std::int64_t cut_arcs = 0;
  std::int64_t cut_edges = 0;

  RowCounts& operator+=(const RowCounts& other) {
    edges += other.edges;
    loops += other.loops;
    boundary += other.boundary;
    cut_arcs += other.cut_arcs;
    cut_edges += other.cut_edges;
    return *this;
  }
};

// A cut pair counts once: at its only arc, or at the arc whose source is the smaller vertex.
bool counts_as_edge(const graph::CsrView& graph, bool directed, GlobalId row, std::int32_t source) {
  if (source < row) return true;
  if (!directed) return false;
  const auto reverse = graph.neighbors(source);
  return !std::binary_search(reverse.begin(), reverse.end(), static_cast<std::int32_t>(row));
}

void count_row(const datasets::Dataset& dataset,
               std::span<const std::int32_t> owner,
               GlobalId row,
               RowCounts& counts) {
  const std::int32_t part = owner[position(row)];
  const std::int64_t cut_before = counts.cut_arcs;
  for (const std::int32_t source : dataset.graph.neighbors(row)) {
    counts.loops += source == row ? 1 : 0;
    if (owner[position(source)] == part) continue;
    ++counts.cut_arcs;
    if (counts_as_edge(dataset.graph, dataset.directed, row, source)) ++counts.cut_edges;
  }
  counts.edges += dataset.graph.degree(row);
  counts.boundary += counts.cut_arcs > cut_before ? 1 : 0;
}

RowCounts count_rows(const datasets::Dataset& dataset,
                     std::span<const std::int32_t> owner,
                     std::span<const std::int32_t> rows) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, rows.size(), 512), RowCounts{},
      [&](const tbb::blocked_range<std::size_t>& range, RowCounts partial) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          count_row(dataset, owner, rows[i], partial);
        }
        return partial;
      },
      [](RowCounts a, const RowCounts& b) { return a += b; });
}

// Out-degrees without loops; of an undirected graph they are the in-degrees.
std::vector<std::int32_t> out_degrees(const datasets::Dataset& dataset) {
  const graph::CsrView& graph = dataset.graph;
  std::vector<std::int32_t> degrees(position(dataset.num_vertices), 0);
  tbb::parallel_for(std::int64_t{0}, dataset.num_vertices, [&](std::int64_t row) {
    for (const std::int32_t source : graph.neighbors(row)) {
      if (source == row) continue;
      if (dataset.directed) {
        std::atomic_ref<std::int32_t> degree(degrees[position(source)]);
        degree.fetch_add(1, std::memory_order_relaxed);
      } else {
        ++degrees[position(row)];
      }
    }
  });
  return degrees;
}

// A vertex that d others read is a halo row of part q if q does not own it and owns a reader:
// expected (1 - s)(1 - (1 - s)^d) for a part of share s.
double expected_random_halo(const datasets::Dataset& dataset, std::span<const double> shares) {
  std::vector<std::int64_t> vertices_of_degree;
  for (const std::int32_t degree : out_degrees(dataset)) {
    if (position(degree) >= vertices_of_degree.size()) {
      vertices_of_degree.resize(position(degree) + 1, 0);
    }
    ++vertices_of_degree[position(degree)];
  }
  double expected = 0;
  for (std::size_t degree = 1; degree < vertices_of_degree.size(); ++degree) {
    if (vertices_of_degree[degree] == 0) continue;
    double rows = 0;
    for (const double share : shares) {
      rows += (1 - share) * (1 - std::pow(1 - share, static_cast<double>(degree)));
    }
    expected += rows * static_cast<double>(vertices_of_degree[degree]);
  }
  return expected;
}

double imbalance(const Quality& quality,
                 std::span<const double> shares,
                 std::int64_t PartQuality::*load) {
  std::int64_t total = 0;
  for (const PartQuality& part : quality.parts)
    total += part.*load;
  if (total == 0) return 1;
  double largest = 0;
  for (std::size_t part = 0; part < quality.parts.size(); ++part) {
    const double wanted = shares[part] * static_cast<double>(total);
    largest = std::max(largest, static_cast<double>(quality.parts[part].*load) / wanted);
  }
  return largest;
}

std::int64_t count_training(std::span<const std::int32_t> vertices,
                            std::span<const std::int8_t> roles) {
  if (roles.empty()) return 0;
  return std::count_if(vertices.begin(), vertices.end(), [&](std::int32_t vertex) {
    return roles[position(vertex)] == static_cast<std::int8_t>(datasets::SplitRole::train);
  });
}

std::string percent(double share) {
  return format_fixed(100 * share, 1) + " %";
}

// "3 parts (0, 5, 7)", at most ten of them named.
std::string name_parts(const std::vector<int>& parts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 10); ++i) {
    names.push_back(std::to_string(parts[i]));
  }
  if (parts.size() > names.size()) names.emplace_back("...");
  return text(parts.size(), parts.size() == 1 ? " part (" : " parts (", join(names, ", "), ")");
}

std::vector<int> parts_without(const Quality& quality, std::int64_t PartQuality::*load) {
  std::vector<int> parts;
  for (std::size_t part = 0; part < quality.parts.size(); ++part) {
    if (quality.parts[part].*load == 0) parts.push_back(static_cast<int>(part));
  }
  return parts;
}

void warn_of_empty(std::vector<std::string>& warnings, const Quality& quality) {
  const auto empty = parts_without(quality, &PartQuality::owned);
  if (!empty.empty()) {
    warnings.push_back(text(name_parts(empty), " of ", quality.parts.size(),
                            " own no vertex; their ranks will idle"));
  }
  const auto untrained = parts_without(quality, &PartQuality::training);
  if (quality.num_training > 0 && !untrained.empty()) {
    warnings.push_back(text(name_parts(untrained), " of ", quality.parts.size(),
                            " own no training vertex (there are ", quality.num_training,
                            "); --balance vertices,edges,training spreads them"));
  }
}

void warn_of_imbalance(std::vector<std::string>& warnings,
                       const Quality& quality,
                       const PartitionOptions& options) {
  const auto check = [&](bool wanted, double found, const char* what) {
    if (!wanted || found <= imbalance_limit) return;
    warnings.push_back(text("the part with the most ", what, " has ", format_fixed(found, 3),
                            " times its share (limit ", format_fixed(imbalance_limit, 2),
                            "); the slowest rank sets the time of an epoch"));
  };
  check(options.balance_vertices, quality.vertex_imbalance, "vertices");
  check(options.balance_edges, quality.edge_imbalance, "edges");
  check(options.balance_training, quality.training_imbalance, "training vertices");
}

void warn_of_traffic(std::vector<std::string>& warnings,
                     const Quality& quality,
                     const PartitionOptions& options) {
  if (quality.halo_rows == 0) return;
  const double halo_rows = static_cast<double>(quality.halo_rows);
  const double per_vertex = halo_rows / static_cast<double>(quality.num_vertices);
  if (options.method != Method::random && quality.against_random() >= random_limit) {
    warnings.push_back(text("the partition barely helps: ", format_count(quality.halo_rows),
                            " halo rows, ", percent(quality.against_random()),
                            " of what a random partition is expected to have"));
  }
  if (per_vertex > halo_limit) {
    warnings.push_back(text("each vertex is fetched by ", format_fixed(per_vertex, 2),
                            " other parts on average (limit ", format_fixed(halo_limit, 2),
                            "); communication will dominate; fewer parts need less of it"));
  }
}

}  // namespace

double Quality::cut_share() const {
  return num_arcs == 0 ? 0 : static_cast<double>(cut_arcs) / static_cast<double>(num_arcs);
}

double Quality::boundary_share() const {
  return num_vertices == 0 ? 0 : static_cast<double>(boundary) / static_cast<double>(num_vertices);
}

double Quality::against_random() const {
  return random_halo_rows > 0 ? static_cast<double>(halo_rows) / random_halo_rows : 1;
}

Quality measure_quality(const datasets::Dataset& dataset,
                        std::span<const std::int32_t> owner,
                        const OwnedVertices& owned,
                        std::span<const HaloSet> halos,
                        std::span<const double> shares,
                        std::span<const std::int8_t> roles) {
  Quality quality;
  quality.num_vertices = dataset.num_vertices;
  quality.parts.resize(halos.size());
  RowCounts total;
  for (std::size_t p = 0; p < halos.size(); ++p) {
    PartQuality& part = quality.parts[p];
    const auto rows = owned.of(static_cast<int>(p));
    const RowCounts counts = count_rows(dataset, owner, rows);
    total += counts;
    part.owned = count_of(rows);
    part.boundary = counts.boundary;
    part.edges = counts.edges;
    part.cut_arcs = counts.cut_arcs;
    part.training = count_training(rows, roles);
    part.halo = count_of(halos[p].vertices);
    part.peers = static_cast<int>(halos[p].runs.size());
    for (const HaloSet::Run& run : halos[p].runs) {
      quality.parts[position(run.owner)].sent += run.end - run.begin;
    }
    quality.num_training += part.training;
    quality.halo_rows += part.halo;
    quality.max_halo_rows = std::max(quality.max_halo_rows, part.halo);
  }
  quality.num_arcs = total.edges - total.loops;
  quality.cut_arcs = total.cut_arcs;
  quality.cut_edges = total.cut_edges;
  quality.boundary = total.boundary;
  quality.random_halo_rows = expected_random_halo(dataset, shares);
  quality.vertex_imbalance = imbalance(quality, shares, &PartQuality::owned);
  quality.edge_imbalance = imbalance(quality, shares, &PartQuality::edges);
  quality.training_imbalance = imbalance(quality, shares, &PartQuality::training);
  return quality;
}

Quality measure_quality(const datasets::Dataset& dataset,
                        std::span<const std::int32_t> owner,
                        std::span<const double> shares,
                        std::span<const std::int8_t> roles) {
  const OwnedVertices owned(owner, static_cast<int>(shares.size()));
  const auto halos = find_halo_sets(dataset.graph, owner, owned);
  return measure_quality(dataset, owner, owned, halos, shares, roles);
}

std::int64_t halo_bytes_per_epoch(std::int64_t halo_rows, std::int64_t width, int num_layers) {
  const std::int64_t exchanges = std::max(0, 2 * num_layers - 1);
  return exchanges * halo_rows * width * static_cast<std::int64_t>(sizeof(Real));
}

std::vector<std::string> quality_warnings(const Quality& quality, const PartitionOptions& options) {
  std::vector<std::string> warnings;
  warn_of_empty(warnings, quality);
  warn_of_imbalance(warnings, quality, options);
  warn_of_traffic(warnings, quality, options);
  return warnings;
}

}  // namespace weft::partition
