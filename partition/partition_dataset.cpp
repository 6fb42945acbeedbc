// SPDX-License-Identifier: MIT
#include "partition/partition_dataset.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "graph/normalization.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "partition/build_part.hpp"
#include "partition/indexing.hpp"
#include "partition/metis.hpp"
#include "partition/partition_folder.hpp"
#include "partition/vertex_order.hpp"
#include "partition/write_partition.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> balance_words(const PartitionOptions& options,
                                       const datasets::Dataset& dataset) {
  std::vector<std::string> words;
  if (options.balance_vertices) words.emplace_back("vertices");
  if (options.balance_edges) words.emplace_back("edges");
  if (options.balance_training && !dataset.split_names.empty()) words.emplace_back("training");
  return words;
}

// The split whose training vertices are balanced; empty where none are.
std::string balanced_split_name(const PartitionOptions& options, const datasets::Dataset& dataset) {
  if (!options.balance_training || dataset.split_names.empty()) return {};
  return options.split.empty() ? dataset.split_names.front() : options.split;
}

// The shortest text that reads back as the same number.
std::string exact_text(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string weights_text(const std::vector<double>& weights) {
  std::vector<std::string> words;
  for (const double weight : weights)
    words.push_back(exact_text(weight));
  return join(words, ",");
}

std::string short_checksum(std::string_view characters) {
  return checksum_text(checksum_of(std::span(characters.data(), characters.size()))).substr(0, 8);
}

std::string owner_file_checksum(const PartitionOptions& options) {
  return checksum_text(checksum(MappedFile(options.owner_file).bytes()));
}

PartitionInfo make_info(const datasets::Dataset& dataset,
                        const PartitionOptions& options,
                        std::span<const std::int32_t> owner) {
  PartitionInfo info;
  info.num_parts = options.num_parts;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.method = method_name(options.method);
  info.seed = options.seed;
  info.dataset_fingerprint = dataset.fingerprint;
  info.fingerprint = checksum_of(owner);
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  info.dataset_name = dataset.name;
  info.request = request_text(options, dataset);
  return info;
}

bool is_writable(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

bool exists_with_content(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder, ignored) && !fs::is_empty(folder, ignored);
}

// Fills `outcome.info` and returns true if `folder` holds this very partition already.
bool find_existing(const datasets::Dataset& dataset,
                   const PartitionOptions& options,
                   const fs::path& folder,
                   PartitionOutcome& outcome) {
  if (!exists_with_content(folder)) return false;
  const PartitionInfo info = read_partition_info(folder.string());
  check_dataset(info, dataset, folder.string());
  const std::string request = request_text(options, dataset);
  if (info.request != request) {
    throw InputError(text(folder.string(), ": holds another partition (", info.request,
                          "), asked for was (", request, "); name another folder with --out"));
  }
  outcome.info = info;
  outcome.reused = true;
  return true;
}

void make_partition(const datasets::Dataset& dataset,
                    const PartitionOptions& options,
                    PartitionOutcome& outcome,
                    const ProgressCallback& progress) {
  PartitionRecord& record = outcome.record;
  const auto owner = partition_graph(dataset, options, &record.times, progress);
  if (uses_metis(options.method)) record.partitioner = metis_description();
  Stopwatch watch;
  record.order = choose_vertex_order(dataset.graph, owner, options, &record.times, progress);
  record.times.total_seconds += watch.seconds();
  report_progress(progress, "quality", 0);
  watch.restart();
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  PartBuilder builder(dataset, degrees, owner, make_info(dataset, options, owner),
                      record.order.place);
  record.quality = measure_quality(dataset, owner, builder.owned(), builder.halo_sets(),
                                   part_shares(options), balanced_split(dataset, options));
  outcome.quality_seconds = watch.seconds();
  outcome.warnings = quality_warnings(record.quality, options);
  outcome.info = builder.info();
  record.peak_rss_bytes = peak_rss_bytes();
  watch.restart();
  write_partition(builder, record, outcome.folder, progress);
  outcome.build_seconds = builder.build_seconds();
  outcome.write_seconds = watch.seconds() - outcome.build_seconds;
}

}  // namespace

