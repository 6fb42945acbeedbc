// SPDX-License-Identifier: MIT
// Fused epilogues: the same bits as the separate operations in sequence, and the cpu backend
// against the reference.
#include "kernels/epilogue.hpp"

#include <span>

#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

constexpr std::int64_t num_rows = 67;
constexpr std::int64_t awkward_widths[] = {1, 3, 8, 33, 64, 100, 128, 602};

/// Steps of an epilogue that a test turns on.
struct Steps {
  bool bias;
  bool residual;
  bool layer_norm;
  bool relu;
  bool dropout;
  bool gate;
};

constexpr Steps step_lists[] = {
    {true, false, false, false, false, false}, {true, false, false, true, false, false},
    {true, true, false, true, true, false},    {false, true, false, false, false, false},
    {true, true, true, true, true, false},     {false, false, true, false, false, false},
    {false, false, false, true, false, false}, {false, false, false, false, true, false},
    {false, false, false, false, false, true}, {true, false, false, false, false, true},
    {true, true, true, true, true, true},
};

/// Every list of steps at the narrow widths, all steps at once at the wide ones.
std::span<const Steps> steps_at(std::int64_t dim) {
  return dim > 64 ? std::span(step_lists).last(1) : std::span(step_lists);
}

/// Everything that an epilogue borrows, for results of `dim` columns.
class Operands {
 public:
  explicit Operands(std::int64_t dim)
      : residual_(test::random_matrix(num_rows, dim, 11)),
        gate_(test::random_matrix(num_rows, dim, 12)),
        bias_(test::random_vector(static_cast<std::size_t>(dim), 13)),
        gamma_(test::random_vector(static_cast<std::size_t>(dim), 14)),
        beta_(test::random_vector(static_cast<std::size_t>(dim), 15)) {
    for (GlobalId r = 0; r < num_rows; ++r)
      ids_.push_back((GlobalId{5} << 33) + 7 * r);
  }

  Epilogue epilogue(const Steps& steps, MatrixView normalized) {
    Epilogue result;
    if (steps.bias) result.bias = bias_;
    if (steps.residual) result.residual = residual_.view();
    if (steps.layer_norm) {
      result.gamma = gamma_;
      result.beta = beta_;
      result.normalized = normalized;
    }
    result.relu = steps.relu;
    if (steps.dropout) {
      result.dropout = &mask_;
      result.global_ids = ids_;
    }
    if (steps.gate) {
      result.gate = gate_.view();
      result.gate_scale = Real{1.25};
    }
    return result;
  }

 private:
  StridedMatrix residual_, gate_;
  std::vector<Real> bias_, gamma_, beta_;
  std::vector<GlobalId> ids_;
  DropoutMask mask_{random_key(3, RandomPurpose::dropout, 1), 4, 0.375F};
};

/// The steps one by one, through the public operations.
void finish_separately(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows) {
  if (!epilogue.bias.empty()) add_bias(ctx, epilogue.bias, y, rows);
  if (epilogue.residual.data != nullptr) add_rows(ctx, epilogue.residual, y, rows);
  if (epilogue.has_layer_norm()) {
    layer_norm(ctx, y, epilogue.gamma, epilogue.beta, epilogue.normalized, rows);
    y = epilogue.normalized;
  }
  if (epilogue.relu) relu(ctx, y, y, rows);
  if (epilogue.dropout != nullptr) {
    dropout(ctx, *epilogue.dropout, epilogue.global_ids, y, y, rows);
  }
  if (epilogue.gate.data == nullptr) return;
  relu_backward(ctx, epilogue.gate, y, y, rows);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t c = 0; c < y.num_columns; ++c)
      y.at(rows[i], c) *= epilogue.gate_scale;
  }
}

/// What a run leaves behind, padding too.
struct Outcome {
  explicit Outcome(std::int64_t dim) : y(num_rows, dim), normalized(num_rows, dim) {
    test::fill_random(y.view(), 16);
  }
  StridedMatrix y, normalized;
};

std::vector<RowSet> row_sets() {
  static const std::vector<LocalId> list{0, 1, 5, 17, 18, 19, 20, 21, 22, 23, 40, 66};
  return {RowSet::range(0, num_rows), RowSet::range(3, 50), RowSet::of(list)};
}

/// Expects of run(ctx, y, rows, epilogue) the bits of the separate operations, and numbers close to
/// the reference's, on every instruction set, for one thread and three.
template <typename Run>
void expect_fused_equals_separate(std::int64_t dim, const Run& run) {
  Operands operands(dim);
  Context reference(1, Backend::reference);
  for (const Steps& steps : steps_at(dim)) {
    for (const RowSet rows : row_sets()) {
      SCOPED_TRACE(text("width ", dim, ", steps ", &steps - step_lists, ", rows ", rows.size()));
      Outcome expected(dim);
      run(reference, expected.y.view(), rows, operands.epilogue(steps, expected.normalized.view()));
      for (const InstructionSet set : test::instruction_sets_here()) {
        for (const int num_threads : {1, 3}) {
          Context ctx(num_threads);
          ctx.set_instruction_set(set);
          Outcome fused(dim);
          run(ctx, fused.y.view(), rows, operands.epilogue(steps, fused.normalized.view()));
          Outcome separate(dim);
          run(ctx, separate.y.view(), rows, {});
          finish_separately(ctx, operands.epilogue(steps, separate.normalized.view()),
                            separate.y.view(), rows);
          ASSERT_TRUE(test::same_bits(fused.y.storage(), separate.y.storage()));
          ASSERT_TRUE(test::same_bits(fused.normalized.storage(), separate.normalized.storage()));
          test::expect_close(fused.y.view(), expected.y.view(), test::sum_tolerance);
          test::expect_close(fused.normalized.view(), expected.normalized.view(),
                             4 * test::sum_tolerance);
        }
      }
    }
  }
}

