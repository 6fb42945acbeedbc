// SPDX-License-Identifier: MIT
// Rows come out in dataset order, whoever owned them.
#include "trainer/gather.hpp"

#include <gtest/gtest.h>

#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

TEST(Gather, PutsEveryRowAtItsGlobalId) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  for (const Owners owners : {Owners::random, Owners::one_empty}) {
    const partition::Part part = test_support::my_part(world, dataset, owners);
    kernels::Matrix rows(part.num_owned(), 3);
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      for (std::int64_t c = 0; c < 3; ++c) {
        rows.at(v, c) = static_cast<Real>(10 * part.global_ids[static_cast<std::size_t>(v)] + c);
      }
    }
    const kernels::Matrix all = gather_by_global_id(world, part, rows.view());
    if (world.rank() != 0) {
      EXPECT_EQ(all.size(), 0);
      continue;
    }
    ASSERT_EQ(all.num_rows(), dataset.num_vertices);
    for (std::int64_t v = 0; v < all.num_rows(); ++v) {
      for (std::int64_t c = 0; c < 3; ++c)
        EXPECT_EQ(all.at(v, c), static_cast<Real>(10 * v + c));
    }
  }
}

TEST(Gather, TakesRowsOfAView) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  const partition::Part part = test_support::my_part(world, dataset, Owners::block);
  kernels::Matrix wide(part.num_owned(), 5);
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    wide.at(v, 1) = static_cast<Real>(part.global_ids[static_cast<std::size_t>(v)]);
  }
  const kernels::ConstMatrixView column{wide.data() + 1, part.num_owned(), 1, 5};
  const kernels::Matrix all = gather_by_global_id(world, part, column);
  for (std::int64_t v = 0; v < all.num_rows(); ++v)
    EXPECT_EQ(all.at(v, 0), static_cast<Real>(v));
}

}  // namespace
}  // namespace weft::trainer
