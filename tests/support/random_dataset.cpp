// SPDX-License-Identifier: MIT
// Every number is a Philox function of its place, so that all ranks of a test see one dataset.
#include "tests/support/random_dataset.hpp"

#include <map>
#include <utility>

#include "graph/normalization.hpp"
#include "graph/support/random.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_graph.hpp"

namespace weft::test_support {

namespace {

using ArcWeights = std::map<std::pair<std::int32_t, std::int32_t>, float>;  // (destination, source)

std::uint32_t below(RandomKey key, std::int64_t id, std::int64_t column, std::int64_t bound) {
  const std::uint32_t word =
      random_word(key, static_cast<std::uint64_t>(id), static_cast<std::uint32_t>(column));
  return word % static_cast<std::uint32_t>(bound);
}

ArcWeights random_arcs(const RandomDatasetOptions& options, RandomKey key) {
  ArcWeights arcs;
  const std::int64_t n = options.num_vertices;
  const auto add = [&](std::int64_t source, std::int64_t destination, std::int64_t draw) {
    const float weight = options.weighted
                             ? 0.25F + random_uniform(key, static_cast<std::uint64_t>(source),
                                                      1000U, 7U + static_cast<std::uint32_t>(draw))
                             : 1.0F;
    arcs[{static_cast<std::int32_t>(destination), static_cast<std::int32_t>(source)}] = weight;
    if (!options.directed) {
      arcs[{static_cast<std::int32_t>(source), static_cast<std::int32_t>(destination)}] = weight;
    }
  };
  const std::int64_t num_connected = n > 4 ? n - 2 : n;
  for (std::int64_t v = 0; v < num_connected; ++v) {
    for (std::int64_t k = 0; k < options.arcs_per_vertex; ++k) {
      add(below(key, v, k, num_connected), v, k);
    }
    if (v % 3 == 0) add(0, v, 100);
    if (v % 7 == 3) add(v, v, 200);
  }
  return arcs;
}

graph::CsrGraph to_csr(const ArcWeights& arcs, const RandomDatasetOptions& options) {
  graph::CsrGraph graph;
  graph.row_ptr.assign(static_cast<std::size_t>(options.num_vertices) + 1, 0);
  for (const auto& [ends, weight] : arcs) {
    ++graph.row_ptr[static_cast<std::size_t>(ends.first) + 1];
    graph.col_idx.push_back(ends.second);
    if (options.weighted) graph.edge_weight.push_back(weight);
  }
  for (std::size_t v = 1; v < graph.row_ptr.size(); ++v)
    graph.row_ptr[v] += graph.row_ptr[v - 1];
  return graph;
}

void add_features(datasets::Dataset& dataset, const RandomDatasetOptions& options) {
  const RandomKey key = random_key(options.seed, RandomPurpose::test, 1);
  std::vector<float> dense;
  std::vector<std::int64_t> row_ptr{0};
  std::vector<std::int32_t> col_idx;
  std::vector<float> values;
  for (std::int64_t v = 0; v < options.num_vertices; ++v) {
    for (std::int64_t c = 0; c < options.num_features; ++c) {
      const float x =
          random_uniform(key, static_cast<std::uint64_t>(v), static_cast<std::uint32_t>(c)) - 0.3F;
      dense.push_back(x);
      if ((v + c) % 3 != 0) continue;
      col_idx.push_back(static_cast<std::int32_t>(c));
      values.push_back(x);
    }
    row_ptr.push_back(static_cast<std::int64_t>(col_idx.size()));
  }
  dataset.features.num_rows = options.num_vertices;
  dataset.features.num_columns = options.num_features;
  if (options.sparse_features) {
    dataset.features.row_ptr = keep(dataset, std::move(row_ptr));
    dataset.features.col_idx = keep(dataset, std::move(col_idx));
    dataset.features.values = keep(dataset, std::move(values));
  } else {
    dataset.features.dense = keep(dataset, std::move(dense));
  }
}

void add_labels(datasets::Dataset& dataset, const RandomDatasetOptions& options) {
  const RandomKey key = random_key(options.seed, RandomPurpose::test, 2);
  std::vector<std::int32_t> labels;
  std::vector<std::int8_t> split;
  for (std::int64_t v = 0; v < options.num_vertices; ++v) {
    labels.push_back(
        v % 11 == 10 ? -1 : static_cast<std::int32_t>(below(key, v, 0, options.num_classes)));
    const std::uint32_t draw = below(key, v, 1, 8);
    split.push_back(static_cast<std::int8_t>(draw < 4 ? 0 : (draw < 6 ? 1 : (draw < 7 ? 2 : -1))));
  }
  dataset.labels = keep(dataset, std::move(labels));
  dataset.splits = keep(dataset, std::move(split));
  dataset.split_names = {"random"};
}

}  // namespace

datasets::Dataset random_dataset(const RandomDatasetOptions& options) {
  datasets::Dataset dataset;
  dataset.name = "random";
  dataset.num_vertices = options.num_vertices;
  dataset.directed = options.directed;
  dataset.task = datasets::Task::single_label;
  dataset.num_classes = options.num_classes;
  dataset.fingerprint = options.seed;
  const RandomKey key = random_key(options.seed, RandomPurpose::test, 0);
  graph::CsrGraph graph = to_csr(random_arcs(options, key), options);
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  dataset.graph.edge_weight = keep(dataset, std::move(graph.edge_weight));
  add_features(dataset, options);
  add_labels(dataset, options);
  return dataset;
}

const char* owners_name(Owners owners) {
  switch (owners) {
    case Owners::block:
      return "block";
    case Owners::random:
      return "random";
    case Owners::metis:
      return "metis";
    case Owners::one_empty:
      break;
  }
  return "one_empty";
}

std::vector<std::int32_t> deal_owners(const datasets::Dataset& dataset,
                                      int num_parts,
                                      Owners owners) {
  partition::PartitionOptions options;
  options.num_parts = owners == Owners::one_empty && num_parts > 1 ? num_parts - 1 : num_parts;
  options.method = owners == Owners::metis   ? partition::Method::metis_kway
                   : owners == Owners::block ? partition::Method::block
                                             : partition::Method::random;
  return partition::partition_graph(dataset, options);
}

partition::Part make_part(const datasets::Dataset& dataset,
                          const std::vector<std::int32_t>& owners,
                          int num_parts,
                          int part) {
  partition::PartitionInfo info;
  info.num_parts = num_parts;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  info.dataset_fingerprint = dataset.fingerprint;
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  return partition::build_part(dataset, degrees, owners, info, part);
}

}  // namespace weft::test_support
