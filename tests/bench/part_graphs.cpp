// SPDX-License-Identifier: MIT
// Every number is a Philox function of its place; the parts are made as `weft partition` makes
// them.
#include "tests/bench/part_graphs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/normalization.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_graph.hpp"
#include "partition/vertex_order.hpp"

namespace weft::bench {
namespace {

/// R-MAT's hubs are its low ids: a random permutation hides them.
void shuffle_ids(graph::EdgeList& edges) {
  const RandomKey key = random_key(1, RandomPurpose::test);
  std::vector<std::pair<std::uint32_t, std::int32_t>> draws;
  draws.reserve(static_cast<std::size_t>(edges.num_vertices));
  for (std::int64_t id = 0; id < edges.num_vertices; ++id) {
    draws.emplace_back(random_word(key, static_cast<std::uint64_t>(id)),
                       static_cast<std::int32_t>(id));
  }
  std::sort(draws.begin(), draws.end());
  const auto shuffled = [&](std::int32_t id) { return draws[static_cast<std::size_t>(id)].second; };
  graph::parallel_for_each(static_cast<std::int64_t>(edges.arcs.size()), 4096, [&](std::int64_t i) {
    graph::Arc& arc = edges.arcs[static_cast<std::size_t>(i)];
    arc = {shuffled(arc.source), shuffled(arc.destination)};
  });
}

graph::EdgeList edges_of(const GraphSetting& setting) {
  if (setting.kind == "rmat") {
    graph::RmatOptions options;
    options.num_vertices = setting.num_vertices;
    options.num_edges = static_cast<std::int64_t>(setting.mean_degree / 2 *
                                                  static_cast<double>(setting.num_vertices));
    graph::EdgeList edges = graph::rmat(options);
    shuffle_ids(edges);
    return edges;
  }
  if (setting.kind != "communities") {
    throw InputError(text("graph '", setting.kind, "' is unknown; valid: communities, rmat"));
  }
  graph::CommunityOptions options;
  options.num_vertices = setting.num_vertices;
  options.mean_degree = setting.mean_degree;
  options.num_communities = setting.num_communities;
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
  std::vector<float> values(n * bench_features);
  std::vector<std::int32_t> labels(n);
  std::vector<std::int8_t> splits(3 * n, -1);
  graph::parallel_for_each(dataset.num_vertices, 256, [&](std::int64_t v) {
    const auto row = static_cast<std::size_t>(v);
    for (std::uint32_t c = 0; c < bench_features; ++c)
      values[row * bench_features + c] = random_uniform(key, row, c) - 0.5F;
    labels[row] = static_cast<std::int32_t>(random_word(label_key, row) % bench_classes);
    const std::uint32_t draw = random_word(label_key, row, 1) % 1200;
    splits[row] = draw < 120 ? 0 : 1;
    splits[n + row] = draw < 100 ? 0 : 1;
    splits[2 * n + row] = draw < 12 ? 0 : 1;
  });
  dataset.features.num_rows = dataset.num_vertices;
  dataset.features.num_columns = bench_features;
  dataset.features.dense = keep(dataset, std::move(values));
  dataset.labels = keep(dataset, std::move(labels));
  dataset.splits = keep(dataset, std::move(splits));
  dataset.split_names = {"tenth", "twelfth", "hundredth"};
  dataset.task = datasets::Task::single_label;
  dataset.num_classes = bench_classes;
}

partition::PartitionInfo info_of(const datasets::Dataset& dataset) {
  partition::PartitionInfo info;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  info.dataset_name = dataset.name;
  return info;
}

}  // namespace

datasets::Dataset make_bench_dataset(const GraphSetting& setting) {
  datasets::Dataset dataset;
  dataset.name = setting.kind;
  dataset.directed = false;
  dataset.num_vertices = setting.num_vertices;
  add_graph(dataset, edges_of(setting));
  add_rows(dataset);
  return dataset;
}

PartsOf::PartsOf(const datasets::Dataset& dataset, int num_parts)
    : dataset_(dataset), num_parts_(num_parts) {
  partition::PartitionOptions options;
  options.num_parts = num_parts;
  owner_ = partition::partition_graph(dataset, options);
  place_ = partition::choose_vertex_order(dataset.graph, owner_, options).place;
}

partition::Part PartsOf::build(int part) const {
  partition::PartitionInfo info = info_of(dataset_);
  info.num_parts = num_parts_;
  const graph::Degrees degrees = graph::compute_degrees(dataset_.graph);
  partition::PartBuilder builder(dataset_, degrees, owner_, info, place_);
  return builder.build(part);
}

OrderedPart make_whole_part(const datasets::Dataset& dataset, IdOrder order) {
  const std::vector<std::int32_t> owner(static_cast<std::size_t>(dataset.num_vertices), 0);
  partition::OrderChoice choice;
  if (order == IdOrder::chosen) {
    choice = partition::choose_vertex_order(dataset.graph, owner, partition::PartitionOptions{});
  }
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  partition::PartBuilder builder(dataset, degrees, owner, info_of(dataset), choice.place);
  return {builder.build(0), partition::vertex_order_name(choice.order)};
}

}  // namespace weft::bench
