// SPDX-License-Identifier: MIT
// The tables of names, and the checks across keys.
#include "trainer/config.hpp"

#include <gtest/gtest.h>

#include <set>

#include "graph/support/error.hpp"

namespace weft::trainer {
namespace {

template <typename Enum>
void expect_sound_table() {
  std::set<std::string_view> names;
  std::set<int> values;
  for (const EnumName<Enum>& entry : enum_names<Enum>().names) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(values.insert(static_cast<int>(entry.value)).second) << entry.name;
    EXPECT_EQ(name_of(entry.value), entry.name);
  }
  for (const std::string_view name : enum_names<Enum>().reserved) {
    EXPECT_TRUE(names.insert(name).second) << name << " is both valid and reserved";
  }
}

TEST(Config, TablesOfNamesHaveNoDuplicates) {
  expect_sound_table<FeatureScaling>();
  expect_sound_table<ModelType>();
  expect_sound_table<Activation>();
  expect_sound_table<Aggregator>();
  expect_sound_table<Normalization>();
  expect_sound_table<Norm>();
  expect_sound_table<OptimizerName>();
  expect_sound_table<CommPolicy>();
  expect_sound_table<LogFormat>();
}

TEST(Config, WeightDecayIsOneValueOrOneALayer) {
  RunConfig config;
  config.dataset.path = "/data";
  config.model.layers = 3;
  config.optimizer.weight_decay = {0.1};
  EXPECT_NO_THROW(check_consistency(config));
  EXPECT_EQ(config.optimizer.weight_decay_of(2), 0.1);
  config.optimizer.weight_decay = {0.1, 0.2, 0.3};
  EXPECT_NO_THROW(check_consistency(config));
  EXPECT_EQ(config.optimizer.weight_decay_of(2), 0.3);
  config.optimizer.weight_decay = {0.1, 0.2};
  EXPECT_THROW(check_consistency(config), InputError);
  config.optimizer.weight_decay = {};
  EXPECT_THROW(check_consistency(config), InputError);
}

TEST(Config, NeedsADatasetOrAPartition) {
  RunConfig config;
  EXPECT_THROW(check_consistency(config), InputError);
  config.partition.path = "/parts/{rank}";
  EXPECT_NO_THROW(check_consistency(config));
}

TEST(Config, MethodFileNeedsAnOwnerFile) {
  RunConfig config;
  config.dataset.path = "/data";
  config.partition.method = partition::Method::file;
  EXPECT_THROW(check_consistency(config), InputError);
  config.partition.owner_file = "/owners.txt";
  EXPECT_NO_THROW(check_consistency(config));
}

TEST(Config, EmbeddingsNeedAHiddenLayer) {
  RunConfig config;
  config.dataset.path = "/data";
  config.output.embeddings = true;
  EXPECT_NO_THROW(check_consistency(config));
  config.model.layers = 1;
  EXPECT_THROW(check_consistency(config), InputError);
}

}  // namespace
}  // namespace weft::trainer
