// SPDX-License-Identifier: MIT
// Roofs by plain threads, without the library under test: a mistake in its pool must not lower the
// roof that it is measured against. Tables are 1 GiB on 2 MiB pages.
#include "tests/bench/roofs.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/buffer.hpp"
#include "kernels/context.hpp"

namespace weft::bench {
namespace {

/// Floats in memory on huge pages; touched by the threads that use them.
class FloatArray {
 public:
  explicit FloatArray(std::int64_t count) {
    buffer_.reserve(count * std::int64_t{sizeof(float)});
    std::fill_n(data(), count, 1.0F);
  }
  [[nodiscard]] float* data() { return static_cast<float*>(buffer_.data()); }

 private:
  kernels::Buffer buffer_;
};

/// Calls body(thread, begin, end) on `num_threads` threads for equal shares of 0 .. count - 1.
void on_threads(int num_threads,
                std::int64_t count,
                const std::function<void(std::int64_t, std::int64_t)>& body) {
  std::vector<std::thread> threads;
  for (int t = 1; t < num_threads; ++t) {
    threads.emplace_back(body, count * t / num_threads, count * (t + 1) / num_threads);
  }
  body(0, count / num_threads);
  for (std::thread& thread : threads)
    thread.join();
}

/// The roof is taken by the clock that it is compared by.
Timing time_of(const RoofSetting& setting, const std::function<void()>& body) {
  Options options;
  options.num_threads = setting.num_threads;
  options.repetitions = setting.repetitions;
  options.cpu_clock = setting.cpu_clock;
  return measure_in_turn(options, {body}).front();
}

using Vector = float __attribute__((vector_size(16), may_alias));

/// Rows that are fetched ahead; the list of rows has as many more at its end.
constexpr std::int64_t rows_ahead = 12;

/// Adds up rows begin .. end-1 of the list, four vectors at a time; rows start on cache lines.
float gather_share(const float* table,
                   std::int64_t row_floats,
                   const std::vector<std::int32_t>& rows,
                   std::int64_t begin,
                   std::int64_t end) {
  Vector sums[4] = {};
  for (std::int64_t i = begin; i < end; ++i) {
    const float* later = table + rows[static_cast<std::size_t>(i + rows_ahead)] * row_floats;
    const float* row = table + rows[static_cast<std::size_t>(i)] * row_floats;
    for (std::int64_t c = 0; c < row_floats; c += 16) {
      __builtin_prefetch(later + c);
      for (std::int64_t v = 0; v < 4; ++v) {
        sums[v] += *reinterpret_cast<const Vector*>(row + c + 4 * v);
      }
    }
  }
  const Vector sum = sums[0] + sums[1] + sums[2] + sums[3];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

/// Bytes that a gather reads at least, so that its time dwarfs the start of the threads.
constexpr std::int64_t least_gathered_bytes = std::int64_t{512} << 20;

std::vector<std::int32_t> random_rows(std::int64_t count, std::int64_t num_rows) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(count + rows_ahead));
  const RandomKey key = random_key(1, RandomPurpose::test);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::int32_t>(random_word(key, i) % static_cast<std::uint32_t>(num_rows));
  }
  return rows;
}

// Twelve independent sums hide the latency of the multiply-add: 4 or 5 cycles, two a cycle.
constexpr int num_sums = 12;

/// A loop of multiply-adds and the single-precision operations of one of its rounds.
struct FmaLoop {
  float (*run)(std::int64_t rounds);
  double operations;
};

using Wide16 = float __attribute__((vector_size(16)));
float multiply_add_128(std::int64_t rounds) {
  Wide16 sums[num_sums] = {};
  const Wide16 factor = {0.5F, 0.5F, 0.5F, 0.5F};
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (Wide16& sum : sums)
      sum = sum * factor + factor;
  }
  for (int s = 1; s < num_sums; ++s)
    sums[0] += sums[s];
  return sums[0][0];
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) float multiply_add_256(std::int64_t rounds) {
  const __m256 factor = _mm256_set1_ps(0.5F);
  __m256 sums[num_sums];
  for (int s = 0; s < num_sums; ++s)
    sums[s] = _mm256_set1_ps(static_cast<float>(s));
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int s = 0; s < num_sums; ++s)
      sums[s] = _mm256_fmadd_ps(sums[s], factor, factor);
  }
  for (int s = 1; s < num_sums; ++s)
    sums[0] = _mm256_add_ps(sums[0], sums[s]);
  return _mm256_cvtss_f32(sums[0]);
}

__attribute__((target("avx512f"))) float multiply_add_512(std::int64_t rounds) {
  const __m512 factor = _mm512_set1_ps(0.5F);
  __m512 sums[num_sums];
  for (int s = 0; s < num_sums; ++s)
    sums[s] = _mm512_set1_ps(static_cast<float>(s));
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (int s = 0; s < num_sums; ++s)
      sums[s] = _mm512_fmadd_ps(sums[s], factor, factor);
  }
  for (int s = 1; s < num_sums; ++s)
    sums[0] = _mm512_add_ps(sums[0], sums[s]);
  return _mm512_cvtss_f32(sums[0]);
}
#endif

