// SPDX-License-Identifier: MIT
// The table of keys. A new key is one line here and one member in config.hpp.
#include "trainer/config_keys.hpp"

#include "graph/support/text.hpp"
#include "trainer/config_io.hpp"

namespace weft::trainer {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Bounds any{};
constexpr Bounds at_least_0{0, infinity, false, true};
constexpr Bounds at_least_1{1, infinity, false, true};
constexpr Bounds above_0{0, infinity, true, true};
constexpr Bounds probability{0, 1, false, true};

/// An enum field as a choice of names.
template <typename Enum>
NamedChoice choice(Enum& value) {
  NamedChoice result;
  for (const EnumName<Enum>& entry : enum_names<Enum>().names) {
    result.valid.emplace_back(entry.name);
  }
  for (const std::string_view name : enum_names<Enum>().reserved) {
    result.reserved.emplace_back(name);
  }
  result.get = [&value] { return std::string(name_of(value)); };
  result.set = [&value](std::string_view name) {
    for (const EnumName<Enum>& entry : enum_names<Enum>().names) {
      if (entry.name == name) value = entry.value;
    }
  };
  return result;
}

/// An enum of the partitioner, whose folder owns its names.
template <typename Enum>
NamedChoice partition_choice(Enum& value,
                             std::initializer_list<Enum> values,
                             std::string (*name_of_value)(Enum),
                             Enum (*parse)(const std::string&)) {
  NamedChoice result;
  for (const Enum each : values)
    result.valid.push_back(name_of_value(each));
  result.get = [&value, name_of_value] { return name_of_value(value); };
  result.set = [&value, parse](std::string_view name) { value = parse(std::string(name)); };
  return result;
}

NamedChoice method_choice(partition::Method& value) {
  using enum partition::Method;
  return partition_choice(value, {metis_kway, metis_recursive, random, block, file},
                          partition::method_name, partition::parse_method);
}

NamedChoice objective_choice(partition::Objective& value) {
  using enum partition::Objective;
  return partition_choice(value, {cut, volume}, partition::objective_name,
                          partition::parse_objective);
}

using Table = std::vector<KeyBinding>;

void bind_data(RunConfig& config, Table& table) {
  DatasetConfig& dataset = config.dataset;
  table.push_back({"dataset.path", &dataset.path, any, "dataset folder"});
  table.push_back({"dataset.split", &dataset.split, any, "name of the split; empty = the first"});
  table.push_back({"dataset.feature_scaling", choice(dataset.feature_scaling), any,
                   "scaling of the input features; standard is fitted on training vertices"});
  PartitionConfig& parts = config.partition;
  const bool metis = partition::uses_metis(parts.method);
  table.push_back({"partition.path", PathPattern{&parts.path}, any,
                   "partition folder, may hold {rank}; empty = found beside the dataset or made"});
  table.push_back(
      {"partition.method", method_choice(parts.method), any, "how vertices get owners"});
  table.push_back({"partition.objective", objective_choice(parts.objective), any,
                   "what METIS minimizes: cut arcs or halo rows", "partition.method = metis",
                   metis});
  table.push_back({"partition.parts", &parts.parts, at_least_0, "parts; 0 = one a rank"});
  table.push_back({"partition.seed", &parts.seed, at_least_0, "seed of the partitioner"});
  table.push_back({"partition.owner_file", &parts.owner_file, any,
                   "owner of each vertex, a line each or .npy int32", "partition.method = file",
                   parts.method == partition::Method::file});
}

void bind_model(RunConfig& config, Table& table) {
  ModelConfig& model = config.model;
  const bool gcn = model.type == ModelType::gcn;
  const bool sage = model.type == ModelType::sage;
  table.push_back({"model.type", choice(model.type), any, "convolution of every layer"});
  table.push_back({"model.hidden", &model.hidden, at_least_1, "width of the hidden layers"});
  table.push_back({"model.layers", &model.layers, at_least_1, "number of layers"});
  table.push_back({"model.dropout", &model.dropout, probability,
                   "share dropped before every layer, the first included"});
  table.push_back({"model.input_dropout", &model.input_dropout, probability,
                   "share dropped before the first layer, instead of model.dropout"});
  table.push_back({"model.activation", choice(model.activation), any, "between layers"});
  table.push_back({"model.aggregator", choice(model.aggregator), any, "sum over neighbors",
                   "model.type = sage", sage});
  table.push_back({"model.normalization", choice(model.normalization), any,
                   "weights of the arcs from global degrees", "model.type = gcn", gcn});
  table.push_back({"model.self_loops", &model.self_loops, any,
                   "add the arc v -> v where it is missing", "model.type = gcn", gcn});
  table.push_back({"model.norm", choice(model.norm), any, "after every layer but the last"});
  table.push_back({"model.bias", &model.bias, any, "add a bias in every layer"});
}

void bind_optimizer(RunConfig& config, Table& table) {
  OptimizerConfig& optimizer = config.optimizer;
  const bool adam = optimizer.name == OptimizerName::adam;
  table.push_back({"optimizer.name", choice(optimizer.name), any, "update rule"});
  table.push_back({"optimizer.lr", &optimizer.lr, above_0, "learning rate"});
  table.push_back({"optimizer.weight_decay", &optimizer.weight_decay, at_least_0,
                   "L2 term in the gradient: one value, or one a layer"});
  table.push_back({"optimizer.betas", &optimizer.betas, probability, "decay of the two moments",
                   "optimizer.name = adam", adam});
  table.push_back({"optimizer.epsilon", &optimizer.epsilon, above_0, "added to the denominator",
                   "optimizer.name = adam", adam});
  table.push_back({"optimizer.momentum", &optimizer.momentum, probability,
                   "share of the last step kept", "optimizer.name = sgd", !adam});
}

void bind_run(RunConfig& config, Table& table) {
  TrainConfig& train = config.train;
  table.push_back({"train.epochs", &train.epochs, at_least_1, "passes over the whole graph"});
  table.push_back({"train.seed", &train.seed, at_least_0, "seed of weights and dropout"});
  table.push_back({"train.eval_every", &train.eval_every, at_least_1,
                   "epochs between evaluations; the last epoch is always evaluated"});
  table.push_back({"train.checkpoint_every", &train.checkpoint_every, at_least_0,
                   "epochs between checkpoints; 0 = after 5 seconds, then up to a minute apart"});
  table.push_back({"train.threads", &train.threads, at_least_0,
                   "threads a rank; 0 = its share of the host's usable CPUs"});
  table.push_back({"train.verify_weights_every", &train.verify_weights_every, at_least_0,
                   "epochs between checks that all ranks hold equal weights; 0 = never"});
  table.push_back({"train.precision", choice(train.precision), any,
                   "storage of activations, sums and rows that travel; numbers are added and "
                   "weights kept in fp32"});
  table.push_back({"train.prune", &train.prune, any,
                   "compute only the rows that can reach a labelled training vertex; same numbers "
                   "to rounding"});
  table.push_back({"comm.policy", choice(config.comm.policy), any, "how halo rows are exchanged"});
  table.push_back({"comm.message_limit_bytes", &config.comm.message_limit_bytes,
                   Bounds{1, 1073741824.0}, "larger messages are split"});
  table.push_back({"comm.partial_sums", &config.comm.partial_sums, any,
                   "send sums instead of rows where that takes fewer; same numbers to rounding"});
  table.push_back({"comm.shared_memory", &config.comm.shared_memory, any,
                   "ranks of a host read each other's rows in place; same numbers to rounding"});
  OutputConfig& output = config.output;
  table.push_back({"output.predictions", &output.predictions, any, "write predictions.npy"});
  table.push_back({"output.embeddings", &output.embeddings, any, "write embeddings.npy"});
  table.push_back({"output.log_format", choice(output.log_format), any,
                   "text: epoch lines on stderr; json: lines of metrics.jsonl on stdout"});
  table.push_back({"output.timeline", &output.timeline, at_least_0,
                   "first epochs whose steps, exchanges and waits go to timeline.json, which "
                   "chrome://tracing and Perfetto open; 0 = none"});
}

}  // namespace

