// SPDX-License-Identifier: MIT
// Breadth first over all ranks: a step marks what the rows of the step before read; marks on halo
// vertices travel to their owners like gradients do.
#include "layers/reach.hpp"

#include <algorithm>
#include <numeric>

#include "comm/halo_exchange.hpp"
#include "graph/support/error.hpp"

namespace weft::layers {

namespace {

class Walk {
 public:
  Walk(comm::Communicator& communicator, const partition::Part& part, Reach& reach)
      : part_(part),
        distance_(reach.distance),
        halo_(communicator, part.plan, part.num_owned()),
        arrived_(part.num_owned(), 1) {}

  /// Gives distance `step` to what rows at distance step - 1 read and nobody has met before.
  void take_step(std::int32_t step) {
    const kernels::MatrixView marks = halo_.reverse_buffer(1);
    for (std::int64_t h = 0; h < marks.num_rows; ++h)
      marks.at(h, 0) = 0;
    for (LocalId v = 0; v < part_.num_owned(); ++v) {
      if (distance_[static_cast<std::size_t>(v)] == step - 1) mark_neighbors(v, step, marks);
    }
    arrived_.fill(0);
    halo_.begin_reverse(ctx_);
    halo_.finish_reverse(ctx_, arrived_.view());
    for (LocalId v = 0; v < part_.num_owned(); ++v) {
      if (arrived_.at(v, 0) > 0) meet(v, step);
    }
  }

 private:
  void meet(LocalId v, std::int32_t step) {
    std::int32_t& distance = distance_[static_cast<std::size_t>(v)];
    distance = std::min(distance, step);
  }

  void mark_neighbors(LocalId v, std::int32_t step, kernels::MatrixView marks) {
    const auto row = static_cast<std::size_t>(v);
    for (EdgeOffset e = part_.graph.row_ptr[row]; e < part_.graph.row_ptr[row + 1]; ++e) {
      const LocalId u = part_.graph.col_idx[static_cast<std::size_t>(e)];
      if (u < part_.num_owned()) {
        meet(u, step);
      } else {
        marks.at(u - part_.num_owned(), 0) = 1;
      }
    }
  }

  const partition::Part& part_;
  std::vector<std::int32_t>& distance_;
  kernels::Context ctx_{1};
  comm::HaloExchange halo_;
  kernels::Matrix arrived_;  ///< [num_owned x 1] marks of other ranks
};

}  // namespace

Reach find_reach(comm::Communicator& communicator,
                 const partition::Part& part,
                 std::span<const LocalId> training_rows,
                 int num_layers) {
  Reach reach;
  reach.num_layers = num_layers;
  reach.distance.assign(static_cast<std::size_t>(part.num_owned()), num_layers + 1);
  for (const LocalId row : training_rows)
    reach.distance[static_cast<std::size_t>(row)] = 0;
  Walk walk(communicator, part, reach);
  for (int step = 1; step <= num_layers; ++step)
    walk.take_step(step);
  for (int d = 0; d <= num_layers; ++d) {
    reach.global_rows.push_back(
        std::ranges::count_if(reach.distance, [d](std::int32_t found) { return found <= d; }));
  }
  communicator.all_reduce_sum(std::span<std::int64_t>(reach.global_rows));
  return reach;
}

double computed_share(const Reach& reach, std::int64_t num_vertices) {
  if (!reach.is_pruned() && reach.global_rows.empty()) return 1;
  const auto outputs =
      std::accumulate(reach.global_rows.begin(), reach.global_rows.end() - 1, std::int64_t{0});
  const auto all = static_cast<double>(num_vertices) * reach.num_layers;
  return all > 0 ? static_cast<double>(outputs) / all : 1;
}

std::vector<LocalId> order_by_distance(const Reach& reach) {
  std::vector<LocalId> order(reach.distance.size());
  std::iota(order.begin(), order.end(), LocalId{0});
  std::ranges::stable_sort(
      order, {}, [&](LocalId row) { return reach.distance[static_cast<std::size_t>(row)]; });
  return order;
}

LocalId count_within(std::span<const std::int32_t> rising, std::int32_t distance) {
  return static_cast<LocalId>(std::ranges::upper_bound(rising, distance) - rising.begin());
}

}  // namespace weft::layers
