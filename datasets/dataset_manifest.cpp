// SPDX-License-Identifier: MIT
// `dataset.json` to and from its struct; the JSON library is seen by this file alone.
#include "datasets/dataset_manifest.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "weft-dataset";

Json parse_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  try {
    Json json = Json::parse(file.text());
    if (!json.is_object()) throw InputError(text(path.string(), ": no JSON object"));
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(
        text(path.string(), ":@", error.byte, ": not valid JSON; import the dataset ", "again"));
  }
}

template <typename T>
T value_of(const Json& json, const char* key, const std::filesystem::path& path) {
  const auto found = json.find(key);
  if (found == json.end()) throw InputError(text(path.string(), ": key '", key, "' is missing"));
  try {
    return found->get<T>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(text(path.string(), ": key '", key, "' has the wrong type: ", found->dump()));
  }
}

std::int64_t count_of(const Json& json,
                      const char* key,
                      const std::filesystem::path& path,
                      std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16) {
  const auto count = value_of<std::int64_t>(json, key, path);
  if (count >= 0 && count <= most) return count;
  throw InputError(
      text(path.string(), ": key '", key, "' is ", count, ", expected a count from 0 to ", most));
}

void check_format(const Json& json, const std::filesystem::path& path) {
  const auto format = value_of<std::string>(json, "format", path);
  if (format != format_name) {
    throw InputError(text(path.string(), ": format '", format, "', expected '", format_name, "'"));
  }
  const auto version = value_of<int>(json, "format_version", path);
  if (version != dataset_format_version) {
    throw InputError(text(path.string(), ": format_version ", version, ", expected ",
                          dataset_format_version, "; import the source again with this version"));
  }
}

void read_checksums(const Json& json,
                    const std::filesystem::path& path,
                    DatasetManifest& manifest) {
  for (const auto& entry : value_of<std::map<std::string, std::string>>(json, "files", path)) {
    std::size_t used = 0;
    std::uint64_t sum = 0;
    try {
      sum = std::stoull(entry.second, &used, 16);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != 16 || entry.second.size() != 16) {
      throw InputError(text(path.string(), ": checksum '", entry.second, "' of ", entry.first,
                            ", expected 16 hexadecimal digits"));
    }
    manifest.checksums[entry.first] = sum;
  }
}

}  // namespace

std::uint64_t DatasetManifest::fingerprint() const {
  std::string all;
  for (const auto& [file, sum] : checksums)
    all += text(file, ' ', checksum_text(sum), '\n');
  return checksum_of(std::span<const char>(all));
}

DatasetManifest read_manifest(const std::filesystem::path& path) {
  const Json json = parse_file(path);
  check_format(json, path);
  DatasetManifest manifest;
  manifest.name = value_of<std::string>(json, "name", path);
  manifest.num_vertices = count_of(json, "num_vertices", path);
  manifest.num_edges = count_of(json, "num_edges", path);
  manifest.directed = value_of<bool>(json, "directed", path);
  manifest.task = task_of_name(value_of<std::string>(json, "task", path));
  manifest.num_classes = static_cast<int>(
      count_of(json, "num_classes", path, std::numeric_limits<std::int32_t>::max()));
  manifest.num_features = count_of(json, "num_features", path);
  manifest.split_names = value_of<std::vector<std::string>>(json, "split_names", path);
  manifest.class_names = value_of<std::vector<std::string>>(json, "class_names", path);
  manifest.provenance = value_of<std::string>(json, "provenance", path);
  read_checksums(json, path, manifest);
  return manifest;
}

void write_manifest(const DatasetManifest& manifest, const std::filesystem::path& path) {
  Json json;
  json["format"] = format_name;
  json["format_version"] = dataset_format_version;
  json["name"] = manifest.name;
  json["num_vertices"] = manifest.num_vertices;
  json["num_edges"] = manifest.num_edges;
  json["directed"] = manifest.directed;
  json["task"] = task_name(manifest.task);
  json["num_classes"] = manifest.num_classes;
  json["num_features"] = manifest.num_features;
  json["split_names"] = manifest.split_names;
  json["class_names"] = manifest.class_names;
  json["provenance"] = manifest.provenance;
  json["files"] = Json::object();
  for (const auto& [file, sum] : manifest.checksums)
    json["files"][file] = checksum_text(sum);
  write_file_atomically(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace weft::datasets
