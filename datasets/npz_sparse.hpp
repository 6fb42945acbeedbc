// SPDX-License-Identifier: MIT
// Sparse matrices as scipy.sparse.save_npz writes them, in CSR form.
#pragma once

#include <filesystem>

#include "datasets/sparse_rows.hpp"

namespace weft::datasets {

/// Reads the members indptr, indices, data, shape and format of `path`.
/// Errors   InputError "FILE[member]@index: ...": member missing, a form that is not CSR, offsets
///          that do not run from 0 to the number of entries, a column out of range, NaN or infinity
[[nodiscard]] SparseRows read_sparse_npz(const std::filesystem::path& path,
                                         std::int64_t max_member_bytes);

}  // namespace weft::datasets
