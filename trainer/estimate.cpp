// SPDX-License-Identifier: MIT
// Counts follow the engine's buffers and operations; rates come from running those operations.
#include "trainer/estimate.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/support/random.hpp"
#include "graph/support/timing.hpp"
#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/spmm.hpp"
#include "trainer/memory_plan.hpp"

namespace weft::trainer {

namespace {

using kernels::Matrix;
using kernels::RowSet;

constexpr std::int64_t real_bytes = sizeof(Real);
/// An entry of a sparse matrix in the engine: column and value.
constexpr std::int64_t entry_bytes = static_cast<std::int64_t>(sizeof(LocalId)) + real_bytes;

struct LayerShape {
  layers::BlockSpec block;
  std::int64_t exchanged_width = 0;  ///< columns of one exchange
  int num_exchanges = 0;
  int num_products = 1;  ///< weight matrices: two for SAGE
};

LayerShape layer_shape(const layers::ModelSpec& model, int layer) {
  LayerShape shape;
  shape.block = layers::block_spec(model, layer);
  const layers::ConvolutionShape& conv = shape.block.shape;
  const bool first = layers::transforms_first(conv);
  shape.exchanged_width = first ? conv.num_outputs : conv.num_inputs;
  shape.num_exchanges = static_cast<int>(layers::exchanged_columns(conv) / shape.exchanged_width);
  shape.num_products = model.type == layers::ConvolutionType::sage ? 2 : 1;
  return shape;
}

/// Columns of the matrices [owned x .] that a layer keeps.
std::int64_t kept_columns(const LayerShape& layer) {
  const layers::ConvolutionShape& conv = layer.block.shape;
  std::int64_t columns = conv.num_outputs;  // convolved
  if (layer.block.dropout > 0 && !conv.sparse_input) columns += conv.num_inputs;
  if (layer.block.norm != layers::NormType::none) columns += 2 * conv.num_outputs;
  columns += layer.exchanged_width * layer.num_exchanges;    // hidden and its gradient
  if (layer.num_exchanges == 0) columns += conv.num_inputs;  // the kept sum of a constant input
  return columns + (conv.needs_input_gradient ? conv.num_inputs : 0);
}

std::int64_t feature_bytes(const PartShape& part, const layers::ModelSpec& model) {
  // Sparse features are held twice (as rows and as columns), with the values of the epoch and the
  // permutation between the two.
  if (model.sparse_input) {
    return part.feature_nonzeros * (2 * entry_bytes + real_bytes + 8) +
           8 * (part.owned + model.num_inputs);
  }
  return part.owned * model.num_inputs * kernels::element_bytes(model.storage);
}

/// Best of five runs of `work`, in seconds; the first warms caches and buffers.
template <typename Work>
double best_seconds(const Work& work) {
  work();
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    const Stopwatch watch;
    work();
    best = std::min(best, watch.seconds());
  }
  return best;
}

kernels::SparseMatrix random_rows(std::int64_t num_rows, std::int64_t degree) {
  kernels::SparseMatrix a;
  a.num_rows = a.num_columns = num_rows;
  const RandomKey key = random_key(1, RandomPurpose::test);
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t k = 0; k < degree; ++k) {
      const std::uint32_t word =
          random_word(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(k));
      a.col_idx.push_back(static_cast<LocalId>(word % static_cast<std::uint32_t>(num_rows)));
    }
    a.row_ptr.push_back(static_cast<EdgeOffset>(a.col_idx.size()));
  }
  a.values.assign(a.col_idx.size(), Real{1});
  return a;
}

}  // namespace

std::int64_t memory_bytes(const PartShape& part, const layers::ModelSpec& model) {
  // The part's arcs while the aggregation is made of them, and its transpose; loops count as arcs.
  const std::int64_t arcs = part.arcs + part.owned;
  const std::int64_t graph = arcs * (4 + 2 * entry_bytes) + part.owned * 60 + part.halo * 40;
  constexpr std::int64_t live_copies_of_weights = 4;  // value, gradient, two moments
  const std::int64_t weights = count_weights(model) * live_copies_of_weights * real_bytes;
  const BufferRows rows = BufferRows::unpruned(part.owned, part.halo, part.sent, model.num_layers);
  return graph + feature_bytes(part, model) + weights + plan_buffers(model, rows).total();
}

EpochWork epoch_work(const PartShape& part, const layers::ModelSpec& model) {
  EpochWork work;
  const std::int64_t element = kernels::element_bytes(model.storage);
  const auto arcs = static_cast<double>(part.arcs + part.owned);
  for (int l = 0; l < model.num_layers; ++l) {
    const LayerShape layer = layer_shape(model, l);
    const layers::ConvolutionShape& conv = layer.block.shape;
    const auto width = static_cast<double>(layer.exchanged_width);
    work.gathered_bytes +=
        arcs * (width * static_cast<double>(element) + entry_bytes) * layer.num_exchanges;
    const double rows_times_inputs = conv.sparse_input
                                         ? static_cast<double>(part.feature_nonzeros)
                                         : static_cast<double>(part.owned * conv.num_inputs);
    const int passes = conv.needs_input_gradient ? 3 : 2;
    work.flops += 2.0 * rows_times_inputs * static_cast<double>(conv.num_outputs) *
                  layer.num_products * passes;
    work.streamed_bytes += static_cast<double>(part.owned * kept_columns(layer) * element) * 3.0;
    work.sent_bytes += part.sent * layers::exchanged_columns(conv) * element;
  }
  return work;
}

Rates measure_rates(kernels::Context& ctx) {
  constexpr std::int64_t num_rows = 1 << 15;
  constexpr std::int64_t degree = 8;
  constexpr std::int64_t width = 128;
  const kernels::SparseMatrix a = random_rows(num_rows, degree);
  Matrix x(num_rows, width);
  Matrix y(num_rows, width);
  Matrix w(width, width);
  x.fill(1);
  y.fill(1);
  w.fill(1);
  const RowSet rows = RowSet::range(0, num_rows);
  const double gather =
      best_seconds([&] { kernels::spmm(ctx, a.view(), x.view(), y.view(), rows); });
  const double product =
      best_seconds([&] { kernels::multiply(ctx, x.view(), w.view(), y.view(), rows); });
  const double stream = best_seconds([&] { kernels::add_rows(ctx, x.view(), y.view(), rows); });
  Rates rates;
  rates.gathered_bytes =
      static_cast<double>(num_rows * degree * (width * real_bytes + entry_bytes)) / gather;
  rates.flops = 2.0 * static_cast<double>(num_rows * width * width) / product;
  rates.streamed_bytes = static_cast<double>(num_rows * width * real_bytes) * 3.0 / stream;
  return rates;
}

double epoch_seconds(const EpochWork& work, const Rates& rates, double link_bytes) {
  return work.gathered_bytes / rates.gathered_bytes + work.flops / rates.flops +
         work.streamed_bytes / rates.streamed_bytes +
         static_cast<double>(work.sent_bytes) / link_bytes;
}

}  // namespace weft::trainer
