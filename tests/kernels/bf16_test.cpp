// SPDX-License-Identifier: MIT
// Matrices of bf16: rounding to the last bit, and every operation against the reference on the
// same rounded inputs stored as Real.
#include "kernels/bfloat16.hpp"

#include <array>
#include <functional>

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

constexpr std::int64_t num_rows = 67;
constexpr std::int64_t awkward_widths[] = {1, 3, 32, 33, 64, 100, 128, 256, 602};

/// Error allowed in what is rounded to bf16, relative to the largest expected element.
constexpr double bf16_tolerance = 1e-2;

std::vector<LocalId> every_row(std::int64_t n) {
  std::vector<LocalId> rows;
  for (LocalId r = 0; r < n; ++r)
    rows.push_back(r);
  return rows;
}

/// The numbers of x in another storage; the reference converts.
Matrix stored_as(ConstMatrixView x, Storage storage) {
  Context reference(1, Backend::reference);
  Matrix y(x.num_rows, x.num_columns, storage);
  gather_rows(reference, x, every_row(x.num_rows), y.view());
  return y;
}

/// Random numbers that bf16 holds exactly, as Real.
Matrix rounded_random(std::int64_t n, std::int64_t dim, std::uint64_t seed) {
  Matrix x(n, dim);
  test::fill_random(x.view(), seed);
  return stored_as(stored_as(x.view(), Storage::bf16).view(), Storage::real);
}

std::vector<std::byte> bytes_of(const Matrix& x) {
  const ConstMatrixView view = x.view();
  return {view.row_begin(0), view.row_begin(0) + x.num_rows() * view.row_bytes()};
}

TEST(Bf16, RoundsToTheNearestAndOfTwoToTheEven) {
  const auto bits = [](std::uint32_t word) { return to_bf16(std::bit_cast<float>(word)); };
  EXPECT_EQ(bits(0x3F800000U), 0x3F80U);  // 1
  EXPECT_EQ(bits(0x3F807FFFU), 0x3F80U);  // below the middle
  EXPECT_EQ(bits(0x3F808000U), 0x3F80U);  // in the middle, even below
  EXPECT_EQ(bits(0x3F818000U), 0x3F82U);  // in the middle, even above
  EXPECT_EQ(bits(0x3F808001U), 0x3F81U);  // above the middle
  EXPECT_EQ(bits(0xBF818000U), 0xBF82U);
  EXPECT_EQ(bits(0x7F7FFFFFU), 0x7F80U);  // past the largest: infinity
  EXPECT_EQ(bits(0xFF800000U), 0xFF80U);
  EXPECT_EQ(bits(0x80000000U), 0x8000U);
  EXPECT_EQ(bits(0x00000001U), 0x0000U);  // denormals round as numbers do
  EXPECT_EQ(bits(0x00018000U), 0x0002U);
  EXPECT_EQ(bits(0x007FFFFFU), 0x0080U);
  EXPECT_EQ(bits(0x7F800001U), 0x7FC0U);  // NaN whose mantissa lies in what is cut off
  EXPECT_EQ(bits(0xFFFFFFFFU), 0xFFFFU);
}

TEST(Bf16, EveryPatternComesBack) {
  for (std::uint32_t word = 0; word < 0x10000U; ++word) {
    const auto half = static_cast<std::uint16_t>(word);
    const float value = from_bf16(half);
    if (value != value) {
      EXPECT_EQ(to_bf16(value), half | 0x40U);
    } else {
      EXPECT_EQ(to_bf16(value), half);
    }
  }
}

// All upper halves beside lower halves at which rounding decides, in rows of an awkward width.
TEST(Bf16, CpuRoundsEveryPatternAsTheReference) {
  constexpr std::uint32_t lower_halves[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
  constexpr std::int64_t dim = 6 * 33;
  Matrix x(65536 / 33 + 1, dim);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const std::uint32_t upper = static_cast<std::uint32_t>(i / 6) % 65536U;
    x.data()[i] = static_cast<Real>(std::bit_cast<float>(upper << 16 | lower_halves[i % 6]));
  }
  const Matrix expected = stored_as(x.view(), Storage::bf16);
  const Matrix widened = stored_as(expected.view(), Storage::real);
  const std::vector<LocalId> rows = every_row(x.num_rows());
  test::for_every_cpu_setting([&](Context& ctx) {
    Matrix y(x.num_rows(), dim, Storage::bf16);
    gather_rows(ctx, x.view(), rows, y.view());
    EXPECT_EQ(bytes_of(y), bytes_of(expected));
    Matrix back(x.num_rows(), dim);
    gather_rows(ctx, y.view(), rows, back.view());
    EXPECT_EQ(bytes_of(back), bytes_of(widened));
  });
}

