// SPDX-License-Identifier: MIT
// Reads the ids of the user's vertices: row i is the id of vertex i.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "datasets/id_map.hpp"
#include "datasets/vertex_count.hpp"

namespace weft::datasets {

/// Reads one id a line, or an integer `.npy`.
///
/// strings  true: names; false: whole numbers; not set: names where the first row is no number
/// Errors   InputError: an id twice (both lines), a name among numbers, a wrong number of rows
[[nodiscard]] IdMap read_node_ids(const std::filesystem::path& path,
                                  std::optional<bool> strings,
                                  const std::optional<VertexCount>& expected,
                                  std::int64_t max_decompressed_bytes);

}  // namespace weft::datasets
