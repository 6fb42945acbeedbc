// SPDX-License-Identifier: MIT
#include "tests/bench/bench_graphs.hpp"

#include <utility>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::bench {
namespace {

graph::EdgeList edges_of(const std::string& kind, std::int64_t num_vertices, double mean_degree) {
  if (kind == "rmat") {
    graph::RmatOptions options;
    options.num_vertices = num_vertices;
    options.num_edges =
        static_cast<std::int64_t>(mean_degree / 2 * static_cast<double>(num_vertices));
    return graph::rmat(options);
  }
  if (kind != "communities") {
    throw InputError(
        text("benchmark graph: kind '", kind, "' is unknown; valid: communities, rmat"));
  }
  graph::CommunityOptions options;
  options.num_vertices = num_vertices;
  options.mean_degree = mean_degree;
  options.num_communities = 256;
  options.exponent = 0;
  return graph::planted_communities(options).edges;
}

}  // namespace

datasets::Dataset undirected_dataset(const std::string& name, graph::EdgeList&& edges) {
  graph::BuildOptions build;
  build.add_reverse_arcs = true;
  build.repeats = graph::Repeats::keep_one;
  build.loops = graph::Loops::drop;
  graph::CsrGraph graph = graph::build_csr(std::move(edges), build);
  datasets::Dataset dataset;
  dataset.name = name;
  dataset.directed = false;
  dataset.num_vertices = graph.view().num_vertices();
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  return dataset;
}

datasets::Dataset generated_dataset(const std::string& kind,
                                    std::int64_t num_vertices,
                                    double mean_degree) {
  return undirected_dataset(kind, edges_of(kind, num_vertices, mean_degree));
}

}  // namespace weft::bench
