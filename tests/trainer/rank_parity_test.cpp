// SPDX-License-Identifier: MIT
// Whole trainings, not single passes: the losses of 20 epochs and the predictions after them are
// those of one rank, for every model and depth, with the plain optimizer, dropout on or off (T5),
// and with Adam, which blows rounding up where a gradient is nearly zero and so has a wider bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "tests/trainer/engine_harness.hpp"
#include "trainer/gather.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

constexpr bool is_double = sizeof(Real) == sizeof(double);
constexpr double predictions_bound = is_double ? 1e-8 : 1e-3;

double loss_bound(OptimizerName optimizer) {
  if (is_double) return optimizer == OptimizerName::sgd ? 1e-12 : 1e-9;
  return optimizer == OptimizerName::sgd ? 1e-5 : 1e-4;
}

struct Training {
  std::vector<double> losses;
  kernels::Matrix probabilities;  ///< [num_vertices x classes] on rank 0
};

void soften(kernels::Matrix& logits) {
  for (std::int64_t r = 0; r < logits.num_rows(); ++r) {
    Real* row = logits.data() + r * logits.num_columns();
    const Real largest = *std::max_element(row, row + logits.num_columns());
    Real sum = 0;
    for (std::int64_t c = 0; c < logits.num_columns(); ++c)
      sum += row[c] = std::exp(row[c] - largest);
    for (std::int64_t c = 0; c < logits.num_columns(); ++c)
      row[c] /= sum;
  }
}

Training train(comm::Communicator& communicator, partition::Part part, const RunConfig& config) {
  Engine engine(communicator, prepare_engine(communicator, std::move(part), config), config);
  Training training;
  for (int epoch = 1; epoch <= 20; ++epoch)
    training.losses.push_back(engine.train_epoch(epoch));
  static_cast<void>(engine.evaluate());
  training.probabilities = gather_by_global_id(communicator, engine.part(), engine.logits());
  soften(training.probabilities);
  return training;
}

using Parameters = std::tuple<ModelType, int, OptimizerName, double>;

class RankParity : public ::testing::TestWithParam<Parameters> {};

TEST_P(RankParity, LossesAndPredictionsAreThoseOfOneRank) {
  comm::Communicator world = comm::Communicator::world();
  const auto [type, layers, optimizer, dropout] = GetParam();
  test_support::RandomDatasetOptions options;
  options.num_vertices = 200;
  const datasets::Dataset dataset = test_support::random_dataset(options);
  RunConfig config = test_support::small_config(type);
  config.model.layers = layers;
  config.model.dropout = dropout;
  config.optimizer.name = optimizer;
  config.optimizer.lr = optimizer == OptimizerName::sgd ? 0.1 : 0.01;
  config.optimizer.weight_decay = {5e-4};
  const Training mine = train(world, test_support::my_part(world, dataset, Owners::random), config);
  comm::Communicator self = comm::Communicator::self();
  const Training whole = train(self, test_support::whole_part(dataset), config);
  for (std::size_t epoch = 0; epoch < whole.losses.size(); ++epoch) {
    EXPECT_NEAR(mine.losses[epoch] / whole.losses[epoch], 1, loss_bound(optimizer))
        << "epoch " << epoch + 1;
  }
  // Losses under dropout are too noisy to compare two epochs.
  if (dropout == 0) {
    EXPECT_LT(whole.losses.back(), whole.losses.front());
  }
  if (world.rank() != 0) return;
  for (std::int64_t i = 0; i < whole.probabilities.size(); ++i) {
    ASSERT_NEAR(mine.probabilities.data()[i], whole.probabilities.data()[i], predictions_bound);
  }
}

std::string case_name(const ::testing::TestParamInfo<Parameters>& info) {
  const auto [type, layers, optimizer, dropout] = info.param;
  return std::string(name_of(type)) + "_" + std::to_string(layers) + "_layers_" +
         std::string(name_of(optimizer)) + (dropout > 0 ? "_dropout" : "");
}

const auto models = ::testing::Values(ModelType::gcn, ModelType::sage);
const auto depths = ::testing::Values(2, 3);

INSTANTIATE_TEST_SUITE_P(Sgd,
                         RankParity,
                         ::testing::Combine(models,
                                            depths,
                                            ::testing::Values(OptimizerName::sgd),
                                            ::testing::Values(0.0, 0.5)),
                         case_name);

INSTANTIATE_TEST_SUITE_P(Adam,
                         RankParity,
                         ::testing::Combine(models,
                                            depths,
                                            ::testing::Values(OptimizerName::adam),
                                            ::testing::Values(0.0)),
                         case_name);

}  // namespace
}  // namespace weft::trainer
