// SPDX-License-Identifier: MIT
// The order of the calls is that of layers/ (neighbor_product.hpp, gcn, sage, block) and trainer/.
#include "tests/bench/epoch_kernels.hpp"

#include <algorithm>

#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/optimizer_step.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "kernels/spmm.hpp"
#include "tests/bench/bench_support.hpp"

namespace weft::bench {

using kernels::Matrix;
using kernels::RowSet;
using kernels::Write;

namespace {

constexpr std::int64_t real_bytes = sizeof(Real);

void fill_random(Matrix& x) {
  const RandomKey key = random_key(1, RandomPurpose::test);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    x.data()[i] = static_cast<Real>(random_uniform(key, static_cast<std::uint64_t>(i))) - Real{0.5};
  }
}

}  // namespace

EpochKernels::EpochKernels(kernels::Context& ctx, const EpochData& data)
    : ctx_(ctx), data_(data), num_rows_(data.aggregation->owned.num_rows) {
  const int num_layers = data.model.num_layers;
  for (int layer = 0; layer < num_layers; ++layer)
    add_forward(layers::block_spec(data.model, layer));
  add_loss();
  for (int layer = num_layers; layer-- > 0;)
    add_backward(layers::block_spec(data.model, layer));
  add_optimizer();
}

void EpochKernels::add_forward(const layers::BlockSpec& block) {
  const layers::ConvolutionShape& shape = block.shape;
  const bool transforms = layers::transforms_first(shape);
  if (!transforms && !shape.constant_input) add_sum(shape.layer, shape.num_inputs, false);
  add_product(shape, Product::forward);
  if (transforms) add_sum(shape.layer, shape.num_outputs, false);
  if (block.convolution == layers::ConvolutionType::sage) add_product(shape, Product::forward_add);
  Matrix& y = rows(shape.num_outputs, Use::written);
  const RowSet all = RowSet::range(0, num_rows_);
  const auto width = static_cast<std::size_t>(shape.num_outputs);
  bias_.resize(std::max(bias_.size(), width));
  bias_gradient_.resize(bias_.size());
  if (shape.bias) {
    add_rows(text("layer", shape.layer, " add_bias"), shape.num_outputs, 2, [this, &y, all, width] {
      kernels::add_bias(ctx_, std::span<const Real>(bias_).first(width), y.view(), all);
    });
  }
  if (block.activation == layers::ActivationType::none) return;
  add_rows(text("layer", shape.layer, " relu"), shape.num_outputs, 2,
           [this, &y, all] { kernels::relu(ctx_, y.view(), y.view(), all); });
}

void EpochKernels::add_backward(const layers::BlockSpec& block) {
  const layers::ConvolutionShape& shape = block.shape;
  Matrix& y = rows(shape.num_outputs, Use::read);
  Matrix& grad = rows(shape.num_outputs, Use::read_too);
  const RowSet all = RowSet::range(0, num_rows_);
  if (block.activation == layers::ActivationType::relu) {
    add_rows(text("layer", shape.layer, " relu_backward"), shape.num_outputs, 3,
             [this, &y, &grad, all] {
               kernels::relu_backward(ctx_, y.view(), grad.view(), grad.view(), all);
             });
  }
  const auto width = static_cast<std::size_t>(shape.num_outputs);
  if (shape.bias) {
    add_rows(text("layer", shape.layer, " bias_gradient"), shape.num_outputs, 1,
             [this, &grad, all, width] {
               kernels::bias_gradient(ctx_, grad.view(), std::span(bias_gradient_).first(width),
                                      all);
             });
  }
  const bool is_sage = block.convolution == layers::ConvolutionType::sage;
  if (is_sage) add_product(shape, Product::weights);
  const bool transforms = layers::transforms_first(shape);
  if (transforms) add_sum(shape.layer, shape.num_outputs, true);
  add_product(shape, Product::weights);
  if (!shape.needs_input_gradient) return;
  add_product(shape, Product::input);
  if (!transforms) add_sum(shape.layer, shape.num_inputs, true);
  if (is_sage) add_product(shape, Product::input_add);
}

void EpochKernels::add_sum(int layer, std::int64_t width, bool is_transposed) {
  const kernels::SparseMatrix& a =
      is_transposed ? data_.aggregation->transpose_of_owned() : data_.aggregation->owned;
  Matrix& x = rows(width, Use::read);
  Matrix& y = rows(width, Use::written);
  EpochKernel kernel;
  kernel.name = text("layer", layer, is_transposed ? " sum back " : " sum ", width);
  kernel.roof = Roof::gather;
  kernel.row_bytes = width * real_bytes;
  kernel.amount = static_cast<double>(
      a.view().num_nonzeros() * (kernel.row_bytes + real_bytes + std::int64_t{sizeof(LocalId)}) +
      num_rows_ * (kernel.row_bytes + std::int64_t{sizeof(EdgeOffset)}));
  kernel.run = [this, &a, &x, &y] {
    kernels::spmm(ctx_, a.view(), x.view(), y.view(), RowSet::range(0, a.num_rows));
  };
  list_.push_back(std::move(kernel));
}

