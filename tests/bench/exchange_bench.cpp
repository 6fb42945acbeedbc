// SPDX-License-Identifier: MIT
// Communication against what bare messages and memory allow, measured in the same run:
//   mpiexec.hydra -n 2 exchange_bench [--quick] [--json FILE]
// Overlap needs a network that works without the CPU: between hosts, real or emulated
// (scripts/cluster_emulation.sh). In shared memory the CPU does the copying, and it is about 0.
#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/halo_exchange.hpp"
#include "comm/ordered_sums.hpp"
#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/bench/roofs.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::bench {
namespace {

constexpr std::int64_t dim = 128;

// Rank 0 reports; the others only take part.
class Reporter {
 public:
  Reporter(comm::Communicator& world, Report& report) : world_(world), report_(report) {}
  void section(const std::string& title) {
    if (world_.rank() == 0) report_.section(title);
  }
  void add(Record record) {
    if (world_.rank() == 0) report_.add(std::move(record));
  }

 private:
  comm::Communicator& world_;
  Report& report_;
};

// Median seconds of a collective step, of the slowest rank.
double collective_seconds(comm::Communicator& world,
                          int repetitions,
                          const std::function<void()>& step) {
  const auto measured = [&] {
    world.barrier();
    step();
  };
  std::vector<double> seconds = {measure(repetitions, measured).median_seconds};
  world.all_reduce_max(std::span(seconds));
  return seconds[0];
}

// Each rank owns `rows` vertices and reads all those of the rank before it.
comm::HandPart ring_part(const comm::Communicator& world, std::int64_t rows) {
  std::vector<int> owner;
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (GlobalId v = 0; v < rows * world.size(); ++v) {
    owner.push_back(static_cast<int>(v / rows));
    if (world.size() > 1) {
      reads[static_cast<std::size_t>((owner.back() + 1) % world.size())].insert(v);
    }
  }
  return comm::make_hand_part(owner, reads, world.rank());
}

// One message of `num_bytes` to the next rank and one from the rank before: the roof.
double message_seconds(comm::Communicator& world, int repetitions, std::int64_t num_bytes) {
  std::vector<std::byte> sent(static_cast<std::size_t>(num_bytes), std::byte{1});
  std::vector<std::byte> received(sent.size());
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  return collective_seconds(world, repetitions, [&] {
    comm::RequestSet requests(world);
    requests.receive(received, previous, static_cast<int>(comm::Tag::gather));
    requests.send(sent, next, static_cast<int>(comm::Tag::gather));
    requests.wait();
  });
}

void verify(kernels::ConstMatrixView rows, const comm::HandPart& part) {
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    const auto expected = static_cast<Real>(part.halo[static_cast<std::size_t>(r)]);
    if (rows.at(r, 0) == expected && rows.at(r, dim - 1) == expected) continue;
    throw RuntimeError(text("halo row ", r, " is ", rows.at(r, 0), ", expected ", expected));
  }
}

kernels::Matrix rows_of_ids(const std::vector<GlobalId>& ids) {
  kernels::Matrix x(std::ssize(ids), dim);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    std::fill_n(x.view().row(r), dim, static_cast<Real>(ids[static_cast<std::size_t>(r)]));
  }
  return x;
}

// Tasks of about 100 us, one poll after each.
void compute(kernels::Context& ctx, std::int64_t num_tasks) {
  ctx.parallel_for(num_tasks, [](std::int64_t) {
    const Stopwatch watch;
    while (watch.seconds() < 100e-6)
      keep(watch.seconds());
  });
}

void report_overlap(comm::Communicator& world, const Options& options, Reporter& reporter) {
  const comm::HandPart part = ring_part(world, options.quick ? 1024 : 16384);
  const kernels::Matrix x = rows_of_ids(part.owned);
  comm::HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  ctx.set_poll([&] { world.poll(); });
  const double exchange = collective_seconds(world, options.repetitions, [&] {
    halo.begin(ctx, x.view());
    verify(halo.finish(ctx), part);
  });
  const auto num_tasks = static_cast<std::int64_t>(exchange / 100e-6) + 1;
  const double computing =
      collective_seconds(world, options.repetitions, [&] { compute(ctx, num_tasks); });
  const double both = collective_seconds(world, options.repetitions, [&] {
    halo.begin(ctx, x.view());
    compute(ctx, num_tasks);
    verify(halo.finish(ctx), part);
  });
  reporter.section("overlap of an exchange with as much compute on one thread");
  reporter.add({"8 MiB a rank",
                {{"exchange_ms", exchange * 1e3},
                 {"compute_ms", computing * 1e3},
                 {"both_ms", both * 1e3},
                 {"overlap", (exchange + computing - both) / std::min(exchange, computing)}}});
}

