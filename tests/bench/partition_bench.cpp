// SPDX-License-Identifier: MIT
// How long partitioning takes beside METIS itself, what it cuts, and what memory it needs.
//
// Required: everything but the files within 1.3 times the time inside METIS's calls. Each partition
// is verified (a recount of the cut, no empty part) before its figures are printed. Memory is the
// peak of the process in this row, the generated graph included, beside the estimate that
// `weft partition` prints. The roofs of the run stand above.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "graph/generators.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "partition/partition_dataset.hpp"
#include "partition/partition_folder.hpp"
#include "tests/bench/bench_graphs.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/bench/roofs.hpp"

namespace {

namespace fs = std::filesystem;
using namespace weft;

constexpr double mean_degree = 61;

datasets::Dataset dataset_of(const std::string& name, graph::EdgeList&& edges) {
  datasets::Dataset dataset = bench::undirected_dataset(name, std::move(edges));
  std::vector<std::int8_t> roles(static_cast<std::size_t>(dataset.num_vertices), -1);
  for (std::size_t vertex = 0; vertex < roles.size() / 2; ++vertex)
    roles[2 * vertex] = 0;
  dataset.splits = keep(dataset, std::move(roles));
  dataset.split_names = {"every_second"};
  return dataset;
}

datasets::Dataset communities(std::int64_t num_vertices) {
  graph::CommunityOptions options;
  options.num_vertices = num_vertices;
  options.mean_degree = mean_degree;
  options.num_communities = std::max<std::int64_t>(8, num_vertices / 4096);
  return dataset_of("communities", graph::planted_communities(options).edges);
}

datasets::Dataset skewed(std::int64_t num_vertices) {
  graph::RmatOptions options;
  options.num_vertices = num_vertices;
  options.num_edges =
      static_cast<std::int64_t>(mean_degree / 2 * static_cast<double>(num_vertices));
  return dataset_of("R-MAT", graph::rmat(options));
}

void verify(const datasets::Dataset& dataset, const partition::PartitionOutcome& outcome) {
  const auto owner = partition::read_owner(outcome.folder);
  std::int64_t cut = 0;
  for (std::int64_t row = 0; row < dataset.num_vertices; ++row) {
    for (const std::int32_t source : dataset.graph.neighbors(row)) {
      cut +=
          owner[static_cast<std::size_t>(source)] != owner[static_cast<std::size_t>(row)] ? 1 : 0;
    }
  }
  const partition::Quality& quality = outcome.record.quality;
  if (cut != quality.cut_arcs || cut != 2 * quality.cut_edges) {
    throw RuntimeError(text("partition_bench: ", quality.cut_arcs, " arcs and ", quality.cut_edges,
                            " edges reported as cut, recounted ", cut, " arcs"));
  }
  for (const partition::PartQuality& part : quality.parts) {
    if (part.owned == 0) throw RuntimeError("partition_bench: a part is empty");
  }
}

void run(const datasets::Dataset& dataset,
         const partition::PartitionOptions& options,
         const fs::path& folder,
         bench::Report& report) {
  bench::reset_peak_rss();
  const auto outcome = partition::partition_dataset(dataset, options, folder);
  verify(dataset, outcome);
  const partition::PartitionRecord& record = outcome.record;
  const partition::Quality& quality = record.quality;
  const double seconds =
      record.times.total_seconds + outcome.quality_seconds + outcome.build_seconds;
  const auto vertices = static_cast<double>(dataset.num_vertices);
  const std::string name = text(dataset.name, " ", partition::partition_name(options, dataset));
  report.add({name,
              {{"seconds", seconds},
               {"metis_seconds", record.times.metis_seconds},
               {"against_metis", seconds / record.times.metis_seconds},
               {"file_seconds", outcome.write_seconds},
               {"cut_share", quality.cut_share()},
               {"halo_rows_a_vertex", static_cast<double>(quality.halo_rows) / vertices},
               {"against_random", quality.against_random()},
               {"vertex_imbalance", quality.vertex_imbalance},
               {"edge_imbalance", quality.edge_imbalance},
               {"training_imbalance", quality.training_imbalance},
               {"peak_bytes", static_cast<double>(peak_rss_bytes())},
               {"estimated_bytes",
                static_cast<double>(partition::estimated_peak_bytes(dataset, options))}}});
  report.require_at_most(text(name, ", against METIS"), seconds / record.times.metis_seconds, 1.3);
  fs::remove_all(folder);
}

void run_all(const bench::Options& settings, bench::Report& report) {
  bench::report_roofs(settings, report);
  const std::int64_t num_vertices = settings.quick ? 1 << 12 : 1 << 18;
  const fs::path folder =
      fs::temp_directory_path() / text("weft-partition-bench-", num_vertices, ".tmp");
  for (const bool with_communities : {true, false}) {
    const datasets::Dataset dataset =
        with_communities ? communities(num_vertices) : skewed(num_vertices);
    report.section(text(dataset.name, ": ", dataset.num_vertices, " vertices, ",
                        dataset.graph.num_edges(), " arcs"));
    for (const int num_parts : {2, 8, 32}) {
      if (settings.quick && num_parts > 8) continue;
      partition::PartitionOptions options;
      options.num_parts = num_parts;
      run(dataset, options, folder, report);
    }
    partition::PartitionOptions recursive;
    recursive.num_parts = 8;
    recursive.method = partition::Method::metis_recursive;
    run(dataset, recursive, folder, report);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return weft::bench::run_benchmark("partition", argc, argv, run_all);
}
