// SPDX-License-Identifier: MIT
// Checkpoints: one tensor a parameter, its moments under a prefix, the rest as metadata.
#include "trainer/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/safetensors.hpp"

namespace weft::trainer {

namespace {

constexpr const char* format_name = "weft checkpoint";
constexpr const char* format_version = "2";
constexpr const char* first_moment_prefix = "optimizer.first_moment.";
constexpr const char* second_moment_prefix = "optimizer.second_moment.";
constexpr const char* mean_name = "input.mean";
constexpr const char* deviation_name = "input.deviation";

template <typename Range>
void copy_into(const Range& from, std::vector<Real>& to) {
  to.assign(from.begin(), from.end());
}

std::span<const Real> part_of(const std::vector<Real>& block, const layers::Parameter& parameter) {
  return std::span<const Real>(block).subspan(static_cast<std::size_t>(parameter.offset),
                                              static_cast<std::size_t>(parameter.size()));
}

/// Appends one tensor a parameter, cut out of `block`.
void append_tensors(const std::string& prefix,
                    const std::vector<Real>& block,
                    const std::vector<layers::Parameter>& parameters,
                    std::vector<NamedTensor>& tensors) {
  if (block.empty()) return;
  for (const layers::Parameter& p : parameters) {
    tensors.push_back(make_tensor(prefix + p.name, {p.num_rows, p.num_columns}, part_of(block, p)));
  }
}

void read_tensors(const SafetensorsFile& file,
                  const std::string& prefix,
                  const std::vector<layers::Parameter>& parameters,
                  std::vector<Real>& block) {
  for (const layers::Parameter& p : parameters) {
    const std::array<std::int64_t, 2> shape{p.num_rows, p.num_columns};
    file.read(prefix + p.name, shape,
              std::span<Real>(block).subspan(static_cast<std::size_t>(p.offset),
                                             static_cast<std::size_t>(p.size())));
  }
}

/// The shortest digits with which a double survives the round trip through text.
std::string exact_text(double value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

double number(const SafetensorsFile& file, const std::string& key) {
  const std::string& value = file.metadata_value(key);
  double result = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), result);
  if (parsed.ec != std::errc{} || parsed.ptr != value.data() + value.size()) {
    throw InputError(text("checkpoint: metadata '", key, "' is '", value, "', not a number"));
  }
  return result;
}

TensorMetadata metadata_of(const TrainingState& state, const CheckpointOrigin& origin) {
  TensorMetadata metadata{
      {"format", format_name},
      {"format_version", format_version},
      {"epoch", std::to_string(state.epoch)},
      {"optimizer_steps", std::to_string(state.num_steps)},
      {"best_epoch", std::to_string(state.best.epoch)},
      {"best_seconds", exact_text(state.best.seconds)},
      {"elapsed_seconds", exact_text(state.elapsed_seconds)},
      {"dataset_fingerprint", checksum_text(origin.dataset_fingerprint)},
      {"config", origin.config_toml},
      {"num_classes", std::to_string(origin.num_classes)},
      {"num_features", std::to_string(origin.num_features)},
      {"class_names", nlohmann::json(origin.class_names).dump()},
  };
  for (std::size_t role = 0; role < num_roles; ++role) {
    metadata[text("best_", role_names[role], "_accuracy")] =
        exact_text(state.best.evaluation.accuracy[role]);
    metadata[text("best_", role_names[role], "_loss")] =
        exact_text(state.best.evaluation.loss[role]);
  }
  return metadata;
}

void check_format(const SafetensorsFile& file, const std::filesystem::path& path) {
  if (file.metadata_value("format") != format_name ||
      file.metadata_value("format_version") != format_version) {
    throw InputError(text("checkpoint: ", path.string(), " is '", file.metadata_value("format"),
                          "' version ", file.metadata_value("format_version"), "; expected '",
                          format_name, "' version ", format_version));
  }
}

void check_dataset(const SafetensorsFile& file,
                   const std::filesystem::path& path,
                   std::uint64_t dataset_fingerprint) {
  const std::string& found = file.metadata_value("dataset_fingerprint");
  if (dataset_fingerprint != 0 && found != checksum_text(dataset_fingerprint)) {
    throw InputError(text("checkpoint: ", path.string(), " belongs to dataset ", found,
                          ", this run uses dataset ", checksum_text(dataset_fingerprint),
                          "; train on the dataset that it was made with, or start anew"));
  }
}

/// [F] numbers by name; none where the file has no such tensor.
std::vector<double> read_numbers(const SafetensorsFile& file, const char* name) {
  std::vector<double> values;
  for (const NamedTensor& tensor : file.tensors()) {
    if (tensor.name != name) continue;
    values.resize(static_cast<std::size_t>(tensor.num_elements()));
    file.read(name, tensor.shape, std::span<double>(values));
  }
  return values;
}

std::vector<std::string> read_class_names(const SafetensorsFile& file,
                                          const std::filesystem::path& path) {
  const auto json = nlohmann::json::parse(file.metadata_value("class_names"), nullptr, false);
  const auto is_text = [](const nlohmann::json& name) { return name.is_string(); };
  if (!json.is_array() || !std::all_of(json.begin(), json.end(), is_text)) {
    throw InputError(text("checkpoint: ", path.string(), ": metadata 'class_names' is '",
                          file.metadata_value("class_names"), "', expected a list of texts"));
  }
  return json.get<std::vector<std::string>>();
}

}  // namespace

