// SPDX-License-Identifier: MIT
// The library's aggregation against the best of three others, on the graphs of the figures, in the
// order that Weft chooses and in shuffled ids. Every result is compared with the reference backend
// on some rows before the clock starts.
//
//   spmm_bench [--graph communities|rmat] [--log2-vertices N] [--width N] [--clock wall|cpu]
//   [--only variants|bf16] [--quick]
//
// Bytes are counted as if every gather went to memory: for an entry its row, its column id and its
// value, for a row its sum and its offset. The roof beside them gathers rows of the same size, in
// random order, from a table of the same size. The others (spmm_variants.hpp): row by row; the same
// with later rows fetched ahead; rows stored in panels of 64 numbers, panel after panel, whose
// storage costs nothing here.
#include "kernels/spmm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/bfloat16.hpp"
#include "layers/aggregation.hpp"
#include "tests/bench/part_graphs.hpp"
#include "tests/bench/roofs.hpp"
#include "tests/bench/spmm_variants.hpp"

namespace weft::bench {
namespace {

using kernels::ConstMatrixView;
using kernels::Context;
using kernels::Matrix;
using kernels::RowSet;
using kernels::SparseMatrix;

constexpr std::array<const char*, 4> kernel_names{"library", "row by row", "prefetching", "panels"};
constexpr std::size_t num_kernels = kernel_names.size();

/// Best seconds of the library and of the three others.
using KernelSeconds = std::array<double, num_kernels>;

[[nodiscard]] double best_other(const KernelSeconds& seconds) {
  return *std::min_element(seconds.begin() + 1, seconds.end());
}

void fill_random(Matrix& x) {
  const RandomKey key = random_key(2, RandomPurpose::test);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    x.data()[i] = static_cast<Real>(random_uniform(key, static_cast<std::uint64_t>(i))) - Real{0.5};
  }
}

/// A matrix as panels of `panel_width` columns, one after another; the last is filled up with
/// zeros.
class PanelMatrix {
 public:
  PanelMatrix(std::int64_t num_rows, std::int64_t num_columns)
      : num_rows_(num_rows),
        num_panels_((num_columns + panel_width - 1) / panel_width),
        values_(num_panels_ * num_rows, panel_width) {
    values_.fill(0);
  }
  void fill(ConstMatrixView x) {
    for (std::int64_t r = 0; r < num_rows_; ++r) {
      for (std::int64_t c = 0; c < x.num_columns; ++c)
        panel(c / panel_width)[r * panel_width + c % panel_width] = x.at(r, c);
    }
  }
  [[nodiscard]] Real at(std::int64_t r, std::int64_t c) {
    return panel(c / panel_width)[r * panel_width + c % panel_width];
  }
  [[nodiscard]] std::int64_t num_panels() const { return num_panels_; }
  [[nodiscard]] Real* panel(std::int64_t p) { return values_.data() + p * num_rows_ * panel_width; }

 private:
  std::int64_t num_rows_;
  std::int64_t num_panels_;
  Matrix values_;
};

/// Rows at which a list of tasks of about 16 K entries each is cut.
std::vector<std::int64_t> cut_at_equal_entries(const SparseMatrix& a) {
  constexpr EdgeOffset entries_per_task = 16384;
  std::vector<std::int64_t> cuts{0};
  for (std::int64_t r = 0; r < a.num_rows; ++r) {
    const EdgeOffset begin = a.row_ptr[static_cast<std::size_t>(cuts.back())];
    if (a.row_ptr[static_cast<std::size_t>(r) + 1] - begin >= entries_per_task) {
      cuts.push_back(r + 1);
    }
  }
  if (cuts.back() < a.num_rows) cuts.push_back(a.num_rows);
  return cuts;
}

/// One matrix at one width, with everything that the kernels read and write.
class Case {
 public:
  Case(int num_threads, const SparseMatrix& a, std::int64_t width)
      : ctx_(num_threads),
        a_(a),
        cuts_(cut_at_equal_entries(a)),
        x_(a.num_rows, width),
        y_(a.num_rows, width),
        panel_x_(a.num_rows, width),
        panel_y_(a.num_rows, width) {
    fill_random(x_);
    panel_x_.fill(x_.view());
  }

  void run(std::size_t kernel) {
    const SpmmVariants& variants = spmm_variants();
    switch (kernel) {
      case 0:
        return kernels::spmm(ctx_, a_.view(), x_.view(), y_.view(), RowSet::range(0, a_.num_rows));
      case 1:
        return run_tasks(variants.row_by_row, x_.data(), y_.data(), x_.num_columns());
      case 2:
        return run_tasks(variants.prefetching, x_.data(), y_.data(), x_.num_columns());
      default:
        for (std::int64_t p = 0; p < panel_x_.num_panels(); ++p)
          run_tasks(variants.panel, panel_x_.panel(p), panel_y_.panel(p), panel_width);
    }
  }

