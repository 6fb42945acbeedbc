// SPDX-License-Identifier: MIT
// The dataset folder: `dataset.json` beside one `.npy` file an array.
#pragma once

#include <filesystem>

#include "datasets/dataset.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// Opens a dataset folder; arrays are mapped, not copied.
///
/// Cost     reads dataset.json and the headers; with `verify_checksums` every byte once
/// Errors   InputError that names the file and what is wrong: absent, shape, type, format version,
///          checksum, columns out of range
[[nodiscard]] Dataset open_dataset(const std::filesystem::path& folder,
                                   bool verify_checksums = false);

/// Writes `dataset` to a new folder, atomically: it appears whole or not at all.
/// Errors   InputError if `folder` exists and is not empty
void write_dataset(const Dataset& dataset,
                   const std::filesystem::path& folder,
                   const ProgressCallback& progress = {});

}  // namespace weft::datasets
