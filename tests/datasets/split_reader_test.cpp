// SPDX-License-Identifier: MIT
#include "datasets/split_reader.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

using Codes = std::vector<std::int8_t>;
using Names = std::vector<std::string>;

SplitInput read_split(const std::string& content,
                      std::optional<VertexCount> expected = std::nullopt) {
  const TemporaryFolder folder;
  return read_splits(folder.write("s.txt", content), expected, 1 << 20);
}

std::string error(const std::string& content, std::optional<VertexCount> expected = std::nullopt) {
  return error_of([&] { (void)read_split(content, expected); });
}

}  // namespace

TEST(SplitReader, ReadsOneColumn) {
  const SplitInput input = read_split("# codes; split: public\n0\n1\n2\n-1\n");
  EXPECT_EQ(input.names, Names{"public"});
  EXPECT_EQ(input.codes, (Codes{0, 1, 2, -1}));
  EXPECT_EQ(read_split("0\n1\n").names, Names{"split"});
  EXPECT_EQ(read_split("train\nval\nvalidation\ntest\nnone\n").codes, (Codes{0, 1, 1, 2, -1}));
}

TEST(SplitReader, ReadsSeveralColumns) {
  const SplitInput input = read_split("# one column a split\n# columns: a b\n0 1\n2\t0\n-1 0\n");
  EXPECT_EQ(input.names, (Names{"a", "b"}));
  EXPECT_EQ(input.num_rows, 3);
  EXPECT_EQ(input.codes, (Codes{0, 2, -1, 1, 0, 0}));
  EXPECT_EQ(read_split("0 1\n1 0\n").names, (Names{"split0", "split1"}));
}

TEST(SplitReader, ReadsArrays) {
  SplitInput input = read_split(npy_of<std::int8_t>("|i1", "(2, 3)", {0, 1, 2, -1, 0, 0}));
  EXPECT_EQ(input.num_rows, 3);
  EXPECT_EQ(input.codes, (Codes{0, 1, 2, -1, 0, 0}));
  EXPECT_EQ(input.names, (Names{"split0", "split1"}));
  input = read_split(npy_of<std::int64_t>("<i8", "(2,)", {0, 1}));
  EXPECT_EQ(input.names, Names{"split"});
  expect_parts(error(npy_of<std::int8_t>("|i1", "(2,)", {0, 5})), {"vertex 1: split code 5"});
  expect_parts(error(npy_of<std::uint8_t>("|b1", "(2,)", {0, 1})), {"mask of bools"});
  expect_parts(
      error(npy_of<std::int8_t>("|i1", "(3, 2)", {0, 0, 0, 0, 0, 0}), VertexCount{3, "--nodes"}),
      {"2 codes a split, expected 3 (--nodes)", "transpose"});
}

TEST(SplitReader, RefusesBrokenFiles) {
  expect_parts(error("0\n3\n"), {"s.txt:2: split code '3'"});
  expect_parts(error("# c\n2\n1\n"), {"s.txt:2: split 'split' has no training vertex"});
  expect_parts(error("0 1\n0\n"), {"s.txt:2: 1 columns, expected 2 as on line 1"});
  expect_parts(error("# columns: a b c\n0 1\n"), {"s.txt:2: 2 columns, expected 3 (a, b, c)"});
  expect_parts(error("# columns: a a\n0 0\n"), {"split name 'a' twice"});
  expect_parts(error("# columns: a b\n0 1\n0 1\n"), {"split 'b' has no training vertex"});
  expect_parts(error("0\n1\n", VertexCount{3, "--nodes"}), {"s.txt:3: ", "expected 3"});
  expect_parts(error(""), {"s.txt:1: no row"});
}

}  // namespace weft::datasets::tests