// Buckets of 256 KiB, as a backward pass begins them, against as much compute.
void report_sum_overlap(comm::Communicator& world, const Options& options, Reporter& reporter) {
  constexpr std::size_t num_buckets = 8;
  constexpr std::size_t bucket = 65536;
  std::vector<float> values(bucket * num_buckets, 1);
  comm::OrderedSums sums(world);
  kernels::Context ctx(1);
  ctx.set_poll([&] { world.poll(); });
  const auto begin = [&](std::size_t i) {
    sums.begin(std::span(values).subspan(i * bucket, bucket));
  };
  const double alone = collective_seconds(world, options.repetitions, [&] {
    for (std::size_t i = 0; i < num_buckets; ++i)
      begin(i);
    sums.finish();
  });
  const auto num_tasks = static_cast<std::int64_t>(alone / 100e-6 / num_buckets) + 1;
  const double computing = collective_seconds(world, options.repetitions, [&] {
    for (std::size_t i = 0; i < num_buckets; ++i)
      compute(ctx, num_tasks);
  });
  const double both = collective_seconds(world, options.repetitions, [&] {
    for (std::size_t i = 0; i < num_buckets; ++i) {
      begin(i);
      compute(ctx, num_tasks);
    }
    sums.finish();
  });
  reporter.section("overlap of sums with as much compute on one thread");
  reporter.add({"8 sums of 65536 floats",
                {{"sums_ms", alone * 1e3},
                 {"compute_ms", computing * 1e3},
                 {"both_ms", both * 1e3},
                 {"overlap", (alone + computing - both) / std::min(alone, computing)}}});
}

void report_exchange(comm::Communicator& world, const Options& options, Reporter& reporter) {
  const std::int64_t rows = options.quick ? 1024 : 65536;
  const std::int64_t num_bytes = rows * dim * std::int64_t{sizeof(Real)};
  const comm::HandPart part = ring_part(world, rows);
  const kernels::Matrix x = rows_of_ids(part.owned);
  comm::HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  halo.begin(ctx, x.view());
  verify(halo.finish(ctx), part);
  const double exchange = collective_seconds(world, options.repetitions, [&] {
    halo.begin(ctx, x.view());
    keep(static_cast<double>(halo.finish(ctx).num_rows));
  });
  const double message = message_seconds(world, options.repetitions, num_bytes);
  RoofSetting copy;
  copy.table_bytes = num_bytes;
  const double pack = 2 * static_cast<double>(num_bytes) / copy_roof(copy);
  reporter.section("halo exchange: every row to the next rank, against a bare message and a copy");
  reporter.add({text(rows, " rows x ", dim),
                {{"exchange_ms", exchange * 1e3},
                 {"message_ms", message * 1e3},
                 {"copy_ms", pack * 1e3},
                 {"MB_per_s", static_cast<double>(num_bytes) / exchange / 1e6},
                 {"roof_ratio", (message + pack) / exchange}}});
}

void report_collectives(comm::Communicator& world, const Options& options, Reporter& reporter) {
  reporter.section("collectives");
  const double barrier = collective_seconds(world, options.repetitions * 20, [] {});
  reporter.add({"barrier", {{"us", barrier * 1e6}}});
  for (const std::size_t size : {256U, 4096U, 16384U, 65536U, 262144U, 1048576U}) {
    if (options.quick && size > 65536) break;
    std::vector<float> values(size, 1);
    const double seconds = collective_seconds(world, options.repetitions,
                                              [&] { world.all_reduce_sum(std::span(values)); });
    reporter.add({text("sum of ", size, " floats"), {{"us", seconds * 1e6}}});
  }
}

void report_all(const Options& options, Report& report) {
  comm::Communicator world = comm::Communicator::world();
  Reporter reporter(world, report);
  reporter.section(text(world.size(), " ranks, ", comm::Environment::library_version()));
  report_collectives(world, options, reporter);
  if (world.size() == 1) return;
  report_exchange(world, options, reporter);
  report_overlap(world, options, reporter);
  report_sum_overlap(world, options, reporter);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status = weft::bench::run_benchmark("exchange", argc, argv, weft::bench::report_all);
  environment.set_exit_status(status);
  return status;
}
