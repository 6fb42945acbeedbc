// SPDX-License-Identifier: MIT
// Real datasets import with the counts that their meta.json states.
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "datasets/import_dataset.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

namespace {

class RealSet : public testing::TestWithParam<std::string> {};

std::map<std::string, std::int64_t> counts_of(std::span<const std::int8_t> split) {
  std::map<std::string, std::int64_t> counts{{"train", 0}, {"val", 0}, {"test", 0}, {"none", 0}};
  const char* names[] = {"none", "train", "val", "test"};
  for (const std::int8_t code : split)
    ++counts[names[code + 1]];
  return counts;
}

std::vector<std::int64_t> class_counts(const Dataset& dataset) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(dataset.num_classes));
  for (const std::int32_t label : dataset.labels) {
    if (label >= 0) ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

}  // namespace

TEST_P(RealSet, HasTheCountsThatItStates) {
  const char* data = std::getenv("WEFT_DATA_DIR");
  if (data == nullptr || *data == '\0') GTEST_SKIP() << "WEFT_DATA_DIR is not set";
  const std::filesystem::path source = std::filesystem::path(data) / GetParam();
  const auto meta = nlohmann::json::parse(test_support::read_text(source / "meta.json"));
  ImportOptions options;
  options.source = source;
  options.direction = Direction::undirected;
  ImportReport report;
  const Dataset dataset = import_dataset(options, report);
  EXPECT_EQ(dataset.num_vertices, meta["nodes"]);
  EXPECT_EQ(dataset.graph.num_edges(), 2 * meta["edges_undirected"].get<std::int64_t>());
  EXPECT_EQ(report.build.isolated_vertices, meta["isolated"]);
  EXPECT_EQ(report.build.self_loops, 0);
  EXPECT_FALSE(dataset.directed);
  if (meta.contains("features") && meta["features"].is_number()) {
    EXPECT_EQ(dataset.features.num_columns, meta["features"]);
    if (dataset.features.is_sparse()) {
      EXPECT_EQ(std::ssize(dataset.features.values), meta["feature_nnz"]);
    }
  }
  if (meta.contains("class_counts")) {
    EXPECT_EQ(dataset.num_classes, meta["classes"]);
    EXPECT_EQ(class_counts(dataset), meta["class_counts"].get<std::vector<std::int64_t>>());
  }
  if (meta.contains("splits")) {
    EXPECT_EQ(dataset.split_names.size(), meta["splits"].size());
    for (const std::string& name : dataset.split_names) {
      for (const auto& [role, count] : counts_of(dataset.split(name))) {
        EXPECT_EQ(count, meta["splits"][name].value(role, std::int64_t{0})) << name << ' ' << role;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets,
                         RealSet,
                         testing::Values("cora",
                                         "citeseer",
                                         "amazon_photo",
                                         "coauthor_cs",
                                         "karate_club",
                                         "airports_usa",
                                         "minesweeper",
                                         "chameleon_filtered",
                                         "email_eu_core"),
                         [](const auto& set) { return set.param; });

}  // namespace weft::datasets::tests
