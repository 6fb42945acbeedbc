// SPDX-License-Identifier: MIT
// The configuration as TOML: what is read, what is refused and in which words, and that what is
// written reads back as the same settings.
#include "trainer/config_io.hpp"

#include <gtest/gtest.h>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::trainer {
namespace {

constexpr const char* cora = R"([dataset]
path = "cora"
feature_scaling = "row_sum"
[partition]
method = "metis"
[model]
type = "gcn"
hidden = 16
layers = 2
dropout = 0.5
[optimizer]
name = "adam"
lr = 0.01
weight_decay = [5e-4, 0.0]
[train]
epochs = 200
seed = 1
)";

RunConfig parse(const std::string& toml, const std::vector<std::string>& overrides = {}) {
  return parse_config(toml, "c.toml", "/base", overrides);
}

/// The text of the error that `toml` is refused with.
std::string refusal(const std::string& toml, const std::vector<std::string>& overrides = {}) {
  try {
    static_cast<void>(parse(toml, overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing refused";
}

std::string with_dataset(const std::string& rest) {
  return "[dataset]\npath = \"d\"\n" + rest;
}

#define EXPECT_HAS(message, part) \
  EXPECT_NE((message).find(part), std::string::npos) << "in: " << (message)

TEST(ConfigIo, ReadsTheExampleOfTheDesign) {
  const RunConfig config = parse(cora);
  EXPECT_EQ(config.dataset.path, "/base/cora");
  EXPECT_EQ(config.dataset.feature_scaling, FeatureScaling::row_sum);
  EXPECT_EQ(config.partition.method, partition::Method::metis_kway);
  EXPECT_EQ(config.model.hidden, 16);
  EXPECT_EQ(config.optimizer.weight_decay, (std::vector<double>{5e-4, 0.0}));
  EXPECT_EQ(config.train.epochs, 200);
  EXPECT_FALSE(config.model.input_dropout.has_value());
}

TEST(ConfigIo, DefaultsAreThoseOfTheStructs) {
  RunConfig expected;
  expected.dataset.path = "/base/d";
  EXPECT_EQ(parse(with_dataset("")), expected);
}

TEST(ConfigIo, IntegersServeWhereNumbersAreExpected) {
  const RunConfig config = parse(with_dataset("[optimizer]\nlr = 1\nweight_decay = 0\n"));
  EXPECT_EQ(config.optimizer.lr, 1.0);
  EXPECT_EQ(config.optimizer.weight_decay, std::vector<double>{0.0});
}

TEST(ConfigIo, PathsInAFileCountFromItsFolder) {
  const test_support::TemporaryFolder folder;
  const auto file = folder.write(
      "run.toml", "[dataset]\npath = \"../data\"\n[partition]\npath = \"p/{rank}/x\"\n");
  const RunConfig config = load_config(file);
  EXPECT_EQ(config.dataset.path, folder.path().parent_path() / "data");
  EXPECT_EQ(config.partition.path, (folder / "p/{rank}/x").string());
}

TEST(ConfigIo, AFileWithoutAFolderIsInTheCurrentOne) {
  const RunConfig config = parse_config("[dataset]\npath = \"d\"\n", "c.toml", "");
  EXPECT_EQ(config.dataset.path, std::filesystem::current_path() / "d");
}

TEST(ConfigIo, PathsOfOverridesCountFromTheCurrentFolder) {
  const RunConfig config = parse(cora, {"dataset.path=other/"});
  EXPECT_EQ(config.dataset.path, std::filesystem::current_path() / "other");
}

TEST(ConfigIo, OverridesAreTomlAndBareWordsAreText) {
  const RunConfig config =
      parse(cora, {"optimizer.lr=0.5", "model.type=sage", "optimizer.weight_decay=[0.1, 0.2]",
                   "dataset.split=2019", "train.epochs=3", "train.epochs=4",
                   "output.predictions=true", "dataset.path=\"/a b\""});
  EXPECT_EQ(config.optimizer.lr, 0.5);
  EXPECT_EQ(config.model.type, ModelType::sage);
  EXPECT_EQ(config.optimizer.weight_decay, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(config.dataset.split, "2019");
  EXPECT_EQ(config.train.epochs, 4) << "the last one wins";
  EXPECT_TRUE(config.output.predictions);
  EXPECT_EQ(config.dataset.path, "/a b");
}

TEST(ConfigIo, BadOverridesAreRefused) {
  EXPECT_HAS(refusal(cora, {"optimizer.lr"}), "--set optimizer.lr: no '=' found");
  EXPECT_HAS(refusal(cora, {"lr=0.1"}), "key lr has no section");
  EXPECT_HAS(refusal(cora, {"optimizer.weight_decay=[0.1"}), "the value must be TOML");
  EXPECT_HAS(refusal(cora, {"optimizer.lr=fast"}), "optimizer.lr is 'fast'; expected a number");
  EXPECT_HAS(refusal(cora, {"train.epochs=1\nx=2"}), "expected an integer");
  EXPECT_HAS(refusal(cora, {"trian.epochs=1"}), "did you mean 'train.epochs'?");
}

TEST(ConfigIo, UnknownNamesGetTheValidOnesAndTheNearest) {
  EXPECT_EQ(refusal(with_dataset("[model]\ntype = \"gnc\"\n")),
            "config: c.toml:4: model.type 'gnc' is unknown; valid: gcn, sage; did you mean 'gcn'?");
}

TEST(ConfigIo, UnknownKeysGetFileLineAndTheNearest) {
  const std::string message = refusal(with_dataset("[optimizer]\n\nweight_decai = 0.1\n"));
  EXPECT_HAS(message, "c.toml:5: key optimizer.weight_decai is unknown");
  EXPECT_HAS(message, "did you mean 'optimizer.weight_decay'?");
  EXPECT_HAS(refusal(with_dataset("[train]\nlr = 0.1\n")), "did you mean 'optimizer.lr'?");
  const std::string section = refusal(with_dataset("[optimiser]\nlr = 0.1\n"));
  EXPECT_HAS(section, "section [optimiser] is unknown");
  EXPECT_HAS(section, "did you mean 'optimizer'?");
  EXPECT_HAS(refusal("epochs = 3\n"), "'epochs' stands outside a section");
}

TEST(ConfigIo, WhatLaterVersionsHaveIsRefusedByName) {
  EXPECT_HAS(refusal(with_dataset("[model]\ntype = \"gat\"\n")),
             "model.type 'gat' is not available in this version; valid: gcn, sage");
  EXPECT_HAS(refusal(with_dataset("[model]\nheads = 8\n")),
             "model.heads = 8 is not available in this version");
  EXPECT_HAS(refusal(with_dataset("[train]\ndevice = \"cuda\"\n")),
             "train.device = 'cuda' is not available in this version; valid: cpu, auto");
  EXPECT_HAS(refusal(with_dataset("[task]\ntype = \"link\"\n")), "not available in this version");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nweight_decay = {conv = 0.1, dense = 0.2}\n")),
             "not available in this version");
}

TEST(ConfigIo, ReservedKeysTakeTheValueThatIsTrueAnyway) {
  EXPECT_EQ(parse(with_dataset("[train]\ndevice = \"cpu\"\nprecision = \"fp32\"\n"
                               "[model]\nresidual = false\n")),
            parse(with_dataset("")));
}

TEST(ConfigIo, WrongTypesAreNamed) {
  EXPECT_HAS(refusal(with_dataset("[train]\nepochs = 2.5\n")),
             "c.toml:4: train.epochs is 2.5; expected an integer");
  EXPECT_HAS(refusal(with_dataset("[model]\nbias = 1\n")), "expected true or false");
  EXPECT_HAS(refusal(with_dataset("[model]\ntype = 3\n")), "expected text in quotes");
  EXPECT_HAS(refusal(with_dataset("[model]\ndropout = [0.5]\n")), "is an array; expected a number");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nbetas = [0.9]\n")), "array of two numbers");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nweight_decay = [\"a\"]\n")), "expected numbers");
  EXPECT_HAS(refusal("dataset = 3\n"), "outside a section");
}

