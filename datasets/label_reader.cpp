// SPDX-License-Identifier: MIT
// Labels by row or by id, from text.
#include "datasets/label_reader.hpp"

#include <algorithm>
#include <array>

#include "datasets/class_words.hpp"
#include "datasets/input_problems.hpp"
#include "datasets/label_array.hpp"
#include "datasets/row_file.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::int32_t not_a_class = -2;
constexpr std::string_view separators = " \t,;";

/// For a wrong number of rows, where each has several fields.
constexpr const char* pairs_hint = "; if its lines are `id class`, add --labels-by id";

/// Reads a text file of labels: where a row belongs is one question, what it says another.
class LabelTextReader {
 public:
  LabelTextReader(const std::filesystem::path& path, const LabelOptions& options)
      : options_(options),
        file_(path,
              options.max_decompressed_bytes,
              options.ids == nullptr ? options.expected : std::nullopt,
              options.task == Task::multi_label && options.ids == nullptr) {
    if (options.ids != nullptr) num_vertices_ = options.expected->count;
  }

  LabelInput read() {
    std::string_view row;
    while (file_.next(row)) {
      if (options_.ids != nullptr && !take_id(row)) continue;
      if (options_.ids == nullptr) vertex_ = file_.num_rows() - 1;
      if (first_line_ == 0) first_line_ = file_.line();
      if (options_.task == Task::single_label) {
        take_class(row);
      } else if (options_.task == Task::multi_label) {
        take_classes(row);
      } else {
        take_numbers(row);
      }
    }
    return finish();
  }

 private:
  /// Cuts the id off `row` and looks it up; false for a header line.
  bool take_id(std::string_view& row) {
    const std::size_t end = std::min(row.find_first_of(separators), row.size());
    const std::string_view id = row.substr(0, end);
    const std::size_t next = std::min(row.find_first_not_of(separators, end), row.size());
    vertex_ = find_vertex(id);
    if (vertex_ < 0 && first_line_ == 0 && is_header(id)) {
      notes_.push_back(text(file_.name(), ": line ", file_.line(), ", which begins with ",
                            in_quotes(id), ", is read as a header and skipped"));
      return false;
    }
    if (vertex_ < 0) {
      file_.fail(text("vertex id ", in_quotes(id), " is not among the ", num_vertices_,
                      " vertices of the graph"));
    }
    if (seen_.empty()) seen_.resize(static_cast<std::size_t>(num_vertices_));
    std::int64_t& line = seen_[static_cast<std::size_t>(vertex_)];
    if (line != 0) file_.fail(text("vertex id ", in_quotes(id), " again, as on line ", line));
    line = file_.line();
    row.remove_prefix(next);
    if (row.empty() && options_.task != Task::multi_label) file_.fail("an id without a label");
    return true;
  }

  [[nodiscard]] std::int64_t find_vertex(std::string_view id) const {
    if (options_.ids->has_strings()) return options_.ids->find(id);
    std::uint64_t number = 0;
    return parse_unsigned(id, number) ? options_.ids->find(number) : -1;
  }

  static bool is_header(std::string_view id) {
    constexpr std::array<std::string_view, 6> names{"node",   "id",     "node_id",
                                                    "nodeid", "vertex", "Id"};
    return std::find(names.begin(), names.end(), id) != names.end();
  }

  void take_class(std::string_view row) {
    if (options_.ids == nullptr) refuse_pairs(row);
    const std::int32_t number = class_of(row);
    store(labels_, number);
    if (number >= 0) ++num_known_;
  }

  /// `node label` lines read as one class a line would be names such as "0 3".
  void refuse_pairs(std::string_view row) {
    const auto words = label_words(row);
    std::int64_t ignored = 0;
    if (words.size() < 2) {
      file_.set_count_hint("");
    } else if (file_.num_rows() == 1) {
      file_.set_count_hint(pairs_hint);  // until a line has one field
    }
    if (words.size() > 1 && parse_signed(words[0], ignored)) {
      file_.fail(text(words.size(), " fields, expected one class; `id class` lines need ",
                      "--labels-by id, several classes a vertex --task multi_label"));
    }
  }

  std::int32_t class_of(std::string_view word) {
    std::string problem;
    const std::int32_t number = words_.add(word, problem);
    if (number == not_a_class) file_.fail(problem);
    return number;
  }

  void take_classes(std::string_view row) {
    for (const std::string_view word : label_words(row)) {
      const std::int32_t number = class_of(word);
      if (number < 0) file_.fail("class -1 in a list of classes, expected an empty list");
      pairs_.emplace_back(vertex_, number);
      ++num_known_;
    }
  }

