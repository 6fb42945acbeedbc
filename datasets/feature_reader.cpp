// SPDX-License-Identifier: MIT
// One function a form, chosen by the first bytes of the file.
#include "datasets/feature_reader.hpp"

#include "datasets/input_problems.hpp"
#include "datasets/matrix_market.hpp"
#include "datasets/npy_convert.hpp"
#include "datasets/npz_sparse.hpp"
#include "datasets/sparse_rows.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

bool is_plain_float(const NpyHeader& header) {
  const bool is_row_major = !header.fortran_order || header.shape.size() == 1;
  return header.kind == 'f' && header.item_bytes == 4 && !header.big_endian && is_row_major &&
         header.data_offset % alignof(float) == 0;
}

FeatureView read_npy_features(const std::filesystem::path& path, Dataset& owner) {
  auto file = std::make_shared<const MappedFile>(path);
  const NpyBytes array = view_npy(file->bytes(), path.string());
  require_matrix(array, "features");
  FeatureView view;
  view.num_rows = array.num_rows();
  view.num_columns = array.num_columns();
  if (view.num_columns == 0) {
    throw InputError(text(array.name, ": 0 columns, expected features"));
  }
  if (is_plain_float(array.header)) {
    view.dense = {reinterpret_cast<const float*>(array.data.data()),
                  static_cast<std::size_t>(array.header.num_items())};
    require_finite(view.dense, view.num_columns, array.name, "feature");
    owner.storage.push_back(std::move(file));
  } else {
    view.dense = keep(owner, to_floats(array, "feature"));
  }
  return view;
}

FeatureView keep_sparse(SparseRows&& rows,
                        Dataset& owner,
                        const std::string& name,
                        std::vector<std::string>& notes) {
  const std::int64_t merged = sort_and_merge(rows);
  if (merged > 0) {
    notes.push_back(text(name, ": ", format_count(merged),
                         " entries repeat a row and column; their values are added"));
    require_finite(rows.values, 1, name, "sum of repeated entries");
  }
  if (rows.num_columns == 0) throw InputError(text(name, ": 0 columns, expected features"));
  FeatureView view;
  view.num_rows = std::ssize(rows.row_ptr) - 1;
  view.num_columns = rows.num_columns;
  view.row_ptr = keep(owner, std::move(rows.row_ptr));
  view.col_idx = keep(owner, std::move(rows.col_idx));
  view.values = keep(owner, std::move(rows.values));
  return view;
}

/// Entries in any order to rows, by counting.
SparseRows rows_of_entries(const MatrixHeader& header, const CollectedEdges<graph::Arc>& entries) {
  const bool is_mirrored = header.symmetry == MatrixHeader::Symmetry::symmetric;
  SparseRows rows;
  rows.num_columns = header.num_columns;
  rows.row_ptr.assign(static_cast<std::size_t>(header.num_rows) + 1, 0);
  const auto for_each_entry = [&](auto visit) {
    for (std::size_t i = 0; i < entries.arcs.size(); ++i) {
      const graph::Arc& entry = entries.arcs[i];
      const float value = entries.weights.empty() ? 1.0F : entries.weights[i];
      visit(entry.source, entry.destination, value);
      if (is_mirrored && entry.source != entry.destination) {
        visit(entry.destination, entry.source, value);
      }
    }
  };
  for_each_entry([&](std::int32_t row, std::int32_t, float) {
    ++rows.row_ptr[static_cast<std::size_t>(row) + 1];
  });
  for (std::size_t r = 1; r < rows.row_ptr.size(); ++r)
    rows.row_ptr[r] += rows.row_ptr[r - 1];
  rows.col_idx.resize(static_cast<std::size_t>(rows.row_ptr.back()));
  rows.values.resize(rows.col_idx.size());
  std::vector<std::int64_t> next(rows.row_ptr.begin(), rows.row_ptr.end() - 1);
  for_each_entry([&](std::int32_t row, std::int32_t column, float value) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++);
    rows.col_idx[at] = column;
    rows.values[at] = value;
  });
  return rows;
}

FeatureView read_matrix_features(TextSource& source,
                                 Dataset& owner,
                                 std::vector<std::string>& notes) {
  const MatrixHeader header = take_matrix_header(source);
  if (!header.is_array) {
    const auto entries = read_matrix_entries(source, header, {}, {});
    return keep_sparse(rows_of_entries(header, entries), owner, source.name(), notes);
  }
  FeatureView view;
  view.dense = keep(owner, read_matrix_array(source, header));
  view.num_rows = header.num_rows;
  view.num_columns = header.num_columns;
  if (view.num_columns == 0) throw InputError(text(source.name(), ": 0 columns"));
  return view;
}

}  // namespace

FeatureView read_features(const std::filesystem::path& path,
                          std::int64_t max_decompressed_bytes,
                          Dataset& owner,
                          std::vector<std::string>& notes) {
  std::string head;
  {
    const MappedFile file(path);
    head = file.text().substr(0, 8);
  }
  if (head.starts_with("PK")) {
    return keep_sparse(read_sparse_npz(path, max_decompressed_bytes), owner, path.string(), notes);
  }
  if (head.starts_with("\x93NUMPY") || path.extension() == ".npy") {
    return read_npy_features(path, owner);
  }
  if (path.extension() == ".npz") {
    return keep_sparse(read_sparse_npz(path, max_decompressed_bytes), owner, path.string(), notes);
  }
  TextSource source(path, max_decompressed_bytes);
  if (!has_matrix_banner(source)) {
    fail_at_line(path.string(), 1,
                 "no features: expected .npy, .npz (scipy CSR) or MatrixMarket (.mtx, .mtx.gz)");
  }
  return read_matrix_features(source, owner, notes);
}

}  // namespace weft::datasets
