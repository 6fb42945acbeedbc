// SPDX-License-Identifier: MIT
// What the machine can do at best, measured in the same run as what is compared with it.
#pragma once

#include <cstdint>

#include "tests/bench/bench_support.hpp"

namespace weft::bench {

/// Sizes of the roof measurements.
struct RoofSetting {
  int num_threads = 1;
  int repetitions = 5;
  std::int64_t table_bytes = std::int64_t{1} << 30;
  bool cpu_clock = false;  ///< as in Options
};

/// y = x. Bytes read plus bytes written, a second; best run.
[[nodiscard]] double copy_roof(const RoofSetting& setting);

/// z = x + s * y. Bytes read plus bytes written, a second; best run.
[[nodiscard]] double triad_roof(const RoofSetting& setting);

/// Rows of `row_bytes` (a multiple of 64) read in random order from a table of `table_bytes` and
/// added up in registers, later rows fetched ahead. Bytes of rows a second; best run.
[[nodiscard]] double gather_roof(const RoofSetting& setting, std::int64_t row_bytes);

/// Single-precision operations a second of fused multiply-adds on registers, on the widest
/// vectors of this CPU; best run.
[[nodiscard]] double fma_roof(const RoofSetting& setting);

/// Measures and prints copy, triad, gathers of 256, 512 and 1,024 bytes, and fused multiply-adds,
/// on one thread and on `options.num_threads`, and beside them those of the machine that the
/// targets were set on.
void report_roofs(const Options& options, Report& report);

}  // namespace weft::bench
