// SPDX-License-Identifier: MIT
// What one rank owns: its rows of the graph, its halo, and the plan that keeps the halo current.
//
// Invariant (local numbering): [interior | boundary | halo]. Interior rows read no halo column,
// boundary rows do. Halo rows are sorted by (owner, global id), so that what a peer sends lands in
// one contiguous run of rows.
//
// Invariant (halo plan symmetry): what part p sends to q is, in order, what q expects from p. The
// plan is plain data, made and tested without MPI.
//
// Invariant (summation order): the columns of a row list its owned neighbors by global id, then
// its halo neighbors by (owner, global id). What is made of a part may order them otherwise, always
// in the same way (layers/aggregation.hpp, layers/border.hpp).
//
// Example: path 0-1-2-3, parts {0,1} and {2,3}. Part 0 owns interior 0 and boundary 1, its halo
// is vertex 2 of part 1: local ids 0->0, 1->1, 2->2. It sends vertex 1 to part 1.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/support/types.hpp"

namespace weft::partition {

/// One neighbor part in a halo plan.
struct HaloPeer {
  int part = 0;
  LocalId halo_begin = 0;       ///< first halo row (counted from 0 = first halo vertex) it fills
  LocalId halo_end = 0;         ///< one past the last
  std::int64_t send_begin = 0;  ///< first entry of HaloPlan::send_rows that it reads
  std::int64_t send_end = 0;    ///< one past the last
};

/// Who sends which rows to whom. Peers rise by part; a peer may only send or only receive.
struct HaloPlan {
  std::vector<HaloPeer> peers;
  std::vector<LocalId> send_rows;  ///< owned local ids; inside a peer sorted by global id
  LocalId num_halo = 0;
};

/// The part's arcs, by owned destination. Columns are local ids (owned and halo).
///
/// Shapes   row_ptr [num_owned + 1], col_idx [num_edges], edge_weight [num_edges] or empty
struct LocalGraph {
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<LocalId> col_idx;
  std::vector<float> edge_weight;
};

/// Rows of the dataset that belong to the owned vertices, in local order.
struct PartRows {
  datasets::FeatureView features;        ///< [num_owned x F]
  std::span<const std::int32_t> labels;  ///< [num_owned] or empty
  std::span<const std::uint8_t> multi_labels;
  std::span<const float> targets;
  std::span<const std::int8_t> splits;  ///< [num_splits x num_owned]
  std::vector<std::shared_ptr<const void>> storage;
  std::vector<std::shared_ptr<const void>> feature_storage;  ///< of `features` alone

  /// Forgets the values of the features, not their shape: they are the largest rows, and a run
  /// that has its own scaled copy needs them no more.
  void release_features() {
    features = {features.num_rows, features.num_columns, {}, {}, {}, {}};
    feature_storage.clear();
  }
};

/// What all parts of a partition have in common. Two partitions with equal `fingerprint` and
/// `dataset_fingerprint` are the same.
struct PartitionInfo {
  int num_parts = 1;
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  std::string method;
  std::uint64_t seed = 0;
  std::uint64_t dataset_fingerprint = 0;
  std::uint64_t fingerprint = 0;  ///< of the owner array
  datasets::Task task = datasets::Task::none;
  int num_classes = 0;
  bool directed = true;
  std::vector<std::string> split_names;
  std::string dataset_name;
  std::string request;  ///< the options that made it, as command-line text; equal = same owners
};

struct Part {
  PartitionInfo info;
  int part = 0;
  LocalId num_interior = 0;
  LocalId num_boundary = 0;
  std::vector<GlobalId> global_ids;      ///< [num_owned + num_halo]
  std::vector<std::int32_t> halo_owner;  ///< [num_halo], rising
  LocalGraph graph;
  std::vector<double> in_degree;       ///< [num_owned + num_halo] global, weighted, loops too
  std::vector<std::uint8_t> has_loop;  ///< [num_owned + num_halo] arc v -> v is in the graph
  HaloPlan plan;
  PartRows rows;

  [[nodiscard]] LocalId num_owned() const { return num_interior + num_boundary; }
  [[nodiscard]] LocalId num_halo() const { return plan.num_halo; }
  [[nodiscard]] LocalId num_local() const { return num_owned() + num_halo(); }
};

}  // namespace weft::partition
