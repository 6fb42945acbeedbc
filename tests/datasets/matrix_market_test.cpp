// SPDX-License-Identifier: MIT
#include "datasets/matrix_market.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

MatrixHeader header_of(const std::string& content) {
  const TemporaryFolder folder;
  TextSource source(folder.write("m.mtx", content));
  return take_matrix_header(source);
}

std::string header_error(const std::string& content) {
  return error_of([&] { (void)header_of(content); });
}

std::vector<float> array_of(const std::string& content) {
  const TemporaryFolder folder;
  TextSource source(folder.write("m.mtx", content));
  const MatrixHeader header = take_matrix_header(source);
  return read_matrix_array(source, header);
}

const std::string banner = "%%MatrixMarket matrix ";

}  // namespace

TEST(MatrixMarket, ReadsBannersInAnyCase) {
  const MatrixHeader header =
      header_of("%%matrixMARKET MATRIX Coordinate Integer Skew-Symmetric\r\n%\n\n% x\n3 3 1\n");
  EXPECT_FALSE(header.is_array);
  EXPECT_EQ(header.field, MatrixHeader::Field::integer);
  EXPECT_EQ(header.symmetry, MatrixHeader::Symmetry::skew);
  EXPECT_EQ(header.num_rows, 3);
  EXPECT_EQ(header.num_entries, 1);
  EXPECT_EQ(header.counts.lines, 5);
  EXPECT_EQ(header.counts.comments, 3);
  EXPECT_EQ(header.counts.blanks, 1);
  EXPECT_EQ(header_of(banner + "array double general\n2 3\n").num_columns, 3);
}

TEST(MatrixMarket, KnowsABanner) {
  const TemporaryFolder folder;
  TextSource with(folder.write("a", "%%MatrixMarket x"));
  EXPECT_TRUE(has_matrix_banner(with));
  TextSource without(folder.write("b", "% a"));
  EXPECT_FALSE(has_matrix_banner(without));
}

TEST(MatrixMarket, RefusesBanners) {
  expect_parts(header_error(""), {"m.mtx:1: the file is empty"});
  expect_parts(header_error("3 3 1\n"), {"m.mtx:1: no MatrixMarket banner"});
  expect_parts(header_error(banner + "coordinate real\n"), {"4 words"});
  expect_parts(header_error("%%MatrixMarket vector coordinate real general\n"), {"'vector'"});
  expect_parts(header_error(banner + "list real general\n"), {"'list'"});
  expect_parts(header_error(banner + "coordinate complex general\n"), {"'complex'"});
  expect_parts(header_error(banner + "coordinate real hermitian\n"), {"'hermitian'"});
  expect_parts(header_error(banner + "array pattern general\n"), {"array that is a pattern"});
  expect_parts(header_error(banner + "coordinate pattern skew-symmetric\n"), {"skew"});
}

TEST(MatrixMarket, RefusesSizeLines) {
  const std::string start = banner + "coordinate real general\n% c\n";
  expect_parts(header_error(start), {"m.mtx:2: the file ends before the size line"});
  expect_parts(header_error(start + "3 3\n"), {"m.mtx:3: a size line of 2 numbers, expected 3"});
  expect_parts(header_error(start + "3 x 1\n"), {"size 'x'"});
  expect_parts(header_error(start + "3 -3 1\n"), {"size '-3'"});
  expect_parts(header_error(start + "9999999999999999999 3 1\n"), {"below 2^63"});
  expect_parts(header_error(start + "3000000000 3000000000 1\n"), {"split the graph"});
  expect_parts(header_error(banner + "coordinate real symmetric\n2 3 1\n"), {"square"});
  expect_parts(header_error(banner + "array real general\n2 3 1\n"), {"expected 2"});
}

TEST(MatrixMarket, TurnsArraysToRows) {
  const std::string start = banner + "array real general\n2 3\n";
  EXPECT_EQ(array_of(start + "1\n4\n\n% c\n2\n5\n3\n6"), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  expect_parts(error_of([&] { (void)array_of(start + "1\n2\n3\n"); }),
               {"m.mtx:5: 6 values promised by the size line, 3 found"});
  expect_parts(error_of([&] { (void)array_of(start + "1\n2\n3\n4\n5\n6\n7\n"); }),
               {"m.mtx:9: a value after the 6"});
  expect_parts(error_of([&] { (void)array_of(start + "1\nx\n"); }), {"m.mtx:4: value 'x'"});
  expect_parts(error_of([&] { (void)array_of(banner + "array real symmetric\n2 2\n1\n"); }),
               {"symmetric array"});
}

}  // namespace weft::datasets::tests
