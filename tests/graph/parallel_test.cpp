// SPDX-License-Identifier: MIT
#include "graph/parallel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/graph/threads.hpp"

namespace weft::graph {
namespace {

TEST(ParallelForEach, VisitsEveryIndexOnce) {
  for (const std::int64_t count : {0, 1, 7, 1000, 100000}) {
    std::vector<int> visits(static_cast<std::size_t>(count));
    test_support::with_threads(4, [&] {
      parallel_for_each(count, 16, [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i)]; });
    });
    for (const int visit : visits)
      ASSERT_EQ(visit, 1);
  }
}

TEST(ParallelSum, IsExact) {
  const auto square = [](std::int64_t i) { return i * i; };
  EXPECT_EQ(parallel_sum<std::int64_t>(1000, 10, square), 332833500);
  EXPECT_EQ(parallel_sum<std::int64_t>(0, 10, square), 0);
}

TEST(ParallelForEach, PassesErrorsOn) {
  const auto work = [](std::int64_t i) {
    if (i == 777) throw std::runtime_error("here");
  };
  EXPECT_THROW(parallel_for_each(1000, 10, work), std::runtime_error);
}

TEST(OffsetsFromCounts, TurnsCountsIntoBegins) {
  std::vector<std::int64_t> counts{3, 0, 2, 0};
  offsets_from_counts(counts);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{0, 3, 3, 5}));
}

}  // namespace
}  // namespace weft::graph
