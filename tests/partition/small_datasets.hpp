// SPDX-License-Identifier: MIT
// Datasets of a few vertices, built from arcs by the plainest code, so that tests of partitioning
// do not lean on what they test.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/csr_graph.hpp"

namespace weft::test_support {

/// (source, destination).
using Arcs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// The graph of `arcs`; repeats are merged, loops are kept.
[[nodiscard]] graph::CsrGraph graph_of(std::int64_t num_vertices, const Arcs& arcs);

/// `arcs` and their reverses.
[[nodiscard]] Arcs both_directions(const Arcs& arcs);

/// Ring, path, star and a ring of cliques, each edge in both directions.
[[nodiscard]] Arcs ring_arcs(std::int32_t num_vertices);
[[nodiscard]] Arcs path_arcs(std::int32_t num_vertices);
[[nodiscard]] Arcs star_arcs(std::int32_t num_leaves);
[[nodiscard]] Arcs clique_ring_arcs(std::int32_t num_cliques, std::int32_t clique_size);

/// `arcs_per_vertex` arcs to random destinations from each vertex.
[[nodiscard]] Arcs random_out_arcs(std::int32_t num_vertices, int arcs_per_vertex, unsigned seed);

/// A dataset that holds `graph` and nothing else, with the fingerprint of its arrays.
[[nodiscard]] datasets::Dataset dataset_of(graph::CsrGraph&& graph, bool directed = true);

/// Adds to `dataset` two features a vertex (its id, and its id squared), labels id % 3 of 3
/// classes, and a split "rotating" with roles id % 4 - 1.
void add_rows(datasets::Dataset& dataset, bool sparse_features);

/// Adds a split "chosen" in which the vertices below `num_training` train.
void add_training(datasets::Dataset& dataset, std::int64_t num_training);

}  // namespace weft::test_support
