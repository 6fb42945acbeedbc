// SPDX-License-Identifier: MIT
// Finds the files of a dataset in a folder by the names they usually have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::datasets {

/// The files that a dataset is imported from; an empty path means none.
struct SourceFiles {
  std::filesystem::path edges;
  std::filesystem::path features;
  std::filesystem::path labels;
  std::filesystem::path splits;
  std::filesystem::path node_ids;
};

struct FoundFiles {
  SourceFiles files;
  bool has_many_labels = false;  ///< the labels are lists of classes, by the name of the file
  std::vector<std::string> notes;
};

/// Looks for edges, features, labels, splits and ids in `folder`; says what it takes.
/// Errors   InputError if there is no edge list, with the names that were looked for
[[nodiscard]] FoundFiles find_source_files(const std::filesystem::path& folder);

/// Takes the edges of `found`, and of the other files those that `files` lacks.
void complete(SourceFiles& files, const SourceFiles& found);

}  // namespace weft::datasets
