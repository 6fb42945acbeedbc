// SPDX-License-Identifier: MIT
// Reads the edges of a graph from one file: SNAP, CSV, TSV or MatrixMarket, plain or compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/edge_chunk.hpp"
#include "datasets/edge_file_format.hpp"
#include "datasets/id_map.hpp"
#include "datasets/vertex_count.hpp"
#include "graph/edge_list.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// What the ids of an edge list are.
enum class IdMode {
  automatic,   ///< contiguous where the number of vertices is known or the ids have no gap, else
               ///< sparse
  contiguous,  ///< vertices 0..N-1; gaps are isolated vertices
  sparse,      ///< any whole numbers: the k-th smallest becomes vertex k
  one_based,   ///< vertices 1..N
  string,      ///< names: the k-th by bytes becomes vertex k
};

struct EdgeListOptions {
  FileFormat format = FileFormat::automatic;
  ColumnOptions columns;
  IdMode ids = IdMode::automatic;
  std::optional<VertexCount> num_vertices;  ///< known before the edges are read
  IdMap* known_ids = nullptr;               ///< the ids of --node-ids, by vertex
  bool allow_negative_weights = false;
  std::int64_t max_decompressed_bytes = default_max_decompressed_bytes;
};

struct EdgeListInput {
  graph::EdgeList edges;
  IdMap ids;  ///< of the vertices; not set where `known_ids` was given
  LineCounts counts;
  bool needs_reverse_arcs = false;  ///< the file is a symmetric matrix, stored by half
  std::string form;                 ///< "SNAP, gzip" for people
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Shapes   edges.num_vertices = the number known before, else by the file's header or its ids
/// Cost     one pass over the file on all threads (two where an id needs more than 31 bits)
/// Errors   InputError "FILE:LINE: ..."; the first problems in file order
[[nodiscard]] EdgeListInput read_edge_list(const std::filesystem::path& path,
                                           const EdgeListOptions& options,
                                           const ProgressCallback& progress = {});

}  // namespace weft::datasets
