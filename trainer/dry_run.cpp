// SPDX-License-Identifier: MIT
// Partitions in memory for each number of ranks and adds up what the parts would cost.
#include "trainer/dry_run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "partition/owner_file.hpp"
#include "partition/partition_folder.hpp"
#include "partition/partition_graph.hpp"
#include "partition/quality.hpp"
#include "trainer/console.hpp"
#include "trainer/engine.hpp"
#include "trainer/estimate.hpp"
#include "trainer/load_part.hpp"

namespace weft::trainer {

namespace {

constexpr int max_ranks = 64;
constexpr double link_bytes_per_second = 10e9 / 8;

/// The slowest and the largest rank of a partition.
struct RanksCost {
  std::int64_t memory = 0;
  std::int64_t sent = 0;  ///< of all ranks
  double seconds = 0;
  std::int64_t halo_rows = 0;
};

PartShape part_shape(const datasets::Dataset& dataset, const partition::PartQuality& part) {
  PartShape shape{part.owned, part.halo, part.sent, part.edges, 0};
  const datasets::FeatureView& features = dataset.features;
  // Stored values are taken to be spread evenly over vertices.
  const double share = static_cast<double>(part.owned) /
                       static_cast<double>(std::max<std::int64_t>(dataset.num_vertices, 1));
  shape.feature_nonzeros =
      features.is_sparse()
          ? static_cast<std::int64_t>(share * static_cast<double>(features.values.size()))
          : part.owned * features.num_columns;
  return shape;
}

RanksCost cost_of(const datasets::Dataset& dataset,
                  const std::vector<std::int32_t>& owner,
                  const partition::PartitionOptions& options,
                  const layers::ModelSpec& model,
                  const Rates& rates) {
  const partition::Quality quality = partition::measure_quality(
      dataset, owner, partition::part_shares(options), partition::balanced_split(dataset, options));
  RanksCost cost;
  cost.halo_rows = quality.halo_rows;
  for (const partition::PartQuality& part : quality.parts) {
    const PartShape shape = part_shape(dataset, part);
    const EpochWork work = epoch_work(shape, model);
    cost.memory = std::max(cost.memory, memory_bytes(shape, model));
    cost.sent += work.sent_bytes;
    cost.seconds = std::max(cost.seconds, epoch_seconds(work, rates, link_bytes_per_second));
  }
  return cost;
}

void check_dataset(const datasets::Dataset& dataset, const std::string& path) {
  if (dataset.features.empty()) {
    throw InputError(text("dataset ", path,
                          ": it has no features to train on; import it again with --features"));
  }
  if (dataset.task != datasets::Task::single_label) {
    throw InputError(text("dataset ", path,
                          ": it has no class labels to train on; import it again with --labels"));
  }
}

/// Who owns what, for one number of ranks.
struct OwnerChoice {
  partition::PartitionOptions options;
  std::vector<std::int32_t> owner;
};

/// The partition that the settings name, where they name one: then its number of ranks is given.
std::optional<OwnerChoice> named_owners(const RunConfig& config, const datasets::Dataset& dataset) {
  OwnerChoice choice;
  if (config.partition.path.find("{rank}") != std::string::npos) {
    throw InputError(text("config: --dry-run cannot count on parts that each rank has for itself (",
                          config.partition.path, "); leave partition.path out"));
  }
  if (!config.partition.path.empty()) {
    const partition::PartitionInfo info = partition::read_partition_info(config.partition.path);
    partition::check_dataset(info, dataset, config.partition.path);
    choice.options = partition_options(config, info.num_parts);
    choice.owner = partition::read_owner(config.partition.path);
    return choice;
  }
  if (config.partition.method != partition::Method::file) return {};
  choice.owner = partition::read_owner_file(config.partition.owner_file, dataset.num_vertices,
                                            std::numeric_limits<std::int32_t>::max());
  const auto largest = std::ranges::max_element(choice.owner);
  choice.options = partition_options(config, largest == choice.owner.end() ? 1 : *largest + 1);
  return choice;
}

std::vector<std::string> table_row(int ranks, const RanksCost& cost) {
  return {std::to_string(ranks), format_bytes(cost.memory), format_count(cost.halo_rows),
          format_bytes(cost.sent), format_seconds(cost.seconds)};
}

}  // namespace

std::string dry_run_report(const RunConfig& config, const ProgressCallback& progress) {
  if (config.dataset.path.empty()) {
    throw InputError("config: dataset.path is not set; --dry-run counts on the whole dataset");
  }
  report_progress(progress, "checking the dataset", 0);
  const datasets::Dataset dataset = datasets::open_dataset(config.dataset.path, true);
  check_dataset(dataset, config.dataset.path.string());
  const bool is_sparse =
      dataset.features.is_sparse() && config.dataset.feature_scaling != FeatureScaling::standard;
  const layers::ModelSpec model =
      model_spec(config, dataset.features.num_columns, dataset.num_classes, is_sparse);
  const int threads = config.train.threads > 0 ? config.train.threads : usable_cpus();
  kernels::Context ctx(threads);
  const Rates rates = measure_rates(ctx);
  std::vector<std::vector<std::string>> table{
      {"ranks", "memory a rank", "halo rows", "bytes an epoch", "predicted epoch"}};
  const std::optional<OwnerChoice> named = named_owners(config, dataset);
  if (named.has_value()) {
    table.push_back(table_row(named->options.num_parts,
                              cost_of(dataset, named->owner, named->options, model, rates)));
  }
  for (int ranks = 1; !named && ranks <= max_ranks && ranks <= dataset.num_vertices; ranks *= 2) {
    report_progress(progress, text("partitioning for ", ranks, " ranks"),
                    static_cast<double>(ranks) / max_ranks);
    const partition::PartitionOptions options = partition_options(config, ranks);
    const std::vector<std::int32_t> owner = partition::partition_graph(dataset, options);
    table.push_back(table_row(ranks, cost_of(dataset, owner, options, model, rates)));
  }
  return format_table(table) +
         text("\nmemory: the largest rank; bytes: halo rows of all ranks; time: the slowest rank, ",
              threads,
              " thread(s) like those of this machine,\neach rank on a link of 10 Gbit/s, "
              "nothing overlapped; measured here: gather ",
              format_fixed(rates.gathered_bytes * 1e-9, 1), " GB/s, products ",
              format_fixed(rates.flops * 1e-9, 0), " GFLOP/s, streams ",
              format_fixed(rates.streamed_bytes * 1e-9, 1), " GB/s");
}

}  // namespace weft::trainer
