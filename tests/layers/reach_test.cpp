// SPDX-License-Identifier: MIT
// Distances from the loss are those of the whole graph, on any number of ranks.
#include "layers/reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

using test_support::Owners;

constexpr int num_layers = 2;

/// By plain breadth-first search over the whole graph.
std::vector<std::int32_t> expected_distances(const datasets::Dataset& dataset) {
  std::vector<std::int32_t> distance(static_cast<std::size_t>(dataset.num_vertices),
                                     num_layers + 1);
  for (std::size_t v = 0; v < distance.size(); v += 17)
    distance[v] = 0;
  for (std::int32_t step = 1; step <= num_layers; ++step) {
    for (std::size_t v = 0; v < distance.size(); ++v) {
      if (distance[v] != step - 1) continue;
      for (auto e = static_cast<std::size_t>(dataset.graph.row_ptr[v]);
           e < static_cast<std::size_t>(dataset.graph.row_ptr[v + 1]); ++e) {
        std::int32_t& other = distance[static_cast<std::size_t>(dataset.graph.col_idx[e])];
        other = std::min(other, step);
      }
    }
  }
  return distance;
}

std::vector<LocalId> training_rows(const partition::Part& part) {
  std::vector<LocalId> rows;
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    if (part.global_ids[static_cast<std::size_t>(v)] % 17 == 0) rows.push_back(v);
  }
  return rows;
}

TEST(Reach, DistancesAreThoseOfTheWholeGraph) {
  comm::Communicator world = comm::Communicator::world();
  test_support::RandomDatasetOptions options;
  options.num_vertices = 200;
  options.arcs_per_vertex = 2;
  const datasets::Dataset dataset = test_support::random_dataset(options);
  const std::vector<std::int32_t> expected = expected_distances(dataset);
  for (const Owners owners : {Owners::block, Owners::random, Owners::one_empty}) {
    const partition::Part part =
        test_support::make_part(dataset, test_support::deal_owners(dataset, world.size(), owners),
                                world.size(), world.rank());
    const Reach reach = find_reach(world, part, training_rows(part), num_layers);
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      const auto row = static_cast<std::size_t>(v);
      EXPECT_EQ(reach.distance[row], expected[static_cast<std::size_t>(part.global_ids[row])]);
    }
    for (std::int32_t d = 0; d <= num_layers; ++d) {
      EXPECT_EQ(reach.global_rows[static_cast<std::size_t>(d)],
                std::ranges::count_if(expected, [d](std::int32_t found) { return found <= d; }));
    }
    const double share = static_cast<double>(reach.global_rows[0] + reach.global_rows[1]) / 400.0;
    EXPECT_NEAR(computed_share(reach, 200), share, 1e-12);
  }
}

}  // namespace
}  // namespace weft::layers
