// SPDX-License-Identifier: MIT
// Who owns which vertex: METIS, blocks, random, or the user's own file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/support/timing.hpp"

namespace weft::partition {

enum class Method { metis_kway, metis_recursive, block, random, file };
enum class Objective { cut, volume };

struct PartitionOptions {
  int num_parts = 1;
  Method method = Method::metis_kway;
  Objective objective = Objective::cut;
  std::uint64_t seed = 1;
  bool balance_vertices = true;
  bool balance_edges = true;
  bool balance_training = true;      ///< vertices of the training split
  std::vector<double> part_weights;  ///< [num_parts], share of each part; empty = equal
  std::filesystem::path owner_file;  ///< Method::file: text, or `.npy` int32 or int64
  std::string split;                 ///< whose training vertices are balanced; empty = the first
};

/// "metis", "metis-recursive", "block", "random", "file", and back.
/// Errors   InputError that lists the valid names
[[nodiscard]] std::string method_name(Method method);
[[nodiscard]] Method parse_method(const std::string& name);

/// "cut", "volume", and back.
[[nodiscard]] std::string objective_name(Objective objective);
[[nodiscard]] Objective parse_objective(const std::string& name);

[[nodiscard]] inline bool uses_metis(Method method) {
  return method == Method::metis_kway || method == Method::metis_recursive;
}

struct PartitionTimes {
  double total_seconds = 0;
  double metis_seconds = 0;  ///< inside METIS's calls
};

/// The wanted share of each part: part_weights divided by their sum, or equal shares.
/// Errors   InputError: weights that are not positive, or not one a part
[[nodiscard]] std::vector<double> part_shares(const PartitionOptions& options);

/// The roles whose training vertices are balanced; empty if the dataset has no splits.
/// Errors   InputError that lists the splits there are
[[nodiscard]] std::span<const std::int8_t> balanced_split(const datasets::Dataset& dataset,
                                                          const PartitionOptions& options);

/// Chooses an owner for each vertex. METIS gets a symmetric simple graph without loops, whatever
/// is trained on; it is not called for one part, tiny graphs or a graph without edges. No part is
/// left empty, except by an owner file. With Objective::volume both objectives are computed and
/// the partition with fewer halo rows is kept.
///
/// Shapes   returns [num_vertices], each in 0..num_parts-1
/// Cost     METIS: about 60 bytes an arc of scratch, serial
/// Errors   InputError: more parts than vertices, a graph beyond METIS's 32-bit ids, a bad owner
///          file, part weights that do not fit num_parts
[[nodiscard]] std::vector<std::int32_t> partition_graph(const datasets::Dataset& dataset,
                                                        const PartitionOptions& options,
                                                        PartitionTimes* times = nullptr,
                                                        const ProgressCallback& progress = {});

}  // namespace weft::partition
