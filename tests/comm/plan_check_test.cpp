// SPDX-License-Identifier: MIT
#include "comm/plan_check.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/support/error.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::comm {
namespace {

std::vector<GlobalId> global_ids_of(const HandPart& part) {
  std::vector<GlobalId> ids = part.owned;
  ids.insert(ids.end(), part.halo.begin(), part.halo.end());
  return ids;
}

// Ten vertices a rank; each rank reads three of the next rank's.
HandPart ring_part(const Communicator& world) {
  std::vector<int> owner;
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (int rank = 0; rank < world.size(); ++rank) {
    owner.insert(owner.end(), 10, rank);
    const GlobalId next = 10 * ((rank + 1) % world.size());
    if (world.size() > 1) reads[static_cast<std::size_t>(rank)] = {next + 2, next + 3, next + 9};
  }
  return make_hand_part(owner, reads, world.rank());
}

std::string refusal_of(Communicator& world, const HandPart& part) {
  try {
    check_borders(world, part.plan, global_ids_of(part));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(CheckBorders, PassesPartsOfOnePartition) {
  Communicator world = Communicator::world();
  EXPECT_EQ(refusal_of(world, ring_part(world)), "");
}

TEST(CheckBorders, NamesThePartsWhoseVerticesDifferThoughCountsAgree) {
  Communicator world = Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "a border needs two ranks";
  HandPart other = ring_part(world);
  if (world.rank() == 1) other.plan.send_rows.front() = 5;
  EXPECT_NE(refusal_of(world, other).find("halo plan of part 0: part 1 sends other vertices"),
            std::string::npos);
}

TEST(CheckBorders, NoticesAnotherOrder) {
  Communicator world = Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "a border needs two ranks";
  HandPart swapped = ring_part(world);
  if (world.rank() == 0) std::swap(swapped.halo[0], swapped.halo[1]);
  EXPECT_NE(refusal_of(world, swapped), "");
}

}  // namespace
}  // namespace weft::comm
