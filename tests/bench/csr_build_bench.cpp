// SPDX-License-Identifier: MIT
// How fast and in how much memory arcs become a CSR. Verifies against a plain build of a small
// graph first, then times a large one.
//
//   csr_build_bench [--quick] [--only simple|uniform|rmat] [--json FILE] [--repetitions N]
#include <map>
#include <string>
#include <utility>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/bench/roofs.hpp"

namespace {

namespace bench = weft::bench;
using weft::graph::Arc;
using weft::graph::CsrGraph;
using weft::graph::EdgeList;

EdgeList make_edges(const std::string& kind, std::int64_t num_vertices, std::int64_t num_arcs) {
  if (kind == "rmat") return weft::graph::rmat({num_vertices, num_arcs});
  EdgeList edges{
      num_vertices, weft::make_large_vector<Arc>(static_cast<std::size_t>(num_arcs)), {}};
  if (kind == "simple") {
    weft::graph::parallel_for_each(num_arcs, 8192, [&](std::int64_t i) {
      edges.arcs[static_cast<std::size_t>(i)] = bench::distinct_arc(i, num_vertices);
    });
    return edges;
  }
  const weft::RandomKey key = weft::random_key(1, weft::RandomPurpose::generate_edges);
  weft::graph::parallel_for_each(num_arcs, 8192, [&](std::int64_t i) {
    const auto words = weft::random_block(key, static_cast<std::uint64_t>(i), 0);
    edges.arcs[static_cast<std::size_t>(i)] = {static_cast<std::int32_t>(words[0] % num_vertices),
                                               static_cast<std::int32_t>(words[1] % num_vertices)};
  });
  return edges;
}

/// The undirected simple build, said with a map.
bool agrees_with_plain_build(const EdgeList& edges, const CsrGraph& graph) {
  std::map<std::pair<std::int32_t, std::int32_t>, float> written;
  for (const Arc arc : edges.arcs)
    written[{arc.destination, arc.source}] += 1.0F;
  std::map<std::pair<std::int32_t, std::int32_t>, float> expected = written;
  for (const auto& entry : written) {
    float& reverse = expected[{entry.first.second, entry.first.first}];
    reverse = std::max(reverse, entry.second);
  }
  std::size_t at = 0;
  for (const auto& entry : expected) {
    const auto row = static_cast<std::size_t>(entry.first.first);
    const auto edge = static_cast<std::int64_t>(at);
    if (at >= graph.col_idx.size() || edge < graph.row_ptr[row] || edge >= graph.row_ptr[row + 1] ||
        graph.col_idx[at] != entry.first.second || graph.view().weight(edge) != entry.second) {
      return false;
    }
    ++at;
  }
  return at == graph.col_idx.size();
}

std::int64_t bytes_of(const CsrGraph& graph) {
  return static_cast<std::int64_t>(graph.row_ptr.size() * sizeof(std::int64_t) +
                                   graph.col_idx.size() * sizeof(std::int32_t) +
                                   graph.edge_weight.size() * sizeof(float));
}

void time_build(const std::string& kind,
                std::int64_t num_vertices,
                std::int64_t num_arcs,
                double copy_bytes,
                bench::Report& report) {
  EdgeList edges = make_edges(kind, num_vertices, num_arcs);
  weft::graph::BuildOptions options;
  options.add_reverse_arcs = true;
  weft::graph::BuildReport built;
  bench::MemoryWatch watch;
  const weft::Stopwatch stopwatch;
  const CsrGraph graph = weft::graph::build_csr(std::move(edges), options, &built);
  const double seconds = stopwatch.seconds();
  const auto peak_bytes = static_cast<double>(watch.stop());
  const auto csr_bytes = static_cast<double>(bytes_of(graph));
  const double moved_bytes = static_cast<double>(num_arcs * 8) + csr_bytes;
  report.add({kind,
              {{"entries", static_cast<double>(built.num_edges)},
               {"seconds", seconds},
               {"Marcs/s", static_cast<double>(num_arcs) / seconds / 1e6},
               {"of copy roof", moved_bytes / seconds / copy_bytes},
               {"peak / CSR", peak_bytes / csr_bytes}}});
}

void verify(const std::string& kind) {
  const EdgeList sample = make_edges(kind, 1000, 200000);
  weft::graph::BuildOptions options;
  options.add_reverse_arcs = true;
  if (agrees_with_plain_build(sample, weft::graph::build_csr(EdgeList(sample), options))) return;
  throw weft::RuntimeError(weft::text(kind, ": the build differs from the plain one"));
}

void run_all(const bench::Options& settings, bench::Report& report) {
  bench::report_roofs(settings, report);
  const double copy_bytes = bench::copy_roof({settings.num_threads, 3, std::int64_t{256} << 20});
  const std::int64_t num_arcs = std::int64_t{1} << (settings.quick ? 18 : 24);
  report.section(weft::text("Building from ", num_arcs, " arcs, reverses added"));
  for (const char* kind : {"simple", "uniform", "rmat"}) {
    if (!settings.only.empty() && settings.only != kind) continue;
    verify(kind);
    for (int i = 0; i < (settings.quick ? 1 : settings.repetitions); ++i)
      time_build(kind, num_arcs / 16, num_arcs, copy_bytes, report);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark("csr_build_bench", argc, argv, run_all);
}
