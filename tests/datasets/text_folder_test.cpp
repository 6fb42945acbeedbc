// SPDX-License-Identifier: MIT
#include "datasets/text_folder.hpp"

#include <gtest/gtest.h>

#include "datasets/import_dataset.hpp"
#include "datasets/npy.hpp"
#include "datasets/synthetic.hpp"
#include "graph/csr_build.hpp"
#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets {
namespace {

using test_support::read_text;
using test_support::TemporaryFolder;

Dataset dataset_of(graph::EdgeList edges, bool directed) {
  Dataset dataset;
  dataset.name = "toy";
  dataset.num_vertices = edges.num_vertices;
  dataset.directed = directed;
  graph::BuildOptions options;
  options.add_reverse_arcs = !directed;
  graph::CsrGraph graph = graph::build_csr(std::move(edges), options);
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  dataset.graph.edge_weight = keep(dataset, std::move(graph.edge_weight));
  return dataset;
}

TEST(WriteEdgesText, WritesAnUndirectedEdgeOnce) {
  const TemporaryFolder folder;
  write_edges_text(dataset_of({5, {{2, 0}, {1, 2}, {3, 3}}, {}}, false), folder / "edges.txt");
  EXPECT_EQ(read_text(folder / "edges.txt"),
            "# toy: undirected, each edge once, smaller id first\n"
            "# Nodes: 5 Edges: 3\n"
            "# FromNodeId\tToNodeId\n"
            "0\t2\n1\t2\n3\t3\n");
}

TEST(WriteEdgesText, WritesArcsFromSourceToDestination) {
  const TemporaryFolder folder;
  write_edges_text(dataset_of({3, {{2, 0}, {0, 2}, {1, 2}}, {0.5F, 2.0F, 1e-7F}}, true),
                   folder / "edges.txt");
  EXPECT_EQ(read_text(folder / "edges.txt"),
            "# toy: directed\n"
            "# Nodes: 3 Edges: 3\n"
            "# FromNodeId\tToNodeId\tWeight\n"
            "2\t0\t0.5\n0\t2\t2\n1\t2\t1e-07\n");
}

TEST(WriteTextFolder, IsReadBackByTheImporter) {
  for (const bool weighted : {false, true}) {
    SyntheticOptions options;
    options.num_vertices = 800;
    options.num_features = 5;
    options.weighted = weighted;
    const Dataset written = make_synthetic(options);
    const TemporaryFolder folder;
    write_text_folder(written, folder / "text");
    ImportOptions import;
    import.source = folder / "text";
    import.direction = Direction::undirected;
    ImportReport report;
    const Dataset read = import_dataset(import, report);
    const auto expect_equal = [](auto a, auto b) {
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    };
    EXPECT_EQ(read.num_vertices, 800);
    EXPECT_EQ(read.num_classes, written.num_classes);
    expect_equal(read.graph.row_ptr, written.graph.row_ptr);
    expect_equal(read.graph.col_idx, written.graph.col_idx);
    expect_equal(read.graph.edge_weight, written.graph.edge_weight);
    expect_equal(read.features.dense, written.features.dense);
    expect_equal(read.labels, written.labels);
    expect_equal(read.splits, written.splits);
    EXPECT_EQ(read.split_names, written.split_names);
  }
}

TEST(WriteTextFolder, MakesSparseFeaturesDense) {
  SyntheticOptions options;
  options.kind = SyntheticKind::karate;
  const TemporaryFolder folder;
  write_text_folder(make_synthetic(options), folder / "text");
  const auto features = map_npy<float>(folder / "text/features.npy");
  ASSERT_EQ(features.shape, (std::vector<std::int64_t>{34, 34}));
  for (std::size_t v = 0; v < 34; ++v) {
    for (std::size_t u = 0; u < 34; ++u)
      EXPECT_EQ(features.values[v * 34 + u], u == v ? 1.F : 0.F);
  }
}

TEST(WriteTextFolder, RefusesAFolderWithContentAndSeveralLabels) {
  const TemporaryFolder folder;
  folder.write("other", "");
  Dataset dataset = dataset_of({2, {{0, 1}}, {}}, false);
  EXPECT_THROW(write_text_folder(dataset, folder.path()), InputError);
  dataset.task = Task::multi_label;
  EXPECT_THROW(write_text_folder(dataset, folder / "new"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

}  // namespace
}  // namespace weft::datasets
