// SPDX-License-Identifier: MIT
// K ranks equal one on parts that are not alike: few training vertices and those in three parts, so
// that other ranks train nothing, and a part without neighbors (T3).
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/trainer/engine_harness.hpp"
#include "trainer/labelled_rows.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;
using OwnerOfVertex = std::vector<std::int32_t>;

constexpr bool is_double = sizeof(Real) == sizeof(double);

/// Training vertices of parts 0, 1 and 2; every other part has none.
constexpr std::array<std::size_t, 3> training_vertices{3, 1, 1};

/// All vertices validate, but for the first labelled ones of the parts that train.
datasets::Dataset few_training_vertices(const OwnerOfVertex& owner) {
  datasets::Dataset dataset = test_support::random_dataset();
  std::vector<std::int8_t> split(dataset.labels.size(), 1);
  std::array<std::size_t, 3> missing = training_vertices;
  for (std::size_t v = 0; v < split.size(); ++v) {
    const auto part = static_cast<std::size_t>(owner[v]);
    if (dataset.labels[v] < 0 || part >= missing.size() || missing[part] == 0) continue;
    --missing[part];
    split[v] = 0;
  }
  dataset.splits = keep(dataset, std::move(split));
  return dataset;
}

/// The isolated vertices, the last two, on the last rank; the others in blocks over the rest.
OwnerOfVertex isolated_on_the_last_rank(std::int64_t num_vertices, int num_ranks) {
  OwnerOfVertex owner;
  const std::int64_t num_connected = num_vertices - 2;
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    const std::int64_t part =
        v < num_connected ? v * (num_ranks - 1) / num_connected : num_ranks - 1;
    owner.push_back(static_cast<std::int32_t>(part));
  }
  return owner;
}

/// The isolated vertices train.
datasets::Dataset isolated_training_vertices() {
  datasets::Dataset dataset = test_support::random_dataset();
  std::vector<std::int8_t> split(dataset.splits.begin(), dataset.splits.end());
  split[split.size() - 2] = split[split.size() - 1] = 0;
  dataset.splits = keep(dataset, std::move(split));
  return dataset;
}

std::size_t num_training_rows(comm::Communicator& world, const partition::Part& part) {
  return find_labelled_rows(world, part, split_of_part(part, "")).rows[0].size();
}

class UnevenParts : public ::testing::TestWithParam<ModelType> {
 protected:
  void expect_equal_to_one_rank(const datasets::Dataset& dataset,
                                partition::Part mine,
                                double tolerance) {
    RunConfig config = test_support::small_config(GetParam());
    config.model.dropout = 0;
    config.optimizer.name = OptimizerName::sgd;
    VerifyOptions options;
    options.tolerance = tolerance;
    const VerifyReport report =
        verify_ranks(world_, std::move(mine), test_support::whole_part(dataset), config, options);
    EXPECT_TRUE(report.passed);
    for (const EpochComparison& epoch : report.epochs) {
      EXPECT_LE(epoch.loss_relative(), tolerance);
      EXPECT_LE(epoch.gradient_relative, tolerance);
      EXPECT_GT(epoch.reference_loss, 0);
    }
  }

  comm::Communicator world_ = comm::Communicator::world();
};

TEST_P(UnevenParts, TrainingVerticesOfFewPartsWeighAlike) {
  const OwnerOfVertex owner =
      test_support::deal_owners(test_support::random_dataset(), world_.size(), Owners::block);
  const datasets::Dataset dataset = few_training_vertices(owner);
  partition::Part part = test_support::make_part(dataset, owner, world_.size(), world_.rank());
  const auto rank = static_cast<std::size_t>(world_.rank());
  EXPECT_EQ(num_training_rows(world_, part),
            rank < training_vertices.size() ? training_vertices[rank] : 0U);
  expect_equal_to_one_rank(dataset, std::move(part), is_double ? 1e-12 : 1e-6);
}

TEST_P(UnevenParts, APartWithoutHaloTrainsItsVertices) {
  if (world_.size() == 1) GTEST_SKIP() << "one part alone never has a halo";
  const datasets::Dataset dataset = isolated_training_vertices();
  const OwnerOfVertex owner = isolated_on_the_last_rank(dataset.num_vertices, world_.size());
  partition::Part part = test_support::make_part(dataset, owner, world_.size(), world_.rank());
  const std::size_t num_training = num_training_rows(world_, part);
  if (world_.rank() == world_.size() - 1) {
    EXPECT_EQ(part.num_owned(), 2);
    EXPECT_EQ(part.num_halo(), 0);
    EXPECT_EQ(num_training, 2U);
  }
  expect_equal_to_one_rank(dataset, std::move(part), default_tolerance(Precision::fp32));
}

INSTANTIATE_TEST_SUITE_P(Models,
                         UnevenParts,
                         ::testing::Values(ModelType::gcn, ModelType::sage),
                         [](const auto& p) { return std::string(name_of(p.param)); });

}  // namespace
}  // namespace weft::trainer
