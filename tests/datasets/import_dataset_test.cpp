// SPDX-License-Identifier: MIT
// Whole imports of small files; the tests named after bug reports play what went wrong in other
// graph libraries.
#include "datasets/import_dataset.hpp"

#include "graph/support/text.hpp"
#include "tests/datasets/sparse_npz_maker.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

class ImportDataset : public testing::Test {
 protected:
  /// Imports edges.txt with this content by `options`.
  Dataset import(const std::string& edges) {
    options.source = folder.write("edges.txt", edges);
    report = {};
    return import_dataset(options, report);
  }
  std::string error(const std::string& edges) {
    return error_of([&] { (void)import(edges); });
  }
  [[nodiscard]] std::string all_notes() const { return join(report.notes, "\n"); }

  /// Rows 1, 2, ... as features with one column.
  std::filesystem::path feature_rows(int count) {
    std::vector<float> values;
    for (int i = 1; i <= count; ++i)
      values.push_back(static_cast<float>(i));
    return folder.write("f.npy", npy_of<float>("<f4", text("(", count, ", 1)"), values));
  }

  TemporaryFolder folder;
  ImportOptions options;
  ImportReport report;
};

using ImportBugReport = ImportDataset;

}  // namespace

TEST_F(ImportDataset, KeepsArcsAsWrittenAndSaysSo) {
  const Dataset dataset = import("0 1\n1 2\n2 3\n");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}));
  EXPECT_TRUE(dataset.directed);
  expect_parts(all_notes(), {"0 % of arcs have their reverse", "--undirected"});
  EXPECT_EQ(dataset.name, "edges");
  expect_parts(dataset.provenance, {"edges.txt", "3 arcs read"});
}

TEST_F(ImportDataset, DirectedIsSaidWithoutANote) {
  options.direction = Direction::directed;
  EXPECT_TRUE(import("0 1\n1 2\n").directed);
  EXPECT_EQ(all_notes().find("reverse"), std::string::npos);
}

TEST_F(ImportDataset, FindsThatAGraphIsUndirected) {
  EXPECT_FALSE(import("0 1\n1 0\n").directed);
  EXPECT_TRUE(import("0 1 2\n1 0 3\n").directed);
  expect_parts(all_notes(), {"not with the same weight"});
  EXPECT_FALSE(import("0 1 2\n1 0 2\n").directed);
}

TEST_F(ImportDataset, MergesRepeatsByOption) {
  EXPECT_EQ(arcs_of(import("0 1\n0 1\n").graph), (Arcs{{0, 1, 2}}));
  EXPECT_EQ(report.build.repeated_arcs, 1);
  EXPECT_EQ(arcs_of(import("0 1 2\n0 1 3\n").graph), (Arcs{{0, 1, 5}}));
  options.repeats = graph::Repeats::keep_one;
  EXPECT_EQ(arcs_of(import("0 1\n0 1\n").graph), (Arcs{{0, 1, 1}}));
  EXPECT_EQ(arcs_of(import("0 1 2\n0 1 3\n").graph), (Arcs{{0, 1, 2}}));
}

TEST_F(ImportDataset, SaysThatRepeatsMakeWeights) {
  (void)import("0 1\n0 1\n0 1\n");
  expect_parts(all_notes(), {"2 repeated arcs: their weights are added up (each counts 1), so the "
                             "graph is weighted; --repeats keep-one keeps one of each"});
  (void)import("0 1 2\n0 1 3\n");
  expect_parts(all_notes(), {"1 repeated arc: its weight is added; --repeats keep-one keeps"});
  (void)import("0 1\n1 0\n");
  EXPECT_EQ(all_notes().find("repeated"), std::string::npos);
  options.repeats = graph::Repeats::sum;
  (void)import("0 1\n0 1\n");
  EXPECT_EQ(all_notes().find("repeated"), std::string::npos) << "said by an option";
}

