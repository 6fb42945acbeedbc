// SPDX-License-Identifier: MIT
// The shapes whose edges follow from the counts alone, and the karate club, whose edges are facts.
#include "graph/generators.hpp"

#include <array>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::graph {
namespace {

constexpr std::array<Arc, 78> karate_friendships{{
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},
    {0, 11},  {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},
    {1, 7},   {1, 13},  {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},
    {2, 9},   {2, 13},  {2, 27},  {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},
    {4, 10},  {5, 6},   {5, 10},  {5, 16},  {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},
    {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33}, {18, 32}, {18, 33}, {19, 33}, {20, 32},
    {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29}, {23, 32}, {23, 33}, {24, 25},
    {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31}, {28, 33}, {29, 32},
    {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33},
}};

constexpr std::int64_t karate_members = 34;
constexpr std::array<std::int32_t, 17> instructors_club{0,  1,  2,  3,  4,  5,  6,  7, 8,
                                                        10, 11, 12, 13, 16, 17, 19, 21};

EdgeList no_edges(std::int64_t num_vertices) {
  if (num_vertices < 0 || num_vertices > max_local_vertices) {
    throw InputError(text("generator: ", num_vertices, " vertices asked for, expected 0 to ",
                          format_count(max_local_vertices)));
  }
  return {num_vertices, {}, {}};
}

Arc edge(std::int64_t from, std::int64_t to) {
  return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)};
}

void add_clique(EdgeList& edges, std::int64_t begin, std::int64_t end) {
  for (std::int64_t u = begin; u < end; ++u) {
    for (std::int64_t v = u + 1; v < end; ++v)
      edges.arcs.push_back(edge(u, v));
  }
}

}  // namespace

EdgeList ring(std::int64_t num_vertices) {
  EdgeList edges = path(num_vertices);
  if (num_vertices > 2) edges.arcs.push_back(edge(num_vertices - 1, 0));
  return edges;
}

EdgeList path(std::int64_t num_vertices) {
  EdgeList edges = no_edges(num_vertices);
  for (std::int64_t v = 1; v < num_vertices; ++v)
    edges.arcs.push_back(edge(v - 1, v));
  return edges;
}

EdgeList star(std::int64_t num_vertices) {
  EdgeList edges = no_edges(num_vertices);
  for (std::int64_t leaf = 1; leaf < num_vertices; ++leaf)
    edges.arcs.push_back(edge(0, leaf));
  return edges;
}

EdgeList grid(std::int64_t num_rows, std::int64_t num_columns) {
  if (num_rows < 0 || num_columns < 0 ||
      (num_columns > 0 && num_rows > max_local_vertices / num_columns)) {
    throw InputError(text("generator: a grid of ", num_rows, " x ", num_columns,
                          " asked for, expected at most ", format_count(max_local_vertices),
                          " vertices and no negative side"));
  }
  EdgeList edges = no_edges(num_rows * num_columns);
  for (std::int64_t row = 0; row < num_rows; ++row) {
    for (std::int64_t column = 0; column < num_columns; ++column) {
      const std::int64_t v = row * num_columns + column;
      if (column + 1 < num_columns) edges.arcs.push_back(edge(v, v + 1));
      if (row + 1 < num_rows) edges.arcs.push_back(edge(v, v + num_columns));
    }
  }
  return edges;
}

EdgeList two_cliques(std::int64_t clique_size) {
  EdgeList edges = no_edges(2 * clique_size);
  add_clique(edges, 0, clique_size);
  add_clique(edges, clique_size, 2 * clique_size);
  if (clique_size > 0) edges.arcs.push_back(edge(clique_size - 1, clique_size));
  return edges;
}

EdgeList circulant(std::int64_t num_vertices, std::int64_t reach) {
  EdgeList edges = no_edges(num_vertices);
  if (reach < 0 || 2 * reach >= num_vertices) {
    throw InputError(text("generator: each of ", num_vertices, " vertices joined to the next ",
                          reach, ", expected fewer than half of them"));
  }
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    for (std::int64_t step = 1; step <= reach; ++step) {
      edges.arcs.push_back(edge(v, (v + step) % num_vertices));
    }
  }
  return edges;
}

EdgeList karate_club() {
  return {karate_members, {karate_friendships.begin(), karate_friendships.end()}, {}};
}

std::vector<std::int32_t> karate_club_factions() {
  std::vector<std::int32_t> factions(static_cast<std::size_t>(karate_members), 1);
  for (const std::int32_t member : instructors_club)
    factions[static_cast<std::size_t>(member)] = 0;
  return factions;
}

}  // namespace weft::graph
