// SPDX-License-Identifier: MIT
// One epoch after the other; what is kept and what is said about each.
#include "trainer/training_loop.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {

namespace {

bool is_due(int epoch, int every, int last) {
  return every > 0 && (epoch % every == 0 || epoch == last);
}

/// Without the evaluation.
double training_seconds(const StepSeconds& seconds) {
  return std::accumulate(seconds.begin(), seconds.begin() + static_cast<int>(Step::evaluation),
                         0.0);
}

}  // namespace

TrainingLoop::TrainingLoop(comm::Communicator& communicator,
                           Engine& engine,
                           const RunConfig& config)
    : communicator_(communicator), engine_(engine), config_(config) {}

void TrainingLoop::resume(const TrainingState& last,
                          const TrainingState& best,
                          std::vector<EpochReport> reports) {
  restore_state(last, engine_);
  first_epoch_ = last.epoch + 1;
  // The best weights may be newer than the last ones, if the run was cut off between two files,
  // so what they achieved is read from them.
  best_ = best.best;
  best_state_ = best;
  reports_ = std::move(reports);
  earlier_seconds_ = last.elapsed_seconds;
}

RunSummary TrainingLoop::run(const LoopObservers& observers) {
  const int last_epoch = config_.train.epochs;
  since_start_.restart();
  for (int epoch = first_epoch_; epoch <= last_epoch; ++epoch) {
    const Epoch done = run_epoch(epoch, observers);
    check_loss(done.report, observers);
    reports_.push_back(done.report);
    keep_if_best(done.report);
    if (!done.weights_agree) throw_weights_differ(epoch);
    if (observers.epoch_done) observers.epoch_done(done.report);
    if (is_save_due(epoch)) save(observers, epoch);
    if (done.is_stopped && epoch < last_epoch) stop(observers, epoch);
  }
  return summarize();
}

TrainingLoop::Epoch TrainingLoop::run_epoch(int epoch, const LoopObservers& observers) {
  Epoch done;
  EpochReport& report = done.report;
  RankNumbers mine;
  report.epoch = epoch;
  engine_.reset_seconds();
  engine_.reset_traffic();
  record_timeline(epoch);
  report.loss = engine_.train_epoch(epoch);
  const comm::HaloTraffic traffic = engine_.traffic();
  exchange_seconds_[0] += traffic.exchange_seconds;
  exchange_seconds_[1] += traffic.exposed_seconds;
  mine.halo_bytes = traffic.bytes_sent;
  mine.in_place_bytes = traffic.bytes_in_place;
  if (communicator_.size() > 1) {
    mine.gradient_bytes =
        engine_.model().parameters().size() * static_cast<std::int64_t>(sizeof(Real));
  }
  if (is_due(epoch, config_.train.eval_every, config_.train.epochs)) {
    report.evaluation = engine_.evaluate();
    mine.evaluation_bytes = engine_.traffic().bytes_sent - traffic.bytes_sent;
  }
  mine.seconds = engine_.seconds();
  if (is_due(epoch, config_.train.verify_weights_every, config_.train.epochs)) {
    mine.weight_hash = engine_.weight_hash();
  }
  mine.is_stopped = observers.is_stopped && observers.is_stopped();
  combine(mine, done);
  return done;
}

// One collective for all that the ranks tell each other about an epoch.
void TrainingLoop::combine(const RankNumbers& mine, Epoch& done) {
  all_numbers_.resize(static_cast<std::size_t>(communicator_.size()));
  communicator_.all_gather(std::as_bytes(std::span(&mine, 1)),
                           std::as_writable_bytes(std::span(all_numbers_)));
  EpochReport& report = done.report;
  report.seconds.fill(0);
  for (const RankNumbers& numbers : all_numbers_) {
    report.halo_bytes += numbers.halo_bytes;
    report.gradient_bytes += numbers.gradient_bytes;
    report.evaluation_bytes += numbers.evaluation_bytes;
    report.in_place_bytes += numbers.in_place_bytes;
    report.epoch_seconds = std::max(report.epoch_seconds, training_seconds(numbers.seconds));
    std::ranges::transform(report.seconds, numbers.seconds, report.seconds.begin(),
                           [](double a, double b) { return std::max(a, b); });
    done.weights_agree = done.weights_agree && numbers.weight_hash == mine.weight_hash;
    done.is_stopped = done.is_stopped || numbers.is_stopped;
  }
}

