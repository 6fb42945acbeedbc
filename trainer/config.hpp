// SPDX-License-Identifier: MIT
// The settings of a run: plain structs with defaults, one for each section of the TOML file.
//
// Text becomes enums at the border: each enum has one table of names (config.cpp) that serves the
// parser, its errors and the help. What is read from where is the business of config_keys.hpp (the
// table of keys) and config_io.hpp (TOML).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/partition_graph.hpp"

namespace weft::trainer {

/// What is done to the input features before the first layer.
enum class FeatureScaling {
  none,
  row_sum,   ///< each row divided by its sum of absolute values
  row_l2,    ///< each row divided by its Euclidean length
  standard,  ///< each column to mean 0, variance 1, fitted on the training vertices
};

enum class ModelType { gcn, sage };
enum class Activation { relu, none };
enum class Aggregator { mean };
enum class Normalization { symmetric, none };
enum class Norm { none, layer };
enum class OptimizerName { adam, sgd };
enum class CommPolicy { exact };
enum class LogFormat { text, json };
enum class Precision { fp32, bf16 };

struct DatasetConfig {
  std::filesystem::path path;  ///< dataset folder; absolute once read
  std::string split;           ///< empty = the dataset's first
  FeatureScaling feature_scaling = FeatureScaling::none;

  bool operator==(const DatasetConfig&) const = default;
};

struct PartitionConfig {
  std::string path;  ///< partition folder, may hold {rank}; empty = made from the dataset
  partition::Method method = partition::Method::metis_kway;
  partition::Objective objective = partition::Objective::cut;
  int parts = 0;  ///< 0 = one for each rank
  std::uint64_t seed = 1;
  std::filesystem::path owner_file;  ///< Method::file only

  bool operator==(const PartitionConfig&) const = default;
};

struct ModelConfig {
  ModelType type = ModelType::gcn;
  std::int64_t hidden = 16;  ///< width of every layer but the last
  int layers = 2;
  double dropout = 0.5;                      ///< before every layer, the first included, in [0, 1)
  std::optional<double> input_dropout;       ///< before the first layer, instead of `dropout`
  Activation activation = Activation::relu;  ///< between layers
  Aggregator aggregator = Aggregator::mean;  ///< sage
  Normalization normalization = Normalization::symmetric;  ///< gcn
  bool self_loops = true;  ///< gcn: add the arc v -> v where it is missing
  Norm norm = Norm::none;  ///< after every layer but the last
  bool bias = true;

  bool operator==(const ModelConfig&) const = default;
};

struct OptimizerConfig {
  OptimizerName name = OptimizerName::adam;
  double lr = 0.01;
  std::vector<double> weight_decay{0.0};    ///< one value, or one a layer; L2 in the gradient
  std::array<double, 2> betas{0.9, 0.999};  ///< adam
  double epsilon = 1e-8;                    ///< adam
  double momentum = 0.0;                    ///< sgd

  /// The decay of layer `layer`, counted from 0.
  [[nodiscard]] double weight_decay_of(std::size_t layer) const {
    return weight_decay.size() == 1 ? weight_decay.front() : weight_decay.at(layer);
  }

  bool operator==(const OptimizerConfig&) const = default;
};

struct TrainConfig {
  int epochs = 200;
  std::uint64_t seed = 1;
  int eval_every = 1;            ///< epochs between two evaluations; the last one always
  int checkpoint_every = 0;      ///< epochs between two checkpoints; 0 = by time
  int threads = 0;               ///< a rank; 0 = usable CPUs / ranks on the host
  int verify_weights_every = 1;  ///< epochs between two checks that all ranks agree; 0 = never
  Precision precision = Precision::fp32;
  bool prune = true;  ///< leave out rows that cannot reach the loss

  bool operator==(const TrainConfig&) const = default;
};

struct CommConfig {
  CommPolicy policy = CommPolicy::exact;
  std::int64_t message_limit_bytes = std::int64_t{1} << 30;  ///< larger messages are split
  bool partial_sums = true;   ///< send sums instead of rows where that takes fewer
  bool shared_memory = true;  ///< ranks of a host read each other's rows in place

  bool operator==(const CommConfig&) const = default;
};

struct OutputConfig {
  bool predictions = false;  ///< write predictions.npy at the best epoch
  bool embeddings = false;   ///< write embeddings.npy at the best epoch
  LogFormat log_format = LogFormat::text;
  int timeline = 0;  ///< epochs whose steps and exchanges are written to timeline.json

  bool operator==(const OutputConfig&) const = default;
};

/// Everything that a run is told. Equal settings, dataset and ranks give equal results.
struct RunConfig {
  DatasetConfig dataset;
  PartitionConfig partition;
  ModelConfig model;
  OptimizerConfig optimizer;
  TrainConfig train;
  CommConfig comm;
  OutputConfig output;

  bool operator==(const RunConfig&) const = default;
};

/// One value of an enum by its name in the configuration.
template <typename Enum>
struct EnumName {
  std::string_view name;
  Enum value;
};

/// The table of an enum, and the names that are kept for later versions.
template <typename Enum>
struct EnumNames {
  std::span<const EnumName<Enum>> names;
  std::span<const std::string_view> reserved;
};

/// The one table of `Enum`. The partitioner's enums have theirs in partition/partition_graph.hpp.
template <typename Enum>
[[nodiscard]] EnumNames<Enum> enum_names();
template <>
EnumNames<FeatureScaling> enum_names();
template <>
EnumNames<ModelType> enum_names();
template <>
EnumNames<Activation> enum_names();
template <>
EnumNames<Aggregator> enum_names();
template <>
EnumNames<Normalization> enum_names();
template <>
EnumNames<Norm> enum_names();
template <>
EnumNames<OptimizerName> enum_names();
template <>
EnumNames<CommPolicy> enum_names();
template <>
EnumNames<LogFormat> enum_names();
template <>
EnumNames<Precision> enum_names();

/// The name of `value`, as the configuration writes it.
template <typename Enum>
[[nodiscard]] std::string_view name_of(Enum value) {
  for (const EnumName<Enum>& entry : enum_names<Enum>().names) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

/// Checks what one key alone cannot show: weight decays against layers, an owner file where the
/// method needs one, a layer to take embeddings from, a dataset or a partition to train on.
/// Errors   InputError that names both keys
void check_consistency(const RunConfig& config);

}  // namespace weft::trainer
