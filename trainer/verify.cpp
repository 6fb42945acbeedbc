// SPDX-License-Identifier: MIT
// Two engines in step; each compared epoch records what both made.
#include "trainer/verify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/support/error.hpp"
#include "trainer/gather.hpp"

namespace weft::trainer {

namespace {

constexpr std::size_t max_named_vertices = 8;

/// A tensor of one epoch, rows in dataset order; complete on rank 0.
struct RecordedTensor {
  std::string name;
  kernels::Matrix rows;
  bool rows_are_vertices = true;
};

struct EpochRecord {
  double loss = 0;
  std::vector<RecordedTensor> tensors;
};

/// Trains one epoch of `engine` and, where asked, records every tensor that it makes.
EpochRecord run_epoch(comm::Communicator& communicator, Engine& engine, int epoch, bool record) {
  EpochRecord result;
  if (record) {
    engine.set_observer([&](const std::string& name, kernels::ConstMatrixView tensor) {
      result.tensors.push_back(
          {name, gather_by_global_id(communicator, engine.part(), tensor), true});
    });
  }
  result.loss = engine.train_epoch(epoch);
  engine.set_observer({});
  if (!record) return result;
  layers::ParameterStore& store = engine.model().parameters();
  for (std::size_t id = 0; id < store.parameters().size(); ++id) {
    const std::span<const Real> gradient = store.gradient_span(id);
    kernels::Matrix copy(1, static_cast<std::int64_t>(gradient.size()));
    std::ranges::copy(gradient, copy.values().begin());
    result.tensors.push_back(
        {"gradient of " + store.parameters()[id].name, std::move(copy), false});
  }
  return result;
}

/// Square of the distance of two rows, and the largest difference in them.
std::pair<double, double> row_distance(const kernels::Matrix& a,
                                       const kernels::Matrix& b,
                                       std::int64_t row) {
  double square = 0;
  double largest = 0;
  for (std::int64_t c = 0; c < a.num_columns(); ++c) {
    const double difference = static_cast<double>(a.at(row, c)) - static_cast<double>(b.at(row, c));
    square += difference * difference;
    // A NaN on one side only must not compare as equal.
    largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, std::abs(difference));
  }
  return {std::isnan(square) ? HUGE_VAL : square, largest};
}

double square_sum(const kernels::Matrix& matrix) {
  double sum = 0;
  for (const Real value : matrix.values())
    sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

double relative_of(double difference_square, double reference_square) {
  if (difference_square == 0) return 0;
  return std::sqrt(difference_square / std::max(reference_square, 1e-300));
}

std::vector<GlobalId> worst_rows(const std::vector<double>& squares) {
  std::vector<GlobalId> order(squares.size());
  std::iota(order.begin(), order.end(), GlobalId{0});
  const std::size_t count = std::min(max_named_vertices, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](GlobalId a, GlobalId b) {
                      return squares[static_cast<std::size_t>(a)] >
                             squares[static_cast<std::size_t>(b)];
                    });
  order.resize(count);
  std::erase_if(order, [&](GlobalId v) { return squares[static_cast<std::size_t>(v)] == 0; });
  return order;
}

TensorDifference compare(const RecordedTensor& tensor, const RecordedTensor& reference) {
  TensorDifference result;
  result.name = tensor.name;
  std::vector<double> squares;
  for (std::int64_t r = 0; r < reference.rows.num_rows(); ++r) {
    const auto [square, largest] = row_distance(tensor.rows, reference.rows, r);
    squares.push_back(square);
    result.worst_absolute = std::max(result.worst_absolute, largest);
  }
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  result.relative = relative_of(sum, square_sum(reference.rows));
  if (reference.rows_are_vertices) result.worst_vertices = worst_rows(squares);
  return result;
}

/// L2 of the difference / L2 over all tensors that are gradients of parameters.
double whole_gradient_relative(const EpochRecord& record, const EpochRecord& reference) {
  double difference = 0;
  double sum = 0;
  for (std::size_t i = 0; i < record.tensors.size(); ++i) {
    if (reference.tensors[i].rows_are_vertices) continue;
    difference += row_distance(record.tensors[i].rows, reference.tensors[i].rows, 0).first;
    sum += square_sum(reference.tensors[i].rows);
  }
  return relative_of(difference, sum);
}

EpochComparison compare_epoch(int epoch, const EpochRecord& record, const EpochRecord& reference) {
  EpochComparison result;
  result.epoch = epoch;
  result.loss = record.loss;
  result.reference_loss = reference.loss;
  result.gradient_relative = whole_gradient_relative(record, reference);
  for (std::size_t i = 0; i < record.tensors.size(); ++i) {
    result.tensors.push_back(compare(record.tensors[i], reference.tensors[i]));
  }
  return result;
}

/// Loss, logits (the output of the last layer) and the whole gradient.
bool is_within(const EpochComparison& epoch, double tolerance, const std::string& logits_name) {
  if (!(epoch.loss_relative() <= tolerance) || !(epoch.gradient_relative <= tolerance))
    return false;
  return std::ranges::all_of(epoch.tensors, [&](const TensorDifference& tensor) {
    return tensor.name != logits_name || tensor.relative <= tolerance;
  });
}

}  // namespace

