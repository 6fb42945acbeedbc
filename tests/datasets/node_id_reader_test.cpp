// SPDX-License-Identifier: MIT
#include "datasets/node_id_reader.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

IdMap read_ids(const std::string& content, std::optional<bool> strings = std::nullopt) {
  const TemporaryFolder folder;
  return read_node_ids(folder.write("ids", content), strings, std::nullopt, 1000);
}

std::string error(const std::string& content, std::optional<bool> strings = std::nullopt) {
  return error_of([&] { (void)read_ids(content, strings); });
}

}  // namespace

TEST(NodeIdReader, ReadsNumbersAndNames) {
  EXPECT_EQ(read_ids("30\n10\n").take_numbers(), (std::vector<std::int64_t>{30, 10}));
  EXPECT_EQ(read_ids("b\n10\n").take_strings(), (std::vector<std::string>{"b", "10"}));
  EXPECT_EQ(read_ids("30\n10\n", true).take_strings(), (std::vector<std::string>{"30", "10"}));
  EXPECT_EQ(read_ids(npy_of<std::int64_t>("<i8", "(2,)", {7, 5})).take_numbers(),
            (std::vector<std::int64_t>{7, 5}));
}

TEST(NodeIdReader, RefusesRepeatedIds) {
  expect_parts(error("# c\n5\n7\n5\n"), {"ids:4: the id of line 2 again"});
  expect_parts(error("a\nb\na\n"), {"ids:3: the id of line 1 again"});
  expect_parts(error(npy_of<std::int64_t>("<i8", "(2,)", {7, 7})), {"rows 0 and 1"});
}

TEST(NodeIdReader, RefusesOtherWords) {
  expect_parts(error("5\nx\n"), {"ids:2: id 'x'"});
  expect_parts(error("x\n", false), {"ids:1: id 'x'", "--ids string"});
  expect_parts(error("-1\n", false), {"negative id -1"});
  expect_parts(error("a\n\xff\n"), {"ids:2: ", "UTF-8"});
  expect_parts(error(npy_of<std::int64_t>("<i8", "(1, 2)", {7, 5})), {"vector of ids"});
}

}  // namespace weft::datasets::tests
