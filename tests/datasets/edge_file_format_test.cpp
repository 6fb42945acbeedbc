// SPDX-License-Identifier: MIT
#include "datasets/edge_file_format.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

/// Decides on a file of `content` and keeps what follows.
struct Decision {
  EdgeLineFormat columns;
  Preamble preamble;
  std::vector<std::string> notes;
  std::string rest;
};

Decision decide(const std::string& content, FileFormat format, const ColumnOptions& options = {}) {
  const TemporaryFolder folder;
  TextSource source(folder.write("e.txt", content));
  Decision decision;
  decision.preamble = take_preamble(source);
  decision.columns = decide_columns(source, decision.preamble, format, options, decision.notes);
  decision.rest = source.peek(1000);
  return decision;
}

}  // namespace

TEST(EdgeFileFormat, TakesThePreamble) {
  const TemporaryFolder folder;
  const std::string comment = "# " + std::string(10000, 'x') + "\n";
  TextSource source(
      folder.write("e", "# Nodes: 34 Edges: 78\r\n\n" + comment + "% y\n 0 1\n# z\n"));
  const Preamble preamble = take_preamble(source);
  EXPECT_EQ(preamble.counts.lines, 4);
  EXPECT_EQ(preamble.counts.comments, 3);
  EXPECT_EQ(preamble.counts.blanks, 1);
  EXPECT_EQ(preamble.header_nodes, 34);
  EXPECT_EQ(preamble.header_edges, 78);
  EXPECT_EQ(preamble.first_line, " 0 1");
  EXPECT_EQ(preamble.first_line_number(), 5);
  EXPECT_EQ(source.peek(5), " 0 1\n");
}

TEST(EdgeFileFormat, TakesAFileOfComments) {
  const TemporaryFolder folder;
  TextSource source(folder.write("e", "# a\n# b"));
  const Preamble preamble = take_preamble(source);
  EXPECT_TRUE(preamble.first_line.empty());
  EXPECT_EQ(preamble.counts.lines, 2);
}

TEST(EdgeFileFormat, SkipsLines) {
  const TemporaryFolder folder;
  TextSource source(folder.write("e", "a\nb\nc\n"));
  skip_lines(source, 2);
  EXPECT_EQ(source.peek(10), "c\n");
}

TEST(EdgeFileFormat, GuessesByTheFirstLine) {
  EXPECT_EQ(guess_format("e.txt", "0 1"), FileFormat::snap);
  EXPECT_EQ(guess_format("e.csv", "0\t1\t0.5"), FileFormat::snap);
  EXPECT_EQ(guess_format("e.txt", "0 1 0,5"), FileFormat::snap);
  EXPECT_EQ(guess_format("e.txt", "0,1"), FileFormat::csv);
  EXPECT_EQ(guess_format("e.txt", "src;dst"), FileFormat::csv);
  EXPECT_EQ(guess_format("e.txt", "source\ttarget"), FileFormat::tsv);
  EXPECT_EQ(guess_format("e.txt", "a b"), FileFormat::snap);
  EXPECT_EQ(guess_format("e.txt", "1\t2.0"), FileFormat::snap);
  EXPECT_EQ(guess_format("e.mtx.gz", "3 3 1"), FileFormat::mtx);
}

TEST(EdgeFileFormat, ReadsColumnsOfSnap) {
  EXPECT_EQ(decide("0 1\n", FileFormat::snap).columns.num_columns, 2);
  const Decision three = decide("# a\n0 1 5\n", FileFormat::snap);
  EXPECT_EQ(three.columns.weight, 2);
  EXPECT_EQ(three.columns.pattern_line, 2);
  ASSERT_EQ(three.notes.size(), 1U);
  expect_parts(three.notes[0], {"weight", "--weights no"});
  ColumnOptions options;
  options.weights = Choice::no;
  const Decision four = decide("0 1 5 6\n", FileFormat::snap, options);
  EXPECT_EQ(four.columns.weight, -1);
  ASSERT_EQ(four.notes.size(), 1U);
  expect_parts(four.notes[0], {"columns 1 and 2 are read", "ignored: 3 to 4;"});
  expect_parts(error_of([] { (void)decide("0 1 5 6\n", FileFormat::snap); }),
               {"e.txt:1: 4 fields", "--columns"});
  expect_parts(error_of([] { (void)decide("0\n", FileFormat::snap); }), {"1 field"});
  options.weights = Choice::yes;
  expect_parts(error_of([&] { (void)decide("0 1\n", FileFormat::snap, options); }),
               {"--weights yes"});
}

TEST(EdgeFileFormat, TakesAHeader) {
  const Decision csv = decide("# c\nsrc,dst,w\n0,1,2\n", FileFormat::csv);
  EXPECT_EQ(csv.rest, "0,1,2\n");
  EXPECT_EQ(csv.preamble.counts.lines, 2);
  EXPECT_EQ(csv.columns.weight, 2);
  EXPECT_EQ(csv.columns.delimiter, ',');
  EXPECT_EQ(decide("0,1\n2,3\n", FileFormat::csv).rest, "0,1\n2,3\n");
}

TEST(EdgeFileFormat, TakesDelimitersByOption) {
  ColumnOptions options;
  options.delimiter = ',';
  expect_parts(error_of([&] { (void)decide("src;dst\n0;1\n", FileFormat::csv, options); }),
               {"e.txt:1: 1 column 'src;dst' separated by ','", "--delimiter"});
  options.delimiter = '|';
  EXPECT_EQ(decide("0|1\n", FileFormat::csv, options).columns.delimiter, '|');
  options.delimiter = ' ';
  EXPECT_EQ(decide("0  1\n", FileFormat::csv, options).columns.delimiter, '\0');
}

}  // namespace weft::datasets::tests
