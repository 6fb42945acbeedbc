// SPDX-License-Identifier: MIT
// The kernels of one training epoch, each alone on matrices of the epoch's shapes and on its graph:
// what an epoch would cost if nothing stood between them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/context.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/gemm.hpp"
#include "kernels/matrix.hpp"
#include "layers/aggregation.hpp"
#include "layers/model.hpp"

namespace weft::bench {

/// What bounds a kernel from below.
enum class Roof { gather, multiply_add, copy };

/// One call of the epoch.
struct EpochKernel {
  std::string name;
  Roof roof = Roof::copy;
  double amount = 0;           ///< bytes, or operations under Roof::multiply_add
  std::int64_t row_bytes = 0;  ///< of the rows that are gathered
  std::function<void()> run;
};

struct EpochData {
  layers::ModelSpec model;
  const layers::Aggregation* aggregation;
  std::span<const std::int32_t> labels;  ///< [num_owned]
  std::span<const LocalId> training;     ///< rows that have a loss
};

/// Lists the kernels of every epoch but the first (which sums the constant input, too), in order,
/// and owns what they write. One rank; dense input without dropout, no norm.
class EpochKernels {
 public:
  /// Borrows the context and what `data` points to.
  EpochKernels(kernels::Context& ctx, const EpochData& data);
  EpochKernels(const EpochKernels&) = delete;
  EpochKernels& operator=(const EpochKernels&) = delete;

  [[nodiscard]] const std::vector<EpochKernel>& list() const { return list_; }

 private:
  enum class Product { forward, forward_add, weights, weights_and_bias, input, input_add };
  /// Of the epoch's matrices by width: what a kernel reads and what it writes are never the same.
  enum class Use { read, read_too, gate, written };
  /// How a product leaves its rows.
  struct Finish {
    kernels::Write write;
    kernels::Epilogue epilogue;
  };

  void add_forward(const layers::BlockSpec& block);
  void add_backward(const layers::BlockSpec& block);
  [[nodiscard]] kernels::Epilogue forward_epilogue(const layers::BlockSpec& block) const;
  [[nodiscard]] kernels::Epilogue backward_epilogue(const layers::BlockSpec& block);
  void add_bias_gradient(const layers::ConvolutionShape& shape);
  void add_sum(int layer,
               std::int64_t width,
               bool is_transposed,
               const kernels::Epilogue& epilogue);
  void add_product(const layers::ConvolutionShape& shape,
                   Product product,
                   const kernels::Epilogue& epilogue);
  [[nodiscard]] std::function<void()> multiply(std::int64_t k,
                                               std::int64_t m,
                                               const Finish& finish);
  [[nodiscard]] std::function<void()> weight_gradient(std::int64_t k,
                                                      std::int64_t m,
                                                      bool has_bias);
  [[nodiscard]] std::function<void()> multiply_transposed(std::int64_t k,
                                                          std::int64_t m,
                                                          const Finish& finish);
  void add_loss();
  void add_optimizer();
  /// Adds a kernel on rows of `width` numbers that reads or writes `passes` times as many bytes.
  void add_rows(const std::string& name,
                std::int64_t width,
                double passes,
                std::function<void()> run);
  [[nodiscard]] kernels::Matrix& weights(std::int64_t k, std::int64_t m);
  [[nodiscard]] kernels::Matrix& rows(std::int64_t width, Use use);

  kernels::Context& ctx_;
  EpochData data_;
  std::int64_t num_rows_;
  std::vector<EpochKernel> list_;
  std::map<std::pair<std::int64_t, Use>, kernels::Matrix> matrices_;
  std::map<std::pair<std::int64_t, std::int64_t>, kernels::Matrix> weights_;
  std::map<std::pair<std::int64_t, std::int64_t>, kernels::Matrix> weight_gradients_;
  std::vector<Real> bias_;
  std::vector<Real> bias_gradient_;
  std::vector<Real> parameters_[4];  ///< gradient, weights, moments
};

}  // namespace weft::bench
