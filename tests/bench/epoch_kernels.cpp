// SPDX-License-Identifier: MIT
// The order of the calls is that of layers/ (neighbor_product.hpp, gcn, sage, block) and trainer/.
#include "tests/bench/epoch_kernels.hpp"

#include <algorithm>

#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
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
  const auto widest =
      static_cast<std::size_t>(std::max(data.model.num_hidden, data.model.num_outputs));
  bias_.assign(widest, Real{0.5});
  bias_gradient_.resize(widest);
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
  const bool is_sage = block.convolution == layers::ConvolutionType::sage;
  const kernels::Epilogue end = forward_epilogue(block);
  if (!transforms && !shape.constant_input) add_sum(shape.layer, shape.num_inputs, false, {});
  add_product(shape, Product::forward, transforms || is_sage ? kernels::Epilogue{} : end);
  if (transforms) {
    add_sum(shape.layer, shape.num_outputs, false, is_sage ? kernels::Epilogue{} : end);
  }
  if (is_sage) add_product(shape, Product::forward_add, end);
}

kernels::Epilogue EpochKernels::forward_epilogue(const layers::BlockSpec& block) const {
  kernels::Epilogue epilogue;
  if (block.shape.bias) {
    epilogue.bias =
        std::span<const Real>(bias_).first(static_cast<std::size_t>(block.shape.num_outputs));
  }
  epilogue.relu = block.activation == layers::ActivationType::relu;
  return epilogue;
}

kernels::Epilogue EpochKernels::backward_epilogue(const layers::BlockSpec& block) {
  kernels::Epilogue epilogue;
  if (block.input_activation == layers::ActivationType::relu)
    epilogue.gate = std::as_const(rows(block.shape.num_inputs, Use::gate)).view();
  return epilogue;
}

void EpochKernels::add_backward(const layers::BlockSpec& block) {
  const layers::ConvolutionShape& shape = block.shape;
  const bool is_sage = block.convolution == layers::ConvolutionType::sage;
  const bool transforms = layers::transforms_first(shape);
  if (is_sage) add_product(shape, Product::weights_and_bias, {});
  if (transforms) {
    if (!is_sage && shape.bias) add_bias_gradient(shape);
    add_sum(shape.layer, shape.num_outputs, true, {});
  }
  add_product(shape, transforms || is_sage ? Product::weights : Product::weights_and_bias, {});
  if (!shape.needs_input_gradient) return;
  const kernels::Epilogue end = backward_epilogue(block);
  add_product(shape, Product::input, transforms && !is_sage ? end : kernels::Epilogue{});
  if (!transforms) {
    add_sum(shape.layer, shape.num_inputs, true, is_sage ? kernels::Epilogue{} : end);
  }
  if (is_sage) add_product(shape, Product::input_add, end);
}

void EpochKernels::add_bias_gradient(const layers::ConvolutionShape& shape) {
  Matrix& grad = rows(shape.num_outputs, Use::read_too);
  const auto width = static_cast<std::size_t>(shape.num_outputs);
  add_rows(text("layer", shape.layer, " bias_gradient"), shape.num_outputs, 1,
           [this, &grad, width] {
             kernels::bias_gradient(ctx_, grad.view(), std::span(bias_gradient_).first(width),
                                    RowSet::range(0, num_rows_));
           });
}

void EpochKernels::add_sum(int layer,
                           std::int64_t width,
                           bool is_transposed,
                           const kernels::Epilogue& epilogue) {
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
  kernel.run = [this, &a, &x, &y, epilogue] {
    kernels::spmm(ctx_, a.view(), x.view(), y.view(), RowSet::range(0, a.num_rows), epilogue);
  };
  list_.push_back(std::move(kernel));
}

void EpochKernels::add_product(const layers::ConvolutionShape& shape,
                               Product product,
                               const kernels::Epilogue& epilogue) {
  const std::int64_t k = shape.num_inputs;
  const std::int64_t m = shape.num_outputs;
  const bool adds = product == Product::forward_add || product == Product::input_add;
  const Finish finish{adds ? Write::add : Write::overwrite, epilogue};
  EpochKernel kernel;
  kernel.roof = Roof::multiply_add;
  kernel.amount = 2.0 * static_cast<double>(num_rows_ * k * m);
  const char* operation = "multiply_transposed";
  if (product == Product::weights || product == Product::weights_and_bias) {
    operation = "weight_gradient";
    kernel.run = weight_gradient(k, m, product == Product::weights_and_bias && shape.bias);
  } else if (product == Product::forward || product == Product::forward_add) {
    operation = "multiply";
    kernel.run = multiply(k, m, finish);
  } else {
    kernel.run = multiply_transposed(k, m, finish);
  }
  kernel.name = text("layer", shape.layer, ' ', operation, ' ', k, " x ", m, adds ? " (add)" : "");
  list_.push_back(std::move(kernel));
}

std::function<void()> EpochKernels::multiply(std::int64_t k, std::int64_t m, const Finish& finish) {
  Matrix& x = rows(k, Use::read);
  Matrix& y = rows(m, Use::written);
  Matrix& w = weights(k, m);
  return [this, &x, &y, &w, finish] {
    kernels::multiply(ctx_, x.view(), w.view(), y.view(), RowSet::range(0, num_rows_), finish.write,
                      finish.epilogue);
  };
}

std::function<void()> EpochKernels::weight_gradient(std::int64_t k, std::int64_t m, bool has_bias) {
  Matrix& x = rows(k, Use::read);
  Matrix& g = rows(m, Use::read_too);
  Matrix& grad_w = weight_gradients_[{k, m}];
  grad_w.resize(k, m);
  const std::size_t width = has_bias ? static_cast<std::size_t>(m) : 0;
  return [this, &x, &g, &grad_w, width] {
    kernels::weight_gradient(ctx_, x.view(), g.view(), grad_w.view(), RowSet::range(0, num_rows_),
                             std::span(bias_gradient_).first(width));
  };
}

std::function<void()> EpochKernels::multiply_transposed(std::int64_t k,
                                                        std::int64_t m,
                                                        const Finish& finish) {
  Matrix& g = rows(m, Use::read_too);
  Matrix& y = rows(k, Use::written);
  Matrix& w = weights(k, m);
  return [this, &g, &y, &w, finish] {
    kernels::multiply_transposed(ctx_, g.view(), w.view(), y.view(), RowSet::range(0, num_rows_),
                                 finish.write, finish.epilogue);
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