TEST(Bf16, MatricesAndViewsCountElements) {
  Matrix x(5, 7, Storage::bf16);
  EXPECT_EQ(x.storage(), Storage::bf16);
  EXPECT_EQ(x.view().row_bytes(), 14);
  x.fill(Real{1.5});
  EXPECT_EQ(x.view().row_bf16(4)[6], 0x3FC0U);
  const ConstMatrixView middle = std::as_const(x).view().rows(2, 4);
  EXPECT_EQ(middle.storage, Storage::bf16);
  EXPECT_EQ(middle.row_bf16(1), x.view().row_bf16(3));
  EXPECT_EQ(middle.row_begin(1) - middle.row_begin(0), 14);
  Matrix moved = std::move(x);
  EXPECT_EQ(moved.storage(), Storage::bf16);
  moved.resize(2, 2);
  EXPECT_EQ(moved.storage(), Storage::real);
  EXPECT_EQ(element_bytes(Storage::real), std::int64_t{sizeof(Real)});
  EXPECT_STREQ(storage_name(Storage::bf16), "bf16");
}

/// What an operation reads and writes: `a` and `b` are read; `y` and `z` are written or added to.
struct Operands {
  ConstMatrixView a;
  ConstMatrixView b;
  MatrixView y;
  MatrixView z;
};

using Operation = std::function<void(Context& ctx, const Operands& operands, RowSet rows)>;

/// Storages of a, b, y and z.
using Storages = std::array<Storage, 4>;

/// All matrices [num_rows x dim], or a of another width.
class Case {
 public:
  Case(std::int64_t width_a, std::int64_t dim)
      : a_(rounded_random(num_rows, width_a, 1)),
        b_(rounded_random(num_rows, dim, 2)),
        y_(rounded_random(num_rows, dim, 3)) {}

  /// Runs in the storages; returns y and z.
  std::pair<Matrix, Matrix> run(Context& ctx,
                                const Storages& storages,
                                RowSet rows,
                                const Operation& operation) const {
    const Matrix a = stored_as(a_.view(), storages[0]);
    const Matrix b = stored_as(b_.view(), storages[1]);
    Matrix y = stored_as(y_.view(), storages[2]);
    Matrix z = stored_as(y_.view(), storages[3]);
    operation(ctx, {a.view(), b.view(), y.view(), z.view()}, rows);
    return {std::move(y), std::move(z)};
  }

 private:
  Matrix a_, b_, y_;
};

std::vector<Storages> mixed_storages() {
  const Storage real = Storage::real;
  const Storage bf16 = Storage::bf16;
  return {{bf16, bf16, bf16, bf16},
          {bf16, real, real, real},
          {real, bf16, bf16, real},
          {real, real, real, bf16}};
}

/// Expects of the operation in every mixture of storages what the reference gives on Real, and the
/// same bits for any number of threads.
void expect_conformance(std::int64_t width_a, std::int64_t dim, const Operation& operation) {
  const Case operands(width_a, dim);
  const std::vector<LocalId> list{0, 2, 3, 4, 5, 6, 7, 8, 30, 66};
  for (const RowSet rows : {RowSet::range(0, num_rows), RowSet::of(list)}) {
    Context reference(1, Backend::reference);
    const Storages all_real{};
    const auto expected = operands.run(reference, all_real, rows, operation);
    for (const Storages& storages : mixed_storages()) {
      SCOPED_TRACE(text("width ", dim, ", rows ", rows.size(), ", y in ", storage_name(storages[2]),
                        ", z in ", storage_name(storages[3])));
      std::vector<std::byte> first;
      const auto check = [&](Context& ctx) {
        const auto [y, z] = operands.run(ctx, storages, rows, operation);
        test::expect_close(stored_as(y.view(), Storage::real).view(), expected.first.view(),
                           bf16_tolerance);
        test::expect_close(stored_as(z.view(), Storage::real).view(), expected.second.view(),
                           bf16_tolerance);
        if (ctx.num_threads() == 1) first = bytes_of(y);
        EXPECT_EQ(bytes_of(y), first) << "depends on the number of threads";
      };
      check(reference);
      test::for_every_cpu_setting(check);
    }
  }
}

