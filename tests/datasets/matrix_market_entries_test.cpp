// SPDX-License-Identifier: MIT
#include "datasets/matrix_market.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using graph::Arc;
using test_support::TemporaryFolder;

namespace {

CollectedEdges<Arc> entries_of(const std::string& kind,
                               const std::string& body,
                               const MatrixEntryOptions& options = {}) {
  const TemporaryFolder folder;
  TextSource source(
      folder.write("m.mtx", "%%MatrixMarket matrix coordinate " + kind + "\n" + body));
  const MatrixHeader header = take_matrix_header(source);
  return read_matrix_entries(source, header, options, {});
}

std::string error(const std::string& kind,
                  const std::string& body,
                  const MatrixEntryOptions& options = {}) {
  return error_of([&] { (void)entries_of(kind, body, options); });
}

}  // namespace

TEST(MatrixMarketEntries, ReadsValuesAndPatterns) {
  const auto real = entries_of("real general", "2 3 2\n1 3 0.5\n% c\n\n 2\t1 -1e1\r\n");
  EXPECT_EQ(real.arcs, (std::vector<Arc>{{0, 2}, {1, 0}}));
  EXPECT_EQ(real.weights, (std::vector<float>{0.5F, -10.0F}));
  EXPECT_EQ(real.counts.lines, 6);
  const auto pattern = entries_of("pattern general", "2 3 1\n1 3\n");
  EXPECT_EQ(pattern.arcs, (std::vector<Arc>{{0, 2}}));
  EXPECT_TRUE(pattern.weights.empty());
  MatrixEntryOptions options;
  options.ignore_values = true;
  EXPECT_TRUE(entries_of("real general", "2 3 1\n1 3 -7\n", options).weights.empty());
}

TEST(MatrixMarketEntries, MirrorsSkewMatrices) {
  const auto skew = entries_of("real skew-symmetric", "2 2 1\n2 1 4\n");
  EXPECT_EQ(skew.arcs, (std::vector<Arc>{{1, 0}, {0, 1}}));
  EXPECT_EQ(skew.weights, (std::vector<float>{4, -4}));
}

TEST(MatrixMarketEntries, RefusesBrokenEntries) {
  expect_parts(error("real general", "3 3 2\n0 1 1\n"), {"m.mtx:3: row 0", "counts from 1"});
  expect_parts(error("real general", "3 3 1\n1 4 1\n"), {"column 4, expected 1 to 3"});
  expect_parts(error("real general", "3 3 1\n1 2\n"), {"2 fields, expected 3"});
  expect_parts(error("pattern general", "3 3 1\n1 2 7\n"), {"3 fields, expected 2"});
  expect_parts(error("integer general", "3 3 1\n1 2 1.5\n"), {"'1.5'", "integer file"});
  expect_parts(error("real general", "3 3 1\n1 2 nan\n"), {"finite"});
  expect_parts(error("real general", "3 3 1\n1 2 x\n"), {"value 'x'"});
  expect_parts(error("real general", "3 3 1\n1 x 2\n"), {"column 'x'"});
  expect_parts(error("pattern symmetric", "3 3 2\n3 1\n1 3\n"),
               {"m.mtx:4: row 1, column 3 lies above the diagonal"});
  expect_parts(error("real skew-symmetric", "3 3 1\n2 2 1\n"), {"diagonal"});
  expect_parts(error("real general", "3 3 1\n1 2 -1\n", {false, false}), {"negative weight -1"});
  expect_parts(error("real skew-symmetric", "3 3 1\n2 1 1\n", {false, false}),
               {"negative weight -1", "other sign"});
}

TEST(MatrixMarketEntries, CountsEntries) {
  expect_parts(error("pattern general", "3 3 3\n1 2\n2 3\n"),
               {"m.mtx:4: 3 entries promised by the size line, 2 found"});
  expect_parts(error("pattern general", "3 3 1\n1 2\n2 3\n"), {"m.mtx:2: 1 entries", "2 found"});
  expect_parts(error("pattern general", "3 3 9223372036854775807\n1 2\n"), {"1 found"});
}

}  // namespace weft::datasets::tests
