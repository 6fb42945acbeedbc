// SPDX-License-Identifier: MIT
// K ranks equal one: loss, logits and the whole gradient at epochs 1 and 50, dropout on, directed
// weighted graph, several classes, any owners, an empty rank (T2, T3, T5). And planted faults: the
// classic ways in which distributed training goes wrong are each noticed and named.
#include "trainer/verify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

VerifyReport verify(comm::Communicator& world,
                    const datasets::Dataset& dataset,
                    Owners owners,
                    const RunConfig& config,
                    const VerifyOptions& options) {
  return verify_ranks(world, test_support::my_part(world, dataset, owners),
                      test_support::whole_part(dataset), config, options);
}

std::string describe(const VerifyReport& report) {
  std::string result;
  for (const EpochComparison& epoch : report.epochs) {
    result += "epoch " + std::to_string(epoch.epoch) + ": loss " +
              ::testing::PrintToString(epoch.loss_relative()) + ", gradient " +
              ::testing::PrintToString(epoch.gradient_relative);
    for (const TensorDifference& t : epoch.tensors) {
      result += "\n  " + t.name + " " + ::testing::PrintToString(t.relative);
    }
    result += '\n';
  }
  return result;
}

using Parameters = std::tuple<ModelType, Owners, Norm>;

class RanksEqualOne : public ::testing::TestWithParam<Parameters> {};

TEST_P(RanksEqualOne, AtEpochs1And50) {
  comm::Communicator world = comm::Communicator::world();
  test_support::RandomDatasetOptions options;
  options.num_vertices = 200;
  options.sparse_features = std::get<1>(GetParam()) == Owners::metis;
  RunConfig config = test_support::small_config(std::get<0>(GetParam()));
  config.model.norm = std::get<2>(GetParam());
  config.model.layers = config.model.norm == Norm::layer ? 3 : 2;
  config.optimizer.weight_decay = {5e-4};
  VerifyOptions verify_options;
  verify_options.epochs = {1, 50};
  const VerifyReport report = verify(world, test_support::random_dataset(options),
                                     std::get<1>(GetParam()), config, verify_options);
  EXPECT_TRUE(report.passed) << describe(report);
  if (world.rank() == 0) {
    ASSERT_EQ(report.epochs.size(), 2U);
    EXPECT_GT(report.epochs[0].loss, report.epochs[1].loss);
  }
}

std::string case_name(const ::testing::TestParamInfo<Parameters>& info) {
  return std::string(std::get<0>(info.param) == ModelType::gcn ? "gcn" : "sage") + "_" +
         test_support::owners_name(std::get<1>(info.param)) +
         (std::get<2>(info.param) == Norm::layer ? "_layer_norm" : "");
}

INSTANTIATE_TEST_SUITE_P(Verify,
                         RanksEqualOne,
                         ::testing::Combine(::testing::Values(ModelType::gcn, ModelType::sage),
                                            ::testing::Values(Owners::metis,
                                                              Owners::random,
                                                              Owners::block,
                                                              Owners::one_empty),
                                            ::testing::Values(Norm::none, Norm::layer)),
                         case_name);

/// Verifies with a fault planted; the fault must show where there are several ranks.
class PlantedFault : public ::testing::Test {
 protected:
  void expect_noticed(const std::function<void(EngineParts&)>& tamper,
                      const std::string& first_tensor) {
    comm::Communicator world = comm::Communicator::world();
    if (world.size() == 1) GTEST_SKIP() << "a fault between ranks needs two of them";
    VerifyOptions options;
    options.tamper = tamper;
    RunConfig config = test_support::small_config(ModelType::gcn);
    const VerifyReport report =
        verify(world, test_support::random_dataset(), Owners::random, config, options);
    EXPECT_FALSE(report.passed);
    if (world.rank() != 0) return;
    const TensorDifference* first = report.epochs[0].first_beyond(report.tolerance);
    ASSERT_NE(first, nullptr) << describe(report);
    EXPECT_EQ(first->name, first_tensor) << describe(report);
    if (first->name.starts_with("layer")) {
      EXPECT_FALSE(first->worst_vertices.empty());
    }
  }
};

TEST(VerifyRanks, HasAWiderBoundInBf16) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  for (const ModelType type : {ModelType::gcn, ModelType::sage}) {
    RunConfig config = test_support::small_config(type);
    config.train.precision = Precision::bf16;
    VerifyOptions options;
    options.epochs = {1, 2};
    const VerifyReport report = verify(world, dataset, Owners::random, config, options);
    EXPECT_EQ(report.tolerance, 2e-2);
    EXPECT_TRUE(report.passed) << describe(report);
  }
}

TEST_F(PlantedFault, DoubledHaloGradientIsNoticed) {
  expect_noticed(
      [](EngineParts& parts) {
        for (Real& value : parts.border.halo_transposed.values)
          value *= 2;
      },
      "layer0.grad_output");
}

TEST_F(PlantedFault, LocalDegreesAreNoticed) {
  expect_noticed(
      [](EngineParts& parts) {
        partition::Part local = parts.part;
        std::fill(local.in_degree.begin(), local.in_degree.end(), 0.0);
        for (LocalId v = 0; v < local.num_owned(); ++v) {
          const auto row = static_cast<std::size_t>(v);
          for (EdgeOffset e = local.graph.row_ptr[row]; e < local.graph.row_ptr[row + 1]; ++e) {
            const auto edge = static_cast<std::size_t>(e);
            if (local.graph.col_idx[edge] >= local.num_owned()) continue;
            local.in_degree[row] += static_cast<double>(local.graph.edge_weight[edge]);
          }
        }
        parts.aggregation =
            layers::build_aggregation(local, {layers::Normalization::symmetric, true});
      },
      "layer0.output");
}

TEST_F(PlantedFault, MeanOfRankMeansIsNoticed) {
  expect_noticed(
      [](EngineParts& parts) {
        comm::Communicator world = comm::Communicator::world();
        const auto local = static_cast<std::int64_t>(parts.labelled.rows[0].size());
        parts.labelled.global_counts[0] = std::max<std::int64_t>(local * world.size(), 1);
      },
      "layer1.grad_output");
}

TEST_F(PlantedFault, AMissingHaloRowIsNoticed) {
  expect_noticed(
      [](EngineParts& parts) {
        for (Real& value : parts.border.halo.values)
          value = 0;
      },
      "layer0.output");
}

}  // namespace
}  // namespace weft::trainer