TEST_F(ImportDataset, WithoutWeightsRepeatsAreNotAddedUp) {
  options.edges.columns.weights = Choice::no;
  EXPECT_FALSE(import("0 1 7\n0 1 7\n").graph.is_weighted());
  expect_parts(all_notes(), {"1 repeated arc: one of each is kept, as --weights no says"});
  options.repeats = graph::Repeats::sum;
  expect_parts(error("0 1\n"), {"--weights no and --repeats sum contradict each other"});
  options.repeats = graph::Repeats::keep_one;
  EXPECT_FALSE(import("0 1\n0 1\n").graph.is_weighted());
}

TEST_F(ImportDataset, DropsLoopsByOption) {
  EXPECT_EQ(arcs_of(import("0 0\n0 1\n").graph), (Arcs{{0, 0, 1}, {0, 1, 1}}));
  options.loops = graph::Loops::drop;
  EXPECT_EQ(arcs_of(import("0 0\n0 1\n").graph), (Arcs{{0, 1, 1}}));
  EXPECT_EQ(report.build.self_loops, 1);
}

TEST_F(ImportDataset, TakesSideFiles) {
  options.files.features = folder.write("f.npz", npz_of(sparse_members()));
  options.files.labels = folder.write("l.txt", "b\na\n-1\n");
  options.files.splits = folder.write("s.txt", "# columns: p q\n0 1\n1 0\n2 -1\n");
  options.name = "toy";
  const Dataset dataset = import("0 1\n");
  EXPECT_EQ(dataset.name, "toy");
  EXPECT_EQ(dataset.num_vertices, 3);
  EXPECT_EQ(dataset.features.num_columns, 3);
  EXPECT_EQ(vector_of(dataset.labels), (std::vector<std::int32_t>{1, 0, -1}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(vector_of(dataset.split("q")), (std::vector<std::int8_t>{1, 0, -1}));
  EXPECT_EQ(dataset.task, Task::single_label);
}

TEST_F(ImportDataset, StoresOtherTasks) {
  options.task = Task::multi_label;
  options.files.labels = folder.write("l.txt", "0 1\n\n");
  const Dataset multi = import("0 1\n");
  EXPECT_EQ(vector_of(multi.multi_labels), (std::vector<std::uint8_t>{1, 1, 0, 0}));
  EXPECT_EQ(multi.task, Task::multi_label);
  options.task = Task::regression;
  options.files.labels = folder.write("l.txt", "0.5\n2\n");
  EXPECT_EQ(vector_of(import("0 1\n").targets), (std::vector<float>{0.5F, 2.0F}));
}

TEST_F(ImportDataset, RowsOfSparseIdsAreTheIdsInRisingOrder) {
  options.edges.ids = IdMode::sparse;
  options.files.labels = folder.write("l.txt", "0\n1\n2\n");
  const Dataset dataset = import("30 10\n20 30\n");
  EXPECT_EQ(vector_of(dataset.node_ids.numbers), (std::vector<std::int64_t>{10, 20, 30}));
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{1, 2, 1}, {2, 0, 1}}));
  expect_parts(all_notes(), {"rows of features, labels and splits belong to the ids in rising"});
}

TEST_F(ImportDataset, NodeIdsSayTheIdOfEachRow) {
  options.files.node_ids = folder.write("ids.txt", "30\n10\n20\n7\n");
  options.files.labels = folder.write("l.txt", "0\n1\n2\n0\n");
  Dataset dataset = import("30 10\n20 30\n");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 1}, {2, 0, 1}}));
  EXPECT_EQ(dataset.num_vertices, 4);
  EXPECT_EQ(dataset.node_ids.text_of(3), "7");
  expect_parts(error("30 10\n20 31\n"), {"edges.txt:2: vertex id '31'"});
  options.edges.ids = IdMode::contiguous;
  dataset = import("0 1\n2 0\n");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 1}, {2, 0, 1}}));
  EXPECT_EQ(dataset.node_ids.text_of(0), "30");
}

