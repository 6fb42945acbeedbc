// SPDX-License-Identifier: MIT
// A GCN layer on this rank's part of a community graph: as the library runs it, and taken apart
// into its exchanges and its compute, each of which runs alone.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/slot_exchange.hpp"
#include "layers/border.hpp"
#include "layers/gcn.hpp"
#include "layers/scope.hpp"
#include "partition/part.hpp"

namespace weft::bench {

struct OverlapGraph {
  std::int64_t num_vertices = 1 << 16;
  double mean_degree = 20;
  std::int64_t community_vertices = 1024;
  double inside = 0.95;  ///< share of the edges inside communities
};

/// This rank's part of the graph as `weft partition` cuts it.
[[nodiscard]] partition::Part make_overlap_part(const comm::Communicator& world,
                                                const OverlapGraph& graph);

/// A layer from `width` to `width` columns, so that its input gradient is exchanged, too.
class OverlapLayer {
 public:
  /// Borrows the communicator and the part. Collective
  OverlapLayer(comm::Communicator& world, const partition::Part& part, std::int64_t width);
  OverlapLayer(const OverlapLayer&) = delete;
  OverlapLayer& operator=(const OverlapLayer&) = delete;

  /// The library's, which computes while rows travel. Collective
  void forward();
  void backward();
  /// Rows that are packed already there and back, with nothing computed. Collective
  void exchange_forward();
  void exchange_backward();
  /// The kernels of the layer, in its order, on rows that have arrived already.
  void compute_forward();
  void compute_backward();

  /// Runs the layer, then exchanges and kernels apart.
  /// Errors   RuntimeError unless both give the same bits
  /// Collective
  void verify();

  [[nodiscard]] std::int64_t forward_bytes() const;
  [[nodiscard]] std::int64_t backward_bytes() const;
  [[nodiscard]] double boundary_share() const;  ///< of the owned rows
  /// Sent by the layer and by the exchanges alone, since this object was made.
  [[nodiscard]] std::int64_t bytes_sent() const;
  [[nodiscard]] std::int64_t messages_sent() const;

 private:
  void pack();
  void finish_forward();
  void owe();
  void finish_backward();
  void exchange_apart();
  [[nodiscard]] std::vector<Real> results() const;

  std::int64_t num_rows_;
  std::int64_t width_;
  layers::Aggregation aggregation_;
  layers::Border border_;
  layers::Scope scope_;
  kernels::Context ctx_;
  layers::NeighborSum neighbors_;
  comm::SlotExchange exchange_;  ///< of the steps that run alone
  layers::ParameterStore store_;
  layers::GcnConvolution convolution_;
  layers::Workspace workspace_;
  kernels::Matrix x_, y_, grad_y_, grad_x_;    // of both ways
  kernels::Matrix hidden_, packed_, arrived_;  // of compute alone
  kernels::Matrix grad_hidden_, owed_, arrived_back_, grad_weight_added_;
};

}  // namespace weft::bench
