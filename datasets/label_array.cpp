// SPDX-License-Identifier: MIT
// Labels from NumPy arrays: row i is vertex i.
#include "datasets/label_array.hpp"

#include <algorithm>

#include "datasets/class_words.hpp"
#include "datasets/npy_convert.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

void read_npy_classes(const NpyBytes& array, LabelInput& input) {
  if (array.num_columns() != 1) {
    throw InputError(text(array.name, ": ", array.num_columns(),
                          " columns, expected 1; --task multi_label or regression reads more"));
  }
  std::int64_t num_known = 0;
  for (const std::int64_t label : to_integers(array, "label")) {
    if (label < -1 || label >= ClassWords::most_classes) {
      throw InputError(text(array.name, ": row ", input.labels.size(), ": label ", label,
                            ", expected -1 (unknown) or 0 to ", ClassWords::most_classes - 1));
    }
    input.labels.push_back(static_cast<std::int32_t>(label));
    input.num_classes = std::max(input.num_classes, static_cast<int>(label) + 1);
    num_known += label >= 0 ? 1 : 0;
  }
  if (num_known == 0) throw InputError(text(array.name, ": no vertex has a label"));
}

void read_npy_multi_labels(const NpyBytes& array, LabelInput& input) {
  input.num_classes = static_cast<int>(array.num_columns());
  for (const std::int64_t value : to_integers(array, "label")) {
    if (value != 0 && value != 1) {
      throw InputError(text(array.name, ": row ",
                            std::ssize(input.multi_labels) / array.num_columns(), ": label ", value,
                            ", expected 0 or 1 for each class"));
    }
    input.multi_labels.push_back(static_cast<std::uint8_t>(value));
  }
}

}  // namespace

void check_table_size(const std::string& name, std::int64_t num_rows, int num_columns) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 34;
  if (num_rows == 0 || num_columns <= most_bytes / num_rows) return;
  throw InputError(text(name, ": a table of ", num_rows, " vertices and ", num_columns,
                        " classes has more than ", format_bytes(most_bytes),
                        "; number the classes from 0 without gaps"));
}

LabelInput read_label_array(std::span<const std::byte> bytes,
                            const std::string& name,
                            const LabelOptions& options) {
  const NpyBytes array = view_npy(bytes, name);
  require_matrix(array, "labels");
  if (options.ids != nullptr) {
    throw InputError(text(array.name,
                          ": an array has a row for each vertex; --labels-by id needs "
                          "text"));
  }
  if (array.num_columns() == 0) throw InputError(text(name, ": 0 columns, expected labels"));
  LabelInput input;
  input.num_rows = array.num_rows();
  if (options.task == Task::single_label) {
    read_npy_classes(array, input);
  } else if (options.task == Task::multi_label) {
    read_npy_multi_labels(array, input);
  } else {
    input.targets = to_floats(array, "target");
    input.num_classes = static_cast<int>(array.num_columns());
  }
  if (options.expected && options.expected->count != input.num_rows) {
    throw InputError(text(array.name, ": ", input.num_rows, " rows, expected ",
                          options.expected->count, " (", options.expected->source, ")"));
  }
  return input;
}

}  // namespace weft::datasets
