// SPDX-License-Identifier: MIT
// Finished layers wait until they fill a bucket.
#include "trainer/gradient_sync.hpp"

#include <algorithm>

#include "graph/support/error.hpp"

namespace weft::trainer {

namespace {

std::vector<std::int64_t> layer_begins(const layers::ParameterStore& parameters) {
  std::vector<std::int64_t> begins;
  for (const layers::Parameter& parameter : parameters.parameters()) {
    // The parameters of a layer lie side by side, layers in their order.
    WEFT_ASSERT(parameter.layer == std::ssize(begins) || parameter.layer + 1 == std::ssize(begins));
    if (parameter.layer == std::ssize(begins)) begins.push_back(parameter.offset);
  }
  return begins;
}

constexpr std::int64_t bytes_of(std::int64_t num_elements) {
  return num_elements * std::int64_t{sizeof(Real)};
}

}  // namespace

GradientSync::GradientSync(comm::Communicator& communicator,
                           layers::ParameterStore& parameters,
                           const GradientSyncOptions& options)
    : parameters_(parameters),
      bounds_(options.bounds),
      layer_begin_(layer_begins(parameters)),
      pending_end_(parameters.size()),
      sums_(communicator, {.message_limit_bytes = options.message_limit_bytes}) {}

void GradientSync::begin(double number) {
  number_ = number;
  sums_.begin(std::span<double>(&number_, 1));
}

void GradientSync::layer_done(int layer) {
  const std::int64_t begin = layer_begin_.at(static_cast<std::size_t>(layer));
  WEFT_ASSERT(begin <= pending_end_);
  if (layer > 0 && bytes_of(pending_end_ - begin) < bounds_.min_bytes) return;
  begin_bucket(parameters_.gradients().subspan(static_cast<std::size_t>(begin),
                                               static_cast<std::size_t>(pending_end_ - begin)));
  pending_end_ = begin;
}

// In equal pieces: a small rest would cost as many messages as a full one.
void GradientSync::begin_bucket(std::span<Real> gradients) {
  const std::int64_t size = std::ssize(gradients);
  const std::int64_t num_pieces = (bytes_of(size) - 1) / bounds_.max_bytes + 1;
  const auto bound = [&](std::int64_t piece) {
    return static_cast<std::size_t>(size * piece / num_pieces);
  };
  for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
    sums_.begin(gradients.subspan(bound(piece), bound(piece + 1) - bound(piece)));
  }
  num_buckets_ += num_pieces;
}

double GradientSync::finish() {
  WEFT_ASSERT(pending_end_ == 0);
  sums_.finish();
  pending_end_ = parameters_.size();
  return number_;
}

}  // namespace weft::trainer
