// SPDX-License-Identifier: MIT
// Partitions in memory for each number of ranks and adds up what the parts would cost.
#include "trainer/dry_run.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
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
                  const partition::PartitionOptions& options,
                  const layers::ModelSpec& model,
                  const Rates& rates) {
  const std::vector<std::int32_t> owner = partition::partition_graph(dataset, options);
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

void check_dataset(const datasets::Dataset& dataset) {
  if (dataset.features.empty()) throw InputError("dataset: it has no features to train on");
  if (dataset.task != datasets::Task::single_label) {
    throw InputError("dataset: it has no class labels to train on");
  }
}

}  // namespace

std::string dry_run_report(const RunConfig& config, const ProgressCallback& progress) {
  if (config.dataset.path.empty()) {
    throw InputError("config: dataset.path is not set; --dry-run counts on the whole dataset");
  }
  const datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
  check_dataset(dataset);
  const bool is_sparse =
      dataset.features.is_sparse() && config.dataset.feature_scaling != FeatureScaling::standard;
  const layers::ModelSpec model =
      model_spec(config.model, dataset.features.num_columns, dataset.num_classes, is_sparse);
  const int threads = config.train.threads > 0 ? config.train.threads : usable_cpus();
  kernels::Context ctx(threads);
  const Rates rates = measure_rates(ctx);
  std::vector<std::vector<std::string>> table{
      {"ranks", "memory a rank", "halo rows", "bytes an epoch", "predicted epoch"}};
  for (int ranks = 1; ranks <= max_ranks && ranks <= dataset.num_vertices; ranks *= 2) {
    report_progress(progress, text("partitioning for ", ranks, " ranks"),
                    static_cast<double>(ranks) / max_ranks);
    const RanksCost cost = cost_of(dataset, partition_options(config, ranks), model, rates);
    table.push_back({std::to_string(ranks), format_bytes(cost.memory), format_count(cost.halo_rows),
                     format_bytes(cost.sent), format_seconds(cost.seconds)});
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
