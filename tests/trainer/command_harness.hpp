// SPDX-License-Identifier: MIT
// Runs the commands as users do, on one and on several ranks, in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/run_program.hpp"

namespace weft::test_support {

inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// `weft ARGUMENTS` on `ranks` ranks (0: without a launcher) as a shell command that is killed
/// after `limit_seconds`.
inline std::string weft_command(int ranks, const std::string& arguments, int limit_seconds = 60) {
  const std::string launcher =
      ranks == 0 ? "" : environment("WEFT_MPIEXEC") + " -n " + std::to_string(ranks) + ' ';
  return "timeout --signal=KILL " + std::to_string(limit_seconds) + ' ' + launcher +
         environment("WEFT_PROGRAM") + ' ' + arguments;
}

inline ProgramResult weft(int ranks, const std::string& arguments, int limit_seconds = 60) {
  return run_program(weft_command(ranks, arguments, limit_seconds));
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// The lines of metrics.jsonl, an epoch each.
inline std::vector<nlohmann::ordered_json> metrics_of(const std::filesystem::path& run) {
  std::vector<nlohmann::ordered_json> epochs;
  for (const std::string& line : lines_of(read_text(run / "metrics.jsonl")))
    epochs.push_back(nlohmann::ordered_json::parse(line));
  return epochs;
}

/// metrics.jsonl without its times.
inline std::vector<std::string> timeless_metrics(const std::filesystem::path& run) {
  std::vector<std::string> lines;
  for (nlohmann::ordered_json epoch : metrics_of(run)) {
    epoch.erase("seconds");
    lines.push_back(epoch.dump());
  }
  return lines;
}

inline nlohmann::json summary_of(const std::filesystem::path& run) {
  return nlohmann::json::parse(read_text(run / "summary.json"));
}

/// Fails the test unless `text` holds `words`.
inline void expect_words(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' in: " << text;
}

class Commands : public ::testing::Test {
 protected:
  /// A generated dataset of 600 vertices and settings for it; returns the settings' path.
  std::string make_demo(const std::string& more_settings = "") {
    const ProgramResult made =
        weft(0, "generate communities --nodes 600 --classes 3 --features 8 --out " + at("demo"));
    EXPECT_EQ(made.status, 0) << made.err;
    return write_config("demo.toml", "demo", more_settings);
  }

  std::string write_config(const std::string& name,
                           const std::string& dataset,
                           const std::string& more_settings) {
    folder_.write(name, "[dataset]\npath = \"" + dataset +
                            "\"\n[model]\ntype = \"gcn\"\nhidden = 8\n[train]\nepochs = 8\n" +
                            more_settings);
    return at(name);
  }

  /// Imports `edges`, and features, labels and a split of one row a vertex, as the dataset "data".
  void import_data(const std::string& edges,
                   const std::string& features,
                   const std::string& labels,
                   const std::string& split,
                   const std::string& options) {
    folder_.write("edges.txt", edges);
    folder_.write("features.mtx", features);
    folder_.write("labels.txt", labels);
    folder_.write("split.txt", split);
    const ProgramResult imported =
        weft(0, "import " + at("edges.txt") + " --features " + at("features.mtx") + " --labels " +
                    at("labels.txt") + " --split " + at("split.txt") + " --out " + at("data") +
                    ' ' + options);
    ASSERT_EQ(imported.status, 0) << imported.err;
  }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  TemporaryFolder folder_;
};

/// The header of a dense MatrixMarket file, one value a line, column after column.
inline std::string matrix_header(int num_rows, int num_columns) {
  return "%%MatrixMarket matrix array real general\n" + std::to_string(num_rows) + ' ' +
         std::to_string(num_columns) + '\n';
}

}  // namespace weft::test_support
