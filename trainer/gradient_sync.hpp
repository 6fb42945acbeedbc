// SPDX-License-Identifier: MIT
// Sums the gradients of the weights over ranks while backward goes on: what a layer has finished is
// on its way while the layers below it work.
//
// Buckets are runs of the gradient block, from its end, because backward ends with layer 0. The sum
// of a number does not depend on the bucket that it is in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/ordered_sums.hpp"
#include "layers/parameters.hpp"

namespace weft::trainer {

/// How gradients are cut. A bucket costs two rounds of messages, so those of small layers wait for
/// the next layer's; whoever polls adds a bucket's numbers, so those of large layers are cut.
struct BucketBounds {
  std::int64_t min_bytes = std::int64_t{64} << 10;
  std::int64_t max_bytes = std::int64_t{1} << 20;
};

struct GradientSyncOptions {
  std::int64_t message_limit_bytes = std::int64_t{1} << 30;
  BucketBounds bounds;
};

class GradientSync {
 public:
  /// The communicator and the parameters must outlive this object.
  GradientSync(comm::Communicator& communicator,
               layers::ParameterStore& parameters,
               const GradientSyncOptions& options = {});

  /// Lets a number of the epoch travel beside the gradients; `finish` returns its sum over ranks.
  /// Before the first layer, once an epoch.
  /// Collective
  void begin(double number);
  /// The gradients of `layer` are final. For each layer once an epoch, from the last to the first.
  /// Collective
  void layer_done(int layer);
  /// Waits until all gradients are sums over ranks; returns that of the number.
  /// Errors   RuntimeError if MPI reports one
  double finish();

  /// Since the construction.
  [[nodiscard]] std::int64_t num_buckets() const { return num_buckets_; }

 private:
  void begin_bucket(std::span<Real> gradients);

  layers::ParameterStore& parameters_;
  BucketBounds bounds_;
  std::vector<std::int64_t> layer_begin_;  ///< first element of each layer in the block
  std::int64_t pending_end_ = 0;           ///< gradients before it are not on their way
  std::int64_t num_buckets_ = 0;
  double number_ = 0;
  comm::OrderedSums sums_;  // last: what is in flight goes before its memory
};

}  // namespace weft::trainer
