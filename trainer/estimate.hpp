// SPDX-License-Identifier: MIT
// What a run will cost, from counts: memory of a rank, bytes of an epoch, and the time that the
// slowest rank needs at measured rates.
#pragma once

#include <cstdint>

#include "kernels/context.hpp"
#include "layers/model.hpp"

namespace weft::trainer {

/// The counts of one part.
struct PartShape {
  std::int64_t owned = 0;
  std::int64_t halo = 0;
  std::int64_t sent = 0;              ///< rows sent per exchange
  std::int64_t arcs = 0;              ///< into owned vertices
  std::int64_t feature_nonzeros = 0;  ///< stored values; owned * F where features are dense
};

/// Work and traffic of one epoch of one rank, evaluation excluded.
struct EpochWork {
  double gathered_bytes = 0;  ///< rows read by aggregation, every gather counted
  double streamed_bytes = 0;  ///< dense matrices read and written once an operation
  double flops = 0;           ///< of dense and sparse products
  std::int64_t sent_bytes = 0;
};

/// Bytes that a rank needs at its peak: graph, features, activations, halo, weights.
[[nodiscard]] std::int64_t memory_bytes(const PartShape& part, const layers::ModelSpec& model);

/// Halo bytes are exact: what the engine counts in an epoch. The rest is a model of it.
[[nodiscard]] EpochWork epoch_work(const PartShape& part, const layers::ModelSpec& model);

/// What this machine does in a second, one rank's threads.
struct Rates {
  double gathered_bytes = 1;
  double streamed_bytes = 1;
  double flops = 1;
};

/// Measures the rates with the operations of an epoch, in about a third of a second.
[[nodiscard]] Rates measure_rates(kernels::Context& ctx);

/// Seconds of an epoch at `rates`, with `link_bytes` a second out of each rank: compute, plus what
/// the exchange takes if nothing hides it.
[[nodiscard]] double epoch_seconds(const EpochWork& work, const Rates& rates, double link_bytes);

}  // namespace weft::trainer