double default_tolerance(Precision precision) {
  // A boundary row is rounded once more than an interior one, and sums in another order may fall
  // on the other side of a rounding.
  if (precision == Precision::bf16) return 2e-2;
  return sizeof(Real) == sizeof(double) ? 1e-12 : 5e-6;
}

const TensorDifference* EpochComparison::first_beyond(double tolerance) const {
  const auto found = std::ranges::find_if(
      tensors, [&](const TensorDifference& tensor) { return !(tensor.relative <= tolerance); });
  return found == tensors.end() ? nullptr : &*found;
}

double EpochComparison::loss_relative() const {
  const double difference = std::abs(loss - reference_loss);
  return difference == 0 ? 0 : difference / std::max(std::abs(reference_loss), 1e-300);
}

VerifyReport verify_ranks(comm::Communicator& communicator,
                          partition::Part mine,
                          partition::Part whole,
                          const RunConfig& config,
                          const VerifyOptions& options) {
  const bool is_root = communicator.rank() == 0;
  comm::Communicator self = comm::Communicator::self();
  EngineParts parts = prepare_engine(communicator, std::move(mine), config);
  if (options.tamper) options.tamper(parts);
  Engine engine(communicator, std::move(parts), config);
  std::unique_ptr<Engine> reference;
  comm::agree_on_errors(communicator, [&] {
    if (!is_root) return;
    reference =
        std::make_unique<Engine>(self, prepare_engine(self, std::move(whole), config), config);
  });
  VerifyReport report;
  report.tolerance = options.tolerance.value_or(default_tolerance(config.train.precision));
  const int last_epoch = options.epochs.empty() ? 0 : options.epochs.back();
  for (int epoch = 1; epoch <= last_epoch; ++epoch) {
    report_progress(options.progress, "training twice", (epoch - 1.0) / last_epoch);
    const bool record = std::ranges::count(options.epochs, epoch) > 0;
    const EpochRecord mine_record = run_epoch(communicator, engine, epoch, record);
    if (!is_root) continue;
    const EpochRecord reference_record = run_epoch(self, *reference, epoch, record);
    if (record) report.epochs.push_back(compare_epoch(epoch, mine_record, reference_record));
  }
  report_progress(options.progress, "training twice", 1);
  const std::string logits_name = "layer" + std::to_string(config.model.layers - 1) + ".output";
  std::int64_t failures = std::ranges::count_if(report.epochs, [&](const EpochComparison& epoch) {
    return !is_within(epoch, report.tolerance, logits_name);
  });
  communicator.all_reduce_max(std::span<std::int64_t>(&failures, 1));
  report.passed = failures == 0;
  return report;
}

}  // namespace weft::trainer