std::string request_text(const PartitionOptions& options, const datasets::Dataset& dataset) {
  std::string request =
      text("--method ", method_name(options.method), " --parts ", options.num_parts);
  if (options.method == Method::file) {
    return request.append(" --owner-file checksum:").append(owner_file_checksum(options));
  }
  if (!options.part_weights.empty()) {
    request.append(" --part-weights ").append(weights_text(options.part_weights));
  }
  if (options.method == Method::block) return request;
  request.append(text(" --seed ", options.seed));
  if (options.method == Method::random) return request;
  request.append(text(" --objective ", objective_name(options.objective), " --balance ",
                      join(balance_words(options, dataset), ",")));
  const std::string split = balanced_split_name(options, dataset);
  if (!split.empty()) request.append(" --split ").append(split);
  return request;
}

std::string partition_name(const PartitionOptions& options, const datasets::Dataset& dataset) {
  std::string name = text(method_name(options.method), "-k", options.num_parts);
  if (options.method == Method::file) {
    return name.append("-").append(owner_file_checksum(options).substr(0, 8));
  }
  if (options.method != Method::block) name.append(text("-s", options.seed));
  if (options.objective == Objective::volume) name.append("-volume");
  // What is rarely asked for is told apart by a checksum of the request.
  PartitionOptions usual;
  usual.num_parts = options.num_parts;
  usual.method = options.method;
  usual.objective = options.objective;
  usual.seed = options.seed;
  const std::string request = request_text(options, dataset);
  if (request != request_text(usual, dataset)) name.append("-").append(short_checksum(request));
  return name;
}

fs::path default_partition_folder(const fs::path& dataset_folder,
                                  const PartitionOptions& options,
                                  const datasets::Dataset& dataset) {
  return dataset_folder / "partitions" / partition_name(options, dataset);
}

PartitionOutcome partition_dataset(const datasets::Dataset& dataset,
                                   const PartitionOptions& options,
                                   const fs::path& folder,
                                   const ProgressCallback& progress) {
  PartitionOutcome outcome;
  outcome.folder = folder;
  if (find_existing(dataset, options, folder, outcome)) return outcome;
  try {
    make_partition(dataset, options, outcome, progress);
  } catch (const Error&) {
    // Another job may have made the same partition while this one was at work.
    if (!find_existing(dataset, options, folder, outcome)) throw;
  } catch (const std::bad_alloc&) {
    throw RuntimeError(text(
        "partition: out of memory; about ", format_bytes(estimated_peak_bytes(dataset, options)),
        " are needed for ", dataset.num_vertices, " vertices, ", dataset.graph.num_edges(),
        " arcs and ", options.num_parts, " parts by method ", method_name(options.method),
        "; use a machine or a limit (ulimit -v) with more, or --method block", " or random"));
  }
  return outcome;
}

bool has_partition(const fs::path& dataset_folder,
                   const datasets::Dataset& dataset,
                   const PartitionOptions& options,
                   const fs::path& fallback_folder) {
  return exists_with_content(default_partition_folder(dataset_folder, options, dataset)) ||
         exists_with_content(fallback_folder / partition_name(options, dataset));
}

PartitionOutcome ensure_partition(const fs::path& dataset_folder,
                                  const datasets::Dataset& dataset,
                                  const PartitionOptions& options,
                                  const fs::path& fallback_folder,
                                  const ProgressCallback& progress) {
  const fs::path own = default_partition_folder(dataset_folder, options, dataset);
  if (exists_with_content(own)) return partition_dataset(dataset, options, own, progress);
  std::error_code ignored;
  fs::create_directory(own.parent_path(), ignored);
  if (is_writable(own.parent_path())) return partition_dataset(dataset, options, own, progress);
  const fs::path fallback = fallback_folder / partition_name(options, dataset);
  return partition_dataset(dataset, options, fallback, progress);
}

std::string explain(const PartitionOutcome& outcome) {
  if (outcome.reused) {
    return text("uses the partition of ", outcome.info.num_parts, " parts in ",
                outcome.folder.string());
  }
  const PartitionRecord& record = outcome.record;
  const double seconds = record.times.total_seconds + outcome.quality_seconds +
                         outcome.build_seconds + outcome.write_seconds;
  return text("made a partition of ", outcome.info.num_parts, " parts in ", outcome.folder.string(),
              " (", format_seconds(seconds), ", ",
              format_fixed(100 * record.quality.cut_share(), 1), " % of the arcs are cut)");
}

}  // namespace weft::partition