TEST(Epilogue, SpmmGivesTheBitsOfSeparateOperations) {
  const SparseMatrix a = test::random_sparse(num_rows, num_rows, 9, 1);
  for (const std::int64_t dim : awkward_widths) {
    StridedMatrix x = test::random_matrix(num_rows, dim, 2);
    expect_fused_equals_separate(
        dim, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
          spmm(ctx, a.view(), x.view(), y, rows, epilogue);
        });
    expect_fused_equals_separate(
        dim, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
          spmm_add(ctx, a.view(), x.view(), y, rows, epilogue);
        });
  }
}

// A row of 70,000 entries is shared out among threads at the blocks of its sum.
TEST(Epilogue, SpmmFinishesHubRows) {
  SparseMatrix a = test::random_sparse(num_rows, num_rows, 9, 1);
  constexpr std::int64_t hub = 19;
  std::vector<LocalId> columns;
  for (LocalId e = 0; e < 70000; ++e)
    columns.push_back(e % static_cast<LocalId>(num_rows));
  a.values.clear();
  a.col_idx.insert(a.col_idx.begin() + a.row_ptr[hub], columns.begin(), columns.end());
  for (std::size_t r = hub + 1; r < a.row_ptr.size(); ++r)
    a.row_ptr[r] += static_cast<EdgeOffset>(columns.size());
  for (const std::int64_t dim : {3, 9}) {
    StridedMatrix x = test::random_matrix(num_rows, dim, 2);
    // Sums of 70,000 numbers that cancel: the reference's own order, at the size of one term.
    for (std::int64_t r = 0; r < num_rows; ++r) {
      for (std::int64_t c = 0; c < dim; ++c)
        x.view().at(r, c) /= 256;
    }
    expect_fused_equals_separate(
        dim, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
          spmm_add(ctx, a.view(), x.view(), y, rows, epilogue);
        });
  }
}

TEST(Epilogue, MultiplyGivesTheBitsOfSeparateOperations) {
  for (const std::int64_t dim : awkward_widths) {
    for (const std::int64_t depth : {5, 300}) {
      if (depth == 300 && dim > 8) continue;
      StridedMatrix x = test::random_matrix(num_rows, depth, 3);
      StridedMatrix w = test::random_matrix(depth, dim, 4);
      for (const Write write : {Write::overwrite, Write::add}) {
        expect_fused_equals_separate(
            dim, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
              multiply(ctx, x.view(), w.view(), y, rows, write, epilogue);
            });
      }
    }
  }
}

TEST(Epilogue, MultiplyTransposedGivesTheBitsOfSeparateOperations) {
  for (const std::int64_t dim : awkward_widths) {
    StridedMatrix g = test::random_matrix(num_rows, 20, 5);
    StridedMatrix w = test::random_matrix(dim, 20, 6);
    expect_fused_equals_separate(
        dim, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
          multiply_transposed(ctx, g.view(), w.view(), y, rows, Write::add, epilogue);
        });
  }
}

TEST(Epilogue, ProductsWithoutDepthAreFinishedToo) {
  StridedMatrix x(num_rows, 0);
  StridedMatrix w(0, 9);
  for (const Write write : {Write::overwrite, Write::add}) {
    expect_fused_equals_separate(
        9, [&](Context& ctx, MatrixView y, RowSet rows, const Epilogue& epilogue) {
          multiply(ctx, x.view(), w.view(), y, rows, write, epilogue);
        });
  }
}

/// The message with which `multiply` refuses the epilogue.
std::string refusal(const Epilogue& epilogue) {
  Context ctx(1);
  Matrix x(4, 2), w(2, 3), y(4, 3);
  try {
    multiply(ctx, x.view(), w.view(), y.view(), RowSet::range(0, 4), Write::overwrite, epilogue);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Epilogue, MembersThatDoNotFitAreNamed) {
  const std::vector<Real> two(2), three(3);
  const std::vector<GlobalId> ids(3);
  Matrix narrow(4, 2), low(3, 3);
  DropoutMask mask{{1, 2}, 3, 0.5F};
  EXPECT_EQ(refusal({.bias = two}),
            "multiply: length of the epilogue's bias: 2, but columns of y: 3; pass one number a "
            "column of the result");
  EXPECT_EQ(refusal({.residual = narrow.view()}),
            "multiply: columns of the epilogue's residual: 2, but columns of y: 3; pass a matrix "
            "of the shape of the result");
  EXPECT_EQ(refusal({.residual = low.view()}),
            "multiply: rows 0 to 4 (exclusive) asked for, but rows of the epilogue's residual: 3; "
            "pass a row set inside the matrix");
  const auto expect_named = [](const Epilogue& epilogue, const char* name) {
    EXPECT_NE(refusal(epilogue).find(name), std::string::npos) << refusal(epilogue);
  };
  expect_named({.gate = narrow.view()}, "columns of the epilogue's gate: 2");
  expect_named({.gamma = two, .beta = three, .normalized = low.view()}, "epilogue's gamma: 2");
  expect_named({.gamma = three, .normalized = low.view()}, "epilogue's beta: 0");
  expect_named({.gamma = three, .beta = three, .normalized = low.view()}, "normalized: 3");
  expect_named({.gamma = three, .beta = three}, "columns of the epilogue's normalized: 0");
  expect_named({.dropout = &mask, .global_ids = ids}, "epilogue's global ids: 3");
  mask.probability = 1;
  expect_named({.dropout = &mask, .global_ids = ids}, "probability 1 is outside [0, 1)");
}

}  // namespace
}  // namespace weft::kernels
