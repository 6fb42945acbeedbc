// SPDX-License-Identifier: MIT
// The inner loops that run on vector registers, chosen at run time.
//
// One source, vector/all.inc, is compiled once for each instruction set; a table of function
// pointers leads to the copy that the context asks for. The structs here are plain data, and this
// header brings no inline function: a copy compiled for AVX-512 must never be linked into code
// that runs on other machines.
#pragma once

#include <cstdint>

#include "graph/support/types.hpp"

namespace weft::kernels {

enum class InstructionSet;

namespace cpu {

/// Bounds on the register tiles of all instruction sets.
inline constexpr int most_tile_rows = 8;
inline constexpr int most_panel_vectors = 4;

/// The register tiles of products that an instruction set has.
struct TileShapes {
  int panel_vectors;                 ///< vectors of the widest panel
  int num_rows[most_panel_vectors];  ///< of a full tile on a panel of 1, 2, ... vectors
};

/// Entries begin .. end-1 of a sparse matrix whose arrays have `num_entries`.
struct SparseRow {
  const LocalId* col_idx;
  const Real* values;  ///< null: every value is 1
  EdgeOffset begin;
  EdgeOffset end;
  EdgeOffset num_entries;
  EdgeOffset block;  ///< entries that are summed together before the next block is begun
};

/// Rows of a sparse matrix: row i has the entries begins[i] .. ends[i] - 1.
struct SparseRows {
  const LocalId* col_idx;
  const Real* values;  ///< null: every value is 1
  const EdgeOffset* begins;
  const EdgeOffset* ends;
  std::int64_t num_rows;
  EdgeOffset num_entries;  ///< of the arrays
  EdgeOffset block;        ///< as in SparseRow
  std::int64_t y_stride;   ///< numbers from a row's sum to the next row's
  bool add;                ///< to what is there
};

/// Some columns of a matrix whose first rows are read from a copy of these columns. Strides count
/// numbers; pointers to rows of bf16 only say where the rows begin.
struct FrontedMatrix {
  const Real* front;
  std::int64_t front_stride;
  std::int64_t num_front_rows;
  const Real* data;  ///< row 0, though it is not read
  std::int64_t stride;
};

/// y[r][c] (+)= sum over k of x[r][k * x_step] * panel[k][c], for r < num_rows, c < num_columns.
/// The panel's rows are padded to whole vectors.
struct ProductTile {
  const Real* x[most_tile_rows];
  Real* y[most_tile_rows];
  std::int64_t x_step;
  const Real* panel;
  std::int64_t depth;
  int num_rows;
  int num_columns;
  bool add;
};

/// The keys of the ten rounds of Philox, widened to the lanes that they are used in.
struct PhiloxKeys {
  std::uint64_t low[10];
  std::uint64_t high[10];
};

/// What decides which elements of a row survive: word >> 8 >= threshold.
struct DropoutRow {
  const PhiloxKeys* keys;
  std::uint64_t id;
  std::uint32_t epoch;
  std::uint32_t threshold;
  Real scale;
};

/// A row of LayerNorm: x and gamma of `dim` numbers.
struct LayerNormRow {
  const Real* x;
  const Real* gamma;
  std::int64_t dim;
  Real epsilon;
};

/// The largest logit, and the sum of exp(logit - largest).
struct SoftmaxSums {
  Real largest;
  Real sum;
};

/// The steps of an epilogue for one row; a null pointer leaves its step out.
struct FinishedRow {
  const Real* bias;
  const Real* residual;
  const Real* gamma;
  const Real* beta;
  Real epsilon;
  Real* normalized;
  bool relu;
  const DropoutRow* dropout;
  const Real* gate;
  Real gate_scale;
};

/// The rows whose numbers are compared, and by what.
struct ExtremeOperand {
  const Real* x;
  std::int64_t stride;
  LocalId column_offset;  ///< added to the columns of entries
  bool is_min;
};

/// The rows of a gradient, with the column that each element belongs to, and the wanted one.
struct ExtremeGradientOperand {
  const Real* grad_y;
  std::int64_t grad_y_stride;
  const LocalId* argument;
  std::int64_t argument_stride;
  LocalId wanted;
};

struct VectorKernels {
  int lanes;  ///< numbers in a vector
  TileShapes tiles;

