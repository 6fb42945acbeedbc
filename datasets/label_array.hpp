// SPDX-License-Identifier: MIT
// Labels from a `.npy` array.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "datasets/label_reader.hpp"

namespace weft::datasets {

/// Reads the labels in the bytes of a `.npy` file called `name`.
///
/// Shapes   single_label: integers [N] or [N x 1]; multi_label: 0 and 1 [N x C]; regression:
///          numbers [N] or [N x C]
/// Errors   those of read_labels
[[nodiscard]] LabelInput read_label_array(std::span<const std::byte> bytes,
                                          const std::string& name,
                                          const LabelOptions& options);

/// Throws InputError if a table of a byte for each vertex and class would not fit any memory.
void check_table_size(const std::string& name, std::int64_t num_rows, int num_columns);

}  // namespace weft::datasets
