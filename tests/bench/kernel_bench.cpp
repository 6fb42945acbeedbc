// SPDX-License-Identifier: MIT
// Each kernel as a fraction of its roof, which is measured in the same run. Every result is
// compared with the reference backend (on some rows) before it is timed.
//
// Bytes of an aggregation are counted as if every gather went to memory:
//   entries * (4 dim + 4) + rows * (4 dim + 8)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/activation.hpp"
#include "kernels/dropout.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "kernels/spmm.hpp"
#include "tests/bench/roofs.hpp"

namespace weft::bench {
namespace {

using kernels::ConstMatrixView;
using kernels::Context;
using kernels::Matrix;
using kernels::MatrixView;
using kernels::RowSet;
using kernels::SparseMatrix;

void fill_random(Matrix& x, std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::test);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    x.data()[i] = static_cast<Real>(random_uniform(key, static_cast<std::uint64_t>(i))) - Real{0.5};
  }
}

/// Throws unless `actual` and `expected` agree on the rows to 1e-5 of the largest element.
void verify(const char* kernel, ConstMatrixView actual, ConstMatrixView expected, RowSet rows) {
  double worst = 0;
  double largest = 0;
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < actual.num_columns; ++c) {
      const auto wanted = static_cast<double>(expected.at(rows[i], c));
      largest = std::max(largest, std::abs(wanted));
      worst = std::max(worst, std::abs(static_cast<double>(actual.at(rows[i], c)) - wanted));
    }
  }
  if (worst <= 1e-5 * std::max(largest, 1.0)) return;
  throw RuntimeError(text(kernel, ": differs from the reference by ", worst,
                          "; nothing was timed, run the tests"));
}

/// 64 rows spread over 0 .. n-1.
std::vector<LocalId> sample_rows(std::int64_t n) {
  std::vector<LocalId> rows;
  for (std::int64_t i = 0; i < 64; ++i)
    rows.push_back(static_cast<LocalId>(i * n / 64));
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

struct CommunityGraph {
  std::int64_t num_vertices;
  std::int64_t degree;
  std::int64_t num_communities;
  bool is_shuffled;
};

/// Each vertex has `degree` in-neighbors, four fifths of them in its own community; vertices of a
/// community have neighboring ids, or ids at random.
SparseMatrix make_graph(const CommunityGraph& graph) {
  const auto n = static_cast<std::uint32_t>(graph.num_vertices);
  const auto community = static_cast<std::uint32_t>(graph.num_vertices / graph.num_communities);
  const RandomKey key = random_key(1, RandomPurpose::generate_edges);
  // Multiplying by an odd number permutes the residues of a power of two.
  const std::uint32_t factor = graph.is_shuffled ? 0x9E3779B1U : 1U;
  SparseMatrix a{graph.num_vertices, graph.num_vertices, {0}, {}, {}};
  a.col_idx.resize(static_cast<std::size_t>(graph.num_vertices * graph.degree));
  std::vector<std::vector<LocalId>> rows(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    std::vector<LocalId>& row = rows[(v * factor) % n];
    for (std::int64_t e = 0; e < graph.degree; ++e) {
      const std::uint32_t word = random_word(key, v, static_cast<std::uint32_t>(e));
      const std::uint32_t source =
          word % 5 < 4 ? v / community * community + (word / 5) % community : (word / 5) % n;
      row.push_back(static_cast<LocalId>((source * factor) % n));
    }
    std::sort(row.begin(), row.end());
  }
  auto out = a.col_idx.begin();
  for (const std::vector<LocalId>& row : rows) {
    out = std::copy(row.begin(), row.end(), out);
    a.row_ptr.push_back(out - a.col_idx.begin());
  }
  a.values.assign(a.col_idx.size(), Real{0.125});
  return a;
}

/// The loop that a compiler vectorizes by itself, on one thread for each of the pool.
void plain_spmm(Context& ctx, const SparseMatrix& a, ConstMatrixView x, MatrixView y) {
  constexpr std::int64_t rows_per_task = 256;
  ctx.parallel_for((a.num_rows + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
    const std::int64_t end = std::min(a.num_rows, (task + 1) * rows_per_task);
    for (std::int64_t r = task * rows_per_task; r < end; ++r) {
      Real* sum = y.row(r);
      std::fill_n(sum, x.num_columns, Real{0});
      const auto last = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(r) + 1]);
      for (auto e = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(r)]); e < last;
           ++e) {
        const Real* row = x.row(a.col_idx[e]);
        for (std::int64_t c = 0; c < x.num_columns; ++c)
          sum[c] += a.values[e] * row[c];
      }
    }
  });
}