  /// y (+)= sum of value * x[column] over the row's entries; `x` has rows of `dim` numbers.
  void (*sum_row)(const SparseRow& row,
                  const Real* x,
                  std::int64_t stride,
                  std::int64_t dim,
                  Real* y,
                  bool add);

  /// The same for an x of bf16.
  void (*sum_row_bf16)(const SparseRow& row,
                       const std::uint16_t* x,
                       std::int64_t stride,
                       std::int64_t dim,
                       Real* y,
                       bool add);

  /// The same with the address of each of x's rows, and that for rows of bf16.
  void (*sum_row_at)(
      const SparseRow& row, const Real* const* rows, std::int64_t dim, Real* y, bool add);
  void (*sum_row_at_bf16)(
      const SparseRow& row, const Real* const* rows, std::int64_t dim, Real* y, bool add);

  /// The same for rows one after another, of a matrix whose first rows are read from a copy, and
  /// that of bf16. `dim` is at least `lanes`.
  void (*sum_rows_fronted)(const SparseRows& rows,
                           const FrontedMatrix& x,
                           std::int64_t dim,
                           Real* y);
  void (*sum_rows_fronted_bf16)(const SparseRows& rows,
                                const FrontedMatrix& x,
                                std::int64_t dim,
                                Real* y);

  void (*product_tile)(const ProductTile& tile);

  /// y[c] = x[c] * scale where column c survives, else 0.
  void (*dropout_row)(const DropoutRow& row, const Real* x, std::int64_t dim, Real* y);

  /// The same for single columns; `values` may be null (ones).
  void (*dropout_entries)(const DropoutRow& row,
                          const LocalId* columns,
                          const Real* values,
                          std::int64_t num_entries,
                          Real* y);

  void (*layer_norm_row)(const LayerNormRow& row, const Real* beta, Real* y);

  /// Writes grad_x, and adds to grad_gamma and grad_beta.
  void (*layer_norm_backward_row)(
      const LayerNormRow& row, const Real* grad_y, Real* grad_x, Real* grad_gamma, Real* grad_beta);

  /// Writes exp(logit - largest) to `powers`, unless it is null. `dim` is at least 1.
  SoftmaxSums (*softmax_row)(const Real* logits, std::int64_t dim, Real* powers);

  /// Does the steps of an epilogue to y [dim], in the order of struct Epilogue.
  void (*finish_row)(const FinishedRow& row, std::int64_t dim, Real* y);

  /// bf16 to Real, exactly, and back, rounded as in bfloat16.hpp.
  void (*widen_row)(const std::uint16_t* from, std::int64_t dim, Real* to);
  void (*narrow_row)(const Real* from, std::int64_t dim, std::uint16_t* to);

  /// Compares the rows of the entries, in order, with y, whose numbers count where the argument is
  /// not negative; the first of equals stays, a NaN beats numbers and stays.
  void (*extreme_row)(const SparseRow& row,
                      const ExtremeOperand& operand,
                      std::int64_t dim,
                      Real* y,
                      LocalId* argument);

  /// grad_x (+)= sum of grad_y over the row's entries where the argument is the wanted one;
  /// repeats of an entry side by side count once.
  void (*extreme_gradient_row)(const SparseRow& row,
                               const ExtremeGradientOperand& operand,
                               std::int64_t dim,
                               Real* grad_x,
                               bool add);
};

[[nodiscard]] const VectorKernels& vector_kernels(InstructionSet set);

}  // namespace cpu
}  // namespace weft::kernels
