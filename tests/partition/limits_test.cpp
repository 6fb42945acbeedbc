// SPDX-License-Identifier: MIT
// Import and partitioning where memory or stack is short: what is said beforehand holds, and what
// does not fit ends in words, without a signal and without half an output.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>

#include "tests/support/run_program.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using test_support::ProgramResult;

/// Runs `weft ARGUMENTS` in a shell that has set `limits` ("ulimit -s 1024").
ProgramResult weft(const std::string& arguments, const std::string& limits = "true") {
  const char* program = std::getenv("WEFT_PROGRAM");
  return test_support::run_program(limits + " && exec '" +
                                   std::string(program == nullptr ? "weft" : program) + "' " +
                                   arguments);
}

/// The bytes that `pattern` finds in `text` as a number and a unit, "150 MiB"; fails the test and
/// gives 0 where it finds none.
double bytes_in(const std::string& text, const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern + " *([0-9.]+) (B|KiB|MiB|GiB)"))) {
    ADD_FAILURE() << "'" << pattern << "' in: " << text;
    return 0;
  }
  double bytes = std::stod(found[1]);
  for (const char* unit : {"KiB", "MiB", "GiB"}) {
    if (found[2] == "B") break;
    bytes *= 1024;
    if (found[2] == unit) break;
  }
  return bytes;
}

double expected_memory(const ProgramResult& result) {
  return bytes_in(result.err, "about");
}

double peak_memory(const ProgramResult& result) {
  return bytes_in(result.out, "peak memory");
}

class Limits : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  void generate(const std::string& arguments) {
    const ProgramResult made = weft("generate " + arguments);
    ASSERT_EQ(made.status, 0) << made.err;
  }

  /// Bytes of the graph and the dense features in a dataset folder.
  [[nodiscard]] double dataset_bytes(const std::string& dataset) const {
    double bytes = 0;
    for (const char* file : {"row_ptr.npy", "col_idx.npy", "features.npy"})
      bytes += static_cast<double>(fs::file_size(folder_ / dataset / file));
    return bytes;
  }

  /// The estimate is right within a factor of 2, and nothing holds many copies of the data.
  void expect_announced_memory(const ProgramResult& result, const std::string& dataset) {
    ASSERT_EQ(result.status, 0) << result.err;
    const double ratio = expected_memory(result) / peak_memory(result);
    EXPECT_GE(ratio, 0.5) << result.out << result.err;
    EXPECT_LE(ratio, 2.0) << result.out << result.err;
    EXPECT_LE(peak_memory(result), 6 * dataset_bytes(dataset)) << result.out;
  }

  /// Runs `command`, which makes the folder "small", with half the address space of `peak` bytes
  /// and with somewhat more, so that it fails at several places: memory runs out in words.
  void expect_words_when_memory_is_short(const std::string& command, double peak) {
    for (const double share : {0.5, 0.7, 0.9, 1.1}) {
      const auto kib = static_cast<long long>(share * peak / 1024);
      const std::string limit = "ulimit -v " + std::to_string(kib);
      if (weft("--version", limit).status != 0) {
        GTEST_SKIP() << "the program itself does not start in " << kib << " KiB";
      }
      const ProgramResult result = weft(command + at("small"), limit);
      const bool fits = result.status == 0;
      if (share > 0.5 && fits) break;
      EXPECT_EQ(result.status, 1) << limit << result.err;
      EXPECT_NE(result.err.find("weft: error: "), std::string::npos) << limit << result.err;
      EXPECT_NE(result.err.find("out of memory"), std::string::npos) << limit << result.err;
      expect_nothing_left("small");
    }
  }

  /// Neither a file or folder called `name` nor its temporary form is there.
  void expect_nothing_left(const std::string& name) {
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_EQ(entry.path().filename().string().find(name), std::string::npos) << entry.path();
  }

  test_support::TemporaryFolder folder_;
};

/// Vertices of each part, from the table of `weft partition`.
std::vector<int> part_sizes(const std::string& table) {
  std::vector<int> sizes;
  std::istringstream lines(std::regex_replace(table, std::regex(","), ""));
  for (std::string line; std::getline(lines, line);) {
    std::size_t part = 0;
    int size = 0;
    if (std::istringstream(line) >> part >> size && part == sizes.size()) sizes.push_back(size);
  }
  return sizes;
}

// METIS recurses and keeps arrays on its stack, so it runs on a stack of its own.
TEST_F(Limits, AStackOfAnySizeWillDo) {
  ASSERT_NO_FATAL_FAILURE(generate("path --nodes 1000000 --features 0 --out " + at("path")));
  for (const std::string limit : {"1024", "8192"}) {
    const ProgramResult result =
        weft("partition " + at("path") + " --parts 4 --out " + at("parts" + limit),
             "ulimit -s " + limit);
    ASSERT_EQ(result.status, 0) << limit << result.err;
    EXPECT_NE(result.out.find(" 3 pairs of vertices"), std::string::npos) << result.out;
    const std::vector<int> sizes = part_sizes(result.out);
    ASSERT_EQ(sizes.size(), 4U) << result.out;
    for (const int size : sizes)
      EXPECT_NEAR(size, 250'000, 30'000) << result.out;
  }
}

TEST_F(Limits, PartitioningTakesWhatItAnnouncesOrSaysWhatIsMissing) {
  ASSERT_NO_FATAL_FAILURE(
      generate("rmat --nodes 262144 --degree 16 --features 64 --out " + at("data")));
  const std::string command = "partition " + at("data") + " --parts 8 --out ";
  const ProgramResult whole = weft(command + at("whole"));
  ASSERT_NO_FATAL_FAILURE(expect_announced_memory(whole, "data"));
  expect_words_when_memory_is_short(command, peak_memory(whole));
}

// About four million lines, each an edge that gets its reverse.
TEST_F(Limits, ImportTakesWhatItAnnouncesOrSaysWhatIsMissing) {
  ASSERT_NO_FATAL_FAILURE(
      generate("rmat --nodes 262144 --degree 32 --features 64 --text-only --out " + at("text")));
  const std::string command = "import " + at("text") + " --undirected --out ";
  const ProgramResult whole = weft(command + at("whole"));
  ASSERT_NO_FATAL_FAILURE(expect_announced_memory(whole, "whole"));
  expect_words_when_memory_is_short(command, peak_memory(whole));
}

}  // namespace
}  // namespace weft
