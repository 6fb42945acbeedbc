// SPDX-License-Identifier: MIT
// The few questions that a dataset answers itself.
#include "datasets/dataset.hpp"

#include <algorithm>
#include <array>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

struct TaskName {
  Task task;
  const char* name;
};
constexpr std::array<TaskName, 4> task_names{{{Task::none, "none"},
                                              {Task::single_label, "single_label"},
                                              {Task::multi_label, "multi_label"},
                                              {Task::regression, "regression"}}};

}  // namespace

const char* task_name(Task task) {
  return std::find_if(task_names.begin(), task_names.end(),
                      [task](const TaskName& entry) { return entry.task == task; })
      ->name;
}

Task task_of_name(const std::string& name) {
  for (const TaskName& entry : task_names) {
    if (name == entry.name) return entry.task;
  }
  throw InputError(
      text("task '", name, "' is not known; choose none, single_label, multi_label or regression"));
}

std::string NodeIds::text_of(std::int64_t vertex) const {
  const auto index = static_cast<std::size_t>(vertex);
  if (!strings.empty()) return strings.at(index);
  return std::to_string(numbers.empty() ? vertex : numbers[index]);
}

std::span<const std::int8_t> Dataset::split(const std::string& split_name) const {
  if (split_names.empty()) {
    throw InputError(text("dataset '", name, "' has no split; import it with --split FILE"));
  }
  const auto found = split_name.empty()
                         ? split_names.begin()
                         : std::find(split_names.begin(), split_names.end(), split_name);
  if (found == split_names.end()) {
    throw InputError(text("dataset '", name, "' has no split '", split_name, "'; it has ",
                          join(split_names, ", ")));
  }
  const auto rows = static_cast<std::size_t>(num_vertices);
  return splits.subspan(static_cast<std::size_t>(found - split_names.begin()) * rows, rows);
}

}  // namespace weft::datasets
