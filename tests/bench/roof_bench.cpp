// SPDX-License-Identifier: MIT
// Prints the roofs of this machine beside those of the machine that the targets were set on.
#include <cstdio>

#include "tests/bench/roofs.hpp"

namespace {

/// 2 cores of a Xeon with AVX-512 and a 480 MiB last-level cache, tables of 2 GiB; GB/s for one
/// and two cores. Absolute figures do not carry over; ratios between them do, roughly.
void print_other_machine() {
  std::printf("\nFor comparison, another machine (Xeon, AVX-512, 2 GiB tables), 1 / 2 cores\n");
  std::printf("  copy 14.6 / 27.5  triad 15.7 / 30.1  GB/s\n");
  std::printf("  gather 256 B 6.5 / 13.3  512 B 7.8 / 15.8  1024 B 8.5 / 17  GB/s\n");
  std::printf("  fused multiply-add 227 / 448 GFLOP/s\n");
}

}  // namespace

int main(int argc, char** argv) {
  return weft::bench::run_benchmark(
      "roof_bench", argc, argv,
      [](const weft::bench::Options& options, weft::bench::Report& report) {
        weft::bench::report_roofs(options, report);
        print_other_machine();
      });
}