void bench_spmm_width(const Options& options,
                      Report& report,
                      const std::string& name,
                      const SparseMatrix& a,
                      std::int64_t width) {
  Context ctx(options.num_threads);
  Context reference(1, kernels::Backend::reference);
  Matrix x(a.num_rows, width);
  Matrix y(a.num_rows, width);
  fill_random(x, 2);
  const RowSet all = RowSet::range(0, a.num_rows);
  const std::vector<LocalId> sample = sample_rows(a.num_rows);
  Matrix expected(a.num_rows, width);
  kernels::spmm(reference, a.view(), x.view(), expected.view(), RowSet::of(sample));
  kernels::spmm(ctx, a.view(), x.view(), y.view(), all);
  verify("spmm", y.view(), expected.view(), RowSet::of(sample));

  const Timing ours =
      measure(options.repetitions, [&] { kernels::spmm(ctx, a.view(), x.view(), y.view(), all); });
  const Timing plain =
      measure(options.repetitions, [&] { plain_spmm(ctx, a, x.view(), y.view()); });
  const auto row_bytes = width * std::int64_t{sizeof(Real)};
  const double roof =
      gather_roof({options.num_threads, options.repetitions, a.num_rows * row_bytes}, row_bytes);
  const double bytes =
      static_cast<double>(a.view().num_nonzeros() * (row_bytes + 4) + a.num_rows * (row_bytes + 8));
  report.add({text("spmm ", name, " F=", width),
              {{"ms", ours.best_seconds * 1e3},
               {"median", ours.median_seconds * 1e3},
               {"GB/s", bytes / ours.best_seconds / 1e9},
               {"of gather roof", bytes / ours.best_seconds / roof},
               {"against plain loop", plain.best_seconds / ours.best_seconds}}});
}

void bench_spmm(const Options& options, Report& report) {
  const std::int64_t n = options.quick ? std::int64_t{1} << 13 : std::int64_t{1} << 18;
  report.section(text("Aggregation, ", n, " vertices, 61 neighbors each, with values"));
  for (const bool is_shuffled : {true, false}) {
    const SparseMatrix a = make_graph({n, 61, 256, is_shuffled});
    for (const std::int64_t width : {16, 64, 128, 256}) {
      bench_spmm_width(options, report, is_shuffled ? "shuffled" : "ordered", a, width);
    }
  }
}

struct GemmSize {
  std::int64_t n;
  std::int64_t k;
  std::int64_t m;
};

/// Fractions of the roof that products must reach.
struct GemmBounds {
  double median;
  double smallest;
};

void verify_gemm(Context& ctx, const GemmSize& size) {
  Context reference(1, kernels::Backend::reference);
  const RowSet rows = RowSet::range(0, std::min<std::int64_t>(size.n, 1100));
  Matrix x(rows.end, size.k), w(size.k, size.m), y(rows.end, size.m);
  Matrix expected_y(rows.end, size.m), expected_x(rows.end, size.k), expected_w(size.k, size.m);
  fill_random(x, 1);
  fill_random(w, 2);
  kernels::multiply(reference, x.view(), w.view(), expected_y.view(), rows);
  kernels::multiply(ctx, x.view(), w.view(), y.view(), rows);
  verify("multiply", y.view(), expected_y.view(), rows);
  kernels::weight_gradient(reference, x.view(), y.view(), expected_w.view(), rows);
  kernels::weight_gradient(ctx, x.view(), y.view(), w.view(), rows);
  verify("weight_gradient", w.view(), expected_w.view(), RowSet::range(0, size.k));
  kernels::multiply_transposed(reference, y.view(), w.view(), expected_x.view(), rows);
  kernels::multiply_transposed(ctx, y.view(), w.view(), x.view(), rows);
  verify("multiply_transposed", x.view(), expected_x.view(), rows);
}

