// SPDX-License-Identifier: MIT
// Predictions are keyed by the user's ids, classes by the user's names.
#include "trainer/predictions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "datasets/npy.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::trainer {
namespace {

kernels::Matrix logits() {
  kernels::Matrix m(3, 2);
  m.at(0, 0) = 0;
  m.at(0, 1) = 0;
  m.at(1, 0) = -1000;
  m.at(1, 1) = 1000;
  m.at(2, 0) = static_cast<Real>(std::log(3.0));
  m.at(2, 1) = 0;
  return m;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(Predictions, TakeTheFirstLargestLogitAndItsProbability) {
  const kernels::Matrix m = logits();
  const Predictions predictions = predict_classes(m.view());
  EXPECT_EQ(predictions.classes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_NEAR(predictions.probabilities[0], 0.5, 1e-6);
  EXPECT_NEAR(predictions.probabilities[1], 1.0, 1e-6);
  EXPECT_NEAR(predictions.probabilities[2], 0.75, 1e-6);
}

TEST(Predictions, AreWrittenUnderTheUsersIdsAndClassNames) {
  const test_support::TemporaryFolder folder;
  PredictionNames names;
  names.node_ids.strings = {"b,1", "say \"x\"", "c"};
  names.class_names = {"cat", "dog"};
  const kernels::Matrix m = logits();
  write_predictions(folder.path(), predict_classes(m.view()), names);
  EXPECT_EQ(file_text(folder.path() / "predictions.csv"),
            "id,class,probability\n\"b,1\",cat,0.500000\n\"say \"\"x\"\"\",dog,1.000000\n"
            "c,cat,0.750000\n");
  const auto classes = datasets::map_npy<std::int32_t>(folder.path() / "predictions.npy");
  EXPECT_EQ(classes.shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(classes.values[1], 1);
}

TEST(Predictions, FallBackToVertexNumbers) {
  const test_support::TemporaryFolder folder;
  const kernels::Matrix m = logits();
  write_predictions(folder.path(), predict_classes(m.view()), {});
  EXPECT_NE(file_text(folder.path() / "predictions.csv").find("\n2,0,0.75"), std::string::npos);
}

TEST(Embeddings, AreWrittenAsFloatRows) {
  const test_support::TemporaryFolder folder;
  const kernels::Matrix m = logits();
  write_embeddings(folder.path(), m.view());
  const auto rows = datasets::map_npy<float>(folder.path() / "embeddings.npy");
  EXPECT_EQ(rows.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_FLOAT_EQ(rows.values[3], 1000.0F);
}

}  // namespace
}  // namespace weft::trainer
