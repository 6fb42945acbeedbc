// SPDX-License-Identifier: MIT
// Finite differences over all ranks: every rank moves the same weight by the same step.
#include "tests/layers/model_harness.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/support/random.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "partition/reorder_part.hpp"

namespace weft::test_support {

namespace {

kernels::Matrix dense_features(const datasets::FeatureView& features,
                               std::span<const LocalId> order) {
  kernels::Matrix dense(features.num_rows, features.num_columns);
  for (std::int64_t r = 0; r < features.num_rows; ++r) {
    const auto row = static_cast<std::size_t>(order[static_cast<std::size_t>(r)]);
    const auto width = static_cast<std::size_t>(features.num_columns);
    std::ranges::copy(features.dense.subspan(row * width, width), dense.view().row(r));
  }
  return dense;
}

std::unique_ptr<layers::SparseInput> sparse_features(const datasets::FeatureView& features,
                                                     std::span<const LocalId> order) {
  kernels::SparseMatrix sparse;
  sparse.num_rows = features.num_rows;
  sparse.num_columns = features.num_columns;
  for (const LocalId row : order) {
    const auto r = static_cast<std::size_t>(row);
    for (auto e = static_cast<std::size_t>(features.row_ptr[r]);
         e < static_cast<std::size_t>(features.row_ptr[r + 1]); ++e) {
      sparse.col_idx.push_back(features.col_idx[e]);
      sparse.values.push_back(static_cast<Real>(features.values[e]));
    }
    sparse.row_ptr.push_back(static_cast<EdgeOffset>(sparse.col_idx.size()));
  }
  return std::make_unique<layers::SparseInput>(std::move(sparse));
}

/// Biases begin at 0, and there a vertex without neighbors sits exactly on the kink of the ReLU,
/// where differences mean nothing. So the check is made elsewhere.
void move_from_start(std::span<Real> values) {
  const RandomKey key = random_key(7, RandomPurpose::test);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += static_cast<Real>(0.4F * random_uniform(key, i, 0U) - 0.2F);
}

}  // namespace

ModelHarness::ModelHarness(comm::Communicator& communicator,
                           const datasets::Dataset& dataset,
                           Owners owners,
                           const layers::AggregationOptions& aggregation,
                           layers::ModelSpec spec,
                           bool pruned)
    : communicator_(communicator) {
  const int size = communicator.size();
  part_ = make_part(dataset, deal_owners(dataset, size, owners), size, communicator.rank());
  find_labelled();
  std::vector<LocalId> order(static_cast<std::size_t>(part_.num_owned()));
  std::iota(order.begin(), order.end(), LocalId{0});
  if (pruned) order = prune(spec.num_layers);
  aggregation_ = layers::build_aggregation(part_, aggregation);
  border_ = layers::build_border(communicator, part_, aggregation_, reach_);
  neighbors_ = std::make_unique<layers::NeighborSum>(communicator, aggregation_, border_, reach_);
  make_features(order);
  spec.num_inputs = part_.rows.features.num_columns;
  spec.num_outputs = dataset.num_classes;
  spec.sparse_input = sparse_ != nullptr;
  model_ = std::make_unique<layers::Model>(spec, 3);
  move_from_start(model_->parameters().values());
  grad_logits_.resize(neighbors_->training_scope(spec.num_layers - 1).num_outputs,
                      spec.num_outputs);
  global_count_ = static_cast<double>(labelled_.size());
  communicator.all_reduce_sum(std::span<double>(&global_count_, 1));
}

void ModelHarness::find_labelled() {
  labelled_.clear();
  for (LocalId v = 0; v < part_.num_owned(); ++v) {
    if (part_.rows.labels[static_cast<std::size_t>(v)] >= 0) labelled_.push_back(v);
  }
}

/// Orders the part by distance from a seventh of its labelled vertices, the only ones that count
/// from now on.
std::vector<LocalId> ModelHarness::prune(int num_layers) {
  std::erase_if(labelled_,
                [&](LocalId v) { return part_.global_ids[static_cast<std::size_t>(v)] % 7 != 0; });
  const std::size_t num_labelled = labelled_.size();
  reach_ = layers::find_reach(communicator_, part_, labelled_, num_layers);
  std::vector<LocalId> order = layers::order_by_distance(reach_);
  partition::reorder_owned(part_, order);
  std::ranges::sort(reach_.distance);
  labelled_.resize(num_labelled);
  std::iota(labelled_.begin(), labelled_.end(), LocalId{0});
  return order;
}

void ModelHarness::make_features(std::span<const LocalId> order) {
  if (part_.rows.features.is_sparse()) {
    sparse_ = sparse_features(part_.rows.features, order);
  } else {
    dense_ = dense_features(part_.rows.features, order);
  }
}

layers::Pass ModelHarness::pass() {
  const std::span<const GlobalId> ids(part_.global_ids.data(),
                                      static_cast<std::size_t>(part_.num_owned()));
  return {ctx_, *neighbors_, workspace_, ids, 5, 1, true, {}, gradients_done_};
}

kernels::ConstMatrixView ModelHarness::forward(layers::Pass& pass) {
  return model_->forward(pass, {dense_.view(), sparse_.get()});
}

double ModelHarness::global_loss(kernels::ConstMatrixView logits, kernels::MatrixView grad_logits) {
  const auto labels = part_.rows.labels.first(static_cast<std::size_t>(logits.num_rows));
  double sum = kernels::softmax_cross_entropy(ctx_, logits, labels, labelled_, 1.0 / global_count_,
                                              grad_logits);
  communicator_.all_reduce_sum(std::span<double>(&sum, 1));
  return sum / global_count_;
}

double ModelHarness::loss() {
  layers::Pass forward_pass = pass();
  return global_loss(forward(forward_pass), {});
}

std::vector<double> ModelHarness::gradient() {
  layers::Pass both = pass();
  global_loss(forward(both), grad_logits_.view());
  model_->backward(both, grad_logits_.view());
  const std::span<Real> gradients = model_->parameters().gradients();
  std::vector<double> result(gradients.begin(), gradients.end());
  communicator_.all_reduce_sum(std::span<double>(result));
  return result;
}

namespace {

/// Derivative of the global loss by one weight. Collective
double central_difference(ModelHarness& harness, Real& weight) {
  const double step = sizeof(Real) == sizeof(double) ? 1e-5 : 1e-3;
  const Real original = weight;
  weight = static_cast<Real>(static_cast<double>(original) + step);
  const double above = harness.loss();
  weight = static_cast<Real>(static_cast<double>(original) - step);
  const double below = harness.loss();
  weight = original;
  return (above - below) / (2 * step);
}

}  // namespace

double gradient_error(ModelHarness& harness) {
  const std::vector<double> analytic = harness.gradient();
  layers::ParameterStore& store = harness.model().parameters();
  double worst = 0;
  for (const layers::Parameter& parameter : store.parameters()) {
    double difference = 0;
    double square = 0;
    const auto begin = static_cast<std::size_t>(parameter.offset);
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(parameter.size()); ++i) {
      const double distance = central_difference(harness, store.values()[i]) - analytic[i];
      difference += distance * distance;
      square += analytic[i] * analytic[i];
    }
    worst = std::max(worst, std::sqrt(difference) / std::max(std::sqrt(square), 1e-6));
  }
  return worst;
}

}  // namespace weft::test_support