  /// Throws unless the kernel's result is the reference's on 64 rows, to 1e-5 of the largest.
  void verify(std::size_t kernel) {
    std::vector<LocalId> rows;
    for (std::int64_t i = 0; i < 64; ++i)
      rows.push_back(static_cast<LocalId>(i * a_.num_rows / 64));
    Context reference(1, kernels::Backend::reference);
    Matrix expected(a_.num_rows, x_.num_columns());
    kernels::spmm(reference, a_.view(), x_.view(), expected.view(), RowSet::of(rows));
    run(kernel);
    double worst = 0;
    double largest = 0;
    for (const LocalId r : rows) {
      for (std::int64_t c = 0; c < x_.num_columns(); ++c) {
        const auto found = static_cast<double>(kernel == 3 ? panel_y_.at(r, c) : y_.at(r, c));
        const auto wanted = static_cast<double>(expected.at(r, c));
        largest = std::max(largest, std::abs(wanted));
        worst = std::max(worst, std::abs(found - wanted));
      }
    }
    if (worst <= 1e-5 * largest) return;
    throw RuntimeError(text("spmm_bench: '", kernel_names[kernel],
                            "' differs from the reference by ", worst, " at width ",
                            x_.num_columns(), "; nothing was timed"));
  }

 private:
  void run_tasks(SumRows sum_rows, const Real* x, Real* y, std::int64_t width) {
    const GatherProblem problem{a_.row_ptr.data(),
                                a_.col_idx.data(),
                                a_.values.data(),
                                a_.view().num_nonzeros(),
                                x,
                                y,
                                width};
    ctx_.parallel_for(static_cast<std::int64_t>(cuts_.size()) - 1, [&](std::int64_t task) {
      const auto t = static_cast<std::size_t>(task);
      sum_rows(problem, cuts_[t], cuts_[t + 1]);
    });
  }

  Context ctx_;
  const SparseMatrix& a_;
  std::vector<std::int64_t> cuts_;
  Matrix x_;
  Matrix y_;
  PanelMatrix panel_x_;
  PanelMatrix panel_y_;
};

KernelSeconds time_width(const Options& options,
                         Report& report,
                         const std::string& name,
                         const SparseMatrix& a,
                         std::int64_t width) {
  Case problem(options.num_threads, a, width);
  std::vector<std::function<void()>> bodies;
  for (std::size_t k = 0; k < num_kernels; ++k) {
    problem.verify(k);
    bodies.emplace_back([&problem, k] { problem.run(k); });
  }
  const std::vector<Timing> timings = measure_in_turn(options, bodies);
  const std::int64_t row_bytes = width * std::int64_t{sizeof(Real)};
  const std::int64_t whole_lines = (row_bytes + 63) / 64 * 64;
  const double roof = gather_roof(
      {options.num_threads, options.repetitions, a.num_rows * row_bytes, options.cpu_clock},
      whole_lines);
  const std::int64_t entry_bytes = row_bytes + std::int64_t{sizeof(LocalId) + sizeof(Real)};
  const auto bytes =
      static_cast<double>(a.view().num_nonzeros() * entry_bytes + a.num_rows * (row_bytes + 8));
  KernelSeconds best{};
  for (std::size_t k = 0; k < num_kernels; ++k) {
    best[k] = timings[k].best_seconds;
    report.add({text(name, " F=", width, " ", kernel_names[k]),
                {{"ms", best[k] * 1e3},
                 {"median", timings[k].median_seconds * 1e3},
                 {"GB", bytes / 1e9},
                 {"GB/s", bytes / best[k] / 1e9},
                 {"of gather roof", bytes / best[k] / roof}}});
  }
  return best;
}

/// Throws unless `y` is what the reference makes of the same x on 64 rows, to the rounding of bf16.
void verify_bf16(const SparseMatrix& a, ConstMatrixView x, ConstMatrixView y) {
  std::vector<LocalId> rows;
  for (std::int64_t i = 0; i < 64; ++i)
    rows.push_back(static_cast<LocalId>(i * a.num_rows / 64));
  Context reference(1, kernels::Backend::reference);
  Matrix expected(a.num_rows, x.num_columns);
  kernels::spmm(reference, a.view(), x, expected.view(), RowSet::of(rows));
  for (const LocalId r : rows) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      const auto wanted = static_cast<double>(expected.at(r, c));
      const auto found = static_cast<double>(kernels::from_bf16(y.row_bf16(r)[c]));
      if (std::abs(found - wanted) <= 0.005 * std::abs(wanted) + 1e-4) continue;
      throw RuntimeError(text("spmm_bench: bf16 gives ", found, " at row ", r, ", column ", c,
                              ", the reference ", wanted, "; nothing was timed"));
    }
  }
}