  void take_numbers(std::string_view row) {
    const auto words = label_words(row);
    if (num_columns_ == 0) num_columns_ = words.size();
    if (words.size() != num_columns_) {
      file_.fail(
          text(words.size(), " numbers, expected ", num_columns_, " as on line ", first_line_));
    }
    if (options_.ids != nullptr && targets_.empty()) {
      targets_.resize(static_cast<std::size_t>(num_vertices_) * num_columns_);
    }
    for (std::size_t k = 0; k < words.size(); ++k) {
      float value = 0.0F;
      std::string problem;
      if (!parse_finite(words[k], "target", value, problem)) file_.fail(problem);
      if (options_.ids == nullptr) {
        targets_.push_back(value);
      } else {
        targets_[static_cast<std::size_t>(vertex_) * num_columns_ + k] = value;
      }
    }
    ++num_known_;
  }

  void store(std::vector<std::int32_t>& labels, std::int32_t number) const {
    if (options_.ids == nullptr) {
      labels.push_back(number);
      return;
    }
    if (labels.empty()) labels.assign(static_cast<std::size_t>(num_vertices_), -1);
    labels[static_cast<std::size_t>(vertex_)] = number;
  }

  LabelInput finish() {
    if (num_known_ == 0) {
      fail_at_line(file_.name(), std::max<std::int64_t>(first_line_, 1),
                   "no vertex has a label, expected at least one that is not -1");
    }
    LabelInput input;
    input.num_rows = options_.ids != nullptr ? num_vertices_ : file_.num_rows();
    input.num_classes =
        options_.task == Task::regression ? static_cast<int>(num_columns_) : words_.num_classes();
    input.class_names = words_.sorted_names();
    input.notes = std::move(notes_);
    input.count_hint = file_.count_hint();
    const std::vector<std::int32_t> final_of = words_.final_of();
    const auto final_class = [&](std::int32_t number) {
      return final_of.empty() || number < 0 ? number : final_of[static_cast<std::size_t>(number)];
    };
    for (std::int32_t& label : labels_)
      label = final_class(label);
    input.labels = std::move(labels_);
    if (options_.task == Task::multi_label) {
      check_table_size(file_.name(), input.num_rows, input.num_classes);
      const auto columns = static_cast<std::size_t>(input.num_classes);
      input.multi_labels.assign(static_cast<std::size_t>(input.num_rows) * columns, 0);
      for (const auto& pair : pairs_) {
        input.multi_labels[static_cast<std::size_t>(pair.first) * columns +
                           static_cast<std::size_t>(final_class(pair.second))] = 1;
      }
    }
    if (options_.task == Task::regression) require_all_targets();
    input.targets = std::move(targets_);
    return input;
  }

  /// There is no number that means unknown.
  void require_all_targets() const {
    const auto missing = std::count(seen_.begin(), seen_.end(), 0);
    if (missing == 0) return;
    throw InputError(text(file_.name(), ": ", missing, " of ", num_vertices_,
                          " vertices have no target, expected one for each"));
  }

  const LabelOptions& options_;
  RowFile file_;
  std::int64_t num_vertices_ = 0;
  std::int64_t vertex_ = 0;      ///< of the current row
  std::int64_t first_line_ = 0;  ///< of the first label
  std::int64_t num_known_ = 0;
  std::size_t num_columns_ = 0;
  std::vector<std::int64_t> seen_;  ///< with ids: the line that labelled a vertex, 0 none
  std::vector<std::string> notes_;
  ClassWords words_;
  std::vector<std::int32_t> labels_;
  std::vector<std::pair<std::int64_t, std::int32_t>> pairs_;
  std::vector<float> targets_;
};

}  // namespace

std::vector<std::string_view> label_words(std::string_view row) {
  std::vector<std::string_view> words;
  while (!row.empty()) {
    const std::size_t begin = row.find_first_not_of(separators);
    if (begin == row.npos) break;
    const std::size_t end = std::min(row.find_first_of(separators, begin), row.size());
    words.push_back(row.substr(begin, end - begin));
    row.remove_prefix(end);
  }
  return words;
}

LabelInput read_labels(const std::filesystem::path& path, const LabelOptions& options) {
  {
    const MappedFile file(path);
    if (file.text().starts_with("\x93NUMPY") || path.extension() == ".npy") {
      return read_label_array(file.bytes(), path.string(), options);
    }
  }
  return LabelTextReader(path, options).read();
}

std::string classes_without_vertex(const LabelInput& labels) {
  std::vector<bool> is_used(static_cast<std::size_t>(labels.num_classes));
  for (const std::int32_t label : labels.labels) {
    if (label >= 0) is_used[static_cast<std::size_t>(label)] = true;
  }
  std::vector<std::string> ranges;
  constexpr std::size_t most_ranges = 10;
  for (std::size_t begin = 0; begin < is_used.size() && ranges.size() < most_ranges; ++begin) {
    if (is_used[begin]) continue;
    std::size_t end = begin;
    while (end + 1 < is_used.size() && !is_used[end + 1])
      ++end;
    ranges.push_back(begin == end ? text(begin) : text(begin, " to ", end));
    begin = end;
  }
  return join(ranges, ", ");
}

}  // namespace weft::datasets
