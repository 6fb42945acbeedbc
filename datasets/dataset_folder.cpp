// SPDX-License-Identifier: MIT
// Opens a dataset folder: every array is mapped and its type and shape are held against
// dataset.json, so that a mixed-up or shortened file is named here and not read past its end later.
#include "datasets/dataset_folder.hpp"

#include <algorithm>
#include <utility>

#include "datasets/dataset_manifest.hpp"
#include "datasets/npy.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

namespace fs = std::filesystem;

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> words;
  for (const std::int64_t extent : shape)
    words.push_back(std::to_string(extent));
  return text('[', join(words, ", "), ']');
}

/// Opens the arrays of one folder for one dataset.
class FolderReader {
 public:
  FolderReader(const fs::path& folder, const DatasetManifest& manifest, Dataset& dataset)
      : folder_(folder), manifest_(manifest), dataset_(dataset) {}

  [[nodiscard]] bool has(const char* file) const { return manifest_.has(file); }
  [[nodiscard]] std::string path_of(const char* file) const { return (folder_ / file).string(); }

  /// The array in `file`, which must have `shape` (-1: any extent).
  template <typename T>
  std::span<const T> map(const char* file, const std::vector<std::int64_t>& shape) {
    require(file);
    NpyArray<T> array = map_npy<T>(folder_ / file);
    bool is_same = array.shape.size() == shape.size();
    for (std::size_t i = 0; is_same && i < shape.size(); ++i) {
      is_same = shape[i] < 0 || shape[i] == array.shape[i];
    }
    if (!is_same) {
      throw InputError(text(path_of(file), ": shape ", shape_text(array.shape), ", expected ",
                            shape_text(shape), " by dataset.json"));
    }
    dataset_.storage.push_back(std::move(array.storage));
    return array.values;
  }

  void require(const char* file) const {
    if (!has(file)) {
      throw InputError(text((folder_ / "dataset.json").string(), ": 'files' does not list ", file));
    }
  }

  /// Row offsets begin at 0 and end at the number of entries.
  void check_ends(const char* file, std::span<const std::int64_t> row_ptr, std::size_t entries) {
    if (row_ptr.front() != 0 || row_ptr.back() != static_cast<std::int64_t>(entries)) {
      throw InputError(text(path_of(file), ": offsets run from ", row_ptr.front(), " to ",
                            row_ptr.back(), ", expected 0 to ", entries));
    }
  }

 private:
  const fs::path& folder_;
  const DatasetManifest& manifest_;
  Dataset& dataset_;
};

void open_graph(FolderReader& reader, const DatasetManifest& manifest, Dataset& dataset) {
  dataset.graph.row_ptr = reader.map<std::int64_t>("row_ptr.npy", {manifest.num_vertices + 1});
  dataset.graph.col_idx = reader.map<std::int32_t>("col_idx.npy", {manifest.num_edges});
  reader.check_ends("row_ptr.npy", dataset.graph.row_ptr, dataset.graph.col_idx.size());
  if (reader.has("edge_weight.npy")) {
    dataset.graph.edge_weight = reader.map<float>("edge_weight.npy", {manifest.num_edges});
  }
}

void open_features(FolderReader& reader, const DatasetManifest& manifest, Dataset& dataset) {
  FeatureView& features = dataset.features;
  if (reader.has("features.npy")) {
    features.dense =
        reader.map<float>("features.npy", {manifest.num_vertices, manifest.num_features});
  } else if (reader.has("features_row_ptr.npy")) {
    features.row_ptr =
        reader.map<std::int64_t>("features_row_ptr.npy", {manifest.num_vertices + 1});
    features.col_idx = reader.map<std::int32_t>("features_col_idx.npy", {-1});
    const auto count = static_cast<std::int64_t>(features.col_idx.size());
    features.values = reader.map<float>("features_values.npy", {count});
    reader.check_ends("features_row_ptr.npy", features.row_ptr, features.col_idx.size());
  } else {
    return;
  }
  features.num_rows = manifest.num_vertices;
  features.num_columns = manifest.num_features;
}

/// Codes index arrays later, so their range is checked at every opening; O(values).
template <typename T>
void check_range(const std::string& file, std::span<const T> values, T least, T most) {
  const auto outside =
      std::ranges::find_if(values, [&](T value) { return value < least || value > most; });
  if (outside == values.end()) return;
  throw InputError(text(file, ": entry ", outside - values.begin(), " is ",
                        static_cast<std::int64_t>(*outside), ", expected ",
                        static_cast<std::int64_t>(least), " to ", static_cast<std::int64_t>(most),
                        "; the file was changed: import the dataset again"));
}

