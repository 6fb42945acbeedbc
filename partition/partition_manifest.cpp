// SPDX-License-Identifier: MIT
#include "partition/partition_manifest.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <limits>
#include <string_view>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* partition_format = "weft-partition";
constexpr const char* part_format = "weft-part";

// One JSON object of a file, whose errors name the file and the key.
class JsonFile {
 public:
  explicit JsonFile(const fs::path& path) : name_(path.string()) {
    const MappedFile file(path);
    try {
      json_ = Json::parse(file.text());
    } catch (const nlohmann::json::parse_error& error) {
      fail(text("@", error.byte), "is not valid JSON");
    }
    if (!json_.is_object()) fail("@0", "is no JSON object");
  }

  [[nodiscard]] const Json& json() const { return json_; }

  template <typename T>
  [[nodiscard]] T get(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(key, "is missing");
    try {
      return found->template get<T>();
    } catch (const nlohmann::json::exception&) {
      fail(key, text("has the wrong type: ", found->dump().substr(0, 60)));
    }
  }

  template <typename T>
  [[nodiscard]] T get(const char* key) const {
    return get<T>(json_, key);
  }

  // A count that fits T.
  template <typename T>
  [[nodiscard]] T count(const Json& object, const char* key) const {
    const auto value = get<std::int64_t>(object, key);
    if (value < 0 || value > std::numeric_limits<T>::max()) {
      fail(key, text("is ", value, ", expected a count from 0 to ", std::numeric_limits<T>::max()));
    }
    return static_cast<T>(value);
  }

  [[nodiscard]] std::uint64_t hexadecimal(const Json& object, const char* key) const {
    const auto digits = get<std::string>(object, key);
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
    if (error != std::errc() || stop != end || digits.size() != 16) {
      fail(key, text("is \"", digits, "\", expected 16 hexadecimal digits"));
    }
    return value;
  }

  [[noreturn]] void fail(std::string_view key, std::string_view problem) const {
    throw InputError(text(name_, ": ", key, " ", problem, "; partition the dataset again"));
  }

 private:
  std::string name_;
  Json json_;
};

void put_info(Json& json, const PartitionInfo& info) {
  json["num_parts"] = info.num_parts;
  json["num_vertices"] = info.num_vertices;
  json["num_edges"] = info.num_edges;
  json["directed"] = info.directed;
  json["method"] = info.method;
  json["seed"] = info.seed;
  json["request"] = info.request;
  json["fingerprint"] = checksum_text(info.fingerprint);
  json["dataset"] = {{"name", info.dataset_name},
                     {"fingerprint", checksum_text(info.dataset_fingerprint)}};
  json["task"] = datasets::task_name(info.task);
  json["num_classes"] = info.num_classes;
  json["split_names"] = info.split_names;
}

void put_checksums(Json& json, const Checksums& checksums) {
  json["files"] = Json::object();
  for (const auto& [file, sum] : checksums)
    json["files"][file] = checksum_text(sum);
}

PartitionInfo get_info(const JsonFile& file) {
  const Json& json = file.json();
  const auto format = file.get<std::string>("format");
  if (format != partition_format && format != part_format) {
    file.fail("format", text("is \"", format, "\", expected \"", partition_format, "\" or \"",
                             part_format, "\""));
  }
  const int version = file.get<int>("format_version");
  if (version != partition_format_version) {
    file.fail("format_version", text("is ", version, ", expected ", partition_format_version));
  }
  PartitionInfo info;
  info.num_parts = file.count<int>(json, "num_parts");
  info.num_vertices = file.count<std::int64_t>(json, "num_vertices");
  info.num_edges = file.count<std::int64_t>(json, "num_edges");
  info.directed = file.get<bool>("directed");
  info.method = file.get<std::string>("method");
  info.seed = file.get<std::uint64_t>("seed");
  info.request = file.get<std::string>("request");
  info.fingerprint = file.hexadecimal(json, "fingerprint");
  const Json dataset = file.get<Json>("dataset");
  info.dataset_name = file.get<std::string>(dataset, "name");
  info.dataset_fingerprint = file.hexadecimal(dataset, "fingerprint");
  info.task = datasets::task_of_name(file.get<std::string>("task"));
  info.num_classes = file.count<int>(json, "num_classes");
  info.split_names = file.get<std::vector<std::string>>("split_names");
  return info;
}

Checksums get_checksums(const JsonFile& file) {
  Checksums checksums;
  const Json files = file.get<Json>("files");
  for (const auto& entry : files.items()) {
    checksums[entry.key()] = file.hexadecimal(files, entry.key().c_str());
  }
  return checksums;
}

Json part_json(const PartQuality& part) {
  return {{"owned", part.owned},       {"boundary", part.boundary}, {"halo", part.halo},
          {"sent", part.sent},         {"edges", part.edges},       {"cut_arcs", part.cut_arcs},
          {"training", part.training}, {"peers", part.peers}};
}

