// SPDX-License-Identifier: MIT
// Texts of shape errors; made only where a check fails.
#include "kernels/shape_check.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::kernels {

void require_equal(const char* operation,
                   NamedCount found,
                   NamedCount expected,
                   const char* remedy) {
  if (found.count == expected.count) return;
  throw InputError(text(operation, ": ", found.name, ": ", found.count, ", but ", expected.name,
                        ": ", expected.count, "; ", remedy));
}

void require_rows(const char* operation, RowSet rows, NamedCount num_rows) {
  const std::int64_t begin = rows.size() == 0 ? 0 : rows[0];
  if (rows.size() >= 0 && begin >= 0 && rows.upper_bound() <= num_rows.count) return;
  throw InputError(text(operation, ": rows ", begin, " to ", rows.upper_bound(),
                        " (exclusive) asked for, but ", num_rows.name, ": ", num_rows.count,
                        "; pass a row set inside the matrix"));
}

void require_real(const char* operation, const char* name, Storage storage) {
  if (storage == Storage::real) return;
  throw InputError(text(operation, ": ", name, " is stored as ", storage_name(storage),
                        ", but this operation takes it as real only; store it as real"));
}

void require_sparse(const char* operation, const SparseView& a) {
  const auto num_row_ptr = static_cast<std::int64_t>(a.row_ptr.size());
  require_equal(operation, {"entries of row_ptr", num_row_ptr},
                {"rows of the sparse matrix plus 1", a.num_rows + 1},
                "build the matrix with num_rows + 1 offsets");
  require_equal(operation, {"last entry of row_ptr", a.row_ptr.back()},
                {"entries of col_idx", a.num_nonzeros()},
                "build row_ptr as the running sum of the row lengths");
  if (!a.row_end.empty()) {
    require_equal(operation, {"entries of row_end", static_cast<std::int64_t>(a.row_end.size())},
                  {"rows of the sparse matrix", a.num_rows},
                  "pass the end of every row, or none at all for whole rows");
  }
  if (a.values.empty()) return;
  require_equal(operation, {"entries of values", static_cast<std::int64_t>(a.values.size())},
                {"entries of col_idx", a.num_nonzeros()},
                "pass one value an entry, or none at all for ones");
}

}  // namespace weft::kernels