TEST_F(ImportDataset, NodeIdsMayBeNames) {
  options.edges.ids = IdMode::string;
  options.files.node_ids = folder.write("ids.txt", "zoe\nann\n");
  const Dataset dataset = import("ann zoe\n");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{1, 0, 1}}));
  EXPECT_EQ(dataset.node_ids.text_of(1), "ann");
}

TEST_F(ImportDataset, LabelsById) {
  options.labels_by_id = true;
  options.files.labels = folder.write("l.txt", "id label\n100 1\n7 0\n");
  const Dataset dataset = import("7 100\n100 9\n");
  EXPECT_EQ(vector_of(dataset.labels), (std::vector<std::int32_t>{0, -1, 1}));
}

TEST_F(ImportDataset, LinesOfIdAndClassAreNoClasses) {
  options.edges.ids = IdMode::string;
  options.files.labels = folder.write("l.txt", "# c\na Theory\nb Neural Networks\nc Theory\n");
  expect_parts(error("a b\nb c\n"), {"l.txt:2: 2 fields, the first a vertex id ('a'), as on 3 of "
                                     "3 lines",
                                     "--labels-by id"});
  options.labels_by_id = true;
  EXPECT_EQ(vector_of(import("a b\nb c\n").labels), (std::vector<std::int32_t>{1, 0, 1}));
}

TEST_F(ImportDataset, ClassesMayHaveBlanksAndBeginLikeAnId) {
  options.edges.ids = IdMode::string;
  options.files.labels = folder.write("l.txt", "a Theory\nNeural Networks\nTheory\n");
  EXPECT_EQ(import("a b\nb c\n").num_classes, 3);
}

TEST_F(ImportDataset, RowsOfLabelsThatAreTooFewMayBeIdAndClass) {
  options.edges.ids = IdMode::string;
  options.files.labels = folder.write("l.txt", "a Theory\nb Theory\n");
  expect_parts(error("a b\nb c\n"), {"3 different ids, but 2 vertices", "--labels-by id"});
}

TEST_F(ImportDataset, NamesAsIdsAreOneProblem) {
  const std::string message = error("ann bob\nbob 1\n0 1\n1\n");
  expect_parts(message, {"edges.txt:1: id 'ann' is no number", "--ids string (and on 1 more lines)",
                         "edges.txt:4: 1 field"});
  EXPECT_EQ(message.find("edges.txt:2"), std::string::npos) << message;
}

TEST_F(ImportDataset, TakesAFolder) {
  folder.write("labels.txt", "0\n1\n0\n");
  folder.write("split.txt", "# split: public\n0\n1\n2\n");
  folder.write("original_ids.txt", "70\n50\n60\n");
  folder.write("edges.txt", "0 1\n1 2\n");
  options.source = folder.path();
  const Dataset dataset = import_dataset(options, report);
  EXPECT_EQ(dataset.name, folder.path().filename());
  EXPECT_EQ(dataset.split_names, std::vector<std::string>{"public"});
  EXPECT_EQ(dataset.node_ids.text_of(1), "50");
  expect_parts(all_notes(), {"edges are taken from", "read as row numbers"});
}

TEST_F(ImportDataset, SymmetricMatricesAreUndirected) {
  const Dataset dataset =
      import("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 4\n3 3 2\n");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 4}, {1, 0, 4}, {2, 2, 2}}));
  EXPECT_FALSE(dataset.directed);
}

TEST_F(ImportDataset, HoldsFilesAgainstEachOther) {
  options.files.features = feature_rows(3);
  options.files.labels = folder.write("l.txt", "0\n1\n0\n1\n");
  expect_parts(error("0 1\n"), {"l.txt:4: ", "3 vertices", "f.npy"});
  options.files.labels.clear();
  options.num_vertices = 4;
  expect_parts(error("0 1\n"), {"f.npy: 3, expected 4 (--nodes)"});
  options.num_vertices.reset();
  options.files.splits = folder.write("s.npy", npy_of<std::int8_t>("|i1", "(2,)", {0, 0}));
  expect_parts(error("0 1\n"), {"s.npy: 2 codes", "expected 3"});
}

