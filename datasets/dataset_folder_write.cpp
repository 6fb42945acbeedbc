// SPDX-License-Identifier: MIT
// Writes a dataset folder: arrays first, dataset.json last, all under a temporary name.
#include "datasets/dataset_folder.hpp"
#include "datasets/dataset_manifest.hpp"
#include "datasets/npy.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

namespace fs = std::filesystem;

void require_size(const char* what, std::size_t found, std::int64_t expected) {
  if (static_cast<std::int64_t>(found) != expected) {
    throw RuntimeError(text("dataset: ", what, " has ", found, " values, expected ", expected));
  }
}

/// Writes arrays into one folder and notes their checksums.
class FolderWriter {
 public:
  FolderWriter(const fs::path& folder, DatasetManifest& manifest, const ProgressCallback& progress)
      : folder_(folder), manifest_(manifest), progress_(progress) {}

  template <typename T>
  void write(const char* file, std::span<const T> values, const std::vector<std::int64_t>& shape) {
    report_progress(progress_, text("writing ", file), 0.0);
    manifest_.checksums[file] = write_npy<T>(folder_ / file, values, shape);
  }

  void write_lines(const char* file, const std::vector<std::string>& lines) {
    std::string content;
    for (const std::string& line : lines)
      content.append(line).push_back('\n');
    manifest_.checksums[file] = checksum_of(std::span<const char>(content));
    write_file_atomically(folder_ / file, content);
  }

 private:
  const fs::path& folder_;
  DatasetManifest& manifest_;
  const ProgressCallback& progress_;
};

void write_graph(FolderWriter& writer, const Dataset& dataset) {
  const graph::CsrView& graph = dataset.graph;
  writer.write("row_ptr.npy", graph.row_ptr, {dataset.num_vertices + 1});
  writer.write("col_idx.npy", graph.col_idx, {graph.num_edges()});
  if (!graph.is_weighted()) return;
  require_size("edge_weight", graph.edge_weight.size(), graph.num_edges());
  writer.write("edge_weight.npy", graph.edge_weight, {graph.num_edges()});
}

void write_features(FolderWriter& writer, const Dataset& dataset) {
  const FeatureView& features = dataset.features;
  if (features.empty()) return;
  if (features.num_rows != dataset.num_vertices) {
    throw RuntimeError(
        text("dataset: ", features.num_rows, " feature rows, expected ", dataset.num_vertices));
  }
  if (!features.is_sparse()) {
    writer.write("features.npy", features.dense, {features.num_rows, features.num_columns});
    return;
  }
  const auto count = static_cast<std::int64_t>(features.col_idx.size());
  require_size("features_values", features.values.size(), count);
  writer.write("features_row_ptr.npy", features.row_ptr, {features.num_rows + 1});
  writer.write("features_col_idx.npy", features.col_idx, {count});
  writer.write("features_values.npy", features.values, {count});
}

void write_labels(FolderWriter& writer, const Dataset& dataset) {
  const std::int64_t rows = dataset.num_vertices;
  switch (dataset.task) {
    case Task::none:
      break;
    case Task::single_label:
      writer.write("labels.npy", dataset.labels, {rows});
      break;
    case Task::multi_label:
      writer.write("labels.npy", dataset.multi_labels, {rows, dataset.num_classes});
      break;
    case Task::regression:
      writer.write("labels.npy", dataset.targets, {rows, dataset.num_classes});
      break;
  }
}

void write_node_ids(FolderWriter& writer, const Dataset& dataset) {
  const NodeIds& ids = dataset.node_ids;
  if (!ids.numbers.empty()) writer.write("node_ids.npy", ids.numbers, {dataset.num_vertices});
  if (ids.strings.empty()) return;
  require_size("node_ids", ids.strings.size(), dataset.num_vertices);
  for (const std::string& id : ids.strings) {
    if (id.find_first_of("\r\n") != id.npos) {
      throw InputError(text("node id '", id, "' holds a line end; rename it"));
    }
  }
  writer.write_lines("node_ids.txt", ids.strings);
}

DatasetManifest manifest_of(const Dataset& dataset) {
  DatasetManifest manifest;
  manifest.name = dataset.name;
  manifest.num_vertices = dataset.num_vertices;
  manifest.num_edges = dataset.graph.num_edges();
  manifest.directed = dataset.directed;
  manifest.task = dataset.task;
  manifest.num_classes = dataset.num_classes;
  manifest.num_features = dataset.features.num_columns;
  manifest.split_names = dataset.split_names;
  manifest.class_names = dataset.class_names;
  manifest.provenance = dataset.provenance;
  return manifest;
}

}  // namespace

void write_dataset(const Dataset& dataset,
                   const fs::path& folder,
                   const ProgressCallback& progress) {
  DatasetManifest manifest = manifest_of(dataset);
  AtomicFolder target(folder);
  FolderWriter writer(target.path(), manifest, progress);
  write_graph(writer, dataset);
  write_features(writer, dataset);
  write_labels(writer, dataset);
  if (!dataset.split_names.empty()) {
    writer.write("splits.npy", dataset.splits,
                 {static_cast<std::int64_t>(dataset.split_names.size()), dataset.num_vertices});
  }
  write_node_ids(writer, dataset);
  write_manifest(manifest, target.path() / "dataset.json");
  target.commit();
}

}  // namespace weft::datasets
