// SPDX-License-Identifier: MIT
// MatrixMarket files (`.mtx`): an adjacency matrix or a feature matrix.
//
// Grammar: banner, '%' comments, the size line, then entries `row column [value]` from 1
// (coordinate) or values column by column (array). Source: Boisvert, Pozo, Remington, "The Matrix
// Market Exchange Formats", NISTIR 5935, 1996.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/edge_chunk.hpp"
#include "datasets/text_source.hpp"

namespace weft::datasets {

struct MatrixHeader {
  enum class Field { pattern, integer, real };
  enum class Symmetry { general, symmetric, skew };

  bool is_array = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t num_entries = 0;  ///< stored entries, coordinate only
  LineCounts counts;             ///< up to the size line, which is the last of them
};

/// True where the file begins with a MatrixMarket banner, in any letter case.
[[nodiscard]] bool has_matrix_banner(TextSource& source);

/// Takes banner, comments and size line.
/// Errors   InputError at the line: no banner, unknown or contradicting words, complex or
///          hermitian, a size that is no number or too large
[[nodiscard]] MatrixHeader take_matrix_header(TextSource& source);

/// What entries may be.
struct MatrixEntryOptions {
  bool allow_negative = true;
  bool ignore_values = false;  ///< as if the file were a pattern
};

/// Reads the entries of a coordinate file: arcs are (row, column) from 0, weights the values, empty
/// for a pattern. A skew-symmetric matrix is completed here (its mirror image has the other sign);
/// a symmetric one is not.
/// Errors   InputError with lines: index out of range, value missing, surplus, a fraction in an
///          integer file, not finite, an entry above the diagonal of a symmetric matrix, more or
///          fewer entries than promised
[[nodiscard]] CollectedEdges<graph::Arc> read_matrix_entries(TextSource& source,
                                                             const MatrixHeader& header,
                                                             const MatrixEntryOptions& options,
                                                             const ProgressCallback& progress);

/// Reads the values of an array file as a dense matrix [num_rows x num_columns], row-major.
[[nodiscard]] std::vector<float> read_matrix_array(TextSource& source, const MatrixHeader& header);

}  // namespace weft::datasets
