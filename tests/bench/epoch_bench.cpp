// SPDX-License-Identifier: MIT
// An epoch of a 3-layer model 128-hidden-hidden-40 on one rank, against the sum of its kernels, on
// one thread against two, and against an epoch on a graph of four times the size.
//
//   epoch_bench [--graph communities|rmat] [--model gcn|sage] [--hidden N] [--log2-vertices N]
//               [--only kernels|threads|scaling] [--threads N] [--clock wall|cpu] [--quick]
//
// Before the clock starts the first loss must be that of a model that knows nothing, ln 40, and two
// engines must agree on the bits of the losses and weights of two epochs. The epoch and its kernels
// run in turn; the first epoch, which also sums the constant input, is never timed.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "tests/bench/epoch_engine.hpp"
#include "tests/bench/epoch_kernels.hpp"
#include "tests/bench/part_graphs.hpp"
#include "tests/bench/roofs.hpp"

namespace weft::bench {
namespace {

using trainer::RunConfig;

/// Memory that 2^20 vertices and 64 M arcs take at their peak, with METIS, and some to spare.
constexpr std::int64_t scaling_bytes = std::int64_t{14} << 30;

/// 1,024 vertices a community at every size.
GraphSetting graph_of(const Options& options, int log2_vertices) {
  GraphSetting setting;
  setting.kind = options.word("--graph", setting.kind);
  setting.num_vertices = std::int64_t{1} << log2_vertices;
  setting.num_communities = std::max<std::int64_t>(8, setting.num_vertices / 1024);
  return setting;
}

std::unique_ptr<Trained> verified(comm::Communicator& communicator,
                                  const partition::Part& part,
                                  const RunConfig& config) {
  auto engine = std::make_unique<Trained>(communicator, part, config);
  Trained second(communicator, part, config);
  const double first_loss = engine->train();
  const double expected = std::log(static_cast<double>(bench_classes));
  if (std::abs(first_loss - expected) > 0.1) {
    throw RuntimeError(text("epoch_bench: the first loss is ", first_loss, ", expected about ",
                            expected, " = ln ", bench_classes, "; nothing was timed"));
  }
  const bool is_repeated = second.train() == first_loss && second.train() == engine->train() &&
                           second.engine().weight_hash() == engine->engine().weight_hash();
  if (!is_repeated) {
    throw RuntimeError("epoch_bench: two engines differ in losses or weights; nothing was timed");
  }
  return engine;
}

/// Bytes or operations a second that the machine has for a kernel.
class Roofs {
 public:
  Roofs(const Options& options, std::int64_t num_rows) : options_(options), num_rows_(num_rows) {}

  [[nodiscard]] double of(const EpochKernel& kernel) {
    double& roof = known_[{kernel.roof, kernel.row_bytes}];
    if (roof == 0) roof = measured(kernel);
    return roof;
  }

 private:
  [[nodiscard]] double measured(const EpochKernel& kernel) const {
    RoofSetting setting{options_.num_threads, options_.repetitions, 0, options_.cpu_clock};
    switch (kernel.roof) {
      case Roof::gather:
        setting.table_bytes = num_rows_ * kernel.row_bytes;
        return gather_roof(setting, (kernel.row_bytes + 63) / 64 * 64);
      case Roof::multiply_add:
        return fma_roof(setting) / (sizeof(Real) / sizeof(float));
      case Roof::copy:
        break;
    }
    setting.table_bytes = 2 * num_rows_ * bench_features * std::int64_t{sizeof(Real)};
    return copy_roof(setting);
  }