TEST_F(ImportDataset, OptionsOfLabelsNeedLabels) {
  options.labels_by_id = true;
  expect_parts(error("0 1\n"), {"--labels-by id", "--labels FILE"});
  options.task = Task::regression;
  expect_parts(error("0 1\n"), {"--task", "--labels FILE"});
}

TEST_F(ImportDataset, LimitsTheNumberOfVertices) {
  options.num_vertices = std::int64_t{1} << 31;
  expect_parts(error("0 1\n"), {"--nodes", "2147483648", "split"});
}

TEST_F(ImportDataset, ReportsFirstProblemsForAnyNumberOfThreads) {
  std::string edges;
  for (int i = 0; i < 300000; ++i)
    edges += i % 1000 == 999 ? "x\n" : text(i % 777, " 5\n");
  std::string first;
  for (const int threads : {1, 2, 7}) {
    options.num_threads = threads;
    const std::string message = error(edges);
    expect_parts(message, {"edges.txt:1000: ", "edges.txt:20000: ", "280 more problems, 300 in"});
    if (first.empty()) first = message;
    EXPECT_EQ(message, first);
  }
}

TEST_F(ImportBugReport, OneIdsOutsideThePolicy) {
  options.edges.ids = IdMode::one_based;
  expect_parts(error("0 0\n"), {"edges.txt:1: vertex id 0"});
  const std::string gaps = "1\t2\n3\t4\n5\t6\n5\t8\n6\t10\n";
  options.edges.ids = IdMode::automatic;
  const Dataset relabelled = import(gaps);
  EXPECT_EQ(relabelled.num_vertices, 8);
  EXPECT_EQ(relabelled.graph.num_edges(), 5);
  EXPECT_EQ(vector_of(relabelled.node_ids.numbers),
            (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 8, 10}));
  options.edges.ids = IdMode::contiguous;
  EXPECT_EQ(import(gaps).num_vertices, 11);
  EXPECT_EQ(report.build.isolated_vertices, 3);
  options.edges.ids = IdMode::automatic;
  EXPECT_EQ(import("9001 9003\n9002 9002\n9003 9001\n").num_vertices, 3);
}

TEST_F(ImportBugReport, TwoCommentsInsideALine) {
  expect_parts(error("# head\n0 1\n\n1 2 # x\n% y\n2 3\n"), {"edges.txt:4: comment after data"});
  (void)import("# head\n0 1\n\n1 2\n% y\n2 3\n");
  EXPECT_EQ(report.lines.lines, 6);
  EXPECT_EQ(report.lines.comments, 2);
  EXPECT_EQ(report.lines.blanks, 1);
  EXPECT_EQ(report.build.arcs_read, 3);
}

TEST_F(ImportBugReport, FourTrailingIsolatedVertices) {
  options.files.features = feature_rows(5);
  const Dataset dataset = import("0 1\n1 2\n2 3\n");
  EXPECT_EQ(dataset.num_vertices, 5);
  EXPECT_EQ(dataset.graph.num_vertices(), 5);
  EXPECT_EQ(report.build.isolated_vertices, 1);
  EXPECT_EQ(dataset.features.dense[4], 5.0F);
}

TEST_F(ImportBugReport, FiveEdgesToVerticesThatAreNotThere) {
  options.files.features = feature_rows(3);
  expect_parts(error("0 1\n1 7\n"), {"edges.txt:2: vertex id 7 is not below 3", "f.npy"});
  options.files.labels = folder.write("l.txt", "0\n1\n2\n0\n");
  expect_parts(error("0 1\n"), {"l.txt:4", "row 4", "3 vertices"});
  options.files.labels.clear();
  options.files.features = folder / "absent.npy";
  expect_parts(error("0 1\n"), {(folder / "absent.npy").string()});
}

