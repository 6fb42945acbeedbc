// SPDX-License-Identifier: MIT
// Rows of peers of the same host: read where they lie, without a copy, against packed and read in
// place, and against packed, sent and received, in one run.
//   mpiexec.hydra -n 2 shared_rows_bench [--quick] [--json FILE]
// Each rank sums over all rows of the rank before it. What a sum takes beyond the same sum over
// local rows is the price of the exchange.
#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/slot_exchange.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "kernels/rows.hpp"
#include "kernels/spmm.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::bench {
namespace {

constexpr std::int64_t dim = 128;
constexpr std::int64_t row_bytes = dim * std::int64_t{sizeof(Real)};
constexpr comm::SharedRowBytes packed_bytes{row_bytes, row_bytes};
constexpr std::int64_t entries_per_row = 16;

// Each rank owns `rows` vertices and reads all those of the rank before it.
comm::HandPart ring_part(const comm::Communicator& world, std::int64_t rows) {
  std::vector<int> owner;
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (GlobalId v = 0; v < rows * world.size(); ++v) {
    owner.push_back(static_cast<int>(v / rows));
    reads[static_cast<std::size_t>((owner.back() + 1) % world.size())].insert(v);
  }
  return comm::make_hand_part(owner, reads, world.rank());
}

// Each row sums rows at random.
kernels::SparseMatrix random_entries(std::int64_t rows) {
  const RandomKey key = random_key(1, RandomPurpose::test);
  kernels::SparseMatrix a{rows, rows, {0}, {}, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t e = 0; e < entries_per_row; ++e) {
      const std::uint32_t word =
          random_word(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(e));
      a.col_idx.push_back(static_cast<LocalId>(word % static_cast<std::uint32_t>(rows)));
      a.values.push_back(Real{0.5});
    }
    a.row_ptr.push_back(std::ssize(a.col_idx));
  }
  return a;
}

// The owners' rows, the exchange by messages and the one in place, and the sum over what they
// bring.
class Race {
 public:
  Race(comm::Communicator& world, std::int64_t rows)
      : world_(world),
        part_(ring_part(world, rows)),
        memory_(world,
                comm::SharedMemory::room_for(rows * row_bytes) +
                    comm::SlotExchange::shared_room(
                        part_.plan.peers, packed_bytes, world.local_size())),
        messages_(world, part_.plan.peers),
        in_place_(
            world,
            part_.plan.peers,
            {.shared = &memory_, .row_bytes = packed_bytes, .copied_rows = part_.plan.send_rows}),
        a_(random_entries(rows)),
        private_x_(rows, dim),
        y_(rows, dim) {
    if (!memory_.is_on()) throw RuntimeError("no shared memory: " + memory_.reason());
    shared_x_.use(memory_, rows, dim);
    shared_x_.resize(rows, dim);
    for (std::int64_t i = 0; i < private_x_.size(); ++i)
      private_x_.data()[i] = static_cast<Real>((i * 7 + world.rank()) % 101);
    std::copy_n(private_x_.data(), private_x_.size(), shared_x_.data());
  }

  void sum(kernels::ConstMatrixView x) {
    kernels::spmm_add(ctx_, a_.view(), x, y_.view(), kernels::RowSet::range(0, a_.num_rows));
  }
  void sum_private_rows() { sum(std::as_const(private_x_).view()); }
  void sum_own_shared_rows() { sum(std::as_const(shared_x_).view()); }
  void sum_own_rows_by_pointers() {
    std::vector<const Real*> rows;
    for (std::int64_t r = 0; r < private_x_.num_rows(); ++r)
      rows.push_back(private_x_.view().row(r));
    kernels::spmm_add_rows_at(ctx_, a_.view(), {rows, dim}, y_.view(),
                              kernels::RowSet::range(0, a_.num_rows));
  }
  void exchange_by_messages() {
    begin(messages_);
    received_ = messages_.finish();
  }
  void sum_received() {
    exchange_by_messages();
    sum(received_);
  }
  void exchange_packed() {
    begin(in_place_);
    finish();
  }
  void exchange_without_copy() {
    begin_without_copy();
    finish();
  }
  void sum_packed() {
    begin(in_place_);
    sum_in_place();
  }
  void sum_without_copy() {
    begin_without_copy();
    sum_in_place();
  }
  void verify() {
    y_.fill(0);
    sum_received();
    const std::vector<Real> expected(y_.values().begin(), y_.values().end());
    for (const bool is_packed : {true, false}) {
      y_.fill(0);
      is_packed ? sum_packed() : sum_without_copy();
      if (!std::ranges::equal(y_.values(), expected)) {
        throw RuntimeError("rows read in place give another sum than rows received");
      }
    }
    if (num_packed_ > 0) throw RuntimeError("rows that are read where they lie were packed");
  }
  /// Best seconds of the slowest rank, of steps that all ranks begin together.
  std::vector<double> best_seconds(int repetitions, std::span<const std::function<void()>> steps) {
    std::vector<double> best(steps.size(), 1e9);
    for (int i = 0; i <= repetitions; ++i) {
      for (std::size_t s = 0; s < steps.size(); ++s) {
        world_.barrier();
        const Stopwatch watch;
        steps[s]();
        std::vector<double> seconds = {watch.seconds()};
        world_.all_reduce_max(std::span(seconds));
        if (i > 0) best[s] = std::min(best[s], seconds[0]);
      }
    }
    return best;
  }
  [[nodiscard]] std::int64_t bytes_in_messages() const { return in_place_.traffic().bytes_sent; }

