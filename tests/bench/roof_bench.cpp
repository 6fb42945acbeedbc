// SPDX-License-Identifier: MIT
// Prints the roofs of this machine alone.
#include "tests/bench/roofs.hpp"

int main(int argc, char** argv) {
  return weft::bench::run_benchmark(
      "roof_bench", argc, argv,
      [](const weft::bench::Options& options, weft::bench::Report& report) {
        weft::bench::report_roofs(options, report);
      });
}
