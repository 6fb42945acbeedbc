// SPDX-License-Identifier: MIT
// Checks of shapes, whose errors name the operation, what was found, and what was expected.
#pragma once

#include <cstdint>

#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels {

/// Two counts that must agree, each with its words: {"rows of x", 3}.
struct NamedCount {
  const char* name;
  std::int64_t count;
};

/// Throws InputError unless `found.count == expected.count`:
///   spmm: rows of x: 2708, but columns of a: 2711; pass <remedy>
void require_equal(const char* operation,
                   NamedCount found,
                   NamedCount expected,
                   const char* remedy);

/// Throws InputError unless `rows` lies in 0 .. num_rows - 1 of the matrix `name`.
void require_rows(const char* operation, RowSet rows, NamedCount num_rows);

/// Throws InputError unless `storage` of the matrix `name` is `real`.
void require_real(const char* operation, const char* name, Storage storage);

/// Throws InputError unless the arrays of `a` have the lengths of their shape.
void require_sparse(const char* operation, const SparseView& a);

}  // namespace weft::kernels
