// SPDX-License-Identifier: MIT
#include "tests/support/graph_zoo.hpp"

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/support/random.hpp"

namespace weft::test_support {

using graph::Arc;
using graph::EdgeList;

EdgeList random_edges(std::int64_t num_vertices,
                      std::int64_t num_arcs,
                      bool weighted,
                      std::uint64_t seed) {
  EdgeList edges{num_vertices, {}, {}};
  const RandomKey key = random_key(seed, RandomPurpose::test);
  const auto vertex = [&](std::uint32_t word) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(word) % num_vertices);
  };
  for (std::int64_t i = 0; i < num_arcs; ++i) {
    const auto words = random_block(key, static_cast<std::uint64_t>(i), 0);
    edges.arcs.push_back({vertex(words[0]), vertex(words[1])});
    if (weighted) edges.weights.push_back(0.5F + uniform_from_word(words[2]));
  }
  return edges;
}

std::vector<NamedEdges> edge_zoo() {
  std::vector<NamedEdges> zoo;
  zoo.push_back({"empty", EdgeList{0, {}, {}}});
  zoo.push_back({"one_vertex", EdgeList{1, {}, {}}});
  zoo.push_back({"isolated_vertices", EdgeList{7, {{1, 3}, {3, 5}}, {}}});
  zoo.push_back({"path", graph::path(9)});
  zoo.push_back({"ring", graph::ring(10)});
  zoo.push_back({"star", graph::star(12)});
  zoo.push_back({"grid", graph::grid(4, 5)});
  zoo.push_back({"two_cliques", graph::two_cliques(5)});
  zoo.push_back({"karate_club", graph::karate_club()});
  zoo.push_back({"self_loop", EdgeList{4, {{0, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 3}}, {}}});
  zoo.push_back({"duplicate_edge", EdgeList{4, {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 3}}, {}}});
  zoo.push_back({"directed", EdgeList{5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 4}}, {}}, false});
  EdgeList hub = graph::star(40);
  hub.arcs.push_back({5, 0});
  hub.arcs.push_back({6, 7});
  zoo.push_back({"directed_hub", std::move(hub), false});
  zoo.push_back({"weighted_directed_random", random_edges(30, 150, true, 7), false});
  return zoo;
}

std::vector<NamedGraph> graph_zoo() {
  std::vector<NamedGraph> zoo;
  for (NamedEdges& named : edge_zoo()) {
    graph::BuildOptions options;
    options.add_reverse_arcs = named.undirected;
    zoo.push_back({named.name, graph::build_csr(std::move(named.edges), options)});
  }
  return zoo;
}

}  // namespace weft::test_support
