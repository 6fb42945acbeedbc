// SPDX-License-Identifier: MIT
// The tables of names, one for each enum of the configuration, and the checks across keys.
#include "trainer/config.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {
namespace {

constexpr EnumName<FeatureScaling> feature_scalings[] = {{"none", FeatureScaling::none},
                                                         {"row_sum", FeatureScaling::row_sum},
                                                         {"row_l2", FeatureScaling::row_l2},
                                                         {"standard", FeatureScaling::standard}};
constexpr EnumName<ModelType> model_types[] = {{"gcn", ModelType::gcn}, {"sage", ModelType::sage}};
constexpr EnumName<Activation> activations[] = {{"relu", Activation::relu},
                                                {"none", Activation::none}};
constexpr EnumName<Aggregator> aggregators[] = {{"mean", Aggregator::mean}};
constexpr EnumName<Normalization> normalizations[] = {{"symmetric", Normalization::symmetric},
                                                      {"none", Normalization::none}};
constexpr EnumName<Norm> norms[] = {{"none", Norm::none}, {"layer", Norm::layer}};
constexpr EnumName<OptimizerName> optimizers[] = {{"adam", OptimizerName::adam},
                                                  {"sgd", OptimizerName::sgd}};
constexpr EnumName<CommPolicy> policies[] = {{"exact", CommPolicy::exact}};
constexpr EnumName<LogFormat> log_formats[] = {{"text", LogFormat::text},
                                               {"json", LogFormat::json}};

constexpr EnumName<Precision> precisions[] = {{"fp32", Precision::fp32}, {"bf16", Precision::bf16}};

// Names of the design that this version does not build: refused, but not as a spelling mistake.
constexpr std::string_view reserved_model_types[] = {"gat",   "gatv2", "gin", "gine",
                                                     "gcnii", "appnp", "sgc", "linear"};
constexpr std::string_view reserved_activations[] = {"elu", "leaky_relu", "gelu", "tanh"};
constexpr std::string_view reserved_aggregators[] = {"sum", "max", "min"};
constexpr std::string_view reserved_normalizations[] = {"row"};
constexpr std::string_view reserved_norms[] = {"batch", "pair", "graph"};
constexpr std::string_view reserved_optimizers[] = {"adamw"};
constexpr std::string_view reserved_policies[] = {"quantized", "stale", "sampled"};

}  // namespace

template <>
EnumNames<FeatureScaling> enum_names() {
  return {feature_scalings, {}};
}
template <>
EnumNames<ModelType> enum_names() {
  return {model_types, reserved_model_types};
}
template <>
EnumNames<Activation> enum_names() {
  return {activations, reserved_activations};
}
template <>
EnumNames<Aggregator> enum_names() {
  return {aggregators, reserved_aggregators};
}
template <>
EnumNames<Normalization> enum_names() {
  return {normalizations, reserved_normalizations};
}
template <>
EnumNames<Norm> enum_names() {
  return {norms, reserved_norms};
}
template <>
EnumNames<OptimizerName> enum_names() {
  return {optimizers, reserved_optimizers};
}
template <>
EnumNames<CommPolicy> enum_names() {
  return {policies, reserved_policies};
}
template <>
EnumNames<LogFormat> enum_names() {
  return {log_formats, {}};
}

template <>
EnumNames<Precision> enum_names() {
  return {precisions, {}};
}

void check_consistency(const RunConfig& config) {
  if (config.dataset.path.empty() && config.partition.path.empty()) {
    throw InputError(
        "config: dataset.path is missing; name a dataset folder (weft import or weft generate "
        "makes one), or a partition folder in partition.path");
  }
  const std::size_t num_decays = config.optimizer.weight_decay.size();
  if (num_decays != 1 && num_decays != static_cast<std::size_t>(config.model.layers)) {
    throw InputError(text("config: optimizer.weight_decay has ", num_decays,
                          " values, but model.layers is ", config.model.layers,
                          "; give one value, or one for each layer"));
  }
  if (config.partition.method == partition::Method::file && config.partition.owner_file.empty()) {
    throw InputError(
        "config: partition.method is 'file', but partition.owner_file is missing; name the file "
        "that lists the owner of each vertex");
  }
  if (config.output.embeddings && config.model.layers < 2) {
    throw InputError(
        "config: output.embeddings asks for the output of the layer before the last, but "
        "model.layers is 1; use 2 layers or more, or leave it out");
  }
}

}  // namespace weft::trainer
