// SPDX-License-Identifier: MIT
#include "partition/partition_folder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "datasets/npy.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "partition/indexing.hpp"
#include "partition/partition_manifest.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;

std::string padded(int part) {
  const std::string digits = std::to_string(part);
  return std::string(5 - std::min<std::size_t>(5, digits.size()), '0').append(digits);
}

std::string replace_all(std::string characters, std::string_view from, const std::string& to) {
  for (std::size_t at = characters.find(from); at != std::string::npos;
       at = characters.find(from, at + to.size())) {
    characters.replace(at, from.size(), to);
  }
  return characters;
}

std::string replace_rank(const std::string& pattern, const std::string& number) {
  return replace_all(pattern, "{rank}", number);
}

// Where the part may lie, in the order in which it is looked for.
std::vector<fs::path> part_candidates(const std::string& pattern, int part) {
  const std::string own_name = replace_all(pattern, "part-{rank}", text("part-", padded(part)));
  std::vector<fs::path> candidates;
  for (const fs::path folder :
       {replace_rank(pattern, std::to_string(part)), replace_rank(own_name, std::to_string(part)),
        replace_rank(pattern, padded(part))}) {
    for (const fs::path& candidate : {part_folder(folder, part), folder}) {
      if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end()) {
        candidates.push_back(candidate);
      }
    }
  }
  return candidates;
}

[[noreturn]] void fail_missing(const std::vector<fs::path>& candidates, int part) {
  throw InputError(text("partition: part ", part, " of rank ", part, " is not on host ",
                        host_name(), ": there is no ", (candidates.front() / "part.json").string(),
                        "; copy the part there, or check [partition] path"));
}

// The folder that holds the part's part.json.
fs::path find_part(const std::string& pattern, int part) {
  const std::vector<fs::path> candidates = part_candidates(pattern, part);
  for (const fs::path& candidate : candidates) {
    if (fs::exists(candidate / "part.json")) return candidate;
  }
  const fs::path manifest =
      fs::path(replace_rank(pattern, std::to_string(part))) / "partition.json";
  if (fs::exists(manifest)) {
    const int num_parts = read_info(manifest).num_parts;
    if (part < 0 || part >= num_parts) {
      throw InputError(text(manifest.string(), ": part ", part, " of rank ", part,
                            " asked for, but the partition has ", num_parts,
                            " parts; run as many ranks as there are parts"));
    }
  }
  fail_missing(candidates, part);
}

// Maps arrays of one folder and holds each against the shape and the checksum that its manifest
// gives.
class ArrayReader {
 public:
  ArrayReader(fs::path folder, const Checksums& checksums)
      : folder_(std::move(folder)), checksums_(checksums) {}

  [[nodiscard]] bool has(const char* file) const { return checksums_.count(file) != 0; }

  template <typename T>
  datasets::NpyArray<T> map(const char* file, const std::vector<std::int64_t>& shape) const {
    const fs::path path = folder_ / file;
    check_sum(path, file);
    datasets::NpyArray<T> array = datasets::map_npy<T>(path);
    if (array.shape != shape) {
      throw InputError(text(path.string(), ": shape ", shape_text(array.shape), ", expected ",
                            shape_text(shape), "; partition the dataset again"));
    }
    return array;
  }

  template <typename T>
  std::vector<T> copy(const char* file, std::int64_t count) const {
    const auto array = map<T>(file, {count});
    return {array.values.begin(), array.values.end()};
  }

  // Maps an array that stays mapped as long as `storage` lives.
  template <typename T>
  std::span<const T> keep(std::vector<std::shared_ptr<const void>>& storage,
                          const char* file,
                          const std::vector<std::int64_t>& shape) const {
    datasets::NpyArray<T> array = map<T>(file, shape);
    storage.push_back(std::move(array.storage));
    return array.values;
  }

 private:
  static std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::vector<std::string> words;
    for (const std::int64_t extent : shape)
      words.push_back(std::to_string(extent));
    return text('[', join(words, ", "), ']');
  }

  void check_sum(const fs::path& path, const char* file) const {
    const auto expected = checksums_.find(file);
    if (expected == checksums_.end()) {
      throw InputError(text(path.string(), ": is not listed in the manifest beside it;",
                            " partition the dataset again"));
    }
    const std::uint64_t found = checksum(MappedFile(path).bytes());
    if (found == expected->second) return;
    throw InputError(text(path.string(), ": checksum ", checksum_text(found), ", expected ",
                          checksum_text(expected->second),
                          "; the file was changed or cut: copy it again or partition again"));
  }

  fs::path folder_;
  const Checksums& checksums_;
};

void open_graph(const ArrayReader& reader, const PartManifest& manifest, Part& part) {
  const std::int64_t num_owned = part.num_owned();
  part.graph.row_ptr = reader.copy<EdgeOffset>("row_ptr.npy", num_owned + 1);
  part.graph.col_idx = reader.copy<LocalId>("col_idx.npy", manifest.num_edges);
  if (reader.has("edge_weight.npy")) {
    part.graph.edge_weight = reader.copy<float>("edge_weight.npy", manifest.num_edges);
  }
  part.global_ids = reader.copy<GlobalId>("global_ids.npy", part.num_local());
  part.halo_owner = reader.copy<std::int32_t>("halo_owner.npy", part.num_halo());
  part.in_degree = reader.copy<double>("in_degree.npy", part.num_local());
  part.has_loop = reader.copy<std::uint8_t>("has_loop.npy", part.num_local());
}

