// SPDX-License-Identifier: MIT
// The one place that turns a local graph and a border into a sum over neighbors, forward and back.
//
// Convolutions call it and never see communication. What other ranks wait for is made first and
// leaves at once; everything that needs nobody runs while rows travel, the work of the layer around
// the sum included:
//
//   forward    make x[sent], send, a piece after the other    make x[kept], y = owned x,
//              use y[interior]    receive    y += halo x, use y[boundary]
//   backward   make grad_y[boundary]; owed = halo^T grad_y, send, a piece after the other
//              make grad_y[interior], other work, grad_x = owned^T grad_y, use grad_x[kept]
//              receive    grad_x += send^T owed, use grad_x[sent]
//
// Rows of the result are finished (bias, activation, ...) by the operation that adds their last
// term.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/slot_exchange.hpp"
#include "kernels/context.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/matrix.hpp"
#include "layers/scope.hpp"

namespace weft::layers {

/// Borrows a callable `void(RowSet)`; by default it does nothing.
class RowWork {
 public:
  RowWork() = default;
  template <typename F>
  RowWork(const F& function)  // NOLINT(google-explicit-constructor): made at call sites
      : object_(&function), call_([](const void* object, const kernels::RowSet& rows) {
          (*static_cast<const F*>(object))(rows);
        }) {}
  void operator()(const kernels::RowSet& rows) const {
    if (call_ != nullptr) call_(object_, rows);
  }
  [[nodiscard]] bool is_empty() const { return call_ == nullptr; }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, const kernels::RowSet&) = nullptr;
};

/// Work of the layer around a sum, by the rows that it is asked for. Each row is asked for once.
struct SurroundingWork {
  /// Of the rows of the sum, before they are used.
  kernels::Epilogue epilogue = {};
  /// Writes rows of what is summed; asked for before they are read.
  RowWork make_input = {};
  /// Rows of the sum are final.
  RowWork use_output = {};
  /// Backward: what needs all of grad_y but not the sum; asked for once.
  RowWork meanwhile = {};
  /// Forward: what is summed lies in shared memory, where that is on, and is written to between
  /// `make_input` and the next call of the NeighborSum by nobody.
  bool input_is_shared = false;
};

class NeighborSum {
 public:
  /// The aggregation and the border must outlive this object and stay as they are.
  /// Shapes   reach: of a pruned training pass, or empty
  NeighborSum(comm::Communicator& communicator,
              const Aggregation& aggregation,
              const Border& border,
              const Reach& reach,
              comm::HaloOptions options = {});

  /// All rows.
  [[nodiscard]] const Scope& whole() const { return whole_; }
  /// The rows that training needs in `layer`, counted from 0; all where nothing is pruned.
  [[nodiscard]] const Scope& training_scope(int layer) const;

  /// y = A x over owned and halo neighbors.
  ///
  /// Shapes   x [num_inputs x dim] (more rows are not read), y [num_outputs x dim]
  /// Cost     O(nonzeros * dim), one exchange of dim columns
  /// Collective
  void forward(kernels::Context& ctx,
               const Scope& scope,
               kernels::ConstMatrixView x,
               kernels::MatrixView y,
               const SurroundingWork& work = {});

  /// grad_x = A^T grad_y, with what other ranks owe to this rank's vertices.
  ///
  /// Shapes   grad_y [num_outputs x dim], grad_x [num_inputs x dim]
  /// Cost     O(nonzeros * dim), one reverse exchange of dim columns
  /// Collective
  void backward(kernels::Context& ctx,
                const Scope& scope,
                kernels::ConstMatrixView grad_y,
                kernels::MatrixView grad_x,
                const SurroundingWork& work = {});

  [[nodiscard]] comm::HaloTraffic traffic() const { return exchange_.traffic(); }
  void reset_traffic() { exchange_.reset_traffic(); }

 private:
  void begin_forward(kernels::ConstMatrixView x,
                     const Scope& scope,
                     const SurroundingWork& work,
                     comm::SlotFill pack);
  void sum_own(kernels::Context& ctx,
               const Scope& scope,
               kernels::ConstMatrixView x,
               kernels::MatrixView y,
               const SurroundingWork& work);
  void begin_backward(kernels::Context& ctx,
                      const Scope& scope,
                      kernels::ConstMatrixView grad_y,
                      const SurroundingWork& work);
  void sum_own_gradients(kernels::Context& ctx,
                         const Scope& scope,
                         kernels::ConstMatrixView grad_y,
                         kernels::MatrixView grad_x,
                         const SurroundingWork& work);
  void make_sent(const Scope& scope, const kernels::RowSet& slots, const RowWork& make_input);

  comm::SlotExchange exchange_;
  Scope whole_;
  std::vector<Scope> training_;  ///< [num_layers] where training is pruned
  comm::Timeline* timeline_;
  std::vector<std::uint8_t> is_made_;  ///< [inputs] of the forward under way
  std::vector<LocalId> to_make_;       ///< rows that the next piece lacks
};

}  // namespace weft::layers
