// SPDX-License-Identifier: MIT
#include "datasets/row_file.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

std::vector<std::string> rows_of(const std::string& content,
                                 std::optional<VertexCount> expected = std::nullopt,
                                 bool allow_empty = false) {
  const TemporaryFolder folder;
  RowFile file(folder.write("r.txt", content), 1000, expected, allow_empty);
  std::vector<std::string> rows;
  std::string_view row;
  while (file.next(row))
    rows.emplace_back(row);
  EXPECT_EQ(file.num_rows(), static_cast<std::int64_t>(rows.size()));
  return rows;
}

const VertexCount three{3, "--nodes"};

}  // namespace

TEST(RowFile, GivesRowsWithoutComments) {
  EXPECT_EQ(rows_of("# split: a\n 1 2 \n#x\n3\n\n\n"), (std::vector<std::string>{"1 2", "3"}));
  EXPECT_EQ(rows_of("# c\n\n1\n\n", std::nullopt, true), (std::vector<std::string>{"", "1", ""}));
}

TEST(RowFile, KeepsComments) {
  const TemporaryFolder folder;
  RowFile file(folder.write("r.txt", "# a\n1\n# b\n"), 1000, std::nullopt);
  std::string_view row;
  ASSERT_TRUE(file.next(row));
  EXPECT_EQ(file.comments(), "# a\n");
  EXPECT_EQ(file.line(), 2);
  EXPECT_EQ(error_of([&] { file.fail("bad"); }), file.name() + ":2: bad");
}

TEST(RowFile, RefusesABlankLineInside) {
  expect_parts(error_of([] { (void)rows_of("1\n\n2\n"); }), {"r.txt:2: a blank line"});
}

TEST(RowFile, HoldsTheNumberOfRows) {
  EXPECT_EQ(rows_of("1\n2\n3", three).size(), 3U);
  expect_parts(error_of([] { (void)rows_of("1\n2\n", three); }),
               {"r.txt:3: the file ends after 2 rows, expected 3 (--nodes)"});
  expect_parts(error_of([] { (void)rows_of("1\n2\n3\n4\n", three); }),
               {"r.txt:4: row 4", "each of 3 vertices (--nodes)"});
}

TEST(RowFile, GivesAHintAtAWrongNumberOfRows) {
  const TemporaryFolder folder;
  RowFile file(folder.write("r.txt", "1\n"), 1000, three);
  std::string_view row;
  ASSERT_TRUE(file.next(row));
  file.set_count_hint("; a hint");
  expect_parts(error_of([&] { (void)file.next(row); }), {"expected 3 (--nodes); a hint"});
}

TEST(RowFile, FindsTheLineOfARow) {
  const TemporaryFolder folder;
  const auto path = folder.write("r.txt", "# a\n1\n# b\n2\n3\n");
  EXPECT_EQ(line_of_row(path, 1000, 0), 2);
  EXPECT_EQ(line_of_row(path, 1000, 1), 4);
  EXPECT_EQ(line_of_row(path, 1000, 2), 5);
}

}  // namespace weft::datasets::tests