void EpochKernels::add_product(const layers::ConvolutionShape& shape, Product product) {
  const std::int64_t k = shape.num_inputs;
  const std::int64_t m = shape.num_outputs;
  const bool adds = product == Product::forward_add || product == Product::input_add;
  EpochKernel kernel;
  kernel.roof = Roof::multiply_add;
  kernel.amount = 2.0 * static_cast<double>(num_rows_ * k * m);
  const char* operation = "multiply_transposed";
  if (product == Product::weights) {
    operation = "weight_gradient";
    kernel.run = weight_gradient(k, m);
  } else if (product == Product::forward || product == Product::forward_add) {
    operation = "multiply";
    kernel.run = multiply(k, m, adds ? Write::add : Write::overwrite);
  } else {
    kernel.run = multiply_transposed(k, m, adds ? Write::add : Write::overwrite);
  }
  kernel.name = text("layer", shape.layer, ' ', operation, ' ', k, " x ", m, adds ? " (add)" : "");
  list_.push_back(std::move(kernel));
}

std::function<void()> EpochKernels::multiply(std::int64_t k, std::int64_t m, Write write) {
  Matrix& x = rows(k, Use::read);
  Matrix& y = rows(m, Use::written);
  Matrix& w = weights(k, m);
  return [this, &x, &y, &w, write] {
    kernels::multiply(ctx_, x.view(), w.view(), y.view(), RowSet::range(0, num_rows_), write);
  };
}

std::function<void()> EpochKernels::weight_gradient(std::int64_t k, std::int64_t m) {
  Matrix& x = rows(k, Use::read);
  Matrix& g = rows(m, Use::read_too);
  Matrix& grad_w = weight_gradients_[{k, m}];
  grad_w.resize(k, m);
  return [this, &x, &g, &grad_w] {
    kernels::weight_gradient(ctx_, x.view(), g.view(), grad_w.view(), RowSet::range(0, num_rows_));
  };
}

std::function<void()> EpochKernels::multiply_transposed(std::int64_t k,
                                                        std::int64_t m,
                                                        Write write) {
  Matrix& g = rows(m, Use::read_too);
  Matrix& y = rows(k, Use::written);
  Matrix& w = weights(k, m);
  return [this, &g, &y, &w, write] {
    kernels::multiply_transposed(ctx_, g.view(), w.view(), y.view(), RowSet::range(0, num_rows_),
                                 write);
  };
}

void EpochKernels::add_loss() {
  const std::int64_t width = data_.model.num_outputs;
  Matrix& logits = rows(width, Use::read);
  Matrix& grad = rows(width, Use::written);
  const auto rows_with_loss = static_cast<double>(data_.training.size());
  // Logits of labelled rows are read, all rows of the gradient are written.
  add_rows("loss", width, 1 + rows_with_loss / static_cast<double>(num_rows_),
           [this, &logits, &grad] {
             keep(kernels::softmax_cross_entropy(ctx_, logits.view(), data_.labels, data_.training,
                                                 1e-3, grad.view()));
           });
}

void EpochKernels::add_optimizer() {
  std::size_t count = 0;
  const std::size_t products = data_.model.type == layers::ConvolutionType::sage ? 2 : 1;
  for (int layer = 0; layer < data_.model.num_layers; ++layer) {
    const layers::ConvolutionShape shape = layers::block_spec(data_.model, layer).shape;
    const auto m = static_cast<std::size_t>(shape.num_outputs);
    count += products * static_cast<std::size_t>(shape.num_inputs) * m + (shape.bias ? m : 0);
  }
  for (std::vector<Real>& values : parameters_)
    values.assign(count, Real{0.5});
  EpochKernel kernel;
  kernel.name = "adam_step";
  kernel.amount = 7.0 * static_cast<double>(count) * real_bytes;
  kernel.run = [this] {
    kernels::adam_step(ctx_, {}, 1, parameters_[0], parameters_[1], parameters_[2], parameters_[3]);
  };
  list_.push_back(std::move(kernel));
}

void EpochKernels::add_rows(const std::string& name,
                            std::int64_t width,
                            double passes,
                            std::function<void()> run) {
  EpochKernel kernel;
  kernel.name = text(name, " ", width);
  kernel.amount = passes * static_cast<double>(num_rows_ * width * real_bytes);
  kernel.run = std::move(run);
  list_.push_back(std::move(kernel));
}

kernels::Matrix& EpochKernels::weights(std::int64_t k, std::int64_t m) {
  Matrix& matrix = weights_[{k, m}];
  if (matrix.size() == 0) {
    matrix.resize(k, m);
    fill_random(matrix);
  }
  return matrix;
}

kernels::Matrix& EpochKernels::rows(std::int64_t width, Use use) {
  Matrix& matrix = matrices_[{width, use}];
  if (matrix.size() == 0) {
    matrix.resize(num_rows_, width);
    fill_random(matrix);
  }
  return matrix;
}

}  // namespace weft::bench
