// SPDX-License-Identifier: MIT
// Copies the rows of a dataset that belong to a list of vertices, in the list's order.
#pragma once

#include <span>

#include "datasets/dataset.hpp"
#include "partition/part.hpp"

namespace weft::partition {

/// Gathers features (dense or sparse), labels and splits of `vertices`.
///
/// Cost     O(bytes of the rows), parallel over rows
[[nodiscard]] PartRows gather_rows(const datasets::Dataset& dataset,
                                   std::span<const GlobalId> vertices);

}  // namespace weft::partition
