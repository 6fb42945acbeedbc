// SPDX-License-Identifier: MIT
// What every graph convolution offers: forward, and backward by hand.
//
// A convolution owns its scratch, sized at first use and reused each epoch. It never touches
// communication: neighbors are summed by `pass.neighbors`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "layers/input.hpp"
#include "layers/parameters.hpp"
#include "layers/pass.hpp"

namespace weft::layers {

struct ConvolutionShape {
  int layer = 0;  ///< counted from 0
  std::int64_t num_inputs = 0;
  std::int64_t num_outputs = 0;
  bool bias = true;
  bool needs_input_gradient = true;  ///< false below the first layer
  bool sparse_input = false;
  bool constant_input = false;    ///< dense, and the same in every pass: first layer, no dropout
  bool sums_in_training = false;  ///< training passes sum first, whatever `transforms_first` tells
  kernels::Storage storage = kernels::Storage::real;  ///< of rows that are kept or travel
};

/// Where the gradient of a layer's input goes, and what finishes its rows.
struct InputGradient {
  kernels::MatrixView grad_x = {};  ///< unused unless the shape asks for it
  kernels::Epilogue epilogue = {};
};

class Convolution {
 public:
  virtual ~Convolution() = default;

  /// Whether grad_x may lie where grad_y lies: `backward` has read all of grad_y before it writes.
  [[nodiscard]] virtual bool may_overwrite_gradient() const = 0;

  /// Fills the weights: functions of (seed, parameter, row, column); biases are zero.
  virtual void initialize(ParameterStore& store, std::uint64_t seed) = 0;

  /// y = conv(x), finished by `epilogue`, which leaves room for the convolution's own bias.
  ///
  /// Rows are the pass's: the scope of the layer has n inputs and m outputs.
  ///
  /// Shapes   x [at least n x num_inputs], y [m x num_outputs]
  /// Collective
  virtual void forward(Pass& pass,
                       ParameterStore& store,
                       const LayerInput& x,
                       kernels::MatrixView y,
                       const kernels::Epilogue& epilogue) = 0;

  /// Writes the gradients of the parameters (of this rank's rows; not yet summed over ranks) and,
  /// where the shape asks for it, the gradient of the input, finished by `input.epilogue`. `x` is
  /// what `forward` was given.
  ///
  /// Shapes   grad_y [m x num_outputs], grad_x [n x num_inputs] or unused
  /// Collective
  virtual void backward(Pass& pass,
                        ParameterStore& store,
                        const LayerInput& x,
                        kernels::ConstMatrixView grad_y,
                        const InputGradient& input) = 0;
};

/// Whether a convolution multiplies by its weights before it sums over neighbors, where a pass
/// computes every row.
///
/// Counted, never timed: whichever order exchanges fewer columns; of equal counts the transform,
/// which keeps no sum for the backward pass.
/// Sparse input is always transformed first: its sum would be dense. Constant input is always
/// summed first: its sum is exchanged once a run.
[[nodiscard]] bool transforms_first(const ConvolutionShape& shape);

/// Columns that a convolution exchanges in one epoch, forward and back: 2 * num_outputs when the
/// transform comes first, num_inputs (twice with an input gradient) when the sum comes first, none
/// for constant input (but num_inputs in the first epoch).
[[nodiscard]] std::int64_t exchanged_columns(const ConvolutionShape& shape);

/// The rows of a layer in a pruned training pass, over all ranks.
struct PrunedRows {
  double inputs = 0;
  double outputs = 0;
  double arcs_per_row = 0;
};

/// Whether summing first costs a training pass less where it computes few rows of what it reads:
/// the products are then of the outputs alone. By operations, a gathered number counting as 4
/// multiply-adds; by a tenth at least; several ranks never exchange more columns for it.
///
/// Source   the ratio: 128 columns at the rates of both on two cores with AVX2
[[nodiscard]] bool sums_pruned_rows(const ConvolutionShape& shape,
                                    const PrunedRows& rows,
                                    int num_ranks);

}  // namespace weft::layers
