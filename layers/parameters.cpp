// SPDX-License-Identifier: MIT
// The parameter block: offsets are handed out first, memory is allocated once.
#include "layers/parameters.hpp"

#include <cmath>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/random.hpp"

namespace weft::layers {

ParameterId ParameterStore::add(std::string name,
                                int layer,
                                std::int64_t num_rows,
                                std::int64_t num_columns) {
  WEFT_ASSERT(values_.size() == 0);
  parameters_.push_back({std::move(name), layer, num_rows, num_columns, size_});
  size_ += num_rows * num_columns;
  return parameters_.size() - 1;
}

void ParameterStore::allocate() {
  values_.resize(1, size_);
  gradients_.resize(1, size_);
  values_.fill(0);
  gradients_.fill(0);
}

kernels::MatrixView ParameterStore::value(ParameterId id) {
  const Parameter& p = parameters_[id];
  return {values_.data() + p.offset, p.num_rows, p.num_columns, p.num_columns};
}

kernels::MatrixView ParameterStore::gradient(ParameterId id) {
  const Parameter& p = parameters_[id];
  return {gradients_.data() + p.offset, p.num_rows, p.num_columns, p.num_columns};
}

std::span<Real> ParameterStore::value_span(ParameterId id) {
  const Parameter& p = parameters_[id];
  return values().subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size()));
}

std::span<Real> ParameterStore::gradient_span(ParameterId id) {
  const Parameter& p = parameters_[id];
  return gradients().subspan(static_cast<std::size_t>(p.offset),
                             static_cast<std::size_t>(p.size()));
}

void initialize_glorot(ParameterStore& store, ParameterId id, std::uint64_t seed) {
  const kernels::MatrixView weight = store.value(id);
  const double limit = std::sqrt(6.0 / static_cast<double>(weight.num_rows + weight.num_columns));
  const RandomKey key = random_key(seed, RandomPurpose::weights, static_cast<std::uint32_t>(id));
  for (std::int64_t r = 0; r < weight.num_rows; ++r) {
    for (std::int64_t c = 0; c < weight.num_columns; ++c) {
      const double uniform = static_cast<double>(
          random_uniform(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(c)));
      weight.at(r, c) = static_cast<Real>((2.0 * uniform - 1.0) * limit);
    }
  }
}

}  // namespace weft::layers
