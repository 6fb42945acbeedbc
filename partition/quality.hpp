// SPDX-License-Identifier: MIT
// How good a partition is: what it cuts, what each part has to do, what it has to fetch.
//
// The slowest rank sets the time of an epoch, so every figure has its largest value beside the
// total. Figures are counted from the owners, never taken from the partitioner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "partition/halo_sets.hpp"
#include "partition/partition_graph.hpp"

namespace weft::partition {

/// The work and the traffic of one part.
struct PartQuality {
  std::int64_t owned = 0;     ///< vertices
  std::int64_t boundary = 0;  ///< of these, vertices whose row reads a halo vertex
  std::int64_t halo = 0;      ///< rows received per exchange
  std::int64_t sent = 0;      ///< rows sent per exchange
  std::int64_t edges = 0;     ///< arcs into owned vertices
  std::int64_t cut_arcs = 0;  ///< of these, arcs from other parts
  std::int64_t training = 0;  ///< owned training vertices
  int peers = 0;              ///< parts that it receives rows from
};

/// The figures of a partition. Imbalance = largest load / wanted load; 1 is perfect.
struct Quality {
  std::vector<PartQuality> parts;
  std::int64_t num_vertices = 0;
  std::int64_t num_arcs = 0;  ///< loops left out: they are never cut
  std::int64_t cut_arcs = 0;
  std::int64_t cut_edges = 0;  ///< pairs of vertices cut: METIS's "edgecut"
  std::int64_t halo_rows = 0;  ///< of all parts: the communication volume
  std::int64_t max_halo_rows = 0;
  std::int64_t boundary = 0;
  std::int64_t num_training = 0;
  double random_halo_rows = 0;  ///< what a random partition would be expected to have
  double vertex_imbalance = 1;
  double edge_imbalance = 1;
  double training_imbalance = 1;

  /// Share of the arcs that are cut; 0 without arcs.
  [[nodiscard]] double cut_share() const;
  /// Share of the vertices that are boundary vertices.
  [[nodiscard]] double boundary_share() const;
  /// halo_rows / random_halo_rows; 1 where a random partition would have none.
  [[nodiscard]] double against_random() const;
};

/// Counts the figures of `owner`; `shares` are the wanted shares, `roles` the split whose training
/// vertices count (or empty).
///
/// Cost     O(num_edges), for directed graphs O(log degree) more for each cut arc; parallel
[[nodiscard]] Quality measure_quality(const datasets::Dataset& dataset,
                                      std::span<const std::int32_t> owner,
                                      std::span<const double> shares,
                                      std::span<const std::int8_t> roles);

/// The same where the owned vertices and halo sets are known already.
[[nodiscard]] Quality measure_quality(const datasets::Dataset& dataset,
                                      std::span<const std::int32_t> owner,
                                      const OwnedVertices& owned,
                                      std::span<const HaloSet> halos,
                                      std::span<const double> shares,
                                      std::span<const std::int8_t> roles);

/// Bytes that halo rows take in one epoch of `num_layers` layers, each exchanging `width` columns:
/// forward in every layer, backward in every layer but the first, which has no gradient to pass
/// on: (2 layers - 1) * rows * width * sizeof(Real).
[[nodiscard]] std::int64_t halo_bytes_per_epoch(std::int64_t halo_rows,
                                                std::int64_t width,
                                                int num_layers);

/// Above this imbalance of a balanced constraint a warning is due.
inline constexpr double imbalance_limit = 1.1;
/// From this share of a random partition's halo rows on, a partition barely helps.
inline constexpr double random_limit = 0.7;
/// Above so many halo rows an owned vertex, a part fetches more rows than it computes.
inline constexpr double halo_limit = 2.0;

/// What a user should know, in sentences: empty parts; parts without training vertices; imbalance
/// above `imbalance_limit` of what was to be balanced; a partition that barely helps (more than
/// `random_limit` of a random one's halo rows, or more than `halo_limit` halo rows a vertex).
[[nodiscard]] std::vector<std::string> quality_warnings(const Quality& quality,
                                                        const PartitionOptions& options);

}  // namespace weft::partition
