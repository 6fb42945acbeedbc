// SPDX-License-Identifier: MIT
#include "datasets/edge_list_reader.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using graph::Arc;
using test_support::TemporaryFolder;

namespace {

EdgeListInput read(const std::string& content,
                   const EdgeListOptions& options = {},
                   const std::string& name = "e.txt") {
  const TemporaryFolder folder;
  return read_edge_list(folder.write(name, content), options);
}

std::string error(const std::string& content,
                  const EdgeListOptions& options = {},
                  const std::string& name = "e.txt") {
  return error_of([&] { (void)read(content, options, name); });
}

EdgeListOptions with_ids(IdMode ids) {
  EdgeListOptions options;
  options.ids = ids;
  return options;
}

EdgeListOptions with_vertices(std::int64_t count, IdMode ids = IdMode::automatic) {
  EdgeListOptions options = with_ids(ids);
  options.num_vertices = VertexCount{count, "rows of f.npy"};
  return options;
}

}  // namespace

TEST(EdgeListReader, TakesIdsWithoutAGapAsTheyAre) {
  EdgeListInput input = read("# x\n0 2\n1 0\n");
  EXPECT_EQ(input.edges.num_vertices, 3);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{0, 2}, {1, 0}}));
  EXPECT_TRUE(input.ids.take_numbers().empty());
  EXPECT_EQ(input.counts.lines, 3);
  EXPECT_EQ(input.form, "SNAP, plain text");
  ASSERT_EQ(input.notes.size(), 1U);
  expect_parts(input.notes[0], {"taken as they are: 0 to 2"});
}

TEST(EdgeListReader, RelabelsIdsWithGaps) {
  EdgeListInput input = read("7 100\n100 9\n");
  EXPECT_EQ(input.edges.num_vertices, 3);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{0, 2}, {2, 1}}));
  EXPECT_EQ(input.ids.take_numbers(), (std::vector<std::int64_t>{7, 9, 100}));
  expect_parts(input.notes.at(0), {"3 ids from 7 to 100 are relabelled", "node_ids.npy"});
}

TEST(EdgeListReader, RelabelsIdsOf63Bits) {
  EdgeListOptions options;
  options.format = FileFormat::csv;
  EdgeListInput input = read("src,dst,w\n9223372036854775807,5,2\n\n5,3000000000,3\n", options);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{2, 0}, {0, 1}}));
  EXPECT_EQ(input.edges.weights, (std::vector<float>{2, 3}));
  EXPECT_EQ(input.ids.take_numbers(),
            (std::vector<std::int64_t>{5, 3000000000, 9223372036854775807}));
  EXPECT_EQ(input.counts.lines, 4);
  EXPECT_EQ(input.counts.blanks, 1);
  expect_parts(error("3000000000 1\n2 x\n"), {"e.txt:2: id 'x'"});
}

TEST(EdgeListReader, BelievesAHeaderThatFits) {
  EXPECT_EQ(read("# Nodes: 9 Edges: 1\n0 4\n").edges.num_vertices, 9);
  EdgeListInput input = read("# Nodes: 2 Edges: 3\n0 1\n1 2\n");
  EXPECT_EQ(input.edges.num_vertices, 3);
  expect_parts(input.warnings.at(0), {"header says 3 edges, the file has 2"});
  input = read("# Nodes: 2\n0 5\n5 9\n");
  expect_parts(input.warnings.at(0), {"header says 2 nodes, the edges name 3"});
}

TEST(EdgeListReader, DoesNotBelieveAHeaderThatCannotBe) {
  const EdgeListInput input = read("# Nodes: 2000000000\n0 5\n5 9\n");
  EXPECT_EQ(input.edges.num_vertices, 3);
}

TEST(EdgeListReader, KnowsContiguousIds) {
  EXPECT_EQ(read("0 4\n", with_ids(IdMode::contiguous)).edges.num_vertices, 5);
  EXPECT_EQ(read("0 1\n", with_vertices(5)).edges.num_vertices, 5);
  expect_parts(error("0 1\n1 7\n", with_vertices(3)),
               {"e.txt:2: vertex id 7 is not below 3", "rows of f.npy", "--ids sparse"});
  expect_parts(error("# Nodes: 2\n0 2\n", with_ids(IdMode::contiguous)),
               {"e.txt:2: vertex id 2 is not below 2", "header"});
  expect_parts(error("2147483647 0\n", with_ids(IdMode::contiguous)),
               {"2,147,483,647", "--ids sparse"});
}