TEST(ConfigIo, NumbersOutOfBoundsAreNamed) {
  EXPECT_HAS(refusal(with_dataset("[model]\ndropout = 1.0\n")),
             "c.toml:4: model.dropout is 1.0; expected a finite number in [0, 1)");
  EXPECT_HAS(refusal(with_dataset("[model]\ndropout = nan\n")), "model.dropout is nan");
  EXPECT_HAS(refusal(with_dataset("[model]\nhidden = 0\n")), ">= 1");
  EXPECT_HAS(refusal(with_dataset("[train]\nepochs = 0\n")), ">= 1");
  EXPECT_HAS(refusal(with_dataset("[train]\nepochs = 3000000000\n")), "at most 2147483647");
  EXPECT_HAS(refusal(with_dataset("[train]\nseed = -1\n")), ">= 0");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nlr = inf\n")), "> 0");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nlr = 0\n")), "> 0");
}

TEST(ConfigIo, KeysWithoutASenseAreRefused) {
  EXPECT_HAS(refusal(with_dataset("[model]\ntype = \"sage\"\nself_loops = true\n")),
             "c.toml:5: model.self_loops is for model.type = gcn only");
  EXPECT_HAS(refusal(with_dataset("[optimizer]\nmomentum = 0.9\n")), "optimizer.name = sgd only");
  EXPECT_HAS(refusal(with_dataset("[partition]\nmethod = \"block\"\nobjective = \"cut\"\n")),
             "partition.method = metis only");
}

TEST(ConfigIo, BrokenTomlIsNamedWithItsLine) {
  EXPECT_HAS(refusal("[dataset]\npath = \"d\n"), "c.toml:2: ");
  EXPECT_HAS(refusal("[dataset]\npath = \"d\"\npath = \"e\"\n"), "c.toml:3: ");
  EXPECT_THROW(static_cast<void>(load_config("/no/such/file.toml")), InputError);
}

TEST(ConfigIo, EffectiveFileGivesTheSameSettings) {
  RunConfig config = parse(cora);
  EXPECT_EQ(parse(effective_toml(config)), config);

  config.dataset.path = "/odd \"name\"\\with\ttab\x01";
  config.dataset.split = "split3";
  config.partition = {.path = "/parts/{rank}",
                      .method = partition::Method::file,
                      .parts = 7,
                      .seed = 9007199254740993,
                      .owner_file = "/owners.npy"};
  config.model = {.type = ModelType::sage,
                  .hidden = 3,
                  .layers = 3,
                  .dropout = 0.1,
                  .input_dropout = 0.0,
                  .activation = Activation::none,
                  .norm = Norm::layer,
                  .bias = false};
  config.optimizer = {.name = OptimizerName::sgd,
                      .lr = 1.0 / 3.0,
                      .weight_decay = {1e-300, 2.0, 0.0},
                      .momentum = 0.9};
  config.train = {.epochs = 5, .seed = 0, .eval_every = 2, .threads = 1, .verify_weights_every = 0};
  config.comm.message_limit_bytes = 4096;
  config.comm.shared_memory = false;
  config.output = {
      .predictions = true, .embeddings = true, .log_format = LogFormat::json, .timeline = 3};
  EXPECT_EQ(parse(effective_toml(config)), config) << effective_toml(config);
}

}  // namespace
}  // namespace weft::trainer
