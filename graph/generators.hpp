// SPDX-License-Identifier: MIT
// Graphs made by rule: small shapes for tests, random graphs for examples and benchmarks.
//
// All are undirected: an edge is listed once, without its reverse. A random edge is a function
// of (seed, edge number), so the graph does not depend on the number of threads; the random
// graphs may list an edge more than once (build with Repeats::keep_one).
#pragma once

#include <cstdint>
#include <vector>

#include "graph/edge_list.hpp"

namespace weft::graph {

/// Vertices in a circle; fewer than 3 make a path.
[[nodiscard]] EdgeList ring(std::int64_t num_vertices);

/// Vertex i joined to i + 1.
[[nodiscard]] EdgeList path(std::int64_t num_vertices);

/// Vertex 0 joined to all others.
[[nodiscard]] EdgeList star(std::int64_t num_vertices);

/// Vertex r * num_columns + c joined to the next in its row and in its column.
[[nodiscard]] EdgeList grid(std::int64_t num_rows, std::int64_t num_columns);

/// Two complete graphs of `clique_size` vertices, joined by the edge clique_size - 1, clique_size.
[[nodiscard]] EdgeList two_cliques(std::int64_t clique_size);

/// Each vertex joined to the next `reach` in a circle.
[[nodiscard]] EdgeList circulant(std::int64_t num_vertices, std::int64_t reach);

/// Zachary's karate club: 34 members, 78 friendships.
/// Source: Zachary, "An Information Flow Model for Conflict and Fission in Small Groups", 1977.
[[nodiscard]] EdgeList karate_club();

/// The club that each member joined after the split: 0 the instructor's, 1 the officers'.
[[nodiscard]] std::vector<std::int32_t> karate_club_factions();

/// A skewed random graph: each edge descends a quadtree of the adjacency matrix.
/// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004;
/// the defaults are those of Graph500.
struct RmatOptions {
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  double a = 0.57;  ///< probability of the quadrant (low source, low destination)
  double b = 0.19;  ///< (low, high)
  double c = 0.19;  ///< (high, low); the rest is (high, high)
  std::uint64_t seed = 1;
};

/// Cost     O(num_edges log num_vertices) time, parallel; vertices of low number are hubs; loops
///          and repeats occur (build with Loops::drop and Repeats::keep_one)
/// Errors   InputError for negative counts or probabilities that do not fit
[[nodiscard]] EdgeList rmat(const RmatOptions& options);

/// Communities that know each other better than others, with degrees that follow a power law:
/// the degree-corrected stochastic block model.
/// Source: Karrer, Newman, "Stochastic blockmodels and community structure in networks", 2011.
struct CommunityOptions {
  std::int64_t num_vertices = 0;
  double mean_degree = 10.0;
  std::int64_t num_communities = 10;  ///< of equal size, give or take one vertex
  double inside = 0.8;                ///< share of the edges whose ends are in one community
  double exponent = 2.5;              ///< of the power law of degrees, above 2; 0: all alike
  std::uint64_t seed = 1;
};

struct CommunityGraph {
  EdgeList edges;                       ///< round(num_vertices * mean_degree / 2), distinct, no
                                        ///< loops; round(inside * that) inside communities
  std::vector<std::int32_t> community;  ///< [num_vertices]
};

/// Cost     O(edges log edges) time, parallel; 16 bytes an edge. Expected degrees are cut at
///          sqrt(num_vertices * mean_degree) and a quarter of a community
/// Errors   InputError for counts and shares that make no graph
[[nodiscard]] CommunityGraph planted_communities(const CommunityOptions& options);

}  // namespace weft::graph
