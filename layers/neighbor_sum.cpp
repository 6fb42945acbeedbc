// SPDX-License-Identifier: MIT
// The order of the steps stands in the header.
#include "layers/neighbor_sum.hpp"

#include <algorithm>

#include "graph/support/error.hpp"
#include "kernels/spmm.hpp"

namespace weft::layers {

using kernels::ConstMatrixView;
using kernels::MatrixView;
using kernels::RowSet;

namespace {

/// y += A x for slots that arrived, wherever they lie.
void add_arrived(kernels::Context& ctx,
                 const kernels::SparseView& a,
                 const comm::SlotRows& x,
                 MatrixView y,
                 const RowSet& rows,
                 const kernels::Epilogue& epilogue) {
  if (x.are_pointers) {
    kernels::spmm_add_rows_at(ctx, a, x.pointers, y, rows, epilogue);
  } else {
    kernels::spmm_add(ctx, a, x.matrix, y, rows, epilogue);
  }
}

comm::HaloOptions with_copied_rows(comm::HaloOptions options, const Border& border) {
  options.copied_rows = border.copied_rows;
  return options;
}

}  // namespace

NeighborSum::NeighborSum(comm::Communicator& communicator,
                         const Aggregation& aggregation,
                         const Border& border,
                         const Reach& reach,
                         comm::HaloOptions options)
    : exchange_(communicator, border.peers, with_copied_rows(options, border)),
      whole_(whole_scope(aggregation, border)),
      timeline_(options.timeline) {
  if (!reach.is_pruned()) return;
  for (int layer = 0; layer < reach.num_layers; ++layer)
    training_.push_back(layer_scope(aggregation, border, reach, layer));
}

const Scope& NeighborSum::training_scope(int layer) const {
  return training_.empty() ? whole_ : training_.at(static_cast<std::size_t>(layer));
}

void NeighborSum::forward(kernels::Context& ctx,
                          const Scope& scope,
                          ConstMatrixView x,
                          MatrixView y,
                          const SurroundingWork& work) {
  WEFT_ASSERT(y.num_rows == scope.num_outputs);
  const ConstMatrixView inputs = x.rows(0, scope.num_inputs);
  const bool is_lent = work.input_is_shared && exchange_.lends_rows();
  const auto pack = [&](std::int64_t begin, std::int64_t end, MatrixView packed) {
    const RowSet slots = RowSet::range(begin, end);
    if (!is_lent) make_sent(scope, slots, work.make_input);
    kernels::spmm(ctx, scope.send, inputs, packed, slots);
  };
  exchange_.wait_until_read();
  is_made_.assign(static_cast<std::size_t>(scope.num_inputs), 0);
  begin_forward(inputs, scope, work, pack);
  sum_own(ctx, scope, inputs, y, work);
  const comm::SlotRows arrived = exchange_.finish_in_place();
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "add rows of others");
  add_arrived(ctx, scope.halo, arrived, y, scope.boundary.set(), work.epilogue);
  exchange_.release();
  work.use_output(scope.boundary.set());
}

void NeighborSum::begin_forward(ConstMatrixView x,
                                const Scope& scope,
                                const SurroundingWork& work,
                                comm::SlotFill pack) {
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "make and send rows");
  if (work.input_is_shared && exchange_.lends_rows()) {
    work.make_input(scope.sent.set());
    exchange_.begin_in_place(x, scope.slots, pack);
  } else {
    exchange_.begin({x.num_columns, x.storage}, scope.slots, pack);
  }
}

// What needs nobody.
void NeighborSum::sum_own(kernels::Context& ctx,
                          const Scope& scope,
                          ConstMatrixView x,
                          MatrixView y,
                          const SurroundingWork& work) {
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "sum own rows");
  work.make_input(scope.kept.set());
  kernels::spmm(ctx, scope.owned, x, y, scope.interior.set(), work.epilogue);
  kernels::spmm(ctx, scope.owned, x, y, scope.boundary.set());
  work.use_output(scope.interior.set());
}

// The rows that `slots` read and no piece before did.
void NeighborSum::make_sent(const Scope& scope, const RowSet& slots, const RowWork& make_input) {
  if (make_input.is_empty()) return;
  to_make_.clear();
  for (std::int64_t slot = slots.begin; slot < slots.end; ++slot) {
    const EdgeOffset end = scope.send.row_end_of(slot);
    for (EdgeOffset e = scope.send.row_ptr[static_cast<std::size_t>(slot)]; e < end; ++e) {
      const LocalId row = scope.send.col_idx[static_cast<std::size_t>(e)];
      std::uint8_t& is_made = is_made_[static_cast<std::size_t>(row)];
      if (is_made == 0) to_make_.push_back(row);
      is_made = 1;
    }
  }
  if (to_make_.empty()) return;
  if (!std::ranges::is_sorted(to_make_)) std::ranges::sort(to_make_);
  make_input(RowSet::of(to_make_));
}

void NeighborSum::backward(kernels::Context& ctx,
                           const Scope& scope,
                           ConstMatrixView grad_y,
                           MatrixView grad_x,
                           const SurroundingWork& work) {
  WEFT_ASSERT(grad_y.num_rows == scope.num_outputs && grad_x.num_rows == scope.num_inputs);
  exchange_.wait_until_read();
  begin_backward(ctx, scope, grad_y, work);
  sum_own_gradients(ctx, scope, grad_y, grad_x, work);
  const comm::SlotRows arrived = exchange_.finish_reverse_in_place();
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "add gradients of others");
  add_arrived(ctx, scope.send_transposed, arrived, grad_x, scope.sent.set(), work.epilogue);
  exchange_.release();
  work.use_output(scope.sent.set());
}

void NeighborSum::begin_backward(kernels::Context& ctx,
                                 const Scope& scope,
                                 ConstMatrixView grad_y,
                                 const SurroundingWork& work) {
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "make and send gradients");
  work.make_input(scope.boundary.set());
  const auto owe = [&](std::int64_t begin, std::int64_t end, MatrixView owed) {
    kernels::spmm(ctx, scope.halo_transposed, grad_y, owed, RowSet::range(begin, end));
  };
  static_cast<void>(exchange_.reverse_buffer({grad_y.num_columns, grad_y.storage}));
  exchange_.begin_reverse(scope.slots, owe);
}

void NeighborSum::sum_own_gradients(kernels::Context& ctx,
                                    const Scope& scope,
                                    ConstMatrixView grad_y,
                                    MatrixView grad_x,
                                    const SurroundingWork& work) {
  const comm::TimelineScope span(timeline_, comm::TimelineRow::compute, "sum own gradients");
  work.make_input(scope.interior.set());
  work.meanwhile(RowSet::range(0, scope.num_outputs));
  kernels::spmm(ctx, scope.owned_transposed, grad_y, grad_x, scope.kept.set(), work.epilogue);
  kernels::spmm(ctx, scope.owned_transposed, grad_y, grad_x, scope.sent.set());
  work.use_output(scope.kept.set());
}

}  // namespace weft::layers
