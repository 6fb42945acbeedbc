// SPDX-License-Identifier: MIT
// File names of a folder to import, in order of preference.
#include "datasets/source_folder.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

using Names = std::vector<std::string>;

/// The first of `names` that lies in `folder`; a note says so.
std::filesystem::path find(const std::filesystem::path& folder,
                           const char* what,
                           const Names& names,
                           Names& notes) {
  for (const std::string& name : names) {
    if (!std::filesystem::is_regular_file(folder / name)) continue;
    notes.push_back(text(what, " are taken from ", (folder / name).string()));
    return folder / name;
  }
  return {};
}

/// Every name as it is and compressed.
Names with_compression(const Names& names) {
  Names all;
  for (const std::string& name : names) {
    for (const char* ending : {"", ".gz", ".zst"})
      all.push_back(name + ending);
  }
  return all;
}

}  // namespace

FoundFiles find_source_files(const std::filesystem::path& folder) {
  FoundFiles found;
  SourceFiles& files = found.files;
  const Names edge_names = with_compression({"edges.txt", "edges.csv", "edges.tsv", "edges.mtx"});
  files.edges = find(folder, "edges", edge_names, found.notes);
  if (files.edges.empty()) {
    throw InputError(text(folder.string(), ": the folder has no edge list, expected one of ",
                          join(edge_names, ", "), "; or name the file itself"));
  }
  files.features =
      find(folder, "features", {"features.npz", "features.npy", "features.mtx.gz", "features.mtx"},
           found.notes);
  Names label_names = with_compression({"labels.txt"});
  label_names.push_back("labels.npy");
  files.labels = find(folder, "labels", label_names, found.notes);
  if (files.labels.empty()) {
    files.labels = find(folder, "labels", with_compression({"labels_multi.txt"}), found.notes);
    found.has_many_labels = !files.labels.empty();
  }
  Names split_names = with_compression({"splits.txt", "split.txt"});
  split_names.push_back("splits.npy");
  files.splits = find(folder, "splits", split_names, found.notes);
  files.node_ids =
      find(folder, "node ids", {"node_ids.txt", "node_ids.npy", "original_ids.txt"}, found.notes);
  return found;
}

void complete(SourceFiles& files, const SourceFiles& found) {
  files.edges = found.edges;
  const auto take = [](std::filesystem::path& given, const std::filesystem::path& there) {
    if (given.empty()) given = there;
  };
  take(files.features, found.features);
  take(files.labels, found.labels);
  take(files.splits, found.splits);
  take(files.node_ids, found.node_ids);
}

}  // namespace weft::datasets
