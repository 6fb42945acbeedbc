// SPDX-License-Identifier: MIT
#include "partition/metis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "graph/support/error.hpp"
#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

// A problem whose vertices weigh 1, with the arrays that it borrows.
struct UnitProblem {
  UnitProblem(graph::CsrGraph&& made, int num_parts) : graph(std::move(made)) {
    weights.assign(graph.row_ptr.size() - 1, 1);
    problem.row_ptr = graph.row_ptr;
    problem.col_idx = graph.col_idx;
    problem.weights = weights;
    problem.total_weights = {static_cast<std::int64_t>(weights.size())};
    problem.shares.assign(static_cast<std::size_t>(num_parts), 1.0 / num_parts);
  }
  graph::CsrGraph graph;
  std::vector<std::int32_t> weights;
  MetisProblem problem;
};

std::int64_t cut_edges(const graph::CsrView& graph, const std::vector<std::int32_t>& owner) {
  std::int64_t cut = 0;
  for (std::int64_t v = 0; v < graph.num_vertices(); ++v) {
    for (const std::int32_t u : graph.neighbors(v)) {
      cut += u < v && owner[static_cast<std::size_t>(u)] != owner[static_cast<std::size_t>(v)];
    }
  }
  return cut;
}

// Bug report 16: the width of ids is shown and checked, and a smoke test runs first.
TEST(Metis, LibraryIsTheOneThatMetisHPromises) {
  EXPECT_NO_THROW(verify_metis());
  const MetisLibrary library = metis_library();
  EXPECT_TRUE(library.id_bits == 32 || library.id_bits == 64) << library.id_bits;
  EXPECT_TRUE(library.weight_bits == 32 || library.weight_bits == 64) << library.weight_bits;
  const std::string description = metis_description();
  EXPECT_NE(description.find(std::to_string(library.id_bits) + "-bit ids"), std::string::npos);
  EXPECT_NE(description.find(std::to_string(library.weight_bits) + "-bit reals"),
            std::string::npos);
}

TEST(Metis, PathOfTenIsCutInTheMiddle) {
  for (const bool recursive : {false, true}) {
    UnitProblem path(test_support::graph_of(10, test_support::path_arcs(10)), 2);
    path.problem.recursive = recursive;
    const auto owner = run_metis(path.problem);
    EXPECT_EQ(std::count(owner.begin(), owner.end(), 0), 5) << recursive;
    EXPECT_EQ(cut_edges(path.graph.view(), owner), 1) << recursive;
  }
}

TEST(Metis, SharesAreFollowed) {
  UnitProblem path(test_support::graph_of(400, test_support::path_arcs(400)), 2);
  path.problem.shares = {0.75, 0.25};
  const auto owner = run_metis(path.problem);
  EXPECT_NEAR(static_cast<double>(std::count(owner.begin(), owner.end(), 0)), 300, 10);
}

TEST(Metis, SameSeedSameOwners) {
  UnitProblem graph(test_support::graph_of(500, test_support::clique_ring_arcs(50, 10)), 7);
  const auto owner = run_metis(graph.problem);
  EXPECT_EQ(run_metis(graph.problem), owner);
}

TEST(Metis, VolumeObjectiveRuns) {
  UnitProblem graph(test_support::graph_of(500, test_support::clique_ring_arcs(50, 10)), 5);
  graph.problem.minimize_volume = true;
  const auto owner = run_metis(graph.problem);
  EXPECT_LE(cut_edges(graph.graph.view(), owner), 40);
}

// Bug report 16: a faked count beyond the width of ids is refused in words.
TEST(MetisCounts, BeyondTheIdWidthAreRefused) {
  constexpr std::int64_t limit = (std::int64_t{1} << 31) - 1;
  const std::vector<std::int64_t> fits{limit};
  EXPECT_NO_THROW(check_metis_counts(limit, limit, fits, 32));
  EXPECT_NO_THROW(check_metis_counts(limit, limit + 1, fits, 64));
  EXPECT_THROW(check_metis_counts(limit + 1, 0, {}, 32), InputError);
  const std::vector<std::int64_t> too_heavy{10, limit + 1};
  EXPECT_THROW(check_metis_counts(10, 10, too_heavy, 32), InputError);
  try {
    check_metis_counts(10, limit + 1, {}, 32);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("2147483648 arcs"), std::string::npos) << message;
    EXPECT_NE(message.find("2147483647"), std::string::npos) << message;
  }
}

// Ends the process, with 0 where METIS fails; the error goes to stderr.
void exit_with_error_of(const MetisProblem& problem) {
  try {
    (void)run_metis(problem);
  } catch (const RuntimeError& error) {
    std::fputs(error.what(), stderr);
    std::_Exit(0);
  }
  std::_Exit(1);
}

// METIS refuses shares whose sum is not 1. It leaks its workspace then, and prints a line of its
// own, so a child process asks.
TEST(MetisDeathTest, ARefusedCallIsAnErrorThatTellsTheProblem) {
  for (const bool recursive : {false, true}) {
    UnitProblem path(test_support::graph_of(10, test_support::path_arcs(10)), 2);
    path.problem.recursive = recursive;
    path.problem.shares = {0.9, 0.9};
    EXPECT_EXIT(exit_with_error_of(path.problem), testing::ExitedWithCode(0),
                "METIS: error code -2 for 10 vertices, 18 arcs and 2 parts: it refuses the graph")
        << recursive;
  }
}

// The codes of metis.h, by number.
TEST(Metis, ErrorCodesHaveAMeaning) {
  EXPECT_NE(std::string(metis_error_meaning(-2)).find("refuses"), std::string::npos);
  EXPECT_NE(std::string(metis_error_meaning(-3)).find("memory"), std::string::npos);
  EXPECT_NE(std::string(metis_error_meaning(-4)).find("reason"), std::string::npos);
}

TEST(RunWithStack, GivesTheStackThatIsAskedFor) {
  bool done = false;
  run_with_stack(std::size_t{64} << 20, [&] {
    std::array<char, std::size_t{32} << 20> large;  // far above the usual 8 MiB
    std::memset(large.data(), 1, large.size());
    done = large[large.size() / 2] == 1;
  });
  EXPECT_TRUE(done);
}

TEST(RunWithStack, PassesExceptionsOn) {
  EXPECT_THROW(run_with_stack(1 << 20, [] { throw InputError("from the thread"); }), InputError);
}

}  // namespace
}  // namespace weft::partition
