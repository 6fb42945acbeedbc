// SPDX-License-Identifier: MIT
#include "datasets/label_array.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

LabelInput read_array(const std::string& bytes, Task task, std::int64_t expected = 0) {
  LabelOptions options;
  options.task = task;
  if (expected > 0) options.expected = VertexCount{expected, "--nodes"};
  return read_label_array(std::as_bytes(std::span(bytes)), "l.npy", options);
}

std::string error(const std::string& bytes, Task task, std::int64_t expected = 0) {
  return error_of([&] { (void)read_array(bytes, task, expected); });
}

std::string classes(const std::vector<std::int64_t>& values) {
  return npy_of<std::int64_t>("<i8", text("(", values.size(), ",)"), values);
}

}  // namespace

TEST(LabelArray, ReadsClasses) {
  const LabelInput input = read_array(classes({2, -1, 0}), Task::single_label, 3);
  EXPECT_EQ(input.labels, (std::vector<std::int32_t>{2, -1, 0}));
  EXPECT_EQ(input.num_classes, 3);
  EXPECT_EQ(read_array(npy_of<std::uint8_t>("|u1", "(2, 1)", {0, 1}), Task::single_label).num_rows,
            2);
}

TEST(LabelArray, RefusesWhatIsNoClass) {
  expect_parts(error(classes({0, -2}), Task::single_label), {"l.npy: row 1: label -2"});
  expect_parts(error(classes({0, 1 << 20}), Task::single_label), {"row 1: label 1048576"});
  expect_parts(error(classes({-1, -1}), Task::single_label), {"no vertex has a label"});
  expect_parts(error(npy_of<float>("<f4", "(2,)", {0, 1.5}), Task::single_label),
               {"l.npy: row 1: label 1.5"});
  expect_parts(error(classes({0, 1}), Task::single_label, 3), {"2 rows, expected 3 (--nodes)"});
  expect_parts(error(npy_of<float>("<f4", "(1, 2)", {0, 1}), Task::single_label),
               {"2 columns, expected 1"});
  expect_parts(error(npy_of<float>("<f4", "(2, 0)", {}), Task::multi_label), {"0 columns"});
}

TEST(LabelArray, ReadsTablesOfClasses) {
  const LabelInput input =
      read_array(npy_of<std::uint8_t>("|b1", "(2, 2)", {0, 1, 1, 0}), Task::multi_label);
  EXPECT_EQ(input.multi_labels, (std::vector<std::uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(input.num_classes, 2);
  expect_parts(error(npy_of<std::uint8_t>("|u1", "(2, 2)", {0, 1, 2, 0}), Task::multi_label),
               {"l.npy: row 1: label 2", "0 or 1"});
}

TEST(LabelArray, ReadsNumbers) {
  const LabelInput input =
      read_array(npy_of<double>("<f8", "(2, 2)", {0.5, 1, 2, 3}), Task::regression);
  EXPECT_EQ(input.targets, (std::vector<float>{0.5F, 1, 2, 3}));
  EXPECT_EQ(input.num_classes, 2);
}

TEST(LabelArray, HasARowForEachVertex) {
  const IdMap ids = IdMap::consecutive(2);
  LabelOptions options;
  options.ids = &ids;
  const std::string bytes = classes({0, 1});
  expect_parts(
      error_of([&] { (void)read_label_array(std::as_bytes(std::span(bytes)), "l.npy", options); }),
      {"--labels-by id needs text"});
}

TEST(LabelArray, BoundsTables) {
  EXPECT_NO_THROW(check_table_size("l", 1000, 1000));
  expect_parts(error_of([] { check_table_size("l", std::int64_t{1} << 30, 100); }),
               {"l: a table of 1073741824 vertices and 100 classes"});
}

}  // namespace weft::datasets::tests
