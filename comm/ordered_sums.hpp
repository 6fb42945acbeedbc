// SPDX-License-Identifier: MIT
// Sums over ranks that go on while other work is done.
//
//   OrderedSums sums(communicator);             // of an engine, say
//   sums.begin(gradients_of_the_last_layer);    // MPI progresses by ctx.poll()
//   ... backward of the layer below ...
//   sums.begin(gradients_of_the_layer_below);   // several are in flight
//   sums.finish();                              // each number is the sum over ranks
//
// Numbers are added in the order of ranks, each by itself, so the bits depend on the number of
// ranks only: neither on the library, the hosts and the order of arrival, nor on how an array is
// cut into sums. Communicator::all_reduce_sum is one of these, begun and finished at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"

namespace weft::comm {

struct SumOptions {
  std::int64_t message_limit_bytes = std::int64_t{1} << 30;  ///< larger messages are split
  /// Within this folder: all_reduce_sum, which may be called while other sums are in flight.
  bool is_blocking = false;
};

class OrderedSums {
 public:
  /// The communicator must outlive this object. One object of a communicator has sums in flight at
  /// a time.
  /// Errors   InputError if the message limit is out of its bounds
  explicit OrderedSums(Communicator& communicator, SumOptions options = {});
  /// Sums in flight are given up, as when an exception passes.
  ~OrderedSums();
  OrderedSums(const OrderedSums&) = delete;
  OrderedSums& operator=(const OrderedSums&) = delete;

  /// Starts values[i] = sum over ranks, in place; `values` must be left alone until `finish`.
  /// Nothing is done on one rank. Once the same sums have been begun before, nothing is allocated.
  ///
  /// Shapes   values: the same length on all ranks; may differ between sums
  /// Cost     up to 4 KiB one round of messages, above a slice to each rank and a sum back: 2 n
  ///          (1 - 1/size) bytes sent
  /// Collective: the same sums in the same order
  void begin(std::span<float> values);
  void begin(std::span<double> values);
  /// Waits politely for all sums; returns the seconds that it took.
  /// Errors   RuntimeError if MPI reports one, or a message has another size than expected
  double finish();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace weft::comm
