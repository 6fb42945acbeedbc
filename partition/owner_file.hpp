// SPDX-License-Identifier: MIT
// The user's own partition: a text file with one part a line, or a `.npy` array.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft::partition {

/// Reads the owners. In text, line i of those that hold a number belongs to vertex i; blank lines
/// and lines that begin with `#` or `%` are skipped. `.npy` holds int32 or int64, one dimension.
/// METIS's `.part.K` files are such text files.
///
/// Errors   InputError FILE:LINE (text) or FILE: vertex (npy) for a value that is no part in
///          0..num_parts-1, a count other than num_vertices, another type or shape
[[nodiscard]] std::vector<std::int32_t> read_owner_file(const std::filesystem::path& path,
                                                        std::int64_t num_vertices,
                                                        int num_parts);

}  // namespace weft::partition