  const Options& options_;
  std::int64_t num_rows_;
  std::map<std::pair<Roof, std::int64_t>, double> known_;
};

constexpr const char* roof_names[] = {"of gather roof", "of multiply-add roof", "of copy roof"};

void bench_kernels(const Options& options, Report& report, comm::Communicator& communicator) {
  const GraphSetting setting =
      graph_of(options, options.number("--log2-vertices", options.quick ? 12 : 18));
  RunConfig config = config_of(options, options.num_threads);
  config.train.prune = false;  // the kernels are of all rows
  const partition::Part part = make_whole_part(make_bench_dataset(setting), IdOrder::chosen).part;
  const std::unique_ptr<Trained> epoch = verified(communicator, part, config);
  const bool is_sage = config.model.type == trainer::ModelType::sage;
  const layers::Aggregation aggregation = layers::build_aggregation(
      part, {is_sage ? layers::Normalization::mean : layers::Normalization::symmetric, !is_sage});
  kernels::Context ctx(options.num_threads);
  const EpochKernels kernels(ctx, {epoch->engine().model().spec(), &aggregation, part.rows.labels,
                                   epoch->engine().labelled().rows[0]});
  std::vector<std::function<void()>> bodies{[&] { keep(epoch->train()); }};
  for (const EpochKernel& kernel : kernels.list())
    bodies.push_back(kernel.run);
  const std::vector<Timing> timings = measure_in_turn(options, bodies);

  const std::string name =
      text(options.word("--model", "gcn"), ' ', config.model.hidden, ' ', setting.kind);
  report.section(text("Epoch of ", name, ", ", setting.num_vertices, " vertices, ",
                      part.graph.col_idx.size(), " arcs, and its kernels alone"));
  Roofs roofs(options, setting.num_vertices);
  double sum = 0;
  for (std::size_t k = 0; k < kernels.list().size(); ++k) {
    const EpochKernel& kernel = kernels.list()[k];
    const Timing& timing = timings[k + 1];
    sum += timing.median_seconds;
    report.add({kernel.name,
                {{"ms", timing.best_seconds * 1e3},
                 {"median", timing.median_seconds * 1e3},
                 {kernel.roof == Roof::multiply_add ? "GFLOP" : "GB", kernel.amount / 1e9},
                 {roof_names[static_cast<int>(kernel.roof)],
                  kernel.amount / timing.best_seconds / roofs.of(kernel)}}});
  }
  report.add({text("epoch of ", name),
              {{"ms", timings[0].best_seconds * 1e3},
               {"median", timings[0].median_seconds * 1e3},
               {"kernels", sum * 1e3}}});
  report.require_at_most(text("epoch of ", name, ", of its kernels' sum"),
                         timings[0].median_seconds / sum, 1.10);
}

void bench_threads(const Options& options, Report& report, comm::Communicator& communicator) {
  const GraphSetting setting =
      graph_of(options, options.number("--log2-vertices", options.quick ? 12 : 18));
  const partition::Part part = make_whole_part(make_bench_dataset(setting), IdOrder::chosen).part;
  report.section(text("One thread against two, ", setting.kind));
  double seconds[2] = {1e30, 1e30};
  // One, two, and again: the best of each, so that a busy minute does not decide.
  for (int round = 0; round < (options.quick ? 1 : 2); ++round) {
    for (const int num_threads : {1, 2}) {
      Options setting_of_clock = options;
      setting_of_clock.num_threads = num_threads;
      Trained epoch(communicator, part, config_of(options, num_threads));
      keep(epoch.train());
      const Timing timing =
          measure_in_turn(setting_of_clock, {[&] { keep(epoch.train()); }}).front();
      seconds[num_threads - 1] = std::min(seconds[num_threads - 1], timing.median_seconds);
    }
  }
  report.add({"epoch", {{"ms on 1", seconds[0] * 1e3}, {"ms on 2", seconds[1] * 1e3}}});
  report.require_at_least(text("two threads, ", setting.kind), seconds[0] / seconds[1], 1.9);
}

std::int64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void bench_scaling(const Options& options, Report& report, comm::Communicator& communicator) {
  if (!options.quick && available_bytes() < scaling_bytes) {
    throw RuntimeError(text("epoch_bench: 2^20 vertices need ", format_bytes(scaling_bytes), ", ",
                            format_bytes(available_bytes()), " are free; close other programs or ",
                            "choose --only kernels"));
  }
  const RunConfig config = config_of(options, options.num_threads);
  const int smaller = options.number("--log2-vertices", options.quick ? 10 : 18);
  std::unique_ptr<Trained> engines[2];
  double num_arcs[2];
  for (const int i : {0, 1}) {
    const datasets::Dataset dataset = make_bench_dataset(graph_of(options, smaller + 2 * i));
    num_arcs[i] = static_cast<double>(dataset.graph.num_edges());
    engines[i] = std::make_unique<Trained>(communicator,
                                           make_whole_part(dataset, IdOrder::chosen).part, config);
    keep(engines[i]->train());
  }
  const std::vector<Timing> timings = measure_in_turn(
      options, {[&] { keep(engines[0]->train()); }, [&] { keep(engines[1]->train()); }});
  const std::string kind = graph_of(options, smaller).kind;
  report.section(
      text("Cost of an arc, 2^", smaller, " against 2^", smaller + 2, " vertices, ", kind));
  for (const int i : {0, 1}) {
    report.add(
        {text("2^", smaller + 2 * i, " vertices"),
         {{"ms", timings[static_cast<std::size_t>(i)].median_seconds * 1e3},
          {"arcs", num_arcs[i]},
          {"ns an arc", timings[static_cast<std::size_t>(i)].median_seconds * 1e9 / num_arcs[i]}}});
  }
  report.require_at_most(
      text("an arc of the larger, of one of the smaller, ", kind),
      timings[1].median_seconds / num_arcs[1] / (timings[0].median_seconds / num_arcs[0]),
      kind == "rmat" ? 2.0 : 1.6);
}

struct Mode {
  const char* name;
  void (*run)(const Options& options, Report& report, comm::Communicator& communicator);
};

constexpr Mode modes[] = {
    {"kernels", bench_kernels}, {"threads", bench_threads}, {"scaling", bench_scaling}};

void run(const Options& options, Report& report) {
  comm::Communicator communicator = comm::Communicator::self();
  bool found = false;
  for (const Mode& mode : modes) {
    if (!options.only.empty() && options.only != mode.name) continue;
    found = true;
    mode.run(options, report, communicator);
  }
  if (!found) {
    throw InputError(
        text("--only: there is no part '", options.only, "'; valid: kernels, threads, scaling"));
  }
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status =
      weft::bench::run_benchmark("epoch_bench", argc, argv, weft::bench::run,
                                 {"--graph", "--model", "--hidden", "--log2-vertices"});
  environment.set_exit_status(status);
  return status;
}
