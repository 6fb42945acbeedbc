// SPDX-License-Identifier: MIT
// Once warm, an operation allocates nothing: neither through operator new nor through a buffer.
#include <atomic>
#include <cstdlib>
#include <new>

#include "kernels/activation.hpp"
#include "kernels/dropout.hpp"
#include "kernels/extreme_aggregation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/optimizer_step.hpp"
#include "kernels/rows.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace {
std::atomic<std::int64_t> num_news{0};
}  // namespace

// Every form of operator new ends in one of these two. None is inlined: GCC warns where it sees
// through one of a pair and not through the other.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++num_news;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++num_news;
  const auto multiple = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(multiple, (size + multiple - 1) / multiple * multiple)) {
    return memory;
  }
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace weft::kernels {
namespace {

constexpr std::int64_t n = 5000;
constexpr std::int64_t dim = 33;

/// One of everything that a training epoch calls.
class Epoch {
 public:
  Epoch() {
    test::fill_random(x_.view(), 1);
    test::fill_random(w_.view(), 2);
    for (std::size_t i = 0; i < ids_.size(); ++i)
      ids_[i] = static_cast<GlobalId>(i);
    y_bf16_.fill(0);
    h_bf16_.fill(0);
    for (LocalId r = 0; r < n; ++r)
      every_row_.push_back(r);
    for (LocalId r = 0; r < n; r += 3)
      list_.push_back(r);
    packed_.resize(static_cast<std::int64_t>(list_.size()), dim);
  }

  void run(Context& ctx) {
    const RowSet all = RowSet::range(0, n);
    spmm(ctx, a_.view(), x_.view(), y_.view(), all);
    spmm_add(ctx, a_.view(), x_.view(), y_.view(), RowSet::of(list_));
    const ArgumentView argument{argument_.data(), n, dim, dim};
    aggregate_extreme(ctx, a_.view(), x_.view(), {Extreme::max, h_.view(), argument}, all);
    extreme_continue(ctx, a_.view(), x_.view(), n, {Extreme::max, h_.view(), argument}, all);
    extreme_backward(ctx, a_.view(), {h_.view(), argument, n}, grad_.view(), all, Write::overwrite);
    const DropoutMask mask{{1, 2}, 3, 0.5F};
    const Epilogue epilogue{.bias = gamma_,
                            .residual = x_.view(),
                            .gamma = gamma_,
                            .beta = gamma_,
                            .normalized = grad_.view(),
                            .relu = true,
                            .dropout = &mask,
                            .global_ids = ids_,
                            .gate = x_.view()};
    spmm_add(ctx, a_.view(), x_.view(), y_.view(), all, epilogue);
    multiply(ctx, y_.view(), w_.view(), h_.view(), all, Write::overwrite, epilogue);
    relu(ctx, h_.view(), h_.view(), all);
    dropout(ctx, {{1, 2}, 3, 0.5F}, ids_, h_.view(), h_.view(), all);
    layer_norm(ctx, h_.view(), gamma_, gamma_, y_.view(), all);
    loss_ = softmax_cross_entropy(ctx, y_.view(), labels_, list_, 1.0, grad_.view());
    correct_ = count_correct(ctx, y_.view(), labels_, list_);
    layer_norm_backward(ctx, h_.view(), gamma_, grad_.view(), grad_.view(), grad_gamma_, grad_beta_,
                        all);
    relu_backward(ctx, h_.view(), grad_.view(), grad_.view(), all);
    multiply_transposed(ctx, grad_.view(), w_.view(), y_.view(), all);
    weight_gradient(ctx, x_.view(), grad_.view(), grad_w_.view(), all, grad_beta_);
    bias_gradient(ctx, grad_.view(), grad_beta_, all);
    add_bias(ctx, gamma_, y_.view(), all);
    add_rows(ctx, x_.view(), y_.view(), all);
    gather_rows(ctx, y_.view(), list_, packed_.view());
    scatter_add_rows(ctx, packed_.view(), list_, y_.view());
    dropout_sparse(ctx, {{1, 2}, 3, 0.5F}, ids_, a_.view(), dropped_);
    gather_values(ctx, a_.values, source_, dropped_);
    adam_step(ctx, {}, 1, grad_w_.values(), w_.values(), moment1_.values(), moment2_.values());
    sgd_step(ctx, {}, grad_w_.values(), w_.values(), {});
    run_in_bf16(ctx);
  }

 private:
  void run_in_bf16(Context& ctx) {
    const RowSet all = RowSet::range(0, n);
    gather_rows(ctx, x_.view(), every_row_, x_bf16_.view());
    spmm(ctx, a_.view(), x_bf16_.view(), y_bf16_.view(), all,
         {.residual = x_bf16_.view(), .relu = true});
    multiply(ctx, y_bf16_.view(), w_.view(), h_bf16_.view(), all, Write::add,
             {.gate = y_bf16_.view()});
    multiply_transposed(ctx, y_bf16_.view(), w_.view(), h_bf16_.view(), all);
    weight_gradient(ctx, y_bf16_.view(), h_bf16_.view(), grad_w_.view(), all, grad_beta_);
    layer_norm(ctx, h_bf16_.view(), gamma_, gamma_, y_bf16_.view(), all);
    dropout(ctx, {{1, 2}, 3, 0.5F}, ids_, y_bf16_.view(), y_bf16_.view(), all);
    add_rows(ctx, x_bf16_.view(), y_bf16_.view(), all);
    loss_ = softmax_cross_entropy(ctx, y_bf16_.view(), labels_, list_, 1.0, h_bf16_.view());
  }

  SparseMatrix a_ = test::random_sparse(n, n, 9, 3);
  Matrix x_{n, dim}, y_{n, dim}, h_{n, dim}, grad_{n, dim}, packed_;
  Matrix w_{dim, dim}, grad_w_{dim, dim}, moment1_{dim, dim}, moment2_{dim, dim};
  std::vector<Real> gamma_ = std::vector<Real>(dim, 1);
  std::vector<Real> grad_gamma_ = gamma_, grad_beta_ = gamma_;
  std::vector<GlobalId> ids_ = std::vector<GlobalId>(n);
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(n, 5);
  Matrix x_bf16_{n, dim, Storage::bf16}, y_bf16_{n, dim, Storage::bf16};
  Matrix h_bf16_{n, dim, Storage::bf16};
  std::vector<LocalId> list_, every_row_;
  std::vector<LocalId> argument_ = std::vector<LocalId>(n * dim);
  std::vector<Real> dropped_ = a_.values;
  std::vector<EdgeOffset> source_ = std::vector<EdgeOffset>(a_.values.size(), 1);
  double loss_ = 0;
  std::int64_t correct_ = 0;
};

TEST(Allocation, AWarmEpochAllocatesNothing) {
  test::for_every_cpu_setting([](Context& ctx) {
    Epoch epoch;
    epoch.run(ctx);
    const std::int64_t news = num_news.load();
    const std::int64_t buffers = num_matrix_allocations();
    for (int i = 0; i < 3; ++i)
      epoch.run(ctx);
    EXPECT_EQ(num_news.load(), news);
    EXPECT_EQ(num_matrix_allocations(), buffers);
  });
}

}  // namespace
}  // namespace weft::kernels
