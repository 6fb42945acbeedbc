// SPDX-License-Identifier: MIT
// Reads vertex features: row i belongs to vertex i. Values are never scaled, and what is sparse in
// the file stays sparse.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"

namespace weft::datasets {

/// Reads `.npy` (dense), `.npz` (scipy CSR) or MatrixMarket, plain or compressed; the form is
/// recognized by its first bytes. What the view points to is added to `owner.storage`.
///
/// Cost     float32 `.npy` in C order is mapped and checked in one pass, others are converted
/// Errors   InputError with file and place: not finite, ragged, damaged, an unknown form
[[nodiscard]] FeatureView read_features(const std::filesystem::path& path,
                                        std::int64_t max_decompressed_bytes,
                                        Dataset& owner,
                                        std::vector<std::string>& notes);

}  // namespace weft::datasets
