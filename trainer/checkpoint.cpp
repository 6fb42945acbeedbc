// SPDX-License-Identifier: MIT
// Checkpoints: one tensor a parameter, its moments under a prefix, the rest as metadata.
#include "trainer/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/safetensors.hpp"

namespace weft::trainer {

namespace {

constexpr const char* format_name = "weft checkpoint";
constexpr const char* format_version = "1";
constexpr const char* first_moment_prefix = "optimizer.first_moment.";
constexpr const char* second_moment_prefix = "optimizer.second_moment.";

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

/// 17 significant digits: a double survives the round trip through text.
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
      {"dataset_fingerprint", checksum_text(origin.dataset_fingerprint)},
      {"config", origin.config_toml},
  };
  for (std::size_t role = 0; role < num_roles; ++role) {
    metadata[text("best_", role_names[role], "_accuracy")] =
        exact_text(state.best.evaluation.accuracy[role]);
    metadata[text("best_", role_names[role], "_loss")] =
        exact_text(state.best.evaluation.loss[role]);
  }
  return metadata;
}

void check_origin(const SafetensorsFile& file,
                  const std::filesystem::path& path,
                  std::uint64_t dataset_fingerprint) {
  if (file.metadata_value("format") != format_name ||
      file.metadata_value("format_version") != format_version) {
    throw InputError(text("checkpoint: ", path.string(), " is '", file.metadata_value("format"),
                          "' version ", file.metadata_value("format_version"), "; expected '",
                          format_name, "' version ", format_version));
  }
  const std::string& found = file.metadata_value("dataset_fingerprint");
  if (dataset_fingerprint != 0 && found != checksum_text(dataset_fingerprint)) {
    throw InputError(text("checkpoint: ", path.string(), " belongs to dataset ", found,
                          ", this run uses dataset ", checksum_text(dataset_fingerprint),
                          "; train on the dataset that it was made with, or start anew"));
  }
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

void write_checkpoint(const std::filesystem::path& path,
                      const TrainingState& state,
                      Engine& engine,
                      const CheckpointOrigin& origin) {
  const std::vector<layers::Parameter>& parameters = engine.model().parameters().parameters();
  std::vector<NamedTensor> tensors;
  append_tensors("", state.weights, parameters, tensors);
  append_tensors(first_moment_prefix, state.first_moment, parameters, tensors);
  append_tensors(second_moment_prefix, state.second_moment, parameters, tensors);
  write_safetensors(path, tensors, metadata_of(state, origin));
}

TrainingState read_checkpoint(const std::filesystem::path& path,
                              Engine& engine,
                              std::uint64_t dataset_fingerprint) {
  const SafetensorsFile file(path);
  check_origin(file, path, dataset_fingerprint);
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
  for (std::size_t role = 0; role < num_roles; ++role) {
    state.best.evaluation.accuracy[role] =
        number(file, text("best_", role_names[role], "_accuracy"));
    state.best.evaluation.loss[role] = number(file, text("best_", role_names[role], "_loss"));
  }
  return state;
}

}  // namespace weft::trainer
