// SPDX-License-Identifier: MIT
// Every invariant of part.hpp, checked against the whole graph by the plainest code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/dataset.hpp"
#include "partition/part.hpp"

namespace weft::test_support {

/// PartitionInfo of `dataset` for `num_parts` parts.
[[nodiscard]] partition::PartitionInfo info_of(const datasets::Dataset& dataset, int num_parts);

/// All parts of `dataset` under `owner`, by PartBuilder.
[[nodiscard]] std::vector<partition::Part> build_parts(const datasets::Dataset& dataset,
                                                       std::span<const std::int32_t> owner,
                                                       int num_parts);

/// Every vertex is owned by exactly one part, the one that `owner` names.
void expect_owned_once(const std::vector<partition::Part>& parts,
                       std::span<const std::int32_t> owner);

/// [interior | boundary | halo]; interior and boundary rise by global id; halo rows are exactly
/// the in-neighbors that are not owned, by (owner, global id).
void expect_numbering(const partition::Part& part,
                      const datasets::Dataset& dataset,
                      std::span<const std::int32_t> owner);

/// Rows hold the arcs of the whole graph with their weights; owned columns by global id, then halo
/// columns by (owner, global id).
void expect_rows(const partition::Part& part, const datasets::Dataset& dataset);

/// What each part sends to each other is, in order, what the other expects.
void expect_plans_agree(const std::vector<partition::Part>& parts);

/// Degrees and loops of owned and halo vertices are those of the whole graph.
void expect_global_degrees(const partition::Part& part, const datasets::Dataset& dataset);

/// The sums of GCN's coefficients over all parts equal that of the whole graph.
void expect_same_normalization(const std::vector<partition::Part>& parts,
                               const datasets::Dataset& dataset);

/// Rows of features, labels and splits are those of the owned vertices, in local order.
void expect_gathered_rows(const partition::Part& part, const datasets::Dataset& dataset);

/// All of the above.
void expect_valid_parts(const std::vector<partition::Part>& parts,
                        const datasets::Dataset& dataset,
                        std::span<const std::int32_t> owner);

/// Two parts are equal in every field.
void expect_equal_parts(const partition::Part& a, const partition::Part& b);

}  // namespace weft::test_support