TEST_F(ImportBugReport, SevenCountsDoNotDependOnThreads) {
  std::string circulant;
  for (int v = 0; v < 40; ++v) {
    for (int k = 1; k <= 4; ++k)
      circulant += text(v, " ", (v + k) % 40, "\n");
  }
  options.direction = Direction::undirected;
  for (const int threads : {1, 2, 7, 16}) {
    options.num_threads = threads;
    const Dataset dataset = import(circulant);
    EXPECT_EQ(dataset.num_vertices, 40);
    EXPECT_EQ(dataset.graph.num_edges(), 320);
    EXPECT_EQ(report.build.repeated_arcs, 0);
    EXPECT_EQ(report.build.self_loops, 0);
    EXPECT_FALSE(dataset.directed);
  }
  EXPECT_EQ(arcs_of(import("0 0 1.0\n").graph), (Arcs{{0, 0, 1}}));
}

TEST_F(ImportBugReport, EightUndirectedTouchesEdgesOnly) {
  options.direction = Direction::undirected;
  options.files.features = folder.write("f.npy", npy_of<float>("<f4", "(5,)", {1, 3, 5, 7, 9}));
  const Dataset ring = import("0 1\n1 2\n2 3\n3 4\n4 0\n");
  EXPECT_EQ(ring.graph.num_edges(), 10);
  EXPECT_EQ(vector_of(ring.features.dense), (std::vector<float>{1, 3, 5, 7, 9}));
  options.files.features.clear();
  const Arcs arcs = arcs_of(import("0 1 2.0\n1 0 5.0\n1 2 3.0\n").graph);
  EXPECT_EQ(arcs, (Arcs{{0, 1, 5}, {1, 0, 5}, {1, 2, 3}, {2, 1, 3}}));
  std::string again;
  for (const auto& [source, destination, weight] : arcs) {
    again += text(source, " ", destination, " ", weight, "\n");
  }
  EXPECT_EQ(arcs_of(import(again).graph), arcs);
}

TEST_F(ImportBugReport, TwentyThreeNegativeWeights) {
  expect_parts(error("0 1 -1\n"), {"edges.txt:1: negative weight -1"});
  expect_parts(error("0 1 1\n1 0 -2\n"), {"edges.txt:2: negative weight -2"});
  options.edges.allow_negative_weights = true;
  EXPECT_EQ(arcs_of(import("0 1 -1\n").graph), (Arcs{{0, 1, -1}}));
}

// Row i has the id 7 i mod 101, its feature is that id; edges are written by ids.
TEST_F(ImportBugReport, ThirtyTwoRowsStayWithTheirIds) {
  std::string ids;
  std::string edges;
  std::vector<float> values;
  for (int row = 0; row < 101; ++row) {
    const int id = 7 * row % 101;
    ids += text(id, "\n");
    edges += text(id, " ", (id + 1) % 101, "\n");
    values.push_back(static_cast<float>(id));
  }
  options.files.node_ids = folder.write("ids.txt", ids);
  options.files.features = folder.write("f.npy", npy_of<float>("<f4", "(101, 1)", values));
  const Dataset dataset = import(edges);
  ASSERT_EQ(dataset.num_vertices, 101);
  for (std::size_t row = 0; row < 101; ++row) {
    EXPECT_EQ(dataset.node_ids.numbers[row], static_cast<std::int64_t>(7 * row % 101));
    EXPECT_EQ(static_cast<std::int64_t>(dataset.features.dense[row]),
              dataset.node_ids.numbers[row]);
  }
  for (const auto& [source, destination, weight] : arcs_of(dataset.graph)) {
    EXPECT_EQ((dataset.node_ids.numbers[static_cast<std::size_t>(source)] + 1) % 101,
              dataset.node_ids.numbers[static_cast<std::size_t>(destination)]);
  }
}

}  // namespace weft::datasets::tests
