// SPDX-License-Identifier: MIT
// Named small graphs, each of a kind that has broken graph code before.
#pragma once

#include <string>
#include <vector>

#include "graph/csr_graph.hpp"
#include "graph/edge_list.hpp"

namespace weft::test_support {

struct NamedGraph {
  std::string name;
  graph::CsrGraph graph;
};

struct NamedEdges {
  std::string name;
  graph::EdgeList edges;
  bool undirected = true;  ///< reverse arcs are to be added
};

/// The arcs of the zoo as somebody would write them, with repeats and loops.
[[nodiscard]] std::vector<NamedEdges> edge_zoo();

/// The zoo as graphs: empty, one vertex, isolated vertices, path, ring, star, grid, two cliques,
/// karate club, self-loop, duplicate edge, directed, directed hub, weighted directed random.
[[nodiscard]] std::vector<NamedGraph> graph_zoo();

/// `num_arcs` random arcs among `num_vertices`, loops and repeats included; weights from 0.5 to
/// 1.5 if `weighted`.
[[nodiscard]] graph::EdgeList random_edges(std::int64_t num_vertices,
                                           std::int64_t num_arcs,
                                           bool weighted,
                                           std::uint64_t seed);

}  // namespace weft::test_support
