// SPDX-License-Identifier: MIT
// Rows beyond 2^31 elements: kernels work on the last rows of tables of 8.7 million rows of 256,
// whose offsets do not fit 32 bits. The tables are mapped but not stored.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>

#include "kernels/activation.hpp"
#include "kernels/dropout.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/rows.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using Numbers = std::vector<Real>;

constexpr std::int64_t width = 256;

/// Address space for zeros; pages appear when touched.
template <typename T>
class SparselyTouched {
 public:
  explicit SparselyTouched(std::int64_t size)
      : size_(static_cast<std::size_t>(size)),
        data_(mmap(nullptr,
                   size_ * sizeof(T),
                   PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1,
                   0)) {}
  ~SparselyTouched() {
    if (is_mapped()) munmap(data_, size_ * sizeof(T));
  }
  SparselyTouched(const SparselyTouched&) = delete;
  SparselyTouched& operator=(const SparselyTouched&) = delete;

  [[nodiscard]] bool is_mapped() const { return data_ != MAP_FAILED; }
  [[nodiscard]] std::span<T> values() const { return {static_cast<T*>(data_), size_}; }

 private:
  std::size_t size_;
  void* data_;
};

/// Three tables whose last two rows hold numbers, and what operations on these rows read beside
/// them. The same for any number of rows, but for the offsets.
class Tables {
 public:
  explicit Tables(std::int64_t num_rows)
      : num_rows_(num_rows),
        x_(num_rows * width),
        y_(num_rows * width),
        z_(num_rows * width),
        row_ptr_(num_rows + 1),
        ids_(num_rows),
        labels_(num_rows),
        listed_{static_cast<LocalId>(num_rows - 2), static_cast<LocalId>(num_rows - 1)},
        columns_{listed_[0], listed_[1], listed_[0]} {
    if (is_mapped()) fill();
  }

  [[nodiscard]] bool is_mapped() const {
    return x_.is_mapped() && y_.is_mapped() && z_.is_mapped() && row_ptr_.is_mapped() &&
           ids_.is_mapped() && labels_.is_mapped();
  }
  [[nodiscard]] MatrixView x() const { return view_of(x_); }
  [[nodiscard]] MatrixView y() const { return view_of(y_); }
  [[nodiscard]] MatrixView z() const { return view_of(z_); }
  [[nodiscard]] std::span<const GlobalId> ids() const { return ids_.values(); }
  [[nodiscard]] std::span<const std::int32_t> labels() const { return labels_.values(); }
  /// The last two rows, and what they hold.
  [[nodiscard]] RowSet last() const { return RowSet::range(num_rows_ - 2, num_rows_); }
  [[nodiscard]] std::span<const LocalId> listed() const { return listed_; }
  [[nodiscard]] MatrixView last_of(MatrixView table) const {
    return table.rows(num_rows_ - 2, num_rows_);
  }
  /// Square: row n-2 reads both of the last rows, row n-1 reads row n-2, the others are empty.
  [[nodiscard]] SparseView matrix() const {
    return {num_rows_, num_rows_, row_ptr_.values(), columns_, {}};
  }

 private:
  [[nodiscard]] MatrixView view_of(const SparselyTouched<Real>& table) const {
    return {table.values().data(), num_rows_, width, width};
  }

  void fill() const {
    test::fill_random(last_of(x()), 1);
    test::fill_random(last_of(y()), 2);
    test::fill_random(last_of(z()), 3);
    const auto n = static_cast<std::size_t>(num_rows_);
    row_ptr_.values()[n - 1] = 2;
    row_ptr_.values()[n] = 3;
    ids_.values()[n - 2] = 41;
    ids_.values()[n - 1] = 7;
    labels_.values()[n - 2] = 3;
    labels_.values()[n - 1] = width - 1;
    x().at(num_rows_ - 1, width - 1) = 2;  // the largest of its row: a correct prediction
  }

  std::int64_t num_rows_;
  SparselyTouched<Real> x_;
  SparselyTouched<Real> y_;
  SparselyTouched<Real> z_;
  SparselyTouched<EdgeOffset> row_ptr_;
  SparselyTouched<GlobalId> ids_;
  SparselyTouched<std::int32_t> labels_;
  std::array<LocalId, 2> listed_;
  std::array<LocalId, 3> columns_;
};

class LargeOffset : public testing::Test {
 protected:
  static constexpr std::int64_t num_rows = 8700000;

  void SetUp() override {
    if (!large.is_mapped()) {
      GTEST_SKIP() << "no address space for tables of " << num_rows << " rows";
    }
    ASSERT_TRUE(small.is_mapped());
  }

  /// Runs operation(ctx, tables) on the last rows of the large tables and on tables of two rows;
  /// expects the same rows in all tables, and the same numbers returned.
  template <typename Operation>
  void expect_same_as_small(const Operation& operation) {
    const Numbers found = operation(ctx, large);
    const Numbers expected = operation(ctx, small);
    test::expect_close(test::as_row(found), test::as_row(expected), test::sum_tolerance);
    test::expect_close(large.last_of(large.x()), small.x(), test::sum_tolerance);
    test::expect_close(large.last_of(large.y()), small.y(), test::sum_tolerance);
    test::expect_close(large.last_of(large.z()), small.z(), test::sum_tolerance);
  }