void capture_state(Engine& engine, int epoch, TrainingState& state) {
  state.epoch = epoch;
  state.num_steps = engine.optimizer().num_steps();
  copy_into(engine.model().parameters().values(), state.weights);
  copy_into(engine.optimizer().first_moment().values(), state.first_moment);
  copy_into(engine.optimizer().second_moment().values(), state.second_moment);
}

void restore_state(const TrainingState& state, Engine& engine) {
  std::ranges::copy(state.weights, engine.model().parameters().values().begin());
  std::ranges::copy(state.first_moment, engine.optimizer().first_moment().values().begin());
  std::ranges::copy(state.second_moment, engine.optimizer().second_moment().values().begin());
  engine.optimizer().set_num_steps(state.num_steps);
}

namespace {

template <typename T>
void broadcast_values(comm::Communicator& communicator, std::vector<T>& values) {
  communicator.broadcast(std::as_writable_bytes(std::span<T>(values)));
}

/// A vector whose length the other ranks do not know.
void broadcast_sized(comm::Communicator& communicator, std::vector<double>& values) {
  std::vector<std::int64_t> size{std::ssize(values)};
  broadcast_values(communicator, size);
  values.resize(static_cast<std::size_t>(size.front()));
  broadcast_values(communicator, values);
}

}  // namespace

void share_state(comm::Communicator& communicator, TrainingState& state) {
  std::vector<std::int64_t> counts{state.epoch, state.num_steps, state.best.epoch};
  std::vector<double> numbers{state.best.seconds, state.elapsed_seconds};
  const Evaluation& best = state.best.evaluation;
  numbers.insert(numbers.end(), best.accuracy.begin(), best.accuracy.end());
  numbers.insert(numbers.end(), best.loss.begin(), best.loss.end());
  broadcast_values(communicator, counts);
  broadcast_values(communicator, numbers);
  state.epoch = static_cast<int>(counts[0]);
  state.num_steps = counts[1];
  state.best.epoch = static_cast<int>(counts[2]);
  state.best.seconds = numbers[0];
  state.elapsed_seconds = numbers[1];
  std::copy_n(numbers.begin() + 2, num_roles, state.best.evaluation.accuracy.begin());
  std::copy_n(numbers.begin() + 2 + num_roles, num_roles, state.best.evaluation.loss.begin());
  broadcast_values(communicator, state.weights);
  broadcast_values(communicator, state.first_moment);
  broadcast_values(communicator, state.second_moment);
}

void share_origin(comm::Communicator& communicator, CheckpointOrigin& origin) {
  std::vector<std::int64_t> counts{origin.num_classes, origin.num_features};
  broadcast_values(communicator, counts);
  origin.num_classes = static_cast<int>(counts[0]);
  origin.num_features = counts[1];
  broadcast_sized(communicator, origin.statistics.mean);
  broadcast_sized(communicator, origin.statistics.deviation);
}

void write_checkpoint(const std::filesystem::path& path,
                      const TrainingState& state,
                      Engine& engine,
                      const CheckpointOrigin& origin) {
  const std::vector<layers::Parameter>& parameters = engine.model().parameters().parameters();
  std::vector<NamedTensor> tensors;
  append_tensors("", state.weights, parameters, tensors);
  append_tensors(first_moment_prefix, state.first_moment, parameters, tensors);
  append_tensors(second_moment_prefix, state.second_moment, parameters, tensors);
  if (!origin.statistics.empty()) {
    const auto width = std::ssize(origin.statistics.mean);
    tensors.push_back(
        make_tensor(mean_name, {width}, std::span<const double>(origin.statistics.mean)));
    tensors.push_back(
        make_tensor(deviation_name, {width}, std::span<const double>(origin.statistics.deviation)));
  }
  write_safetensors(path, tensors, metadata_of(state, origin));
}

CheckpointOrigin read_checkpoint_origin(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  check_format(file, path);
  CheckpointOrigin origin;
  origin.config_toml = file.metadata_value("config");
  origin.num_classes = static_cast<int>(number(file, "num_classes"));
  origin.num_features = static_cast<std::int64_t>(number(file, "num_features"));
  origin.class_names = read_class_names(file, path);
  origin.statistics = {read_numbers(file, mean_name), read_numbers(file, deviation_name)};
  return origin;
}

TrainingState read_checkpoint(const std::filesystem::path& path,
                              Engine& engine,
                              std::uint64_t dataset_fingerprint) {
  const SafetensorsFile file(path);
  check_format(file, path);
  check_dataset(file, path, dataset_fingerprint);
  TrainingState state;
  capture_state(engine, static_cast<int>(number(file, "epoch")), state);
  const std::vector<layers::Parameter>& parameters = engine.model().parameters().parameters();
  read_tensors(file, "", parameters, state.weights);
  if (!state.first_moment.empty()) {
    read_tensors(file, first_moment_prefix, parameters, state.first_moment);
  }
  if (!state.second_moment.empty()) {
    read_tensors(file, second_moment_prefix, parameters, state.second_moment);
  }
  state.num_steps = static_cast<std::int64_t>(number(file, "optimizer_steps"));
  state.best.epoch = static_cast<int>(number(file, "best_epoch"));
  state.best.seconds = number(file, "best_seconds");
  state.elapsed_seconds = number(file, "elapsed_seconds");
  for (std::size_t role = 0; role < num_roles; ++role) {
    state.best.evaluation.accuracy[role] =
        number(file, text("best_", role_names[role], "_accuracy"));
    state.best.evaluation.loss[role] = number(file, text("best_", role_names[role], "_loss"));
  }
  return state;
}

}  // namespace weft::trainer
