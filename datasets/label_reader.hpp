// SPDX-License-Identifier: MIT
// Reads what is to be learned of the vertices: classes, sets of classes, or numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/id_map.hpp"
#include "datasets/vertex_count.hpp"

namespace weft::datasets {

struct LabelOptions {
  Task task = Task::single_label;
  const IdMap* ids = nullptr;  ///< set: lines are `id label`, in any order; else row i is vertex i
  std::optional<VertexCount> expected;  ///< the number of vertices, if known; needed with `ids`
  std::int64_t max_decompressed_bytes = 0;
};

struct LabelInput {
  std::int64_t num_rows = 0;
  int num_classes = 0;
  std::vector<std::int32_t> labels;        ///< single_label [num_rows]
  std::vector<std::uint8_t> multi_labels;  ///< multi_label [num_rows x num_classes]
  std::vector<float> targets;              ///< regression [num_rows x num_classes]
  std::vector<std::string> class_names;    ///< where classes are names: sorted by bytes
  std::vector<std::string> notes;          ///< what was skipped
  std::string count_hint;  ///< what `num_rows` may be wrong for, behind it in messages; often empty
};

/// Reads text (a class, a list of classes or numbers a line; -1 = unknown) or `.npy`.
///
/// Classes are whole numbers from 0, or names if the first one is no number.
/// Errors   InputError at the line or row: not a label, below -1, a fraction, number and name
///          mixed, a wrong number of rows, an id twice or unknown, no label at all
[[nodiscard]] LabelInput read_labels(const std::filesystem::path& path,
                                     const LabelOptions& options);

/// The words of a line of labels: between blanks, commas and semicolons.
[[nodiscard]] std::vector<std::string_view> label_words(std::string_view row);

/// Class numbers in order that no vertex has, as text "1 to 4, 7"; empty if there is none.
[[nodiscard]] std::string classes_without_vertex(const LabelInput& labels);

}  // namespace weft::datasets
