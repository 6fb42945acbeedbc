// SPDX-License-Identifier: MIT
// Checkpoints give back what was saved, and refuse what they do not belong to.
#include "trainer/checkpoint.hpp"

#include <gtest/gtest.h>

#include <string>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/trainer/engine_harness.hpp"
#include "trainer/safetensors.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;
using test_support::TemporaryFolder;

class Checkpoint : public ::testing::Test {
 protected:
  Checkpoint() : world_(comm::Communicator::world()) {}

  std::unique_ptr<Engine> make_engine(const RunConfig& config) {
    partition::Part part =
        test_support::my_part(world_, test_support::random_dataset(), Owners::block);
    return std::make_unique<Engine>(world_, prepare_engine(world_, std::move(part), config),
                                    config);
  }

  comm::Communicator world_;
  TemporaryFolder folder_;
};

TEST_F(Checkpoint, GivesBackEveryBit) {
  for (const OptimizerName name : {OptimizerName::adam, OptimizerName::sgd}) {
    RunConfig config = test_support::small_config(ModelType::gcn);
    config.optimizer.name = name;
    config.optimizer.momentum = 0.9;
    const auto engine = make_engine(config);
    engine->train_epoch(1);
    engine->train_epoch(2);
    TrainingState state;
    capture_state(*engine, 2, state);
    state.best = {1, {{0.1, 0.2, 0.3}, {1.0 / 3.0, 2, 3}}, 0.123456789};
    write_checkpoint(folder_ / "c", state, *engine, {42, "text"});
    const TrainingState read = read_checkpoint(folder_ / "c", *engine, 42);
    EXPECT_EQ(read.epoch, 2);
    EXPECT_EQ(read.num_steps, 2);
    EXPECT_EQ(read.weights, state.weights);
    EXPECT_EQ(read.first_moment, state.first_moment);
    EXPECT_EQ(read.second_moment, state.second_moment);
    EXPECT_EQ(read.best.epoch, 1);
    EXPECT_EQ(read.best.seconds, 0.123456789);
    EXPECT_EQ(read.best.evaluation.loss[0], 1.0 / 3.0);
  }
}

TEST_F(Checkpoint, RestoringMovesTheEngineThere) {
  const auto engine = make_engine(test_support::small_config(ModelType::sage));
  engine->train_epoch(1);
  TrainingState state;
  capture_state(*engine, 1, state);
  const std::uint64_t hash = engine->weight_hash();
  const double loss = engine->train_epoch(2);
  EXPECT_NE(engine->weight_hash(), hash);
  restore_state(state, *engine);
  EXPECT_EQ(engine->weight_hash(), hash);
  EXPECT_EQ(engine->train_epoch(2), loss);
}

TEST_F(Checkpoint, OfAnotherDatasetIsRefused) {
  const auto engine = make_engine(test_support::small_config(ModelType::gcn));
  TrainingState state;
  capture_state(*engine, 1, state);
  write_checkpoint(folder_ / "c", state, *engine, {42, ""});
  EXPECT_THROW(static_cast<void>(read_checkpoint(folder_ / "c", *engine, 43)), InputError);
  EXPECT_NO_THROW(static_cast<void>(read_checkpoint(folder_ / "c", *engine, 0)));
}

TEST_F(Checkpoint, OfAnotherWidthIsRefusedWithBothShapes) {
  RunConfig config = test_support::small_config(ModelType::gcn);
  const auto engine = make_engine(config);
  TrainingState state;
  capture_state(*engine, 1, state);
  write_checkpoint(folder_ / "c", state, *engine, {42, ""});
  config.model.hidden = 17;
  const auto wider = make_engine(config);
  try {
    static_cast<void>(read_checkpoint(folder_ / "c", *wider, 42));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("16"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("17"), std::string::npos) << error.what();
  }
}

TEST_F(Checkpoint, AForeignFileIsRefused) {
  const auto engine = make_engine(test_support::small_config(ModelType::gcn));
  folder_.write("text", "not a checkpoint");
  EXPECT_THROW(static_cast<void>(read_checkpoint(folder_ / "text", *engine, 0)), InputError);
  write_safetensors(folder_ / "other", {}, {{"format", "pt"}, {"format_version", "1"}});
  EXPECT_THROW(static_cast<void>(read_checkpoint(folder_ / "other", *engine, 0)), InputError);
}

}  // namespace
}  // namespace weft::trainer