 private:
  void finish() {
    keep(static_cast<double>(in_place_.finish_in_place().pointers.rows.size()));
    in_place_.release();
  }
  void sum_in_place() {
    kernels::spmm_add_rows_at(ctx_, a_.view(), in_place_.finish_in_place().pointers, y_.view(),
                              kernels::RowSet::range(0, a_.num_rows));
    in_place_.release();
  }
  void begin_without_copy() {
    in_place_.wait_until_read();
    in_place_.begin_in_place(std::as_const(shared_x_).view(), in_place_.all_slots(),
                             [&](std::int64_t begin, std::int64_t end, kernels::MatrixView) {
                               num_packed_ += end - begin;
                             });
  }
  void begin(comm::SlotExchange& exchange) {
    exchange.begin({dim}, exchange.all_slots(),
                   [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
                     kernels::gather_rows(ctx_, private_x_.view(),
                                          std::span(part_.plan.send_rows)
                                              .subspan(static_cast<std::size_t>(begin),
                                                       static_cast<std::size_t>(end - begin)),
                                          packed.rows(begin, end));
                   });
  }

  comm::Communicator& world_;
  comm::HandPart part_;
  comm::SharedMemory memory_;
  comm::SlotExchange messages_;
  comm::SlotExchange in_place_;
  kernels::Context ctx_{1};
  kernels::SparseMatrix a_;
  kernels::Matrix private_x_;
  kernels::Matrix shared_x_;
  kernels::Matrix y_;
  kernels::ConstMatrixView received_;
  std::int64_t num_packed_ = 0;
};

void report_all(const Options& options, Report& report) {
  comm::Communicator world = comm::Communicator::world();
  if (world.size() == 1) throw InputError("shared rows: 1 rank, expected 2 or more: use mpiexec");
  const std::int64_t rows = options.quick ? 1024 : 65536;
  Race race(world, rows);
  race.verify();
  const std::function<void()> steps[] = {[&] { race.sum_private_rows(); },
                                         [&] { race.sum_own_shared_rows(); },
                                         [&] { race.exchange_by_messages(); },
                                         [&] { race.sum_received(); },
                                         [&] { race.sum_own_rows_by_pointers(); },
                                         [&] { race.exchange_packed(); },
                                         [&] { race.sum_packed(); },
                                         [&] { race.exchange_without_copy(); },
                                         [&] { race.sum_without_copy(); }};
  const std::vector<double> best = race.best_seconds(3 * options.repetitions, steps);
  if (world.rank() != 0) return;
  const double price_of_messages = best[3] - best[0];
  const double price_in_place = best[8] - best[0];
  report.section(text(world.size(), " ranks, ", rows, " rows x ", dim, " each way, sums of ",
                      entries_per_row, " rows, ms"));
  report.add({"sum over rows of this rank",
              {{"private", best[0] * 1e3},
               {"in shared memory", best[1] * 1e3},
               {"by pointers", best[4] * 1e3}}});
  report.add({"messages", {{"exchange", best[2] * 1e3}, {"with sum", best[3] * 1e3}}});
  report.add({"packed, read in place", {{"exchange", best[5] * 1e3}, {"with sum", best[6] * 1e3}}});
  report.add({"without a copy", {{"exchange", best[7] * 1e3}, {"with sum", best[8] * 1e3}}});
  report.require_at_most("bytes sent in place", static_cast<double>(race.bytes_in_messages()), 0);
  report.require_at_least("exchange by messages, of that packed in place", best[2] / best[5], 2);
  report.require_at_least("exchange by messages, of that without a copy", best[2] / best[7], 2);
  report.require_at_most("exchange beyond the sum, of that by messages",
                         price_in_place / price_of_messages, 0.5);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status = weft::bench::run_benchmark("shared_rows", argc, argv, weft::bench::report_all);
  environment.set_exit_status(status);
  return status;
}