Json to_json(const Quality& quality) {
  Json json;
  json["num_arcs"] = quality.num_arcs;
  json["cut_arcs"] = quality.cut_arcs;
  json["cut_edges"] = quality.cut_edges;
  json["cut_share"] = quality.cut_share();
  json["halo_rows"] = quality.halo_rows;
  json["max_halo_rows"] = quality.max_halo_rows;
  json["random_halo_rows"] = quality.random_halo_rows;
  json["boundary_vertices"] = quality.boundary;
  json["boundary_share"] = quality.boundary_share();
  json["training_vertices"] = quality.num_training;
  json["vertex_imbalance"] = quality.vertex_imbalance;
  json["edge_imbalance"] = quality.edge_imbalance;
  json["training_imbalance"] = quality.training_imbalance;
  json["parts"] = Json::array();
  for (const PartQuality& part : quality.parts)
    json["parts"].push_back(part_json(part));
  return json;
}

void write_json(const fs::path& path, const Json& json) {
  // A dataset's name need not be UTF-8.
  std::string content = json.dump(2, ' ', false, Json::error_handler_t::replace);
  write_file_atomically(path, content.append("\n"));
}

Json peers_json(const std::vector<HaloPeer>& peers) {
  Json list = Json::array();
  for (const HaloPeer& peer : peers) {
    list.push_back({{"part", peer.part},
                    {"halo_begin", peer.halo_begin},
                    {"halo_end", peer.halo_end},
                    {"send_begin", peer.send_begin},
                    {"send_end", peer.send_end}});
  }
  return list;
}

// Peers rise by part and fill the halo from 0 to its end without a gap.
std::vector<HaloPeer> get_peers(const JsonFile& file, const PartManifest& manifest) {
  std::vector<HaloPeer> peers;
  LocalId halo_next = 0;
  std::int64_t send_next = 0;
  int least_part = 0;
  for (const Json& entry : file.get<Json>("peers")) {
    HaloPeer peer;
    peer.part = file.count<int>(entry, "part");
    peer.halo_begin = file.count<LocalId>(entry, "halo_begin");
    peer.halo_end = file.count<LocalId>(entry, "halo_end");
    peer.send_begin = file.count<std::int64_t>(entry, "send_begin");
    peer.send_end = file.count<std::int64_t>(entry, "send_end");
    const bool receives = peer.halo_end > peer.halo_begin;
    if (peer.part < least_part || peer.part >= manifest.info.num_parts ||
        peer.part == manifest.part || peer.halo_end < peer.halo_begin ||
        (receives && peer.halo_begin != halo_next) || peer.send_begin != send_next ||
        peer.send_end < peer.send_begin) {
      file.fail("peers", text("entry of part ", peer.part, " does not follow the one before"));
    }
    if (receives) halo_next = peer.halo_end;
    send_next = peer.send_end;
    least_part = peer.part + 1;
    peers.push_back(peer);
  }
  if (halo_next != manifest.num_halo) file.fail("peers", "do not fill the halo");
  return peers;
}

}  // namespace

void write_partition_manifest(const fs::path& folder,
                              const PartitionInfo& info,
                              const PartitionRecord& record,
                              const Checksums& checksums) {
  Json json;
  json["format"] = partition_format;
  json["format_version"] = partition_format_version;
  put_info(json, info);
  json["partitioner"] = record.partitioner;
  json["quality"] = to_json(record.quality);
  json["vertex_order"] = {{"name", vertex_order_name(record.order.order)},
                          {"far_share", record.order.far_share},
                          {"far_share_by_id", record.order.far_share_by_id}};
  json["partition_seconds"] = record.times.total_seconds;
  json["metis_seconds"] = record.times.metis_seconds;
  json["peak_rss_bytes"] = record.peak_rss_bytes;
  put_checksums(json, checksums);
  write_json(folder / "partition.json", json);
}

PartitionInfo read_info(const fs::path& path) {
  return get_info(JsonFile(path));
}

Checksums read_checksums(const fs::path& path) {
  return get_checksums(JsonFile(path));
}

void write_part_manifest(const fs::path& folder, const PartManifest& manifest) {
  Json json;
  json["format"] = part_format;
  json["format_version"] = partition_format_version;
  json["part"] = manifest.part;
  json["num_interior"] = manifest.num_interior;
  json["num_boundary"] = manifest.num_boundary;
  json["num_halo"] = manifest.num_halo;
  json["num_part_edges"] = manifest.num_edges;
  json["num_feature_columns"] = manifest.num_feature_columns;
  put_info(json, manifest.info);
  json["peers"] = peers_json(manifest.peers);
  put_checksums(json, manifest.checksums);
  write_json(folder / "part.json", json);
}

PartManifest read_part_manifest(const fs::path& path) {
  const JsonFile file(path);
  const Json& json = file.json();
  PartManifest manifest;
  manifest.info = get_info(file);
  manifest.part = file.count<int>(json, "part");
  manifest.num_interior = file.count<LocalId>(json, "num_interior");
  manifest.num_boundary = file.count<LocalId>(json, "num_boundary");
  manifest.num_halo = file.count<LocalId>(json, "num_halo");
  const std::int64_t num_local =
      std::int64_t{manifest.num_interior} + manifest.num_boundary + manifest.num_halo;
  if (num_local > std::numeric_limits<LocalId>::max()) {
    file.fail("num_halo", text("with the owned vertices makes ", num_local,
                               " local ids, expected fewer than 2^31"));
  }
  manifest.num_edges = file.count<std::int64_t>(json, "num_part_edges");
  manifest.num_feature_columns = file.count<std::int64_t>(json, "num_feature_columns");
  manifest.peers = get_peers(file, manifest);
  manifest.checksums = get_checksums(file);
  return manifest;
}

}  // namespace weft::partition