void open_labels(FolderReader& reader, const DatasetManifest& manifest, Dataset& dataset) {
  const std::int64_t rows = manifest.num_vertices;
  const std::int64_t columns = manifest.num_classes;
  switch (manifest.task) {
    case Task::none:
      break;
    case Task::single_label:
      dataset.labels = reader.map<std::int32_t>("labels.npy", {rows});
      check_range<std::int32_t>(reader.path_of("labels.npy"), dataset.labels, -1,
                                manifest.num_classes - 1);
      break;
    case Task::multi_label:
      dataset.multi_labels = reader.map<std::uint8_t>("labels.npy", {rows, columns});
      break;
    case Task::regression:
      dataset.targets = reader.map<float>("labels.npy", {rows, columns});
      break;
  }
}

std::vector<std::string> read_id_lines(const fs::path& path, std::int64_t expected) {
  const MappedFile file(path);
  std::vector<std::string> ids;
  std::string_view rest = file.text();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    ids.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  if (static_cast<std::int64_t>(ids.size()) != expected) {
    throw InputError(
        text(path.string(), ": ", ids.size(), " ids, expected ", expected, " by dataset.json"));
  }
  return ids;
}

void open_node_ids(FolderReader& reader, const fs::path& folder, Dataset& dataset) {
  if (reader.has("node_ids.npy")) {
    dataset.node_ids.numbers = reader.map<std::int64_t>("node_ids.npy", {dataset.num_vertices});
  } else if (reader.has("node_ids.txt")) {
    dataset.node_ids.strings = read_id_lines(folder / "node_ids.txt", dataset.num_vertices);
  }
}

void verify_files(const fs::path& folder, const DatasetManifest& manifest) {
  for (const auto& [file, expected] : manifest.checksums) {
    const MappedFile mapped(folder / file);
    const std::uint64_t found = checksum(mapped.bytes());
    if (found != expected) {
      throw InputError(text((folder / file).string(), ": checksum ", checksum_text(found),
                            ", expected ", checksum_text(expected),
                            " by dataset.json; the file was changed: import the dataset again"));
    }
  }
}

/// Offsets never fall, columns lie in range and rise strictly inside a row.
void verify_rows(const std::string& file,
                 std::span<const std::int64_t> row_ptr,
                 std::span<const std::int32_t> col_idx,
                 std::int64_t num_columns) {
  for (std::size_t row = 0; row + 1 < row_ptr.size(); ++row) {
    const std::int64_t end = row_ptr[row + 1];
    if (row_ptr[row] > end || end > static_cast<std::int64_t>(col_idx.size())) {
      throw InputError(text(file, ": the offsets of row ", row, " fall or pass the end"));
    }
    std::int64_t previous = -1;
    for (std::int64_t i = row_ptr[row]; i < end; ++i) {
      const std::int64_t column = col_idx[static_cast<std::size_t>(i)];
      if (column <= previous || column >= num_columns) {
        throw InputError(text(file, ": row ", row, " has column ", column, " after ", previous,
                              ", expected rising columns below ", num_columns));
      }
      previous = column;
    }
  }
}

}  // namespace

Dataset open_dataset(const fs::path& folder, bool verify_checksums) {
  const fs::path manifest_path = folder / "dataset.json";
  if (!fs::exists(manifest_path)) {
    throw InputError(text(folder.string(), ": is no dataset folder: it has no dataset.json; ",
                          "make one with weft import or weft generate"));
  }
  const DatasetManifest manifest = read_manifest(manifest_path);
  if (manifest.num_vertices > max_local_vertices) {
    throw InputError(text(manifest_path.string(), ": ", manifest.num_vertices,
                          " vertices, at most ", max_local_vertices,
                          " fit the 32-bit columns of this version; split the graph"));
  }
  if (verify_checksums) verify_files(folder, manifest);
  Dataset dataset;
  dataset.name = manifest.name;
  dataset.num_vertices = manifest.num_vertices;
  dataset.directed = manifest.directed;
  dataset.task = manifest.task;
  dataset.num_classes = manifest.num_classes;
  dataset.split_names = manifest.split_names;
  dataset.class_names = manifest.class_names;
  dataset.provenance = manifest.provenance;
  dataset.fingerprint = manifest.fingerprint();
  FolderReader reader(folder, manifest, dataset);
  open_graph(reader, manifest, dataset);
  open_features(reader, manifest, dataset);
  open_labels(reader, manifest, dataset);
  if (!manifest.split_names.empty()) {
    const auto num_splits = static_cast<std::int64_t>(manifest.split_names.size());
    dataset.splits = reader.map<std::int8_t>("splits.npy", {num_splits, manifest.num_vertices});
    check_range<std::int8_t>(reader.path_of("splits.npy"), dataset.splits, -1, 2);
  }
  open_node_ids(reader, folder, dataset);
  if (verify_checksums) {
    verify_rows(reader.path_of("col_idx.npy"), dataset.graph.row_ptr, dataset.graph.col_idx,
                dataset.num_vertices);
    verify_rows(reader.path_of("features_col_idx.npy"), dataset.features.row_ptr,
                dataset.features.col_idx, dataset.features.num_columns);
  }
  return dataset;
}

}  // namespace weft::datasets
