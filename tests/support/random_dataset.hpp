// SPDX-License-Identifier: MIT
// A random directed, weighted dataset for tests: a function of its settings, the same on every
// rank, with what breaks naive code (isolated vertices, loops, a hub, unlabelled vertices).
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "partition/part.hpp"

namespace weft::test_support {

struct RandomDatasetOptions {
  std::int64_t num_vertices = 60;
  std::int64_t arcs_per_vertex = 4;
  std::int64_t num_features = 7;
  int num_classes = 5;
  bool weighted = true;
  bool directed = true;
  bool sparse_features = false;
  std::uint64_t seed = 1;
};

/// The last two vertices have no arc; vertex 0 is a hub; every seventh vertex has a loop; every
/// eleventh vertex has no label. Half of the vertices train; the rest validate, test, or neither.
[[nodiscard]] datasets::Dataset random_dataset(const RandomDatasetOptions& options = {});

/// How the vertices of a test are dealt out.
enum class Owners { block, random, metis, one_empty };

[[nodiscard]] const char* owners_name(Owners owners);

/// Shapes   returns [num_vertices], each in 0..num_parts-1. `one_empty` gives the last part nothing
///          (where there are several)
[[nodiscard]] std::vector<std::int32_t> deal_owners(const datasets::Dataset& dataset,
                                                    int num_parts,
                                                    Owners owners);

/// Part `part` of `dataset` under `owners`.
[[nodiscard]] partition::Part make_part(const datasets::Dataset& dataset,
                                        const std::vector<std::int32_t>& owners,
                                        int num_parts,
                                        int part);

}  // namespace weft::test_support
