// SPDX-License-Identifier: MIT
// A sparse matrix as scipy.sparse.save_npz writes it, with members to replace.
#pragma once

#include <map>
#include <string>

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

/// Rows (0: column 1 = 5), (1: none), (2: column 0 = 6, column 2 = 7); members by name.
inline std::map<std::string, std::string> sparse_members() {
  return {{"indptr", npy_of<std::int32_t>("<i4", "(4,)", {0, 1, 1, 3})},
          {"indices", npy_of<std::int32_t>("<i4", "(3,)", {1, 0, 2})},
          {"data", npy_of<double>("<f8", "(3,)", {5, 6, 7})},
          {"shape", npy_of<std::int64_t>("<i8", "(2,)", {3, 3})},
          {"format", npy_bytes("{'descr': '|S3', 'fortran_order': False, 'shape': (), }", "csr")}};
}

inline std::string npz_of(const std::map<std::string, std::string>& members, bool deflated = true) {
  std::vector<ZipEntry> entries;
  for (const auto& [name, content] : members)
    entries.push_back({name + ".npy", content});
  return zip_of(entries, deflated);
}

}  // namespace weft::datasets::tests