std::string Bounds::describe() const {
  const bool has_low = low != -infinity;
  const bool has_high = high != infinity;
  if (has_low && has_high) {
    return text("in ", low_open ? '(' : '[', static_cast<std::int64_t>(low), ", ",
                static_cast<std::int64_t>(high), high_open ? ')' : ']');
  }
  if (has_low) return text(low_open ? "> " : ">= ", low);
  if (has_high) return text(high_open ? "< " : "<= ", high);
  return {};
}

std::vector<KeyBinding> bind_keys(RunConfig& config) {
  std::vector<KeyBinding> table;
  bind_data(config, table);
  bind_model(config, table);
  bind_optimizer(config, table);
  bind_run(config, table);
  return table;
}

const std::vector<ReservedKey>& reserved_keys() {
  static const std::vector<ReservedKey> keys = {
      {"dataset.features", {"given"}},
      {"task.type"},
      {"task.metric"},
      {"task.class_weights"},
      {"task.decoder"},
      {"task.negatives"},
      {"task.edge_split"},
      {"model.residual", {"false"}},
      {"model.jumping_knowledge", {"none"}},
      {"model.heads"},
      {"model.hops"},
      {"model.alpha"},
      {"model.lambda"},
      {"optimizer.clip_norm"},
      {"optimizer.schedule", {"constant", "none"}},
      {"train.patience"},
      {"train.target_metric"},
      {"train.device", {"cpu", "auto"}},
  };
  return keys;
}

std::string describe_keys() {
  RunConfig defaults;
  std::string result;
  std::string_view section;
  for (const KeyBinding& binding : bind_keys(defaults)) {
    if (binding.section() != section) {
      section = binding.section();
      result += text(result.empty() ? "" : "\n", '[', section, "]\n");
    }
    result += text("  ", binding.key(), " = ", toml_value(binding.field), "\n      ", binding.help);
    if (const auto* named = std::get_if<NamedChoice>(&binding.field)) {
      result += text(": ", join(named->valid, " | "));
    }
    if (const std::string range = binding.bounds.describe(); !range.empty()) {
      result += text(" (", range, ')');
    }
    if (!binding.only_for.empty()) result += text("; for ", binding.only_for);
    result += '\n';
  }
  return result;
}

}  // namespace weft::trainer
