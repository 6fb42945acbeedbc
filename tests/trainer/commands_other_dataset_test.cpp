// SPDX-License-Identifier: MIT
// A trained model on another dataset, and datasets that do not belong to a partition.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

class OtherDataset : public Commands {
 protected:
  /// Two dense clusters of six vertices; the feature of a vertex is `low` in the first, `low` + 2
  /// in the second. `classes` are their names; none leaves labels and split away.
  void import_clusters(const std::string& name, int low, const std::vector<std::string>& classes) {
    std::string edges;
    std::string features = matrix_header(12, 1);
    std::string labels;
    std::string split;
    for (int v = 0; v < 12; ++v) {
      for (int u = v / 6 * 6; u < v; ++u)
        edges += std::to_string(u) + ' ' + std::to_string(v) + '\n';
      features += std::to_string(low + v / 6 * 2) + '\n';
      if (!classes.empty()) labels += classes[static_cast<std::size_t>(v / 6)] + '\n';
      split += std::to_string(v % 3) + '\n';
    }
    folder_.write(name + "-edges.txt", edges);
    folder_.write(name + "-x.mtx", features);
    std::string options = " --undirected --features " + at(name + "-x.mtx");
    if (!classes.empty()) {
      folder_.write(name + "-y.txt", labels);
      folder_.write(name + "-s.txt", split);
      options += " --labels " + at(name + "-y.txt") + " --split " + at(name + "-s.txt");
    }
    const ProgramResult imported =
        weft(0, "import " + at(name + "-edges.txt") + options + " --out " + at(name));
    ASSERT_EQ(imported.status, 0) << imported.err;
  }

  void train_on(const std::string& name) {
    folder_.write("c.toml", "[dataset]\npath = \"" + name +
                                "\"\nfeature_scaling = \"standard\"\n[model]\ntype = \"gcn\"\n"
                                "dropout = 0.0\n[optimizer]\nlr = 0.1\n[train]\nepochs = 60\n");
    const ProgramResult trained = weft(2, "train " + at("c.toml") + " --out " + at("run"));
    ASSERT_EQ(trained.status, 0) << trained.err;
  }
};

TEST_F(OtherDataset, PredictNeedsNeitherLabelsNorASplitAndNamesTheModelsClasses) {
  import_clusters("train", 1, {"cat", "dog"});
  import_clusters("plain", 1, {});
  train_on("train");
  for (const int ranks : {1, 2}) {
    const ProgramResult predicted =
        weft(ranks, "predict " + at("run") + " --dataset " + at("plain") + " --out " + at("out"));
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    const std::vector<std::string> rows = lines_of(read_text(at("out/predictions.csv")));
    ASSERT_EQ(rows.size(), 13U);
    EXPECT_EQ(rows[1].substr(0, 6), "0,cat,");
    EXPECT_EQ(rows[12].substr(0, 7), "11,dog,");
  }
}

// The second dataset lies wholly above the mean of the first. Scaled by its own mean, its first
// cluster would look like the first of the training data.
TEST_F(OtherDataset, FeaturesAreScaledByTheStatisticsOfTheTrainingData) {
  import_clusters("train", 1, {"cat", "dog"});
  import_clusters("high", 3, {"cat", "dog"});
  train_on("train");
  ASSERT_EQ(
      weft(2, "predict " + at("run") + " --dataset " + at("high") + " --out " + at("out")).status,
      0);
  for (const std::string& row : lines_of(read_text(at("out/predictions.csv")))) {
    if (row.starts_with("id,")) continue;
    EXPECT_NE(row.find(",dog,"), std::string::npos) << row;
  }
  const ProgramResult evaluated =
      weft(2, "evaluate " + at("run") + " --json --dataset " + at("high"));
  ASSERT_EQ(evaluated.status, 0) << evaluated.err;
  EXPECT_EQ(nlohmann::json::parse(evaluated.out)["test_accuracy"].get<double>(), 0.5);
}

TEST_F(OtherDataset, EvaluateRefusesOtherClasses) {
  import_clusters("train", 1, {"cat", "dog"});
  import_clusters("birds", 1, {"cat", "emu"});
  train_on("train");
  const ProgramResult evaluated = weft(2, "evaluate " + at("run") + " --dataset " + at("birds"));
  EXPECT_EQ(evaluated.status, 2);
  expect_words(evaluated.err, "has the classes cat, emu, but the model knows the classes cat, dog");
}

TEST_F(OtherDataset, APartitionOfAnotherDatasetIsRefusedByEveryCommand) {
  import_clusters("first", 1, {"cat", "dog"});
  import_clusters("second", 2, {"cat", "dog"});
  ASSERT_EQ(weft(0, "partition " + at("first") + " --parts 2 --out " + at("parts")).status, 0);
  folder_.write("mixed.toml", "[dataset]\npath = \"second\"\n[partition]\npath = \"parts\"\n");
  for (const std::string command : {"train", "verify", "train --dry-run"}) {
    const ProgramResult refused =
        weft(command == "train --dry-run" ? 1 : 2, command + ' ' + at("mixed.toml"));
    EXPECT_EQ(refused.status, 2) << command;
    expect_words(refused.err, "is a partition of another dataset");
  }
}

TEST_F(OtherDataset, ADamagedGraphDoesNotReachThePartitioner) {
  import_clusters("data", 1, {"cat", "dog"});
  folder_.write("c.toml", "[dataset]\npath = \"data\"\n");
  {
    std::fstream file(at("data/col_idx.npy"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);
    file.write("\xFF\xFF\xFF\x7F", 4);
  }
  for (const std::string command : {"train", "verify", "train --dry-run"}) {
    for (const int ranks : {1, 2}) {
      if (ranks == 2 && command == "train --dry-run") continue;
      const ProgramResult refused = weft(ranks, command + ' ' + at("c.toml"));
      EXPECT_EQ(refused.status, 2) << command << refused.err;
      expect_words(refused.err, "col_idx.npy: checksum");
    }
  }
}

// A split for which a run needs nothing to validate on: the last epoch stands, and what is
// undefined is null.
TEST_F(OtherDataset, WithoutValidationVerticesTheLastEpochCounts) {
  import_clusters("data", 1, {"cat", "dog"});
  std::string split;
  for (int v = 0; v < 12; ++v)
    split += v % 2 == 0 ? "0\n" : "-1\n";
  folder_.write("none.txt", split);
  const ProgramResult imported =
      weft(0, "import " + at("data-edges.txt") + " --undirected --features " + at("data-x.mtx") +
                  " --labels " + at("data-y.txt") + " --split " + at("none.txt") + " --out " +
                  at("bare"));
  ASSERT_EQ(imported.status, 0) << imported.err;
  expect_words(imported.err, "no labelled vertex to validate on");
  folder_.write("c.toml", "[dataset]\npath = \"bare\"\n[train]\nepochs = 7\n");
  const ProgramResult trained = weft(2, "train " + at("c.toml") + " --out " + at("run"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  expect_words(trained.err, "no labelled validation vertex");
  const nlohmann::json summary = summary_of(at("run"));
  EXPECT_EQ(summary["best_epoch"].get<int>(), 7);
  EXPECT_TRUE(summary["val_metric"].is_null());
  EXPECT_TRUE(summary["test_metric"].is_null());
}

}  // namespace
}  // namespace weft::test_support