  Tables large{num_rows};
  Tables small{2};
  Context ctx{2};
};

TEST_F(LargeOffset, LastRowsOfATableBeyond2To31Elements) {
  const std::int64_t n = num_rows;
  const MatrixView x = large.x();

  const std::vector<LocalId> listed{static_cast<LocalId>(n - 1)};
  Matrix gathered(1, width);
  gather_rows(ctx, x, listed, gathered.view());
  EXPECT_EQ(gathered.at(0, 255), x.at(n - 1, 255));

  const SparseMatrix a{
      1, n, {0, 2}, {static_cast<LocalId>(n - 2), static_cast<LocalId>(n - 1)}, {}};
  Matrix sum(1, width);
  spmm(ctx, a.view(), x, sum.view(), RowSet::range(0, 1));
  EXPECT_EQ(sum.at(0, 7), x.at(n - 2, 7) + x.at(n - 1, 7));

  Matrix w(width, 3);
  w.fill(0);
  w.at(255, 2) = 1;
  Matrix y(2, 3);
  multiply(ctx, x.rows(n - 2, n), w.view(), y.view(), RowSet::range(0, 2));
  EXPECT_EQ(y.at(1, 2), x.at(n - 1, 255));
  Matrix grad_w(width, width);
  weight_gradient(ctx, x, x, grad_w.view(), large.last());
  EXPECT_GT(grad_w.at(3, 3), 0);

  relu(ctx, x, x, large.last());
  EXPECT_GE(x.at(n - 1, 0), 0);
  scatter_add_rows(ctx, gathered.view(), listed, x);
  EXPECT_EQ(x.at(n - 1, 255), std::max(gathered.at(0, 255), Real{0}) + gathered.at(0, 255));
}

TEST_F(LargeOffset, Products) {
  test::StridedMatrix w = test::random_matrix(width, width, 4);
  expect_same_as_small([&](Context& context, const Tables& tables) {
    spmm_add(context, tables.matrix(), tables.x(), tables.y(), tables.last());
    multiply_transposed(context, tables.x(), w.view(), tables.z(), tables.last());
    return Numbers{};
  });
}

TEST_F(LargeOffset, Biases) {
  const Numbers bias = test::random_vector(width, 5);
  expect_same_as_small([&](Context& context, const Tables& tables) {
    add_bias(context, bias, tables.y(), tables.last());
    Numbers grad_bias(width);
    bias_gradient(context, tables.x(), grad_bias, tables.last());
    return grad_bias;
  });
}

TEST_F(LargeOffset, ElementwiseFunctions) {
  const DropoutMask mask{random_key(1, RandomPurpose::dropout), 3, 0.5F};
  expect_same_as_small([&](Context& context, const Tables& tables) {
    add_rows(context, tables.x(), tables.y(), tables.last());
    relu_backward(context, tables.x(), tables.y(), tables.z(), tables.last());
    dropout(context, mask, tables.ids(), tables.x(), tables.x(), tables.last());
    return Numbers{};
  });
}

TEST_F(LargeOffset, LayerNorm) {
  const Numbers gamma = test::random_vector(width, 6);
  const Numbers beta = test::random_vector(width, 7);
  expect_same_as_small([&](Context& context, const Tables& tables) {
    layer_norm(context, tables.x(), gamma, beta, tables.y(), tables.last());
    Numbers gradients(2 * width);
    const auto grad_gamma = std::span(gradients).first(width);
    const auto grad_beta = std::span(gradients).last(width);
    layer_norm_backward(context, tables.x(), gamma, tables.y(), tables.z(), grad_gamma, grad_beta,
                        tables.last());
    return gradients;
  });
}

TEST_F(LargeOffset, Loss) {
  expect_same_as_small([&](Context& context, const Tables& tables) {
    const double loss = softmax_cross_entropy(context, tables.x(), tables.labels(), tables.listed(),
                                              1.0, MatrixView{});
    const auto correct = count_correct(context, tables.x(), tables.labels(), tables.listed());
    return Numbers{static_cast<Real>(loss), static_cast<Real>(correct)};
  });
}

// All rows of this gradient are written, so there are three of them, far apart.
TEST_F(LargeOffset, GradientOfTheLoss) {
  constexpr std::int64_t stride = std::int64_t{1} << 30;
  static_assert(2 * stride + width <= num_rows * width);
  const MatrixView logits{large.x().data, 3, width, stride};
  const MatrixView grad_logits{large.y().data, 3, width, stride};
  test::StridedMatrix compact = test::random_matrix(3, width, 8);
  test::StridedMatrix expected = test::random_matrix(3, width, 9);
  test::fill_random(logits, 8);
  test::fill_random(grad_logits, 9);
  const std::vector<std::int32_t> labels{0, -1, width - 1};
  const std::vector<LocalId> labelled{0, 2};
  const double expected_loss =
      softmax_cross_entropy(ctx, compact.view(), labels, labelled, 0.5, expected.view());
  const double loss = softmax_cross_entropy(ctx, logits, labels, labelled, 0.5, grad_logits);
  EXPECT_NEAR(loss, expected_loss, test::sum_tolerance * expected_loss);
  test::expect_close(grad_logits, expected.view(), test::sum_tolerance);
  EXPECT_EQ(grad_logits.at(1, 255), 0);
}

}  // namespace
}  // namespace weft::kernels