/// Operations a second of the products of all shapes: forward in both directions, and the gradient
/// of the weights.
struct GemmSpeeds {
  std::vector<double> forward;
  std::vector<double> gradient;
};

void bench_gemm_shape(
    const Options& options, Report& report, double roof, const GemmSize& size, GemmSpeeds& speeds) {
  Context ctx(options.num_threads);
  verify_gemm(ctx, size);
  const RowSet all = RowSet::range(0, size.n);
  Matrix x(size.n, size.k), w(size.k, size.m), y(size.n, size.m);
  fill_random(x, 1);
  fill_random(w, 2);
  fill_random(y, 3);
  const double operations = 2.0 * static_cast<double>(size.n * size.k * size.m);
  const auto add = [&](const char* direction, std::vector<double>& to,
                       const std::function<void()>& body) {
    const Timing timing = measure(options.repetitions, body);
    const double speed = operations / timing.best_seconds;
    to.push_back(speed);
    report.add({text(direction, " ", size.k, " x ", size.m),
                {{"ms", timing.best_seconds * 1e3},
                 {"median", timing.median_seconds * 1e3},
                 {"GFLOP/s", speed / 1e9},
                 {"of multiply-add roof", speed / roof}}});
  };
  add("multiply", speeds.forward,
      [&] { kernels::multiply(ctx, x.view(), w.view(), y.view(), all); });
  add("weight_gradient", speeds.gradient,
      [&] { kernels::weight_gradient(ctx, x.view(), y.view(), w.view(), all); });
  add("multiply_transposed", speeds.forward,
      [&] { kernels::multiply_transposed(ctx, y.view(), w.view(), x.view(), all); });
}

/// The median and the smallest of the speeds, as fractions of the roof.
void require_fractions(
    Report& report, const char* what, std::vector<double> speeds, double roof, GemmBounds bounds) {
  std::sort(speeds.begin(), speeds.end());
  report.require_at_least(text(what, ", median of the shapes"),
                          speeds[(speeds.size() - 1) / 2] / roof, bounds.median);
  report.require_at_least(text(what, ", smallest"), speeds.front() / roof, bounds.smallest);
}

void bench_gemm(const Options& options, Report& report) {
  const std::int64_t n = options.quick ? 4000 : 200000;
  report.section(text("Dense products, ", n, " rows"));
  // Layers of common widths, of which 602 is a wide input, and layers of 40 classes.
  std::vector<std::pair<std::int64_t, std::int64_t>> shapes{
      {128, 40},  {128, 64},  {128, 128}, {128, 256}, {256, 40}, {256, 64},
      {256, 128}, {256, 256}, {602, 64},  {602, 128}, {602, 256}};
  if (options.quick) shapes.resize(3);
  double roof = 0;
  GemmSpeeds speeds;
  for (const auto& [depth, width] : shapes) {
    // The highest of the run: others may have been busy while one of them was measured.
    roof = std::max(roof, fma_roof({options.num_threads, options.repetitions, 0}) /
                              (sizeof(Real) / sizeof(float)));
    bench_gemm_shape(options, report, roof, {n, depth, width}, speeds);
  }
  require_fractions(report, "products of the roof", speeds.forward, roof, {0.70, 0.60});
  require_fractions(report, "weight gradients of the roof", speeds.gradient, roof, {0.52, 0.40});
}

/// Times a kernel that reads and writes `bytes` against the copy roof.
void add_streaming(const Options& options,
                   Report& report,
                   const Record& kernel,
                   double roof,
                   const std::function<void()>& body) {
  const Timing timing = measure(options.repetitions, body);
  const double bytes = kernel.values.front().second;
  report.add({kernel.name,
              {{"ms", timing.best_seconds * 1e3},
               {"median", timing.median_seconds * 1e3},
               {"GB/s", bytes / timing.best_seconds / 1e9},
               {"of copy roof", bytes / timing.best_seconds / roof}}});
}

