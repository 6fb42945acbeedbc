// SPDX-License-Identifier: MIT
// How fast and in how much memory arcs become a CSR. Verifies against a plain build of a small
// graph first, then times a large one.
//
//   csr_build_bench [simple|uniform|rmat] [log2 of arcs = 24] [log2 of vertices = 20] [repetitions
//   = 3]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/parallel.hpp"
#include "graph/support/process.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace {

using weft::graph::Arc;
using weft::graph::CsrGraph;
using weft::graph::EdgeList;

/// Arcs that never repeat, nor one the other's reverse, in an order that has no locality: round k
/// joins every vertex to the one k * k + 1 further.
Arc distinct_arc(std::int64_t index, std::int64_t num_vertices) {
  const std::int64_t round = index / num_vertices;
  const std::int64_t from = index * 1000003 % num_vertices;
  const std::int64_t to = (from + round * round * 977 + 1) % num_vertices;
  return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)};
}

EdgeList make_edges(const std::string& kind, std::int64_t num_vertices, std::int64_t num_arcs) {
  if (kind == "rmat") return weft::graph::rmat({num_vertices, num_arcs});
  EdgeList edges{
      num_vertices, weft::make_large_vector<Arc>(static_cast<std::size_t>(num_arcs)), {}};
  if (kind == "simple") {
    weft::graph::parallel_for_each(num_arcs, 8192, [&](std::int64_t i) {
      edges.arcs[static_cast<std::size_t>(i)] = distinct_arc(i, num_vertices);
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

/// Watches anonymous memory from a thread of its own while it lives.
class MemoryWatch {
 public:
  MemoryWatch() : thread_([this] { watch(); }) {}
  ~MemoryWatch() { stop(); }
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::int64_t stop() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
    return peak_bytes_;
  }

 private:
  void watch() {
    while (!done_) {
      peak_bytes_ = std::max(peak_bytes_, weft::anonymous_rss_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  std::atomic<bool> done_ = false;
  std::int64_t peak_bytes_ = 0;
  std::thread thread_;
};

std::int64_t bytes_of(const CsrGraph& graph) {
  return static_cast<std::int64_t>(graph.row_ptr.size() * sizeof(std::int64_t) +
                                   graph.col_idx.size() * sizeof(std::int32_t) +
                                   graph.edge_weight.size() * sizeof(float));
}

void time_build(const std::string& kind, std::int64_t num_vertices, std::int64_t num_arcs) {
  EdgeList edges = make_edges(kind, num_vertices, num_arcs);
  weft::graph::BuildOptions options;
  options.add_reverse_arcs = true;
  weft::graph::BuildReport report;
  MemoryWatch watch;
  const weft::Stopwatch stopwatch;
  const CsrGraph graph = weft::graph::build_csr(std::move(edges), options, &report);
  const double seconds = stopwatch.seconds();
  const std::int64_t peak_bytes = watch.stop();
  const double read_and_written = static_cast<double>(num_arcs * 8 + bytes_of(graph));
  std::printf(
      "%s: %s arcs -> %s entries%s in %.3f s: %.1f M arcs/s, %.2f GB/s; peak %s = %.2f x CSR "
      "(%s)\n",
      kind.c_str(), weft::format_count(num_arcs).c_str(),
      weft::format_count(report.num_edges).c_str(), report.weighted ? ", weighted" : "", seconds,
      static_cast<double>(num_arcs) / seconds / 1e6, read_and_written / seconds / 1e9,
      weft::format_bytes(peak_bytes).c_str(),
      static_cast<double>(peak_bytes) / static_cast<double>(bytes_of(graph)),
      weft::format_bytes(bytes_of(graph)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "simple";
  const std::int64_t num_arcs = std::int64_t{1} << (argc > 2 ? std::atoi(argv[2]) : 24);
  const std::int64_t num_vertices = std::int64_t{1} << (argc > 3 ? std::atoi(argv[3]) : 20);
  const int repetitions = argc > 4 ? std::atoi(argv[4]) : 3;
  const EdgeList sample = make_edges(kind, 1000, 200000);
  weft::graph::BuildOptions options;
  options.add_reverse_arcs = true;
  if (!agrees_with_plain_build(sample, weft::graph::build_csr(EdgeList(sample), options))) {
    std::puts("csr_build_bench: the build differs from the plain one");
    return 1;
  }
  for (int i = 0; i < repetitions; ++i)
    time_build(kind, num_vertices, num_arcs);
  return 0;
}