/// x and y stored as bf16, of both stored as fp32: seconds of the latter for one of the former.
double bf16_gain(const Options& options, Report& report, const SparseMatrix& a, std::int64_t dim) {
  Context ctx(options.num_threads);
  const RowSet all = RowSet::range(0, a.num_rows);
  Matrix x(a.num_rows, dim), y(a.num_rows, dim);
  Matrix half_x(a.num_rows, dim, kernels::Storage::bf16);
  Matrix half_y(a.num_rows, dim, kernels::Storage::bf16);
  fill_random(x);
  for (std::int64_t i = 0; i < x.size(); ++i)
    half_x.view().row_bf16(0)[i] = kernels::to_bf16(static_cast<float>(x.data()[i]));
  const auto run_real = [&] { kernels::spmm(ctx, a.view(), x.view(), y.view(), all); };
  const auto run_half = [&] { kernels::spmm(ctx, a.view(), half_x.view(), half_y.view(), all); };
  run_half();
  verify_bf16(a, half_x.view(), half_y.view());
  const std::vector<Timing> timings = measure_in_turn(options, {run_real, run_half});
  for (std::size_t k = 0; k < 2; ++k) {
    report.add(
        {text(k == 0 ? "fp32" : "bf16", " F=", dim),
         {{"ms", timings[k].best_seconds * 1e3}, {"median", timings[k].median_seconds * 1e3}}});
  }
  return timings[0].best_seconds / timings[1].best_seconds;
}

void bench_storage(const Options& options, Report& report, const GraphSetting& setting) {
  const OrderedPart ordered = make_whole_part(make_bench_dataset(setting), IdOrder::chosen);
  const layers::Aggregation a = layers::build_aggregation(ordered.part, {});
  report.section(text(setting.kind, " in Weft's order, rows stored as bf16 against fp32"));
  const std::int64_t width = options.number("--width", 128);
  const std::string name = text(setting.kind, " F=", width, ", bf16 of fp32, times faster");
  const double gain = bf16_gain(options, report, a.owned, width);
  if (setting.kind == "communities") {
    report.require_at_least(name, gain, 1.8);
  } else {
    report.add({name, {{"gain", gain}}});
  }
}

void bench_graph(const Options& options, Report& report, const GraphSetting& setting) {
  const datasets::Dataset dataset = make_bench_dataset(setting);
  std::vector<std::int64_t> widths{64, 128, 256, 602};
  if (options.own.contains("--width")) widths = {options.number("--width", 0)};
  std::vector<KernelSeconds> of_order[2];
  for (const IdOrder order : {IdOrder::shuffled, IdOrder::chosen}) {
    const OrderedPart ordered = make_whole_part(dataset, order);
    const layers::Aggregation a = layers::build_aggregation(ordered.part, {});
    const bool is_chosen = order == IdOrder::chosen;
    report.section(
        text(setting.kind, ", ", setting.num_vertices, " vertices, ", a.owned.view().num_nonzeros(),
             " entries with loops, ",
             is_chosen ? text("in Weft's order: ", ordered.order_name) : text("in shuffled ids")));
    for (const std::int64_t width : widths) {
      const std::string name = text(setting.kind, is_chosen ? " ordered" : " shuffled");
      const KernelSeconds seconds = time_width(options, report, name, a.owned, width);
      of_order[is_chosen ? 1 : 0].push_back(seconds);
      if (!is_chosen) continue;
      report.require_at_least(text(name, " F=", width, ", library of the best other"),
                              best_other(seconds) / seconds[0], 0.95);
    }
  }
  for (std::size_t w = 0; w < widths.size() && setting.kind == "communities"; ++w) {
    if (widths[w] != 128) continue;
    const KernelSeconds& shuffled = of_order[0][w];
    const KernelSeconds& ordered = of_order[1][w];
    report.require_at_least("order of shuffled ids F=128, library", shuffled[0] / ordered[0], 2.2);
    report.require_at_least(
        "order of shuffled ids F=128, each at its best",
        std::min(shuffled[0], best_other(shuffled)) / std::min(ordered[0], best_other(ordered)),
        1.6);
  }
}

void run(const Options& options, Report& report) {
  GraphSetting setting;
  setting.num_vertices = std::int64_t{1}
                         << options.number("--log2-vertices", options.quick ? 13 : 18);
  setting.num_communities = std::max<std::int64_t>(8, setting.num_vertices / 1024);
  for (const char* kind : {"communities", "rmat"}) {
    if (options.word("--graph", kind) != kind) continue;
    setting.kind = kind;
    if (options.only.empty() || options.only == "variants") bench_graph(options, report, setting);
    if (options.only.empty() || options.only == "bf16") bench_storage(options, report, setting);
  }
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  return weft::bench::run_benchmark("spmm_bench", argc, argv, weft::bench::run,
                                    {"--graph", "--log2-vertices", "--width"});
}