void bench_rows(const Options& options, Report& report) {
  const std::int64_t n = options.quick ? 4000 : 100000;
  constexpr std::int64_t dim = 128;
  const double roof = copy_roof(
      {options.num_threads, options.repetitions, 2 * n * dim * std::int64_t{sizeof(Real)}});
  report.section(text("Elementwise and row by row, ", n, " x ", dim));
  Context ctx(options.num_threads);
  Context reference(1, kernels::Backend::reference);
  Matrix x(n, dim), y(n, dim), expected(n, dim);
  fill_random(x, 1);
  std::vector<GlobalId> ids(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<GlobalId>(i);
  const std::vector<Real> gamma(dim, Real{2});
  const kernels::DropoutMask mask{random_key(1, RandomPurpose::dropout), 1, 0.5F};
  const RowSet all = RowSet::range(0, n);
  const std::vector<LocalId> sample = sample_rows(n);
  const double bytes = 2.0 * sizeof(Real) * static_cast<double>(n * dim);

  const auto bench = [&](const char* name, const std::function<void(Context&, RowSet)>& run) {
    run(reference, RowSet::of(sample));
    std::swap(y, expected);
    run(ctx, all);
    verify(name, y.view(), expected.view(), RowSet::of(sample));
    add_streaming(options, report, {name, {{"bytes", bytes}}}, roof, [&] { run(ctx, all); });
  };
  bench("relu", [&](Context& c, RowSet rows) { kernels::relu(c, x.view(), y.view(), rows); });
  bench("dropout",
        [&](Context& c, RowSet rows) { kernels::dropout(c, mask, ids, x.view(), y.view(), rows); });
  bench("layer_norm", [&](Context& c, RowSet rows) {
    kernels::layer_norm(c, x.view(), gamma, gamma, y.view(), rows);
  });
  std::vector<Real> grad_gamma(dim), grad_beta(dim);
  bench("layer_norm_backward", [&](Context& c, RowSet rows) {
    kernels::layer_norm_backward(c, x.view(), gamma, x.view(), y.view(), grad_gamma, grad_beta,
                                 rows);
  });
}

void bench_loss(const Options& options, Report& report) {
  const std::int64_t n = options.quick ? 4000 : 100000;
  constexpr std::int64_t num_classes = 47;
  report.section(text("Loss and its gradient, ", n, " labelled rows, ", num_classes, " classes"));
  Context ctx(options.num_threads);
  Context reference(1, kernels::Backend::reference);
  Matrix logits(n, num_classes), grad(n, num_classes);
  fill_random(logits, 1);
  std::vector<LocalId> rows(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<LocalId>(i);
  const std::vector<std::int32_t> labels(rows.size(), 5);
  const auto loss = [&](Context& c) {
    return kernels::softmax_cross_entropy(c, logits.view(), labels, rows, 1.0, grad.view());
  };
  const double expected = loss(reference);
  if (std::abs(loss(ctx) - expected) > 1e-6 * expected) {
    throw RuntimeError("softmax_cross_entropy: differs from the reference; run the tests");
  }
  const Timing timing = measure(options.repetitions, [&] { keep(loss(ctx)); });
  report.add(
      {"softmax_cross_entropy",
       {{"ms", timing.best_seconds * 1e3},
        {"median", timing.median_seconds * 1e3},
        {"ns an element", timing.best_seconds * 1e9 / static_cast<double>(n * num_classes)}}});
}

struct Part {
  const char* name;
  void (*run)(const Options& options, Report& report);
};

constexpr Part parts[] = {{"roofs", report_roofs},
                          {"spmm", bench_spmm},
                          {"gemm", bench_gemm},
                          {"rows", bench_rows},
                          {"loss", bench_loss}};

void run(const Options& options, Report& report) {
  bool found = false;
  for (const Part& part : parts) {
    if (!options.only.empty() && options.only != part.name) continue;
    found = true;
    part.run(options, report);
  }
  if (!found) {
    throw InputError(text("--only: there is no part '", options.only,
                          "'; valid: roofs, spmm, gemm, rows, loss"));
  }
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  return weft::bench::run_benchmark("kernel_bench", argc, argv, weft::bench::run);
}
