// SPDX-License-Identifier: MIT
// The exchange on parts of graphs: each halo row arrives with the global id of its vertex, for
// every graph of the zoo, however its vertices are dealt out.
#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/halo_exchange.hpp"
#include "graph/normalization.hpp"
#include "graph/support/random.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_graph.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::comm {
namespace {

using Owners = std::vector<std::int32_t>;

Owners block_owners(std::int64_t num_vertices, std::int64_t num_parts) {
  Owners owners;
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    owners.push_back(static_cast<std::int32_t>(v * num_parts / num_vertices));
  }
  return owners;
}

// Nothing for the last of several parts.
Owners random_owners(std::int64_t num_vertices, int num_parts) {
  const RandomKey key = random_key(11, RandomPurpose::test);
  const auto choices = static_cast<std::uint32_t>(std::max(1, num_parts - 1));
  Owners owners;
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    owners.push_back(
        static_cast<std::int32_t>(random_word(key, static_cast<std::uint64_t>(v)) % choices));
  }
  return owners;
}

Owners metis_owners(const datasets::Dataset& dataset, int num_parts) {
  partition::PartitionOptions options;
  options.num_parts = num_parts;
  return partition::partition_graph(dataset, options);
}

void expect_own_ids(Communicator& world, const partition::Part& part) {
  HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  kernels::Matrix x(part.num_owned(), 3);
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    const GlobalId id = part.global_ids[static_cast<std::size_t>(v)];
    for (std::int64_t c = 0; c < 3; ++c)
      x.at(v, c) = static_cast<Real>(id * 4 + c);
  }
  halo.begin(ctx, std::as_const(x).view());
  const kernels::ConstMatrixView rows = halo.finish(ctx);
  ASSERT_EQ(rows.num_rows, part.num_halo());
  for (LocalId h = 0; h < part.num_halo(); ++h) {
    const GlobalId id = part.global_ids[static_cast<std::size_t>(part.num_owned() + h)];
    for (std::int64_t c = 0; c < 3; ++c) {
      EXPECT_EQ(rows.at(h, c), static_cast<Real>(id * 4 + c)) << "halo row " << h;
    }
  }
}

void expect_own_ids_however_dealt(Communicator& world, const graph::CsrGraph& graph) {
  datasets::Dataset dataset;
  dataset.num_vertices = graph.view().num_vertices();
  dataset.graph = graph.view();
  const graph::Degrees degrees = graph::compute_degrees(graph.view());
  std::vector<Owners> deals = {block_owners(dataset.num_vertices, world.size()),
                               random_owners(dataset.num_vertices, world.size())};
  if (dataset.num_vertices >= world.size()) deals.push_back(metis_owners(dataset, world.size()));
  for (const Owners& owners : deals) {
    partition::PartitionInfo info;
    info.num_parts = world.size();
    info.num_vertices = dataset.num_vertices;
    info.num_edges = dataset.graph.num_edges();
    expect_own_ids(world, build_part(dataset, degrees, owners, info, world.rank()));
  }
}

TEST(HaloOnGraphs, BringsEachVertexUnderItsOwnId) {
  Communicator world = Communicator::world();
  for (const test_support::NamedGraph& named : test_support::graph_zoo()) {
    SCOPED_TRACE(named.name);
    expect_own_ids_however_dealt(world, named.graph);
  }
}

}  // namespace
}  // namespace weft::comm
