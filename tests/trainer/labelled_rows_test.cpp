// SPDX-License-Identifier: MIT
// Roles are counted over all ranks, unknown labels left out.
#include "trainer/labelled_rows.hpp"

#include <gtest/gtest.h>

#include "graph/support/error.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

TEST(LabelledRows, CountsAreThoseOfTheWholeDataset) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  std::array<std::int64_t, num_roles> expected{};
  for (std::size_t v = 0; v < dataset.labels.size(); ++v) {
    if (dataset.labels[v] >= 0 && dataset.splits[v] >= 0) {
      ++expected[static_cast<std::size_t>(dataset.splits[v])];
    }
  }
  for (const Owners owners : {Owners::block, Owners::one_empty}) {
    const partition::Part part = test_support::my_part(world, dataset, owners);
    const LabelledRows rows = find_labelled_rows(world, part, split_of_part(part, "random"));
    EXPECT_EQ(rows.global_counts, expected);
    for (const LocalId v : rows.rows[0]) {
      EXPECT_GE(part.rows.labels[static_cast<std::size_t>(v)], 0);
    }
  }
}

TEST(LabelledRows, UnknownSplitListsThoseThereAre) {
  comm::Communicator world = comm::Communicator::world();
  const partition::Part part =
      test_support::my_part(world, test_support::random_dataset(), Owners::block);
  try {
    static_cast<void>(split_of_part(part, "publik"));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("random"), std::string::npos) << error.what();
  }
}

TEST(LabelledRows, NoSplitGivesNoRows) {
  comm::Communicator world = comm::Communicator::world();
  const partition::Part part =
      test_support::my_part(world, test_support::random_dataset(), Owners::block);
  const LabelledRows rows = find_labelled_rows(world, part, {});
  for (std::size_t role = 0; role < num_roles; ++role) {
    EXPECT_TRUE(rows.rows[role].empty());
    EXPECT_EQ(rows.global_counts[role], 0);
  }
}

}  // namespace
}  // namespace weft::trainer
