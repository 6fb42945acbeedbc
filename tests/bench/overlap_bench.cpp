// SPDX-License-Identifier: MIT
// What an exchange between hosts hides behind the compute of a GCN layer:
//
//   scripts/bench/overlap.sh                     two emulated hosts, 1 Gbit/s, one thread each
//   mpiexec.hydra -n 2 overlap_bench [--quick] [--json FILE] [--width N] [--log2-vertices N]
//                     [--degree N] [--interface NAME]
//
//   overlap = (exchange + compute - together) / min(exchange, compute)
//
// Exchange and compute are those that the layer consists of, each run alone. The width is chosen by
// measurement, so that both take about as long. `--interface` names the network's: its counter must
// show what was sent, and the overlap must reach its bound. Between ranks of one host the CPU does
// the copying, and nothing can be hidden. On a busy machine the exchange alone is slowed most, and
// the overlap of medians may pass 1; that of the best rounds is what the program can do.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/bench/overlap_layer.hpp"

namespace weft::bench {
namespace {

constexpr double required_overlap = 0.85;
constexpr std::array<std::int64_t, 5> widths{64, 96, 128, 192, 256};

/// What the interface of this host has sent.
class Interface {
 public:
  explicit Interface(const std::string& name)
      : path_(text("/sys/class/net/", name, "/statistics/tx_bytes")) {
    if (std::filesystem::exists(path_)) return;
    throw InputError(text("--interface: this host has no '", name, "' (no ", path_,
                          "); name the one that MPI uses"));
  }
  [[nodiscard]] std::int64_t bytes_sent() const {
    std::int64_t bytes = 0;
    std::ifstream(path_) >> bytes;
    return bytes;
  }

