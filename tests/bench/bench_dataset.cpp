// SPDX-License-Identifier: MIT
// Writes the dataset of the epoch benchmark: the graph of the figures, random features and labels.
//
//   bench_dataset communities|rmat OUT [log2 of vertices = 18] [arcs a vertex = 61]
//
// 256 communities with 80 % of the edges inside, or R-MAT with the usual .57 .19 .19; ids shuffled,
// repeats merged, both directions, no loops. 128 features, 40 classes; the split "tenth" trains a
// tenth of the vertices, "twelfth" one in twelve, "hundredth" one in a hundred.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"

namespace {

using namespace weft;

constexpr std::int64_t num_features = 128;
constexpr int num_classes = 40;

graph::EdgeList edges_of(const std::string& kind, std::int64_t num_vertices, double mean_degree) {
  if (kind == "rmat") {
    graph::RmatOptions options;
    options.num_vertices = num_vertices;
    options.num_edges =
        static_cast<std::int64_t>(mean_degree / 2 * static_cast<double>(num_vertices));
    return graph::rmat(options);
  }
  if (kind != "communities") {
    throw InputError(text("bench_dataset: kind '", kind, "' is unknown; valid: communities, rmat"));
  }
  graph::CommunityOptions options;
  options.num_vertices = num_vertices;
  options.mean_degree = mean_degree;
  options.num_communities = 256;
  options.exponent = 0;
  return graph::planted_communities(options).edges;
}

void add_graph(datasets::Dataset& dataset, graph::EdgeList&& edges) {
  graph::BuildOptions build;
  build.add_reverse_arcs = true;
  build.repeats = graph::Repeats::keep_one;
  build.loops = graph::Loops::drop;
  graph::CsrGraph graph = graph::build_csr(std::move(edges), build);
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
}

void add_rows(datasets::Dataset& dataset) {
  const RandomKey key = random_key(1, RandomPurpose::generate_features);
  const RandomKey label_key = random_key(1, RandomPurpose::generate_labels);
  const auto n = static_cast<std::size_t>(dataset.num_vertices);
  std::vector<float> values(n * num_features);
  std::vector<std::int32_t> labels(n);
  std::vector<std::int8_t> splits(3 * n, -1);
  graph::parallel_for_each(dataset.num_vertices, 256, [&](std::int64_t v) {
    const auto row = static_cast<std::size_t>(v);
    for (std::uint32_t c = 0; c < num_features; ++c)
      values[row * num_features + c] = random_uniform(key, row, c) - 0.5F;
    labels[row] = static_cast<std::int32_t>(random_word(label_key, row) % num_classes);
    const std::uint32_t draw = random_word(label_key, row, 1) % 1200;
    splits[row] = draw < 120 ? 0 : 1;
    splits[n + row] = draw < 100 ? 0 : 1;
    splits[2 * n + row] = draw < 12 ? 0 : 1;
  });
  dataset.features.num_rows = dataset.num_vertices;
  dataset.features.num_columns = num_features;
  dataset.features.dense = keep(dataset, std::move(values));
  dataset.labels = keep(dataset, std::move(labels));
  dataset.splits = keep(dataset, std::move(splits));
  dataset.split_names = {"tenth", "twelfth", "hundredth"};
  dataset.task = datasets::Task::single_label;
  dataset.num_classes = num_classes;
}

void run(int argc, char** argv) {
  if (argc < 3) throw InputError("bench_dataset: usage: communities|rmat OUT [log2 N] [degree]");
  const std::string kind = argv[1];
  const int log2_vertices = argc > 3 ? std::atoi(argv[3]) : 18;
  const double mean_degree = argc > 4 ? std::atof(argv[4]) : 61;
  datasets::Dataset dataset;
  dataset.name = kind;
  dataset.directed = false;
  dataset.num_vertices = std::int64_t{1} << log2_vertices;
  add_graph(dataset, edges_of(kind, dataset.num_vertices, mean_degree));
  add_rows(dataset);
  datasets::write_dataset(dataset, std::filesystem::path(argv[2]));
  std::printf("%s: %lld vertices, %lld entries\n", kind.c_str(),
              static_cast<long long>(dataset.num_vertices),
              static_cast<long long>(dataset.graph.num_edges()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_status();
  }
}