TEST(Bf16, AggregationConforms) {
  const SparseMatrix a = test::random_sparse(num_rows, num_rows, 9, 4);
  for (const std::int64_t dim : awkward_widths) {
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      spmm(ctx, a.view(), o.a, o.y, rows);
      spmm_add(ctx, a.view(), o.a, o.z, rows);
    });
  }
}

TEST(Bf16, HubRowsConform) {
  SparseMatrix a{num_rows, num_rows, {0}, {}, {}};
  for (LocalId e = 0; e < 70000; ++e)
    a.col_idx.push_back(e % static_cast<LocalId>(num_rows));
  a.row_ptr.resize(num_rows + 1, 70000);
  a.values.assign(a.col_idx.size(), Real{0.001F});
  expect_conformance(35, 35, [&](Context& ctx, const Operands& o, RowSet rows) {
    spmm(ctx, a.view(), o.a, o.y, rows);
    spmm_add(ctx, a.view(), o.a, o.z, rows);
  });
}

TEST(Bf16, ProductsConform) {
  for (const std::int64_t dim : awkward_widths) {
    Matrix w(33, dim);
    test::fill_random(w.view(), 5);
    expect_conformance(33, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      multiply(ctx, o.a, w.view(), o.y, rows);
      multiply(ctx, o.a, w.view(), o.z, rows, Write::add);
    });
    Matrix wt(33, dim);
    test::fill_random(wt.view(), 6);
    expect_conformance(dim, 33, [&](Context& ctx, const Operands& o, RowSet rows) {
      multiply_transposed(ctx, o.a, wt.view(), o.y, rows);
      multiply_transposed(ctx, o.a, wt.view(), o.z, rows, Write::add);
    });
  }
  Matrix none(0, 5);
  expect_conformance(0, 5, [&](Context& ctx, const Operands& o, RowSet rows) {
    multiply(ctx, o.a, none.view(), o.y, rows);
    multiply(ctx, o.a, none.view(), o.z, rows, Write::add);
  });
}

TEST(Bf16, ProductsOfManyStripsConform) {
  const Matrix x = rounded_random(3000, 70, 1);
  const Matrix x_bf16 = stored_as(x.view(), Storage::bf16);
  Matrix w(70, 100);
  test::fill_random(w.view(), 2);
  Context reference(1, Backend::reference);
  Matrix expected(3000, 100);
  const RowSet all = RowSet::range(0, 3000);
  multiply(reference, x.view(), w.view(), expected.view(), all);
  test::for_every_cpu_setting([&](Context& ctx) {
    Matrix y(3000, 100, Storage::bf16);
    multiply(ctx, x_bf16.view(), w.view(), y.view(), all);
    test::expect_close(stored_as(y.view(), Storage::real).view(), expected.view(), bf16_tolerance);
  });
}

TEST(Bf16, GradientsOfWeightsInPartsHaveTheBitsOfWidenedRows) {
  constexpr std::int64_t n = 1100;
  constexpr std::int64_t k = 700;
  constexpr std::int64_t m = 70;
  const Matrix x = rounded_random(n, k, 3);
  const Matrix g = rounded_random(n, m, 4);
  const Matrix x_bf16 = stored_as(x.view(), Storage::bf16);
  const Matrix g_bf16 = stored_as(g.view(), Storage::bf16);
  const RowSet all = RowSet::range(0, n);
  test::for_every_cpu_setting([&](Context& ctx) {
    Matrix expected(k, m), grad_w(k, m);
    std::vector<Real> expected_b(m), grad_b(m);
    weight_gradient(ctx, x.view(), g.view(), expected.view(), all, expected_b);
    weight_gradient(ctx, x_bf16.view(), g_bf16.view(), grad_w.view(), all, grad_b);
    EXPECT_EQ(bytes_of(grad_w), bytes_of(expected));
    EXPECT_EQ(grad_b, expected_b);
  });
}

TEST(Bf16, GradientsOfWeightsAndBiasesConform) {
  for (const std::int64_t dim : awkward_widths) {
    expect_conformance(33, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      Matrix grad_w(33, dim);
      std::vector<Real> grad_b(static_cast<std::size_t>(dim));
      weight_gradient(ctx, o.a, o.b, grad_w.view(), rows, grad_b);
      for (std::int64_t r = 0; r < 33; ++r) {
        const LocalId row = static_cast<LocalId>(r);
        gather_rows(ctx, grad_w.view().rows(r, r + 1), std::array{LocalId{0}},
                    o.y.rows(row, row + 1));
      }
      std::vector<Real> alone(grad_b.size());
      bias_gradient(ctx, o.b, alone, rows);
      EXPECT_EQ(alone, grad_b);
      add_bias(ctx, alone, o.z, rows);
    });
  }
}