FmaLoop widest_fma_loop() {
#if defined(__x86_64__)
  if (kernels::has_instruction_set(kernels::InstructionSet::avx512)) {
    return {multiply_add_512, 2.0 * 16 * num_sums};
  }
  if (kernels::has_instruction_set(kernels::InstructionSet::avx2)) {
    return {multiply_add_256, 2.0 * 8 * num_sums};
  }
#endif
  return {multiply_add_128, 2.0 * 4 * num_sums};
}

}  // namespace

double copy_roof(const RoofSetting& setting) {
  const std::int64_t count = setting.table_bytes / 2 / std::int64_t{sizeof(float)};
  FloatArray x(count);
  FloatArray y(count);
  const Timing timing = time_of(setting, [&] {
    on_threads(setting.num_threads, count, [&](std::int64_t begin, std::int64_t end) {
      std::copy(x.data() + begin, x.data() + end, y.data() + begin);
    });
  });
  return 2.0 * sizeof(float) * static_cast<double>(count) / timing.best_seconds;
}

double triad_roof(const RoofSetting& setting) {
  const std::int64_t count = setting.table_bytes / 3 / std::int64_t{sizeof(float)};
  FloatArray x(count);
  FloatArray y(count);
  FloatArray z(count);
  const Timing timing = time_of(setting, [&] {
    on_threads(setting.num_threads, count, [&](std::int64_t begin, std::int64_t end) {
      const float* a = x.data();
      const float* b = y.data();
      float* c = z.data();
      for (std::int64_t i = begin; i < end; ++i)
        c[i] = a[i] + 0.5F * b[i];
    });
  });
  return 3.0 * sizeof(float) * static_cast<double>(count) / timing.best_seconds;
}

double gather_roof(const RoofSetting& setting, std::int64_t row_bytes) {
  const std::int64_t row_floats = row_bytes / std::int64_t{sizeof(float)};
  const std::int64_t num_rows = std::max<std::int64_t>(1, setting.table_bytes / row_bytes);
  const std::int64_t count = std::max(num_rows, least_gathered_bytes / row_bytes);
  FloatArray table(num_rows * row_floats);
  const std::vector<std::int32_t> rows = random_rows(count, num_rows);
  const Timing timing = time_of(setting, [&] {
    on_threads(setting.num_threads, count, [&](std::int64_t begin, std::int64_t end) {
      keep(static_cast<double>(gather_share(table.data(), row_floats, rows, begin, end)));
    });
  });
  return static_cast<double>(count * row_bytes) / timing.best_seconds;
}

double fma_roof(const RoofSetting& setting) {
  constexpr std::int64_t rounds = std::int64_t{1} << 22;
  const FmaLoop loop = widest_fma_loop();
  const Timing timing = time_of(setting, [&] {
    on_threads(setting.num_threads, setting.num_threads,
               [&](std::int64_t, std::int64_t) { keep(static_cast<double>(loop.run(rounds))); });
  });
  return loop.operations * static_cast<double>(rounds * setting.num_threads) / timing.best_seconds;
}

namespace {

/// 2 cores of a Xeon with AVX-512 and a 480 MiB last-level cache, tables of 2 GiB; GB/s for one
/// and two cores. Absolute figures do not carry over; ratios between them do, roughly.
void print_other_machine() {
  std::printf("  The targets were set on a Xeon with AVX-512 (2 GiB tables, 1 / 2 cores):\n");
  std::printf("    copy 14.6 / 27.5  triad 15.7 / 30.1  GB/s\n");
  std::printf("    gather 256 B 6.5 / 13.3  512 B 7.8 / 15.8  1024 B 8.5 / 17  GB/s\n");
  std::printf("    fused multiply-add 227 / 448 GFLOP/s\n");
}

}  // namespace

void report_roofs(const Options& options, Report& report) {
  report.section("Roofs of this machine (best run; GB/s, GFLOP/s)");
  std::vector<int> thread_counts{1};
  if (options.num_threads > 1) thread_counts.push_back(options.num_threads);
  for (const int num_threads : thread_counts) {
    const RoofSetting setting{num_threads, options.repetitions,
                              (options.quick ? std::int64_t{64} : std::int64_t{1024}) << 20};
    const std::string suffix = text(", ", num_threads, num_threads == 1 ? " thread" : " threads");
    report.add({text("copy", suffix), {{"GB/s", copy_roof(setting) / 1e9}}});
    report.add({text("triad", suffix), {{"GB/s", triad_roof(setting) / 1e9}}});
    for (const std::int64_t row_bytes : {256, 512, 1024}) {
      report.add({text("gather ", row_bytes, " B rows", suffix),
                  {{"GB/s", gather_roof(setting, row_bytes) / 1e9}}});
    }
    report.add({text("fused multiply-add", suffix), {{"GFLOP/s", fma_roof(setting) / 1e9}}});
  }
  print_other_machine();
}

}  // namespace weft::bench
