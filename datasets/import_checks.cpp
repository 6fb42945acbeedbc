// SPDX-License-Identifier: MIT
// Cross-checks of an import.
#include "datasets/import_checks.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/input_problems.hpp"
#include "datasets/row_file.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::int64_t grain = 1 << 12;

bool is_known(const LabelledSplits& all, std::size_t vertex) {
  return all.task != Task::single_label || all.labels.labels[vertex] >= 0;
}

/// Vertices of one split whose label is not known, by use.
struct Unlabelled {
  std::int64_t training = 0;
  std::int64_t others = 0;
  std::int64_t first_training = -1;
};

/// ": 10 training vertices have no label (the first, 2407, on line 2410)"; empty if all have one.
std::string describe(const LabelledSplits& all, const Unlabelled& unlabelled) {
  std::string out;
  if (unlabelled.training > 0) {
    const std::int64_t vertex = unlabelled.first_training;
    out = text(": ", format_count(unlabelled.training), " training vertices have no label (the ",
               "first is ", vertex);
    if (all.split_file.extension() != ".npy") {
      out += text(", line ", line_of_row(all.split_file, all.max_decompressed_bytes, vertex));
    }
    out += ")";
  }
  if (unlabelled.others > 0) {
    out += text(out.empty() ? ": " : "; ", format_count(unlabelled.others),
                " vertices to validate or test have no label");
  }
  return out;
}

/// What looks wrong in one split, in a line; empty if nothing does.
std::string check_split(const LabelledSplits& all, std::size_t split) {
  const auto rows = static_cast<std::size_t>(all.splits.num_rows);
  const bool has_classes = all.task == Task::single_label;
  LabelInput trained;  // only the training labels, to ask which classes they lack
  trained.num_classes = has_classes ? all.labels.num_classes : 0;
  Unlabelled unlabelled;
  std::int64_t num_trained = 0;
  std::int64_t num_validated = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int8_t code = all.splits.codes[split * rows + row];
    if (code < 0) continue;
    const bool trains = code == 0;
    if (!is_known(all, row)) {
      if (trains && unlabelled.training == 0) {
        unlabelled.first_training = static_cast<std::int64_t>(row);
      }
      ++(trains ? unlabelled.training : unlabelled.others);
    } else if (code == 1) {
      ++num_validated;
    } else if (trains) {
      ++num_trained;
      if (has_classes) trained.labels.push_back(all.labels.labels[row]);
    }
  }
  const std::string where =
      text(all.split_file.string(), ": split '", all.splits.names[split], "'");
  if (num_trained == 0) {
    throw InputError(text(where, ": no training vertex has a label in ", all.label_file.string(),
                          ", expected one at least"));
  }
  const std::string missing = classes_without_vertex(trained);
  std::string found = describe(all, unlabelled);
  if (!missing.empty()) {
    found += text(found.empty() ? ": " : "; ", "no training vertex of class ", missing);
  }
  if (num_validated == 0) {
    found += text(found.empty() ? ": " : "; ",
                  "no labelled vertex to validate on, so the last epoch will count as the best");
  }
  return found.empty() ? found : where + found;
}

/// For each class whether its name is a vertex id and something behind it.
std::vector<bool> find_pairs(const std::vector<std::string>& names, const IdMap& ids) {
  std::vector<bool> is_pair(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto words = label_words(names[i]);
    is_pair[i] = words.size() > 1 && ids.find(words.front()) >= 0;
  }
  return is_pair;
}

std::int64_t count_loops(const graph::CsrView& graph) {
  return graph::parallel_sum<std::int64_t>(graph.num_vertices(), grain, [&](std::int64_t row) {
    const auto columns = graph.neighbors(row);
    return std::binary_search(columns.begin(), columns.end(), static_cast<std::int32_t>(row)) ? 1
                                                                                              : 0;
  });
}

}  // namespace

void refuse_ids_as_classes(const LabelledSplits& all, const IdMap& ids) {
  const std::vector<std::int32_t>& labels = all.labels.labels;
  const std::vector<std::string>& names = all.labels.class_names;
  if (all.task != Task::single_label || names.empty() || !ids.has_strings()) return;
  const std::vector<bool> begins_with_id = find_pairs(names, ids);
  std::int64_t num_labelled = 0;
  std::int64_t num_pairs = 0;
  std::size_t first_row = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) continue;
    ++num_labelled;
    if (!begins_with_id[static_cast<std::size_t>(labels[row])]) continue;
    if (num_pairs++ == 0) first_row = row;
  }
  const bool is_nearly_all = 10 * num_pairs >= 9 * num_labelled;
  if (num_pairs == 0 || !is_nearly_all) return;
  const auto words = label_words(names[static_cast<std::size_t>(labels[first_row])]);
  fail_at_line(
      all.label_file.string(),
      line_of_row(all.label_file, all.max_decompressed_bytes, static_cast<std::int64_t>(first_row)),
      text(words.size(), " fields, the first a vertex id (", in_quotes(words.front()), "), as on ",
           format_count(num_pairs), " of ", format_count(num_labelled),
           " lines, expected one class; `id class` lines need --labels-by id"));
}

void check_classes(const LabelledSplits& all, std::vector<std::string>& warnings) {
  if (all.task != Task::single_label) return;
  const std::string missing = classes_without_vertex(all.labels);
  if (missing.empty()) return;
  warnings.push_back(text(all.label_file.string(), ": no vertex of class ", missing,
                          "; the model will have an output for it"));
}

void check_splits(const LabelledSplits& all, std::vector<std::string>& warnings) {
  constexpr std::size_t most_lines = 3;
  std::size_t num_found = 0;
  for (std::size_t split = 0; split < all.splits.names.size(); ++split) {
    std::string found = check_split(all, split);
    if (found.empty()) continue;
    if (++num_found <= most_lines) warnings.push_back(std::move(found));
  }
  if (num_found > most_lines) {
    warnings.push_back(text(all.split_file.string(), ": ", num_found - most_lines,
                            " more splits with such vertices or classes"));
  }
}

std::string reciprocal_share(const graph::CsrView& graph, const graph::BuildReport& report) {
  const std::int64_t distinct = report.num_edges - count_loops(graph);
  if (distinct == 0) return "0 %";
  const double percent =
      100.0 * static_cast<double>(distinct - report.one_way_arcs) / static_cast<double>(distinct);
  if (percent == 0.0 || percent == 100.0) return text(percent, " %");
  return text(format_fixed(std::floor(percent * 10.0) / 10.0, 1), " %");
}

}  // namespace weft::datasets