TEST(Bf16, OperationsOnRowsConform) {
  std::vector<GlobalId> ids;
  for (GlobalId r = 0; r < num_rows; ++r)
    ids.push_back(11 * r);
  const DropoutMask mask{random_key(3, RandomPurpose::dropout, 1), 4, 0.375F};
  for (const std::int64_t dim : awkward_widths) {
    expect_conformance(dim, dim, [](Context& ctx, const Operands& o, RowSet rows) {
      relu(ctx, o.a, o.y, rows);
      relu_backward(ctx, o.a, o.b, o.z, rows);
    });
    expect_conformance(dim, dim, [](Context& ctx, const Operands& o, RowSet rows) {
      relu(ctx, o.y, o.y, rows);
      add_rows(ctx, o.b, o.z, rows);
    });
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      dropout(ctx, mask, ids, o.a, o.y, rows);
      scatter_add_rows(ctx, o.a.rows(0, 3), std::array<LocalId, 3>{7, 2, 66}, o.z);
    });
  }
}

TEST(Bf16, LayerNormAndLossConform) {
  const std::vector<std::int32_t> labels(num_rows, 0);
  const std::vector<LocalId> labelled{0, 1, 5, 40};
  for (const std::int64_t dim : awkward_widths) {
    const auto gamma = test::random_vector(static_cast<std::size_t>(dim), 7);
    const auto beta = test::random_vector(static_cast<std::size_t>(dim), 8);
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      layer_norm(ctx, o.a, gamma, beta, o.y, rows);
      std::vector<Real> grad_gamma(gamma.size()), grad_beta(gamma.size());
      layer_norm_backward(ctx, o.a, gamma, o.b, o.z, grad_gamma, grad_beta, rows);
    });
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet) {
      const double loss = softmax_cross_entropy(ctx, o.a, labels, labelled, 0.5, o.y);
      const auto correct = static_cast<double>(count_correct(ctx, o.a, labels, labelled));
      std::vector<Real> sums(static_cast<std::size_t>(dim), static_cast<Real>(loss + correct));
      add_bias(ctx, sums, o.z, RowSet::range(0, 1));
    });
  }
}

TEST(Bf16, EpiloguesConform) {
  const SparseMatrix a = test::random_sparse(num_rows, num_rows, 9, 4);
  std::vector<GlobalId> ids(num_rows, 3);
  const DropoutMask mask{random_key(3, RandomPurpose::dropout, 1), 4, 0.375F};
  for (const std::int64_t dim : awkward_widths) {
    const auto bias = test::random_vector(static_cast<std::size_t>(dim), 7);
    Matrix w(dim, dim);
    test::fill_random(w.view(), 9);
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      const Epilogue norm{.bias = bias,
                          .residual = o.b,
                          .gamma = bias,
                          .beta = bias,
                          .normalized = o.z,
                          .relu = true,
                          .dropout = &mask,
                          .global_ids = ids};
      spmm(ctx, a.view(), o.a, o.y, rows, norm);
    });
    expect_conformance(dim, dim, [&](Context& ctx, const Operands& o, RowSet rows) {
      multiply_transposed(ctx, o.a, w.view(), o.y, rows, Write::add,
                          {.gate = o.b, .gate_scale = 2});
      multiply(ctx, o.a, w.view(), o.z, rows, Write::overwrite,
               {.bias = bias, .residual = o.b, .relu = true});
    });
  }
}

TEST(Bf16, SmallMatricesMustBeReal) {
  Context ctx(1);
  Matrix x(4, 3), y(4, 3), w(3, 3, Storage::bf16);
  const RowSet all = RowSet::range(0, 4);
  try {
    multiply(ctx, x.view(), w.view(), y.view(), all);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "multiply: w is stored as bf16, but this operation takes it as real only; store "
                 "it as real");
  }
  EXPECT_THROW(multiply_transposed(ctx, x.view(), w.view(), y.view(), all), InputError);
  EXPECT_THROW(weight_gradient(ctx, x.view(), y.view(), w.view(), all), InputError);
}

}  // namespace
}  // namespace weft::kernels
