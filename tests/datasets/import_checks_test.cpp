// SPDX-License-Identifier: MIT
#include "datasets/import_checks.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

/// Labels of four vertices and one split of them.
class ImportChecks : public testing::Test {
 protected:
  void set(const std::vector<std::int32_t>& classes, const std::vector<std::int8_t>& codes) {
    labels.num_rows = splits.num_rows = 4;
    labels.labels = classes;
    labels.num_classes = 3;
    splits.names = {"s"};
    splits.codes = codes;
    split_file = folder.write("s.txt", "# c\n0\n0\n0\n0\n");
  }
  [[nodiscard]] LabelledSplits all() const {
    return {labels, splits, Task::single_label, label_file, split_file, 1000};
  }

  TemporaryFolder folder;
  LabelInput labels;
  SplitInput splits;
  std::filesystem::path label_file = "l.txt";
  std::filesystem::path split_file;
  std::vector<std::string> warnings;
};

std::string share_of(graph::EdgeList edges) {
  graph::BuildReport report;
  const graph::CsrGraph graph = graph::build_csr(std::move(edges), {}, &report);
  return reciprocal_share(graph.view(), report);
}

}  // namespace

TEST_F(ImportChecks, WarnsOfClassesWithoutVertex) {
  set({0, 2, 2, -1}, {0, 0, 1, 2});
  check_classes(all(), warnings);
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0], {"l.txt: no vertex of class 1"});
}

TEST_F(ImportChecks, SaysNothingWhereAllIsWell) {
  set({0, 1, 2, 0}, {0, 0, 0, 1});
  check_classes(all(), warnings);
  check_splits(all(), warnings);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ImportChecks, WarnsWhereNothingValidates) {
  set({0, 1, 2, 0}, {0, 0, 0, 2});
  check_splits(all(), warnings);
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0], {"no labelled vertex to validate on"});
}

TEST_F(ImportChecks, WarnsOfUnlabelledVertices) {
  set({0, -1, 1, -1}, {0, 0, 0, 2});
  check_splits(all(), warnings);
  ASSERT_EQ(warnings.size(), 1U);
  expect_parts(warnings[0],
               {"s.txt: split 's': 1 training vertices have no label (the first is 1, line 3)",
                "1 vertices to validate or test have no label", "no training vertex of class 2"});
}

TEST_F(ImportChecks, RefusesASplitThatTrainsNothing) {
  set({-1, -1, 1, 0}, {0, 0, 1, 2});
  expect_parts(error_of([&] { check_splits(all(), warnings); }),
               {"split 's': no training vertex has a label"});
}

TEST_F(ImportChecks, SumsUpManySplits) {
  set({0, -1, 1, -1}, {0, 0, 0, 2});
  splits.names = {"a", "b", "c", "d", "e"};
  splits.codes.clear();
  const std::vector<std::int8_t> one = {0, 0, 0, 2};
  for (int i = 0; i < 5; ++i)
    splits.codes.insert(splits.codes.end(), one.begin(), one.end());
  check_splits(all(), warnings);
  ASSERT_EQ(warnings.size(), 4U);
  expect_parts(warnings[3], {"2 more splits"});
}

TEST(ReciprocalShare, CountsDistinctArcsWithoutLoops) {
  EXPECT_EQ(share_of({4, {{0, 1}, {1, 2}, {2, 3}}, {}}), "0 %");
  EXPECT_EQ(share_of({3, {{0, 1}, {1, 0}, {2, 2}}, {}}), "100 %");
  EXPECT_EQ(share_of({3, {{0, 1}, {1, 0}, {0, 1}, {1, 2}}, {}}), "66.6 %");
  EXPECT_EQ(share_of({2, {{0, 0}}, {}}), "0 %");
  graph::EdgeList nearly{2001, {{2000, 0}}, {}};
  for (std::int32_t v = 1; v < 2000; ++v) {
    nearly.arcs.push_back({0, v});
    nearly.arcs.push_back({v, 0});
  }
  EXPECT_EQ(share_of(nearly), "99.9 %");
}

}  // namespace weft::datasets::tests
