// SPDX-License-Identifier: MIT
// The trainable arrays of a model, in one block of memory with their gradients beside them.
//
// One block means that gradients are summed over ranks in runs of it, without packing, and that a
// hash of the weights is one pass.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/matrix.hpp"

namespace weft::layers {

/// A parameter by its place in the store.
struct Parameter {
  std::string name;  ///< "layer0.weight"
  int layer = 0;     ///< counted from 0; picks the weight decay
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t offset = 0;  ///< first element in the block

  [[nodiscard]] std::int64_t size() const { return num_rows * num_columns; }
};

/// Index of a parameter in its store.
using ParameterId = std::size_t;

class ParameterStore {
 public:
  /// Adds a parameter [num_rows x num_columns]; only before `allocate`.
  ParameterId add(std::string name, int layer, std::int64_t num_rows, std::int64_t num_columns);
  /// Allocates values and gradients, both zero.
  void allocate();

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

  [[nodiscard]] kernels::MatrixView value(ParameterId id);
  [[nodiscard]] kernels::MatrixView gradient(ParameterId id);
  [[nodiscard]] std::span<Real> value_span(ParameterId id);
  [[nodiscard]] std::span<Real> gradient_span(ParameterId id);
  [[nodiscard]] std::span<Real> values() { return values_.values(); }
  [[nodiscard]] std::span<Real> gradients() { return gradients_.values(); }

 private:
  std::vector<Parameter> parameters_;
  std::int64_t size_ = 0;
  kernels::Matrix values_;
  kernels::Matrix gradients_;
};

/// Fills parameter `id` with Glorot's uniform distribution, limit sqrt(6 / (fan_in + fan_out)): a
/// function of (seed, id, row, column) only. Source: Glorot and Bengio, AISTATS 2010.
void initialize_glorot(ParameterStore& store, ParameterId id, std::uint64_t seed);

}  // namespace weft::layers
