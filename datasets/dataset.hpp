// SPDX-License-Identifier: MIT
// A dataset: one graph with what is known of its vertices, as it lies in a dataset folder.
//
// Row i of every array belongs to global vertex i; `node_ids` maps it to the id of the user's
// file. Arrays are views: of mapped `.npy` files or of vectors, kept alive by `storage`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/csr_graph.hpp"

namespace weft::datasets {

enum class Task { none, single_label, multi_label, regression };

/// "none", "single_label", "multi_label" or "regression".
[[nodiscard]] const char* task_name(Task task);
/// The task called `name`. Throws InputError that lists the names there are.
[[nodiscard]] Task task_of_name(const std::string& name);

/// Input features, dense or sparse; num_columns == 0 means that the dataset has none.
struct FeatureView {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::span<const float> dense;           ///< [num_rows x num_columns], row-major, or empty
  std::span<const std::int64_t> row_ptr;  ///< [num_rows + 1] of the sparse form, or empty
  std::span<const std::int32_t> col_idx;  ///< [nonzeros], rising inside a row
  std::span<const float> values;          ///< [nonzeros]

  [[nodiscard]] bool is_sparse() const { return !row_ptr.empty(); }
  [[nodiscard]] bool empty() const { return num_columns == 0; }
};

/// The ids of the user's file: numbers, strings, or nothing where they are 0..N-1.
struct NodeIds {
  std::span<const std::int64_t> numbers;  ///< [num_vertices] or empty
  std::vector<std::string> strings;       ///< [num_vertices] or empty

  [[nodiscard]] bool is_identity() const { return numbers.empty() && strings.empty(); }
  /// The user's id of vertex `vertex` as text.
  [[nodiscard]] std::string text_of(std::int64_t vertex) const;
};

/// Codes in `Dataset::splits`.
enum class SplitRole : std::int8_t { none = -1, train = 0, validation = 1, test = 2 };

struct Dataset {
  std::string name;
  std::int64_t num_vertices = 0;
  bool directed = true;  ///< false where every arc has its reverse with the same weight
  Task task = Task::none;
  int num_classes = 0;  ///< classes (single_label) or label columns
  graph::CsrView graph;
  FeatureView features;
  std::span<const std::int32_t> labels;        ///< single_label [num_vertices], -1 unknown
  std::span<const std::uint8_t> multi_labels;  ///< multi_label [num_vertices x num_classes]
  std::span<const float> targets;              ///< regression [num_vertices x num_classes]
  std::vector<std::string> split_names;        ///< [num_splits]
  std::span<const std::int8_t> splits;         ///< [num_splits x num_vertices]
  std::vector<std::string> class_names;        ///< [num_classes] or empty
  NodeIds node_ids;
  std::string provenance;                            ///< how it came about, for people
  std::uint64_t fingerprint = 0;                     ///< of the checksums of all array files
  std::vector<std::shared_ptr<const void>> storage;  ///< keeps what the views point to

  /// The split called `name`; the first one where `name` is empty. Throws InputError that lists
  /// the names there are.
  [[nodiscard]] std::span<const std::int8_t> split(const std::string& name) const;
};

/// Moves `values` into the dataset's storage and returns a view of it.
template <typename T>
std::span<const T> keep(Dataset& dataset, std::vector<T>&& values) {
  auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  const std::span<const T> view(*owner);
  dataset.storage.push_back(std::move(owner));
  return view;
}

}  // namespace weft::datasets
