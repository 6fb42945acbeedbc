// SPDX-License-Identifier: MIT
// The steps are those of NeighborProduct where the transform comes first; `verify` holds them to
// the library's bits.
#include "tests/bench/overlap_layer.hpp"

#include <algorithm>
#include <utility>

#include "graph/generators.hpp"
#include "graph/normalization.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/spmm.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_graph.hpp"
#include "partition/vertex_order.hpp"
#include "tests/bench/bench_graphs.hpp"

namespace weft::bench {

using kernels::ConstMatrixView;
using kernels::Matrix;
using kernels::MatrixView;
using kernels::RowSet;

namespace {

constexpr std::uint64_t seed = 1;

layers::ConvolutionShape shape_of(std::int64_t width) {
  layers::ConvolutionShape shape;
  shape.num_inputs = width;
  shape.num_outputs = width;
  return shape;
}

// By global id, so that they do not depend on the partition.
void fill_by_id(const partition::Part& part, std::uint64_t stream, Matrix& matrix) {
  const RandomKey key = random_key(seed + stream, RandomPurpose::test);
  for (std::int64_t r = 0; r < matrix.num_rows(); ++r) {
    const auto id = static_cast<std::uint64_t>(part.global_ids[static_cast<std::size_t>(r)]);
    for (std::int64_t c = 0; c < matrix.num_columns(); ++c)
      matrix.at(r, c) = random_uniform(key, id, static_cast<std::uint32_t>(c)) - 0.5F;
  }
}

void copy_rows(ConstMatrixView from, Matrix& to) {
  to.resize(from.num_rows, from.num_columns);
  std::copy_n(from.row(0), from.num_rows * from.num_columns, to.data());
}

}  // namespace

partition::Part make_overlap_part(const comm::Communicator& world, const OverlapGraph& graph) {
  graph::CommunityOptions options;
  options.num_vertices = graph.num_vertices;
  options.mean_degree = graph.mean_degree;
  options.num_communities =
      std::max<std::int64_t>(world.size(), graph.num_vertices / graph.community_vertices);
  options.inside = graph.inside;
  options.exponent = 0;
  const datasets::Dataset dataset =
      undirected_dataset("communities", std::move(graph::planted_communities(options).edges));
  partition::PartitionOptions wishes;
  wishes.num_parts = world.size();
  const std::vector<std::int32_t> owner = partition::partition_graph(dataset, wishes);
  const partition::OrderChoice order = partition::choose_vertex_order(dataset.graph, owner, wishes);
  partition::PartitionInfo info;
  info.num_parts = world.size();
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.directed = dataset.directed;
  info.dataset_name = dataset.name;
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  return partition::PartBuilder(dataset, degrees, owner, info, order.place).build(world.rank());
}

OverlapLayer::OverlapLayer(comm::Communicator& world,
                           const partition::Part& part,
                           std::int64_t width)
    : num_rows_(part.num_owned()),
      width_(width),
      aggregation_(layers::build_aggregation(part, {})),
      border_(layers::build_border(world, part, aggregation_, {})),
      scope_(layers::whole_scope(aggregation_, border_)),
      neighbors_(world, aggregation_, border_, {}),
      exchange_(world, border_.peers),
      convolution_(store_, shape_of(width)),
      x_(num_rows_, width),
      y_(num_rows_, width),
      grad_y_(num_rows_, width),
      grad_x_(num_rows_, width),
      hidden_(num_rows_, width),
      packed_(exchange_.num_send(), width),
      grad_hidden_(num_rows_, width),
      owed_(exchange_.num_halo(), width),
      grad_weight_added_(width, width) {
  ctx_.set_poll([&world] { world.poll(); });
  store_.allocate();
  convolution_.initialize(store_, seed);
  fill_by_id(part, 0, x_);
  fill_by_id(part, 1, grad_y_);
}

void OverlapLayer::forward() {
  layers::Pass pass{ctx_, neighbors_, workspace_, {}, seed, 1, true, {}};
  convolution_.forward(pass, store_, {std::as_const(x_).view(), nullptr}, y_.view(), {});
}

void OverlapLayer::backward() {
  layers::Pass pass{ctx_, neighbors_, workspace_, {}, seed, 1, true, {}};
  convolution_.backward(pass, store_, {std::as_const(x_).view(), nullptr},
                        std::as_const(grad_y_).view(), {grad_x_.view(), {}});
}

void OverlapLayer::exchange_forward() {
  exchange_.begin({width_}, exchange_.all_slots(), [](std::int64_t, std::int64_t, MatrixView) {});
  static_cast<void>(exchange_.finish());
}

void OverlapLayer::exchange_backward() {
  static_cast<void>(exchange_.reverse_buffer({width_}));
  exchange_.begin_reverse(exchange_.all_slots());
  static_cast<void>(exchange_.finish_reverse());
}

void OverlapLayer::compute_forward() {
  pack();
  finish_forward();
}

void OverlapLayer::pack() {
  kernels::multiply(ctx_, x_.view(), store_.value(0), hidden_.view(), scope_.sent.set());
  kernels::spmm(ctx_, scope_.send, hidden_.view(), packed_.view(),
                RowSet::range(0, packed_.num_rows()));
}

void OverlapLayer::finish_forward() {
  const kernels::Epilogue bias{.bias = store_.value_span(1)};
  const ConstMatrixView hidden = std::as_const(hidden_).view();
  kernels::multiply(ctx_, x_.view(), store_.value(0), hidden_.view(), scope_.kept.set());
  kernels::spmm(ctx_, scope_.owned, hidden, y_.view(), scope_.interior.set(), bias);
  kernels::spmm(ctx_, scope_.owned, hidden, y_.view(), scope_.boundary.set());
  kernels::spmm_add(ctx_, scope_.halo, arrived_.view(), y_.view(), scope_.boundary.set(), bias);
}

void OverlapLayer::compute_backward() {
  owe();
  finish_backward();
}

void OverlapLayer::owe() {
  kernels::spmm(ctx_, scope_.halo_transposed, grad_y_.view(), owed_.view(),
                scope_.halo_slots.set());
}

void OverlapLayer::finish_backward() {
  const auto transform = [&](const RowSet& rows, MatrixView grad_weight) {
    kernels::multiply_transposed(ctx_, grad_hidden_.view(), store_.value(0), grad_x_.view(), rows);
    kernels::weight_gradient(ctx_, x_.view(), grad_hidden_.view(), grad_weight, rows);
  };
  const ConstMatrixView grad_y = std::as_const(grad_y_).view();
  const RowSet all = RowSet::range(0, num_rows_);
  kernels::bias_gradient(ctx_, grad_y, store_.gradient_span(1), all);
  kernels::spmm(ctx_, scope_.owned_transposed, grad_y, grad_hidden_.view(), scope_.kept.set());
  kernels::spmm(ctx_, scope_.owned_transposed, grad_y, grad_hidden_.view(), scope_.sent.set());
  transform(scope_.kept.set(), store_.gradient(0));
  kernels::spmm_add(ctx_, scope_.send_transposed, arrived_back_.view(), grad_hidden_.view(),
                    scope_.sent.set());
  transform(scope_.sent.set(), grad_weight_added_.view());
  kernels::add_rows(ctx_, grad_weight_added_.view(), store_.gradient(0), RowSet::range(0, width_));
}

// Real rows take the place of those that the steps alone run on.
void OverlapLayer::exchange_apart() {
  pack();
  exchange_.begin({width_}, exchange_.all_slots(),
                  [&](std::int64_t begin, std::int64_t end, MatrixView packed) {
                    std::copy_n(packed_.view().row(begin), (end - begin) * width_,
                                packed.row(begin));
                  });
  copy_rows(exchange_.finish(), arrived_);
  owe();
  const MatrixView buffer = exchange_.reverse_buffer({width_});
  std::copy_n(owed_.data(), owed_.size(), buffer.row(0));
  exchange_.begin_reverse(exchange_.all_slots());
  copy_rows(exchange_.finish_reverse(), arrived_back_);
}

std::vector<Real> OverlapLayer::results() const {
  std::vector<Real> all;
  for (const Matrix* matrix : {&y_, &grad_x_})
    all.insert(all.end(), matrix->values().begin(), matrix->values().end());
  return all;
}

void OverlapLayer::verify() {
  const auto with_gradients = [&] {
    std::vector<Real> all = results();
    all.insert(all.end(), store_.gradients().begin(), store_.gradients().end());
    return all;
  };
  forward();
  backward();
  const std::vector<Real> expected = with_gradients();
  y_.fill(0);
  grad_x_.fill(0);
  std::ranges::fill(store_.gradients(), Real{0});
  exchange_apart();
  finish_forward();
  finish_backward();
  if (with_gradients() == expected) return;
  throw RuntimeError(
      "overlap bench: the layer and its steps one after the other differ; nothing was timed");
}

std::int64_t OverlapLayer::forward_bytes() const {
  return exchange_.num_send() * width_ * std::int64_t{sizeof(Real)};
}

std::int64_t OverlapLayer::backward_bytes() const {
  return exchange_.num_halo() * width_ * std::int64_t{sizeof(Real)};
}

double OverlapLayer::boundary_share() const {
  return static_cast<double>(scope_.boundary.set().size()) / static_cast<double>(num_rows_);
}

std::int64_t OverlapLayer::bytes_sent() const {
  return exchange_.traffic().bytes_sent + neighbors_.traffic().bytes_sent;
}

std::int64_t OverlapLayer::messages_sent() const {
  return exchange_.traffic().messages_sent + neighbors_.traffic().messages_sent;
}

}  // namespace weft::bench