TEST(EdgeListReader, KnowsOneBasedIds) {
  EdgeListInput input = read("1 3\n3 2\n", with_ids(IdMode::one_based));
  EXPECT_EQ(input.edges.num_vertices, 3);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{0, 2}, {2, 1}}));
  EXPECT_EQ(input.ids.take_numbers(), (std::vector<std::int64_t>{1, 2, 3}));
  expect_parts(error("0 0\n", with_ids(IdMode::one_based)), {"e.txt:1: vertex id 0", "one_based"});
  EXPECT_EQ(read("1 3\n", with_vertices(3, IdMode::one_based)).edges.num_vertices, 3);
  expect_parts(error("1 4\n", with_vertices(3, IdMode::one_based)), {"4 is not in 1 to 3"});
}

TEST(EdgeListReader, SparseIdsMustBeAsManyAsRows) {
  EXPECT_EQ(read("5 9\n", with_vertices(2, IdMode::sparse)).edges.num_vertices, 2);
  expect_parts(error("5 9\n", with_vertices(3, IdMode::sparse)),
               {"2 different ids, but 3 vertices", "--node-ids"});
}

TEST(EdgeListReader, NumbersNamesByTheirBytes) {
  EdgeListOptions options = with_ids(IdMode::string);
  EdgeListInput input = read("source,target\n\"b, c\",10\n2,\"b, c\"\n", options);
  EXPECT_EQ(input.form, "CSV, plain text");
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{2, 0}, {1, 2}}));
  EXPECT_EQ(input.ids.take_strings(), (std::vector<std::string>{"10", "2", "b, c"}));
  EXPECT_EQ(read("x y\n", options).edges.num_vertices, 2);
}

TEST(EdgeListReader, LooksUpTheIdsOfRows) {
  IdMap ids(std::vector<std::int64_t>{30, 10, 20});
  EdgeListOptions options = with_vertices(3);
  options.known_ids = &ids;
  EXPECT_EQ(read("10 30\n", options).edges.arcs, (std::vector<Arc>{{1, 0}}));
  expect_parts(error("10 30\n10 40\n", options), {"e.txt:2: vertex id '40' is not among the 3"});
  options.ids = IdMode::contiguous;
  EXPECT_EQ(read("0 2\n", options).edges.arcs, (std::vector<Arc>{{0, 2}}));
}

TEST(EdgeListReader, NeedsAnEdgeOrACount) {
  EXPECT_EQ(error("").find("e.txt: is empty"), error("").find("e.txt"));
  expect_parts(error("# a\n# b\n"), {"e.txt:2: ", "--nodes"});
  const EdgeListInput input = read("# a\n", with_vertices(4));
  EXPECT_EQ(input.edges.num_vertices, 4);
  EXPECT_TRUE(input.edges.arcs.empty());
  EXPECT_EQ(input.warnings.size(), 1U);
  EXPECT_EQ(read("", with_vertices(4)).edges.num_vertices, 4);
}

TEST(EdgeListReader, ReadsMatrixMarket) {
  const EdgeListInput input =
      read("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 3 2\n");
  EXPECT_TRUE(input.needs_reverse_arcs);
  EXPECT_EQ(input.edges.num_vertices, 3);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{1, 0}, {2, 2}}));
  EXPECT_EQ(input.edges.weights, (std::vector<float>{0.5F, 2.0F}));
  const std::string general = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_FALSE(read(general + "3 3 1\n2 1\n").needs_reverse_arcs);
  EdgeListOptions weighted;
  weighted.columns.weights = Choice::yes;
  expect_parts(error(general + "3 3 1\n2 1\n", weighted), {"e.txt:1: a pattern has no values"});
  expect_parts(error(general + "3 4 1\n2 1\n"), {"e.txt:2: 3 rows and 4 columns", "square"});
  expect_parts(error(general + "3 3 1\n2 1\n", with_vertices(4)), {"3 rows, expected 4"});
  expect_parts(error(general + "3 3 1\n2 1\n", with_ids(IdMode::sparse)), {"do not apply"});
  expect_parts(error("%%MatrixMarket matrix array real general\n1 1\n1\n"), {"dense array"});
  expect_parts(error("3 3 1\n1 2\n", {}, "e.mtx"), {"e.mtx:1: no MatrixMarket banner"});
}

TEST(EdgeListReader, HoldsSignsOfAMatrix) {
  const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n";
  expect_parts(error(skew), {"e.txt:3: negative weight -4", "--allow-negative-weights"});
  EdgeListOptions options;
  options.allow_negative_weights = true;
  const EdgeListInput input = read(skew, options);
  EXPECT_EQ(input.edges.arcs, (std::vector<Arc>{{1, 0}, {0, 1}}));
  EXPECT_EQ(input.edges.weights, (std::vector<float>{4, -4}));
  options = {};
  options.columns.weights = Choice::no;
  EXPECT_TRUE(read(skew, options).needs_reverse_arcs);
}

}  // namespace weft::datasets::tests