// The ranks meet before the first epoch, so that zero is the same moment on all of them.
void TrainingLoop::record_timeline(int epoch) {
  const int num_recorded = config_.output.timeline;
  if (epoch - first_epoch_ >= num_recorded) return engine_.timeline().stop();
  if (epoch == first_epoch_) communicator_.barrier();
  engine_.timeline().record(epoch);
}

void TrainingLoop::keep_if_best(const EpochReport& report) {
  if (!report.evaluation.has_value()) return;
  // Without validation vertices (NaN) there is nothing to choose by: the last epoch stands.
  const bool is_first = best_.epoch == 0;
  if (!is_first && report.evaluation->accuracy[1] <= best_.evaluation.accuracy[1]) return;
  best_ = {report.epoch, *report.evaluation, elapsed_seconds()};
  capture_state(engine_, report.epoch, best_state_);
  best_state_.best = best_;
  best_state_.elapsed_seconds = best_.seconds;
}

void TrainingLoop::check_loss(const EpochReport& report, const LoopObservers& observers) {
  if (std::isfinite(report.loss)) return;
  if (observers.save && communicator_.rank() == 0) observers.save({}, best_state_);
  throw comm::AgreedError(text(
      "train: the loss of epoch ", report.epoch, " is ",
      std::isnan(report.loss) ? "not a number" : "infinite",
      ", expected a number: training has diverged",
      best_.epoch > 0 ? text("; the best checkpoint, of epoch ", best_.epoch, ", is kept") : "",
      "; use a smaller optimizer.lr, or look at the features (weft info)"));
}

void TrainingLoop::throw_weights_differ(int epoch) const {
  throw comm::AgreedError(text("train: after epoch ", epoch,
                               " the ranks' weights differ, so their gradients or optimizers did; "
                               "check that all hosts run the same build on the same kind of CPU"));
}

bool TrainingLoop::is_save_due(int epoch) const {
  if (epoch == config_.train.epochs) return true;
  if (config_.train.checkpoint_every > 0) return epoch % config_.train.checkpoint_every == 0;
  return since_save_.seconds() > std::clamp(since_start_.seconds() / 4, 5.0, 60.0);
}

void TrainingLoop::stop(const LoopObservers& observers, int epoch) {
  save(observers, epoch);
  throw comm::AgreedError(text("train: stopped by a signal after epoch ", epoch, " of ",
                               config_.train.epochs, "; all is saved: go on with --resume"));
}

void TrainingLoop::save(const LoopObservers& observers, int epoch) {
  since_save_.restart();
  if (!observers.save || communicator_.rank() != 0) return;
  TrainingState last;
  capture_state(engine_, epoch, last);
  last.best = best_;
  last.elapsed_seconds = elapsed_seconds();
  observers.save(last, best_state_);
}

void TrainingLoop::restore_best() {
  if (best_.epoch > 0) restore_state(best_state_, engine_);
}

RunSummary TrainingLoop::summarize() {
  RunSummary summary;
  summary.model = std::string(name_of(config_.model.type));
  summary.ranks = communicator_.size();
  summary.seed = config_.train.seed;
  summary.epochs = config_.train.epochs;
  summary.best = best_;
  summary.final_loss = reports_.empty() ? 0 : reports_.back().loss;
  std::vector<double> seconds;
  for (const EpochReport& report : reports_)
    seconds.push_back(report.epoch_seconds);
  summary.epoch_seconds_median = median(std::move(seconds));
  if (!reports_.empty()) {
    summary.bytes_sent_per_epoch = reports_.back().halo_bytes;
    summary.bytes_in_place_per_epoch = reports_.back().in_place_bytes;
    summary.gradient_bytes_per_epoch = reports_.back().gradient_bytes;
  }
  std::int64_t peak = peak_rss_bytes();
  communicator_.all_reduce_max(std::span<std::int64_t>(&peak, 1));
  summary.peak_rss_bytes = peak;
  std::array<double, 2> exchange = exchange_seconds_;
  communicator_.all_reduce_sum(std::span<double>(exchange));
  summary.exchange_hidden_share = 1 - exchange[1] / exchange[0];  // 0 / 0 is NaN
  summary.weight_hash = engine_.weight_hash();
  summary.savings = engine_.savings();
  return summary;
}

}  // namespace weft::trainer
