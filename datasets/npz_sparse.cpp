// SPDX-License-Identifier: MIT
// The archive is checked as a whole before use: CSC taken for CSR would be the transpose, and
// offsets that do not fit the data would read past their end.
#include "datasets/npz_sparse.hpp"

#include "datasets/npy_convert.hpp"
#include "datasets/zip_archive.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

class SparseNpzReader {
 public:
  SparseNpzReader(const std::filesystem::path& path, std::int64_t max_member_bytes)
      : archive_(path, max_member_bytes) {}

  SparseRows read() {
    for (const char* needed : {"indptr", "indices", "data", "shape", "format"})
      require(needed);
    check_format();
    SparseRows rows;
    const std::int64_t num_rows = read_shape(rows);
    rows.row_ptr = integers("indptr");
    const std::vector<std::int64_t> indices = integers("indices");
    const std::vector<std::byte> data = member("data");
    const NpyBytes values = view_npy(data, place("data"));
    if (values.header.shape.size() != 1) fail("data", "is no vector");
    rows.values = to_floats(values, "feature");
    check_offsets(rows, num_rows, static_cast<std::int64_t>(indices.size()));
    rows.col_idx.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= rows.num_columns) {
        fail(text("indices]@", i),
             text("column ", indices[i], ", expected 0 to ", rows.num_columns - 1, " by shape"));
      }
      rows.col_idx.push_back(static_cast<std::int32_t>(indices[i]));
    }
    return rows;
  }

 private:
  [[nodiscard]] std::string place(const std::string& what) const {
    const bool is_closed = what.find(']') != what.npos;
    return text(archive_.name(), "[", what, is_closed ? "" : "]");
  }
  [[noreturn]] void fail(const std::string& what, const std::string& message) const {
    throw InputError(text(place(what), ": ", message));
  }

  void require(const std::string& what) const {
    if (archive_.find(what + ".npy") != nullptr) return;
    std::vector<std::string> names;
    for (const ZipMember& found : archive_.members())
      names.push_back(found.name);
    throw InputError(text(archive_.name(), ": no member ", what, ".npy, found ", join(names, ", "),
                          "; expected a CSR matrix as scipy.sparse.save_npz writes it"));
  }

  [[nodiscard]] std::vector<std::byte> member(const std::string& what) const {
    return archive_.read(*archive_.find(what + ".npy"));
  }

  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& what) const {
    const std::vector<std::byte> bytes = member(what);
    const NpyBytes array = view_npy(bytes, place(what));
    if (array.header.shape.size() != 1) fail(what, "is no vector");
    return to_integers(array, "number");
  }

  /// `format` is a scalar of bytes or text, the only text in these archives: its last bytes are it.
  void check_format() const {
    std::string format;
    for (const std::byte byte : member("format")) {
      const char character = std::to_integer<char>(byte);
      if (character == '\n') format.clear();
      if (character >= 'a' && character <= 'z') format.push_back(character);
    }
    if (format == "csr") return;
    fail("format", text("'", format, "', expected 'csr'; save matrix.tocsr()"));
  }

  std::int64_t read_shape(SparseRows& rows) const {
    const std::vector<std::int64_t> shape = integers("shape");
    if (shape.size() != 2) fail("shape", text(shape.size(), " numbers, expected 2"));
    for (const std::int64_t extent : shape) {
      if (extent < 0 || extent > max_local_vertices) {
        fail("shape", text("extent ", extent, ", expected 0 to ", max_local_vertices));
      }
    }
    rows.num_columns = shape[1];
    return shape[0];
  }

  void check_offsets(const SparseRows& rows,
                     std::int64_t num_rows,
                     std::int64_t num_entries) const {
    const auto& offsets = rows.row_ptr;
    if (std::ssize(offsets) != num_rows + 1) {
      fail("indptr",
           text(offsets.size(), " offsets for ", num_rows, " rows, expected ", num_rows + 1));
    }
    if (std::ssize(rows.values) != num_entries) {
      fail("data", text(rows.values.size(), " values for ", num_entries, " columns"));
    }
    if (offsets.front() != 0) fail("indptr]@0", text("offset ", offsets.front(), ", expected 0"));
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      if (offsets[i] < offsets[i - 1]) {
        fail(text("indptr]@", i), text("offset ", offsets[i], " after ", offsets[i - 1],
                                       ", expected offsets that never fall"));
      }
    }
    if (offsets.back() != num_entries) {
      fail(text("indptr]@", offsets.size() - 1),
           text("the last offset is ", offsets.back(), ", expected ", num_entries,
                ", the number of entries"));
    }
  }

  ZipArchive archive_;
};

}  // namespace

SparseRows read_sparse_npz(const std::filesystem::path& path, std::int64_t max_member_bytes) {
  return SparseNpzReader(path, max_member_bytes).read();
}

}  // namespace weft::datasets
