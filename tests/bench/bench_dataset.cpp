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
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "tests/bench/bench_graphs.hpp"

namespace {

using namespace weft;

constexpr std::int64_t num_features = 128;
constexpr int num_classes = 40;

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
  datasets::Dataset dataset =
      bench::generated_dataset(kind, std::int64_t{1} << log2_vertices, mean_degree);
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