// The checksums do not cover part.json: its counts are held against the arcs.
void check_columns(const fs::path& folder, const Part& part) {
  const auto refuse = [&](LocalId row, LocalId column, LocalId bound) {
    throw InputError(text(folder.string(), ": row ", row, " reads column ", column,
                          ", expected columns below ", bound,
                          "; part.json was changed: copy the part again or partition again"));
  };
  for (LocalId row = 0; row < part.num_owned(); ++row) {
    const LocalId bound = row < part.num_interior ? part.num_owned() : part.num_local();
    const auto begin = position(part.graph.row_ptr[position(row)]);
    const auto end = position(part.graph.row_ptr[position(row) + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      const LocalId column = part.graph.col_idx[e];
      if (column < 0 || column >= bound) refuse(row, column, bound);
    }
  }
}

void open_plan(const ArrayReader& reader, const PartManifest& manifest, Part& part) {
  part.plan.num_halo = manifest.num_halo;
  part.plan.peers = manifest.peers;
  const std::int64_t num_sent = manifest.peers.empty() ? 0 : manifest.peers.back().send_end;
  part.plan.send_rows = reader.copy<LocalId>("send_rows.npy", num_sent);
}

datasets::FeatureView open_features(const ArrayReader& reader,
                                    const PartManifest& manifest,
                                    std::int64_t num_rows,
                                    PartRows& rows) {
  auto& storage = rows.feature_storage;
  datasets::FeatureView view;
  view.num_rows = num_rows;
  view.num_columns = manifest.num_feature_columns;
  if (reader.has("features.npy")) {
    view.dense = reader.keep<float>(storage, "features.npy", {num_rows, view.num_columns});
  } else if (reader.has("features_row_ptr.npy")) {
    view.row_ptr = reader.keep<std::int64_t>(storage, "features_row_ptr.npy", {num_rows + 1});
    const std::vector<std::int64_t> entries{view.row_ptr.back()};
    view.col_idx = reader.keep<std::int32_t>(storage, "features_col_idx.npy", entries);
    view.values = reader.keep<float>(storage, "features_values.npy", entries);
  }
  return view;
}

void open_rows(const ArrayReader& reader, const PartManifest& manifest, Part& part) {
  const std::int64_t num_rows = part.num_owned();
  const std::int64_t num_columns = part.info.num_classes;
  PartRows& rows = part.rows;
  rows.features = open_features(reader, manifest, num_rows, rows);
  if (reader.has("labels.npy")) {
    rows.labels = reader.keep<std::int32_t>(rows.storage, "labels.npy", {num_rows});
  }
  if (reader.has("multi_labels.npy")) {
    rows.multi_labels =
        reader.keep<std::uint8_t>(rows.storage, "multi_labels.npy", {num_rows, num_columns});
  }
  if (reader.has("targets.npy")) {
    rows.targets = reader.keep<float>(rows.storage, "targets.npy", {num_rows, num_columns});
  }
  if (reader.has("splits.npy")) {
    rows.splits = reader.keep<std::int8_t>(rows.storage, "splits.npy",
                                           {count_of(part.info.split_names), num_rows});
  }
}

}  // namespace

fs::path part_folder(const fs::path& folder, int part) {
  return folder / text("part-", padded(part));
}

Part open_part(const std::string& pattern, int part) {
  const fs::path folder = find_part(pattern, part);
  const PartManifest manifest = read_part_manifest(folder / "part.json");
  if (manifest.part != part) {
    throw InputError(text(folder.string(), ": holds part ", manifest.part, ", but rank ", part,
                          " on host ", host_name(), " needs part ", part));
  }
  const ArrayReader reader(folder, manifest.checksums);
  Part result;
  result.info = manifest.info;
  result.part = part;
  result.num_interior = manifest.num_interior;
  result.num_boundary = manifest.num_boundary;
  open_plan(reader, manifest, result);
  open_graph(reader, manifest, result);
  check_columns(folder, result);
  open_rows(reader, manifest, result);
  return result;
}

PartitionInfo read_partition_info(const std::string& pattern, int part) {
  const fs::path folder = replace_rank(pattern, std::to_string(part));
  if (fs::exists(folder / "partition.json")) return read_info(folder / "partition.json");
  for (const fs::path& candidate : part_candidates(pattern, part)) {
    if (fs::exists(candidate / "part.json")) return read_info(candidate / "part.json");
  }
  throw InputError(text(folder.string(), ": is no partition on host ", host_name(),
                        ": it has neither partition.json nor part.json; make one with weft",
                        " partition"));
}

std::vector<std::int32_t> read_owner(const fs::path& folder) {
  const PartitionInfo info = read_info(folder / "partition.json");
  const Checksums checksums = read_checksums(folder / "partition.json");
  return ArrayReader(folder, checksums).copy<std::int32_t>("owner.npy", info.num_vertices);
}

void check_dataset(const PartitionInfo& info,
                   const datasets::Dataset& dataset,
                   const std::string& where) {
  if (info.dataset_fingerprint == dataset.fingerprint &&
      info.num_vertices == dataset.num_vertices) {
    return;
  }
  throw InputError(text(
      where, ": is a partition of another dataset: it was made for \"", info.dataset_name, "\" (",
      info.num_vertices, " vertices, fingerprint ", checksum_text(info.dataset_fingerprint),
      "), this one is \"", dataset.name, "\" (", dataset.num_vertices, " vertices, fingerprint ",
      checksum_text(dataset.fingerprint), "); partition this dataset, or name its own partition"));
}

}  // namespace weft::partition
