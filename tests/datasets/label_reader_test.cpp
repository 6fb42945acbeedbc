// SPDX-License-Identifier: MIT
#include "datasets/label_reader.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

LabelInput read_text(const std::string& content, LabelOptions options = {}) {
  const TemporaryFolder folder;
  options.max_decompressed_bytes = 1 << 20;
  return read_labels(folder.write("l.txt", content), options);
}

std::string error(const std::string& content, const LabelOptions& options = {}) {
  return error_of([&] { (void)read_text(content, options); });
}

LabelOptions of_task(Task task) {
  LabelOptions options;
  options.task = task;
  return options;
}

LabelOptions by_id(const IdMap& ids, Task task = Task::single_label) {
  LabelOptions options = of_task(task);
  options.ids = &ids;
  options.expected = VertexCount{ids.size(), "ids"};
  return options;
}

using Labels = std::vector<std::int32_t>;

}  // namespace

TEST(LabelReader, ReadsAClassALine) {
  const LabelInput input = read_text("# c\n2\n0\n-1\n");
  EXPECT_EQ(input.labels, (Labels{2, 0, -1}));
  EXPECT_EQ(input.num_classes, 3);
  EXPECT_EQ(input.num_rows, 3);
  EXPECT_EQ(classes_without_vertex(input), "1");
}

TEST(LabelReader, NumbersNamesByTheirBytes) {
  const LabelInput input = read_text("Theory\nNeural Networks\n-1\nTheory\n");
  EXPECT_EQ(input.labels, (Labels{1, 0, -1, 1}));
  EXPECT_EQ(input.class_names, (std::vector<std::string>{"Neural Networks", "Theory"}));
}

TEST(LabelReader, RefusesWhatIsNoClass) {
  expect_parts(error("0\n1.5\n"), {"l.txt:2: class '1.5' has a fraction"});
  expect_parts(error("0\nx\n"), {"l.txt:2: class 'x'"});
  expect_parts(error("0\n-2\n"), {"l.txt:2: class -2"});
  expect_parts(error("0\n\n1\n"), {"l.txt:2: a blank line"});
  expect_parts(error("-1\n-1\n"), {"l.txt:1: no vertex has a label"});
  expect_parts(error("# c\n"), {"no vertex has a label"});
  expect_parts(error("0 1\n"), {"l.txt:1: 2 fields", "--labels-by id"});
}

TEST(LabelReader, HoldsTheNumberOfRows) {
  LabelOptions options;
  options.expected = VertexCount{3, "rows of f.npy"};
  expect_parts(error("0\n1\n", options), {"l.txt:3: ", "2 rows, expected 3 (rows of f.npy)"});
  expect_parts(error("0\n1\n2\n0\n", options), {"l.txt:4: ", "3 vertices (rows of f.npy)"});
}

TEST(LabelReader, PairsInAFileOfAnotherLengthMayBeIdAndClass) {
  LabelOptions options;
  options.expected = VertexCount{3, "rows of f.npy"};
  expect_parts(error("a x\nb y\n", options), {"2 rows, expected 3", "--labels-by id"});
  expect_parts(error("id class\na x\nb y\nc z\n", options), {"l.txt:4: ", "--labels-by id"});
  const std::string mixed = error("a x\ny\n", options);
  expect_parts(mixed, {"2 rows, expected 3"});
  EXPECT_EQ(mixed.find("--labels-by"), std::string::npos) << mixed;
  expect_parts(read_text("a x\nb y\n").count_hint, {"--labels-by id"});
  EXPECT_EQ(read_text("x\ny z\n").count_hint, "");
}

TEST(LabelReader, SaysThatAHeaderIsSkipped) {
  const IdMap ids(std::vector<std::int64_t>{30, 10});
  const LabelInput input = read_text("node label\n30 1\n", by_id(ids));
  ASSERT_EQ(input.notes.size(), 1U);
  expect_parts(input.notes[0], {"l.txt: line 1", "'node'", "header and skipped"});
  EXPECT_TRUE(read_text("30 1\n", by_id(ids)).notes.empty());
}

TEST(LabelReader, SplitsALineAtItsSeparators) {
  EXPECT_EQ(label_words(" a\tb, c;"), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_TRUE(label_words(" ").empty());
}

TEST(LabelReader, ReadsLabelsById) {
  const IdMap ids(std::vector<std::int64_t>{30, 10, 20});
  EXPECT_EQ(read_text("node label\n20 1\n30,0\n", by_id(ids)).labels, (Labels{0, -1, 1}));
  expect_parts(error("20 1\n20 0\n", by_id(ids)), {"l.txt:2: vertex id '20' again, as on line 1"});
  expect_parts(error("20 1\n40 0\n", by_id(ids)), {"l.txt:2: vertex id '40' is not among the 3"});
  expect_parts(error("20\n", by_id(ids)), {"l.txt:1: an id without a label"});
  expect_parts(error("20 1\nnode 2\n", by_id(ids)), {"l.txt:2: vertex id 'node'"});
  const IdMap names(std::vector<std::string>{"b", "a"});
  EXPECT_EQ(read_text("a\tfirst class\nb\tother\n", by_id(names)).class_names,
            (std::vector<std::string>{"first class", "other"}));
}

TEST(LabelReader, ReadsListsOfClasses) {
  const LabelInput input = read_text("# c\n0 2\n\n1,2\n", of_task(Task::multi_label));
  EXPECT_EQ(input.num_rows, 3);
  EXPECT_EQ(input.num_classes, 3);
  EXPECT_EQ(input.multi_labels, (std::vector<std::uint8_t>{1, 0, 1, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(read_text("b a\na\n", of_task(Task::multi_label)).multi_labels,
            (std::vector<std::uint8_t>{1, 1, 1, 0}));
  const IdMap ids(std::vector<std::int64_t>{30, 10});
  EXPECT_EQ(read_text("10 1 0\n30\n", by_id(ids, Task::multi_label)).multi_labels,
            (std::vector<std::uint8_t>{0, 0, 1, 1}));
  expect_parts(error("0 -1\n", of_task(Task::multi_label)), {"l.txt:1: class -1"});
}

TEST(LabelReader, ReadsNumbers) {
  const LabelInput input = read_text("0.5 1\n-2 3e1\n", of_task(Task::regression));
  EXPECT_EQ(input.num_classes, 2);
  EXPECT_EQ(input.targets, (std::vector<float>{0.5F, 1.0F, -2.0F, 30.0F}));
  expect_parts(error("0.5 1\n2\n", of_task(Task::regression)), {"l.txt:2: 1 numbers, expected 2"});
  expect_parts(error("nan\n", of_task(Task::regression)), {"l.txt:1: target 'nan'"});
  const IdMap ids(std::vector<std::int64_t>{30, 10});
  EXPECT_EQ(read_text("10 7\n30 8\n", by_id(ids, Task::regression)).targets,
            (std::vector<float>{8, 7}));
  expect_parts(error("10 7\n", by_id(ids, Task::regression)), {"1 of 2 vertices have no target"});
}

TEST(LabelReader, ListsClassesWithoutVertex) {
  LabelInput input;
  input.num_classes = 8;
  input.labels = {0, 5, -1};
  EXPECT_EQ(classes_without_vertex(input), "1 to 4, 6 to 7");
  input.labels = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(classes_without_vertex(input), "");
}

}  // namespace weft::datasets::tests
