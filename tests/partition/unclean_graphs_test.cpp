// SPDX-License-Identifier: MIT
// Graphs that METIS may not see as they are: arcs of one direction, repeats, loops.
//
// WEFT_PARTITION_SEEDS sets the number of random graphs (6).
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "datasets/import_dataset.hpp"
#include "tests/partition/owner_checks.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/partition/small_datasets.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

using test_support::options_of;
using test_support::recount_cut;
using test_support::reported_cut;

class UncleanGraphs : public testing::TestWithParam<Method> {};

int num_seeds() {
  const char* count = std::getenv("WEFT_PARTITION_SEEDS");
  return count == nullptr ? 6 : std::atoi(count);
}

/// A ring of 200 vertices as the importer makes it by default, each edge written `num_copies`
/// times, with a loop at each vertex if `has_loops`.
datasets::Dataset imported_ring(int num_copies, bool has_loops) {
  std::ostringstream lines;
  for (int v = 0; v < 200; ++v) {
    for (int copy = 0; copy < num_copies; ++copy)
      lines << v << ' ' << (v + 1) % 200 << '\n';
    if (has_loops) lines << v << ' ' << v << '\n';
  }
  const test_support::TemporaryFolder folder;
  datasets::ImportOptions options;
  options.source = folder.write("ring.txt", lines.str());
  options.direction = datasets::Direction::undirected;
  datasets::ImportReport report;
  return import_dataset(options, report);
}

// METIS wants each arc with its reverse and does not look: on such graphs its k-way crashed for 87
// of 100 seeds, its bisection for all. The stored graph stays directed. A k-way call takes half a
// second.
TEST_P(UncleanGraphs, DirectedGraphInHundredParts) {
  ASSERT_GT(num_seeds(), 0);
  for (int seed = 0; seed < num_seeds(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const graph::CsrGraph input = test_support::graph_of(
        1000, test_support::random_out_arcs(1000, 5, static_cast<unsigned>(seed)));
    const auto dataset = test_support::dataset_of(graph::CsrGraph(input));
    const auto owner = partition_graph(dataset, options_of(100, GetParam()));
    ASSERT_EQ(owner.size(), 1000U);
    const auto sizes = test_support::sizes_of(owner, 100);
    EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 1);
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 15);
    EXPECT_EQ(recount_cut(input.view(), owner), reported_cut(dataset, owner, 100));
    EXPECT_TRUE(std::ranges::equal(dataset.graph.row_ptr, input.row_ptr));
    EXPECT_TRUE(std::ranges::equal(dataset.graph.col_idx, input.col_idx));
    if (seed > 0) continue;
    test_support::expect_valid_parts(test_support::build_parts(dataset, owner, 100), dataset,
                                     owner);
  }
}

// Repeats become weights and loops are kept, for training only: METIS cuts the clean ring. With
// both it reported cuts of 52 and 30 instead of 10.
TEST_P(UncleanGraphs, RepeatsAndLoopsChangeNothing) {
  const auto clean = imported_ring(1, false);
  const auto repeated = imported_ring(3, true);
  ASSERT_EQ(repeated.graph.num_edges(), clean.graph.num_edges() + 200);
  ASSERT_EQ(std::ranges::count(repeated.graph.edge_weight, 3.0F), clean.graph.num_edges());
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    PartitionOptions options = options_of(10, GetParam());
    options.seed = seed;
    const auto owner = partition_graph(clean, options);
    EXPECT_EQ(partition_graph(repeated, options), owner);
    const std::int64_t cut = recount_cut(repeated.graph, owner);
    EXPECT_EQ(reported_cut(repeated, owner, 10), cut);
    EXPECT_EQ(reported_cut(clean, owner, 10), cut);
    EXPECT_LE(cut, 12);
  }
}

INSTANTIATE_TEST_SUITE_P(Partition,
                         UncleanGraphs,
                         test_support::both_metis_methods(),
                         test_support::metis_method_word);

}  // namespace
}  // namespace weft::partition
