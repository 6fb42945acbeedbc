// SPDX-License-Identifier: MIT
// `weft generate` from outside.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "datasets/dataset_folder.hpp"
#include "tests/support/run_program.hpp"

namespace weft::datasets {
namespace {

using test_support::ProgramResult;
using test_support::TemporaryFolder;

ProgramResult generate(const std::string& arguments) {
  const char* program = std::getenv("WEFT_PROGRAM");
  return test_support::run_program(std::string(program == nullptr ? "weft" : program) +
                                   " generate " + arguments);
}

std::string quoted(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

TEST(GenerateCommand, MakesADatasetAndSaysWhatIsInIt) {
  const TemporaryFolder folder;
  const ProgramResult result =
      generate("communities --nodes 500 --degree 6 --classes 5 --features 8 --edges-text " +
               quoted(folder / "edges.txt") + " --out " + quoted(folder / "data"));
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* part : {"500", "3,000", "6.00", "8 dense", "300 / 100 / 100", "data"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in:\n" << result.out;
  }
  const Dataset dataset = open_dataset(folder / "data", true);
  EXPECT_EQ(dataset.num_vertices, 500);
  EXPECT_EQ(dataset.graph.num_edges(), 3000);
  EXPECT_EQ(dataset.num_classes, 5);
  const std::string edges = test_support::read_text(folder / "edges.txt");
  EXPECT_NE(edges.find("# Nodes: 500 Edges: 1500\n"), std::string::npos);
}

TEST(GenerateCommand, WritesTextOnlyWhereAsked) {
  const TemporaryFolder folder;
  const ProgramResult result =
      generate("grid --rows 3 --columns 4 --classes 3 --text-only --out " + quoted(folder / "t"));
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* name : {"edges.txt", "features.npy", "labels.txt", "split.txt"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "t" / name)) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "t" / "dataset.json"));
}

TEST(GenerateCommand, RefusesWithStatusTwoAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string out = " --out " + quoted(folder / "data");
  for (const char* arguments :
       {"gird", "communities --inside 3", "communities --nodes 10 --classes 9", "ring --nodes 0",
        "rmat --noise -1", "ring --nodes many", "ring --no-such-option"}) {
    const ProgramResult result = generate(arguments + out);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_FALSE(result.err.empty()) << arguments;
    EXPECT_FALSE(std::filesystem::exists(folder / "data")) << arguments;
  }
  const ProgramResult first = generate("ring --nodes 30" + out);
  EXPECT_EQ(first.status, 0) << first.err;
  const ProgramResult again = generate("ring --nodes 30" + out);
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--out exists"), std::string::npos) << again.err;
}

}  // namespace
}  // namespace weft::datasets