 private:
  std::string path_;
};

/// Seconds of the slowest rank in each round, by step.
using Rounds = std::vector<std::vector<double>>;

Rounds measure_rounds(comm::Communicator& world,
                      int repetitions,
                      const std::vector<std::function<void()>>& steps) {
  Rounds rounds(steps.size());
  for (int round = 0; round <= repetitions; ++round) {
    for (std::size_t s = 0; s < steps.size(); ++s) {
      world.barrier();
      const Stopwatch watch;
      steps[s]();
      std::vector<double> seconds = {watch.seconds()};
      world.all_reduce_max(std::span(seconds));
      if (round > 0) rounds[s].push_back(seconds[0]);
    }
  }
  return rounds;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// The times of exchange, compute and both together, and their overlap: of medians and of bests.
class Overlap {
 public:
  Overlap(const std::vector<double>& exchange,
          const std::vector<double>& compute,
          const std::vector<double>& together)
      : medians_{median(exchange), median(compute), median(together)},
        bests_{best(exchange), best(compute), best(together)} {}

  [[nodiscard]] double of_medians() const { return overlap_of(medians_); }
  [[nodiscard]] Record record(const std::string& name) const {
    return {name,
            {{"exchange_ms", medians_[0] * 1e3},
             {"compute_ms", medians_[1] * 1e3},
             {"together_ms", medians_[2] * 1e3},
             {"overlap", of_medians()},
             {"best_exchange_ms", bests_[0] * 1e3},
             {"best_compute_ms", bests_[1] * 1e3},
             {"best_together_ms", bests_[2] * 1e3},
             {"best_overlap", overlap_of(bests_)}}};
  }

 private:
  using Times = std::array<double, 3>;
  [[nodiscard]] static double best(const std::vector<double>& values) {
    return *std::ranges::min_element(values);
  }
  [[nodiscard]] static double overlap_of(const Times& times) {
    return (times[0] + times[1] - times[2]) / std::min(times[0], times[1]);
  }

  Times medians_;
  Times bests_;
};

std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sums(a.size());
  std::ranges::transform(a, b, sums.begin(), std::plus<>());
  return sums;
}

/// The width whose exchanges take about as long as its compute.
std::int64_t balanced_width(comm::Communicator& world, const partition::Part& part) {
  std::int64_t best_width = widths[0];
  double best_distance = 1e9;
  for (const std::int64_t width : widths) {
    OverlapLayer layer(world, part, width);
    layer.verify();
    const Rounds rounds = measure_rounds(world, 3,
                                         {[&] {
                                            layer.exchange_forward();
                                            layer.exchange_backward();
                                          },
                                          [&] {
                                            layer.compute_forward();
                                            layer.compute_backward();
                                          }});
    const double distance = std::abs(std::log(median(rounds[0]) / median(rounds[1])));
    if (distance < best_distance) best_width = width;
    best_distance = std::min(best_distance, distance);
  }
  return best_width;
}

OverlapGraph graph_of(const Options& options) {
  OverlapGraph graph;
  graph.num_vertices = std::int64_t{1}
                       << options.number("--log2-vertices", options.quick ? 12 : 16);
  graph.mean_degree = options.number("--degree", static_cast<int>(graph.mean_degree));
  return graph;
}

/// Counted against the interface, with headers: 66 bytes of 1514.
void check_bytes(comm::Communicator& world, std::int64_t counted, std::int64_t crossed) {
  const auto is_near = [&] {
    return crossed > counted / 100 * 95 && crossed < counted / 100 * 110;
  };
  comm::agree_on_errors(world, [&] {
    if (is_near()) return;
    throw RuntimeError(text("overlap bench: rank ", world.rank(), " sent ", counted, " bytes, but ",
                            crossed,
                            " left its interface, expected 95 to 110 %; MPI takes another ",
                            "way: set UCX_NET_DEVICES and UCX_TLS"));
  });
}

void report_layer(const Rounds& rounds, bool is_required, Report& report) {
  const Overlap forward(rounds[0], rounds[1], rounds[2]);
  const Overlap backward(rounds[3], rounds[4], rounds[5]);
  const Overlap both(sum_of(rounds[0], rounds[3]), sum_of(rounds[1], rounds[4]),
                     sum_of(rounds[2], rounds[5]));
  report.add(forward.record("forward"));
  report.add(backward.record("backward"));
  report.add(both.record("forward and backward"));
  if (is_required) {
    report.require_at_least("overlap of forward and backward", both.of_medians(), required_overlap);
  }
}

void report_overlap(const Options& options, Report& report) {
  comm::Communicator world = comm::Communicator::world();
  std::optional<Interface> interface;
  comm::agree_on_errors(world, [&] {
    if (world.size() < 2) throw InputError("overlap bench: one rank sends nothing; start 2");
    if (options.own.contains("--interface")) interface.emplace(options.word("--interface", ""));
  });
  const partition::Part part = make_overlap_part(world, graph_of(options));
  const std::int64_t width = options.own.contains("--width") || options.quick
                                 ? options.number("--width", 64)
                                 : balanced_width(world, part);
  OverlapLayer layer(world, part, width);
  comm::agree_on_errors(world, [&] { layer.verify(); });
  const std::int64_t counted_before = layer.bytes_sent();
  const std::int64_t crossed_before = interface ? interface->bytes_sent() : 0;
  const Rounds rounds =
      measure_rounds(world, options.repetitions,
                     {[&] { layer.exchange_forward(); }, [&] { layer.compute_forward(); },
                      [&] { layer.forward(); }, [&] { layer.exchange_backward(); },
                      [&] { layer.compute_backward(); }, [&] { layer.backward(); }});
  const std::int64_t counted = layer.bytes_sent() - counted_before;
  const std::int64_t crossed = interface ? interface->bytes_sent() - crossed_before : 0;
  if (interface) check_bytes(world, counted, crossed);
  comm::agree_on_errors(world, [&] { layer.verify(); });
  if (world.rank() != 0) return;

  report.section(text("GCN layer ", width, " x ", width, ", ", world.size(), " ranks, ",
                      part.num_owned(), " vertices and ", part.graph.col_idx.size(),
                      " arcs on rank 0"));
  report.add({"border",
              {{"boundary_share", layer.boundary_share()},
               {"forward_MB", static_cast<double>(layer.forward_bytes()) / 1e6},
               {"backward_MB", static_cast<double>(layer.backward_bytes()) / 1e6},
               {"messages", static_cast<double>(layer.messages_sent())}}});
  report_layer(rounds, interface.has_value(), report);
  if (!interface) return;
  report.add({"bytes of rank 0",
              {{"counted_MB", static_cast<double>(counted) / 1e6},
               {"interface_MB", static_cast<double>(crossed) / 1e6}}});
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status =
      weft::bench::run_benchmark("overlap", argc, argv, weft::bench::report_overlap,
                                 {"--width", "--log2-vertices", "--degree", "--interface"});
  environment.set_exit_status(status);
  return status;
}
