// SPDX-License-Identifier: MIT
#include <filesystem>
#include <random>
#include <string>

#include "datasets/import_dataset.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {
namespace {

class ImportMemory : public testing::Test {
 protected:
  ImportMemory() {
    options.num_threads = 1;
    options.direction = Direction::undirected;
  }

  static std::string lines(int count, const std::string& line) {
    std::string all;
    for (int i = 0; i < count; ++i)
      all += line;
    return all;
  }

  double estimate(const std::string& edges) {
    options.source = folder.write("edges.txt", edges);
    return static_cast<double>(estimated_peak_bytes(options));
  }

  test_support::TemporaryFolder folder;
  ImportOptions options;
};

// Short lines, so that the graph takes more than the reading of the text does.
const std::string weighted_line = "1 2 3\n";

// 22 bytes an arc that gets its reverse, and 8 for the weight of each of the two.
TEST_F(ImportMemory, GrowsByWhatTheBuildOfAnArcTakes) {
  const double more =
      estimate(lines(1'000'000, weighted_line)) - estimate(lines(500'000, weighted_line));
  EXPECT_NEAR(more, 500'000 * 38.0, 500'000 * 38.0 * 0.02);
}

TEST_F(ImportMemory, WeightsAndReversesTakeMore) {
  const double weighted = estimate(lines(500'000, weighted_line));
  options.direction = Direction::directed;
  const double directed = estimate(lines(500'000, weighted_line));
  options.edges.columns.weights = Choice::no;
  const double bare = estimate(lines(500'000, weighted_line));
  EXPECT_GT(weighted, directed);
  EXPECT_GT(directed, bare);
}

TEST_F(ImportMemory, ACommentAtTheTopIsNoWeight) {
  const double bare = estimate("# source target weight\n" + lines(500'000, "1 2\n"));
  EXPECT_LT(bare + 5e6, estimate("# source target weight\n" + lines(500'000, weighted_line)));
}

// By the share of the file that the first MiB of text takes.
TEST_F(ImportMemory, LinesOfACompressedListAreEstimated) {
  std::mt19937 random(1);
  std::string edges;
  for (int i = 0; i < 1'000'000; ++i)
    edges += text(random() % 100'000, " 1 2\n");
  const double plain = estimate(edges);
  for (const std::string& compressed : {gzip_of(edges), zstd_of(edges)})
    EXPECT_NEAR(estimate(compressed), plain, 0.2 * plain);
}

TEST_F(ImportMemory, SideFilesCount) {
  const std::string edges = lines(1000, weighted_line);
  const double bare = estimate(edges);
  const std::vector<float> values(5000, 1.0F);
  options.files.features = folder.write("x.npy", npy_of<float>("<f4", "(1000, 5)", values));
  const auto bytes = static_cast<double>(std::filesystem::file_size(options.files.features));
  EXPECT_EQ(estimate(edges), bare + bytes);
  // An archive takes what its members are, not what they were deflated to.
  const std::string member = npy_of<float>("<f4", "(1000, 5)", values);
  options.files.features = folder.write("x.npz", zip_of({{"data.npy", member}}, true));
  EXPECT_GE(estimate(edges), bare + static_cast<double>(member.size()));
}

TEST_F(ImportMemory, AFolderCountsLikeItsFiles) {
  const std::string edges = lines(1000, weighted_line);
  options.files.labels = folder.write("labels.txt", lines(1000, "1\n"));
  const double files = estimate(edges);
  options.files.labels.clear();
  options.source = folder.path();
  EXPECT_EQ(static_cast<double>(estimated_peak_bytes(options)), files);
}

TEST_F(ImportMemory, AMissingFileIsNamed) {
  options.source = folder / "absent.txt";
  expect_parts(error_of([&] { (void)estimated_peak_bytes(options); }), {"absent.txt"});
}

}  // namespace
}  // namespace weft::datasets::tests
