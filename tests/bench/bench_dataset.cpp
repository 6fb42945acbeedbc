// SPDX-License-Identifier: MIT
// Writes the dataset of the epoch benchmark, which part_graphs.hpp describes.
//
//   bench_dataset communities|rmat OUT [log2 of vertices = 18] [arcs a vertex = 61]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "tests/bench/part_graphs.hpp"

namespace {

void run(int argc, char** argv) {
  using namespace weft;
  if (argc < 3) throw InputError("bench_dataset: usage: communities|rmat OUT [log2 N] [degree]");
  bench::GraphSetting setting;
  setting.kind = argv[1];
  setting.num_vertices = std::int64_t{1} << (argc > 3 ? std::atoi(argv[3]) : 18);
  setting.num_communities = std::max<std::int64_t>(8, setting.num_vertices / 1024);
  setting.mean_degree = argc > 4 ? std::atof(argv[4]) : 61;
  const datasets::Dataset dataset = bench::make_bench_dataset(setting);
  datasets::write_dataset(dataset, std::filesystem::path(argv[2]));
  std::printf("%s: %lld vertices, %lld entries\n", setting.kind.c_str(),
              static_cast<long long>(dataset.num_vertices),
              static_cast<long long>(dataset.graph.num_edges()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_status();
  }
}
