// SPDX-License-Identifier: MIT
// What a trained model says: predictions keyed by the user's ids, and the evaluation of a run.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

struct Prediction {
  int id = 0;
  int predicted_class = 0;
  double probability = 0;
};

std::string line(int number) {
  return std::to_string(number) + '\n';
}

std::string edge(int source, int destination) {
  return std::to_string(source) + ' ' + line(destination);
}

class Predict : public Commands {
 protected:
  /// The rows of predictions.csv after 60 epochs on the dataset "data", in the order of the file.
  /// GraphSAGE sees a vertex's own feature apart from its neighbors', so it can tell two classes.
  std::vector<Prediction> train_and_predict(int ranks, const std::string& options = "") {
    const std::string config =
        write_config("data.toml", "data", "[optimizer]\nlr = 0.1\n[output]\npredictions = true\n");
    const std::string run = at("run" + std::to_string(ranks));
    const ProgramResult trained =
        weft(ranks, "train " + config +
                        " --set model.type=sage --set model.dropout=0 --set "
                        "train.epochs=60 " +
                        options + " --out " + run);
    EXPECT_EQ(trained.status, 0) << trained.err;
    std::vector<Prediction> rows;
    for (const std::string& text : lines_of(read_text(run + "/predictions.csv"))) {
      Prediction row;
      const int num_fields =
          std::sscanf(text.c_str(), "%d,%d,%lf", &row.id, &row.predicted_class, &row.probability);
      if (num_fields == 3) rows.push_back(row);
    }
    return rows;
  }
};

// Row i of the side files belongs to the i-th of the rising ids 1000, 1001, ...
TEST_F(Predict, RowsAreKeyedByTheUsersIds) {
  std::string edges;
  std::string features = matrix_header(101, 1);
  std::string labels;
  std::string split;
  for (int row = 0; row < 101; ++row) {
    edges += edge(1000 + 7 * row % 101, 1000 + 7 * (row + 1) % 101);
    features += line(row % 2 == 0 ? 1 : -1);
    labels += line(row % 2);
    split += line(row % 3 == 2 ? 1 : 0);
  }
  import_data(edges, features, labels, split, "--ids sparse");
  for (const int ranks : {1, 3}) {
    const std::vector<Prediction> rows = train_and_predict(ranks);
    ASSERT_EQ(rows.size(), 101U);
    for (const Prediction& row : rows)
      EXPECT_EQ(row.predicted_class, row.id % 2) << row.id << ", " << ranks << " ranks";
  }
}

// Row i belongs to id 7 i mod 101, and its feature is that id; edges join ids that differ by 1.
TEST_F(Predict, AnIdIsPredictedAlikeOnOneRankAndOnThree) {
  std::string edges;
  std::string node_ids;
  std::string features = matrix_header(101, 1);
  std::string labels;
  std::string split;
  for (int row = 0; row < 101; ++row) {
    const int id = 7 * row % 101;
    if (id < 100) edges += edge(id, id + 1);
    node_ids += line(id);
    features += line(id);
    labels += line(id < 50 ? 0 : 1);
    split += line(row % 3 == 2 ? 1 : 0);
  }
  folder_.write("ids.txt", node_ids);
  import_data(edges, features, labels, split, "--undirected --node-ids " + at("ids.txt"));
  const std::string scaled = "--set dataset.feature_scaling=standard";
  const std::vector<Prediction> one = train_and_predict(1, scaled);
  const std::vector<Prediction> three = train_and_predict(3, scaled);
  ASSERT_EQ(one.size(), 101U);
  ASSERT_EQ(three.size(), 101U);
  for (std::size_t row = 0; row < 101; ++row) {
    const int id = one[row].id;
    EXPECT_EQ(id, static_cast<int>(7 * row % 101));
    EXPECT_EQ(three[row].id, id);
    EXPECT_EQ(three[row].predicted_class, one[row].predicted_class) << id;
    EXPECT_NEAR(three[row].probability, one[row].probability, 1e-3) << id;
    const bool is_clear = std::abs(id - 50) > 20;
    if (is_clear) {
      EXPECT_EQ(one[row].predicted_class, id < 50 ? 0 : 1) << id;
    }
  }
}

// The last vertex has no edge: five rows of features give five vertices and five predictions.
TEST_F(Predict, ATrailingIsolatedVertexIsPredicted) {
  import_data("0 1\n1 2\n2 3\n", matrix_header(5, 2) + "1\n2\n3\n4\n5\n5\n4\n3\n2\n1\n",
              "0\n1\n0\n1\n0\n", "0\n0\n0\n1\n2\n", "--undirected");
  for (const int ranks : {1, 2}) {
    const std::vector<Prediction> rows = train_and_predict(ranks);
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[4].id, 4);
    EXPECT_GE(rows[4].probability, 0.5);  // of the likelier of two classes; not a number fails
  }
}

TEST_F(Predict, EvaluateGivesWhatTrainingReported) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run")).status, 0);
  const double expected = summary_of(at("run"))["test_metric"];
  for (const int ranks : {2, 3, 0}) {
    const ProgramResult evaluated = weft(ranks, "evaluate " + at("run") + " --json");
    ASSERT_EQ(evaluated.status, 0) << evaluated.err;
    EXPECT_NEAR(nlohmann::json::parse(evaluated.out)["test_accuracy"].get<double>(), expected, 1e-4)
        << ranks << " ranks";
  }
}

// The model is asked without dropout, although it was trained with it.
TEST_F(Predict, EvaluateTwiceSaysTheSame) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run")).status, 0);
  for (const std::string form : {"", " --json"}) {
    const ProgramResult first = weft(2, "evaluate " + at("run") + form);
    const ProgramResult second = weft(2, "evaluate " + at("run") + form);
    ASSERT_EQ(first.status, 0) << first.err;
    expect_words(first.out, "accuracy");
    EXPECT_EQ(second.out, first.out);
  }
}

}  // namespace
}  // namespace weft::test_support
