// SPDX-License-Identifier: MIT
#include "tests/partition/small_datasets.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "graph/support/checksum.hpp"

namespace weft::test_support {
namespace {

std::int32_t as_id(std::int64_t value) {
  return static_cast<std::int32_t>(value);
}

}  // namespace

graph::CsrGraph graph_of(std::int64_t num_vertices, const Arcs& arcs) {
  std::vector<std::set<std::int32_t>> rows(static_cast<std::size_t>(num_vertices));
  for (const auto& [source, destination] : arcs) {
    rows[static_cast<std::size_t>(destination)].insert(source);
  }
  graph::CsrGraph graph;
  for (const auto& row : rows) {
    graph.col_idx.insert(graph.col_idx.end(), row.begin(), row.end());
    graph.row_ptr.push_back(static_cast<std::int64_t>(graph.col_idx.size()));
  }
  return graph;
}

Arcs both_directions(const Arcs& arcs) {
  Arcs result = arcs;
  for (const auto& [source, destination] : arcs)
    result.emplace_back(destination, source);
  return result;
}

Arcs ring_arcs(std::int32_t num_vertices) {
  Arcs arcs;
  for (std::int32_t v = 0; v < num_vertices; ++v)
    arcs.emplace_back(v, (v + 1) % num_vertices);
  return both_directions(arcs);
}

Arcs path_arcs(std::int32_t num_vertices) {
  Arcs arcs;
  for (std::int32_t v = 1; v < num_vertices; ++v)
    arcs.emplace_back(v - 1, v);
  return both_directions(arcs);
}

Arcs star_arcs(std::int32_t num_leaves) {
  Arcs arcs;
  for (std::int32_t leaf = 1; leaf <= num_leaves; ++leaf)
    arcs.emplace_back(0, leaf);
  return both_directions(arcs);
}

Arcs clique_ring_arcs(std::int32_t num_cliques, std::int32_t clique_size) {
  Arcs arcs;
  for (std::int32_t c = 0; c < num_cliques; ++c) {
    const std::int32_t first = c * clique_size;
    for (std::int32_t i = 0; i < clique_size; ++i) {
      for (std::int32_t j = 0; j < i; ++j)
        arcs.emplace_back(first + i, first + j);
    }
    arcs.emplace_back(first + clique_size - 1, (c + 1) % num_cliques * clique_size);
  }
  return both_directions(arcs);
}

Arcs random_out_arcs(std::int32_t num_vertices, int arcs_per_vertex, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<std::int32_t> any_vertex(0, num_vertices - 1);
  Arcs arcs;
  for (std::int32_t v = 0; v < num_vertices; ++v) {
    for (int i = 0; i < arcs_per_vertex; ++i)
      arcs.emplace_back(v, any_vertex(generator));
  }
  return arcs;
}

datasets::Dataset dataset_of(graph::CsrGraph&& graph, bool directed) {
  datasets::Dataset dataset;
  dataset.name = "small";
  dataset.directed = directed;
  dataset.num_vertices = graph.view().num_vertices();
  dataset.fingerprint = checksum_of(std::span<const std::int32_t>(graph.col_idx)) ^
                        checksum_of(std::span<const std::int64_t>(graph.row_ptr));
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  dataset.graph.edge_weight = keep(dataset, std::move(graph.edge_weight));
  return dataset;
}

void add_rows(datasets::Dataset& dataset, bool sparse_features) {
  std::vector<float> dense;
  std::vector<std::int64_t> row_ptr{0};
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::vector<std::int8_t> roles;
  for (std::int64_t v = 0; v < dataset.num_vertices; ++v) {
    const auto x = static_cast<float>(v);
    dense.insert(dense.end(), {x, x * x});
    // Every third row of the sparse form is empty.
    if (v % 3 != 0) {
      columns.insert(columns.end(), {0, 1});
      values.insert(values.end(), {x, x * x});
    }
    row_ptr.push_back(static_cast<std::int64_t>(columns.size()));
    labels.push_back(as_id(v % 3));
    roles.push_back(static_cast<std::int8_t>(v % 4 - 1));
  }
  dataset.features.num_rows = dataset.num_vertices;
  dataset.features.num_columns = 2;
  if (sparse_features) {
    dataset.features.row_ptr = keep(dataset, std::move(row_ptr));
    dataset.features.col_idx = keep(dataset, std::move(columns));
    dataset.features.values = keep(dataset, std::move(values));
  } else {
    dataset.features.dense = keep(dataset, std::move(dense));
  }
  dataset.task = datasets::Task::single_label;
  dataset.num_classes = 3;
  dataset.labels = keep(dataset, std::move(labels));
  dataset.splits = keep(dataset, std::move(roles));
  dataset.split_names = {"rotating"};
}

void add_training(datasets::Dataset& dataset, std::int64_t num_training) {
  std::vector<std::int8_t> roles(static_cast<std::size_t>(dataset.num_vertices), -1);
  std::fill_n(roles.begin(), num_training, std::int8_t{0});
  dataset.splits = keep(dataset, std::move(roles));
  dataset.split_names = {"chosen"};
}

}  // namespace weft::test_support
