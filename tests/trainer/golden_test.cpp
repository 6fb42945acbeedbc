// SPDX-License-Identifier: MIT
// Losses of ten epochs on the karate club, against those of an independent implementation: dense
// matrices in NumPy, double precision, from the same initial weights. SGD, no dropout, so that the
// figures hold for any number of ranks and for both widths of Real.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "datasets/synthetic.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using Losses = std::array<double, 10>;

constexpr Losses gcn_losses{0.6789617048785163, 0.672971499403079,  0.6674011264800865,
                            0.6630828858581213, 0.6597658373103682, 0.6562284051118941,
                            0.6526643867640526, 0.6485522455311803, 0.6444524123332889,
                            0.6401978731808949};
constexpr Losses sage_losses{0.6507130751990402, 0.6121302289645962, 0.5829793585254751,
                             0.5519099596934561, 0.5195917273847308, 0.48511303451655075,
                             0.4524984851305815, 0.4206317307734716, 0.39026255523031433,
                             0.3618848400698449};

class Golden : public ::testing::TestWithParam<ModelType> {};

TEST_P(Golden, LossesOnTheKarateClub) {
  comm::Communicator world = comm::Communicator::world();
  datasets::SyntheticOptions options;
  options.kind = datasets::SyntheticKind::karate;
  const datasets::Dataset dataset = datasets::make_synthetic(options);
  RunConfig config = test_support::small_config(GetParam());
  config.dataset.split = "random";
  config.model.hidden = 4;
  config.model.dropout = 0;
  config.optimizer.name = OptimizerName::sgd;
  config.optimizer.lr = 0.5;
  config.optimizer.weight_decay = {0.01, 0.0};
  partition::Part part = test_support::my_part(world, dataset, test_support::Owners::random);
  Engine engine(world, prepare_engine(world, std::move(part), config), config);
  const Losses& expected = GetParam() == ModelType::gcn ? gcn_losses : sage_losses;
  const double bound = sizeof(Real) == sizeof(double) ? 1e-12 : 1e-6;
  for (std::size_t epoch = 0; epoch < expected.size(); ++epoch) {
    const double loss = engine.train_epoch(static_cast<int>(epoch) + 1);
    EXPECT_NEAR(loss, expected[epoch], bound) << "epoch " << epoch + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Models,
                         Golden,
                         ::testing::Values(ModelType::gcn, ModelType::sage),
                         [](const auto& p) { return std::string(name_of(p.param)); });

}  // namespace
}  // namespace weft::trainer
