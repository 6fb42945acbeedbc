// SPDX-License-Identifier: MIT
#include "partition/write_partition.hpp"

#include <vector>

#include "datasets/npy.hpp"
#include "graph/support/files.hpp"
#include "partition/indexing.hpp"
#include "partition/partition_folder.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;

// Writes arrays into one folder and notes their checksums. An empty array of rows is no file: the
// dataset lacks it, or the part owns no vertex.
class ArrayWriter {
 public:
  ArrayWriter(const fs::path& folder, Checksums& checksums)
      : folder_(folder), checksums_(checksums) {}

  template <typename T>
  void write(const char* file, std::span<const T> values, const std::vector<std::int64_t>& shape) {
    checksums_[file] = datasets::write_npy<T>(folder_ / file, values, shape);
  }

  template <typename T>
  void write(const char* file, const std::vector<T>& values) {
    write(file, std::span<const T>(values), {count_of(values)});
  }

  template <typename T>
  void write_if_any(const char* file,
                    std::span<const T> values,
                    const std::vector<std::int64_t>& shape) {
    if (!values.empty()) write(file, values, shape);
  }

 private:
  const fs::path& folder_;
  Checksums& checksums_;
};

void write_graph(ArrayWriter& writer, const Part& part) {
  const LocalGraph& graph = part.graph;
  writer.write("row_ptr.npy", graph.row_ptr);
  writer.write("col_idx.npy", graph.col_idx);
  writer.write_if_any("edge_weight.npy", std::span(graph.edge_weight),
                      {count_of(graph.edge_weight)});
  writer.write("global_ids.npy", part.global_ids);
  writer.write("halo_owner.npy", part.halo_owner);
  writer.write("in_degree.npy", part.in_degree);
  writer.write("has_loop.npy", part.has_loop);
  writer.write("send_rows.npy", part.plan.send_rows);
}

void write_rows(ArrayWriter& writer, const Part& part) {
  const PartRows& rows = part.rows;
  const std::int64_t num_rows = part.num_owned();
  const datasets::FeatureView& features = rows.features;
  writer.write_if_any("features.npy", features.dense, {num_rows, features.num_columns});
  if (features.is_sparse()) {
    writer.write("features_row_ptr.npy", features.row_ptr, {num_rows + 1});
    writer.write("features_col_idx.npy", features.col_idx, {count_of(features.col_idx)});
    writer.write("features_values.npy", features.values, {count_of(features.values)});
  }
  const std::int64_t num_columns = part.info.num_classes;
  writer.write_if_any("labels.npy", rows.labels, {num_rows});
  writer.write_if_any("multi_labels.npy", rows.multi_labels, {num_rows, num_columns});
  writer.write_if_any("targets.npy", rows.targets, {num_rows, num_columns});
  writer.write_if_any("splits.npy", rows.splits, {count_of(part.info.split_names), num_rows});
}

}  // namespace

void write_part(const Part& part, const fs::path& folder) {
  PartManifest manifest;
  manifest.info = part.info;
  manifest.part = part.part;
  manifest.num_interior = part.num_interior;
  manifest.num_boundary = part.num_boundary;
  manifest.num_halo = part.num_halo();
  manifest.num_edges = count_of(part.graph.col_idx);
  manifest.num_feature_columns = part.rows.features.num_columns;
  manifest.peers = part.plan.peers;
  ArrayWriter writer(folder, manifest.checksums);
  write_graph(writer, part);
  write_rows(writer, part);
  write_part_manifest(folder, manifest);
}

void write_partition(PartBuilder& builder,
                     const PartitionRecord& record,
                     const fs::path& folder,
                     const ProgressCallback& progress) {
  AtomicFolder target(folder);
  const int num_parts = builder.info().num_parts;
  for (int part = 0; part < num_parts; ++part) {
    report_progress(progress, "writing parts", static_cast<double>(part) / num_parts);
    const fs::path own = part_folder(target.path(), part);
    fs::create_directory(own);
    write_part(builder.build(part), own);
  }
  Checksums checksums;
  ArrayWriter(target.path(), checksums)
      .write("owner.npy", builder.owner(), {count_of(builder.owner())});
  write_partition_manifest(target.path(), builder.info(), record, checksums);
  target.commit();
  report_progress(progress, "writing parts", 1);
}

}  // namespace weft::partition
