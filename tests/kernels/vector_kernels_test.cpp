// SPDX-License-Identifier: MIT
// The inner loops of every instruction set that this CPU has, and in the layout of AVX-512, each
// by itself, at every width around a register, against plain loops in double precision.
#include "kernels/cpu/vector_kernels.hpp"

#include <limits>

#include "kernels/bfloat16.hpp"
#include "kernels/cpu/panels.hpp"
#include "kernels/dropout.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {

namespace cpu {
extern const VectorKernels wide_kernels;  // wide_vector_kernels.cpp
}

namespace {

constexpr double tolerance = sizeof(Real) == 4 ? 2e-6 : 1e-14;

template <typename Body>
void for_every_table(const Body& body) {
  for (const InstructionSet set : test::instruction_sets_here()) {
    SCOPED_TRACE(instruction_set_name(set));
    body(cpu::vector_kernels(set));
  }
  SCOPED_TRACE("the layout of avx512");
  body(cpu::wide_kernels);
}

TEST(VectorKernels, TablesFitTheirInstructionSet) {
  for_every_table([](const cpu::VectorKernels& vectors) {
    EXPECT_EQ(vectors.lanes & (vectors.lanes - 1), 0);
    EXPECT_LE(vectors.tiles.panel_vectors, cpu::most_panel_vectors);
    for (int t = 0; t < vectors.tiles.panel_vectors; ++t) {
      EXPECT_GE(vectors.tiles.num_rows[t], 1);
      EXPECT_LE(vectors.tiles.num_rows[t], cpu::most_tile_rows);
    }
  });
  EXPECT_LE(cpu::vector_kernels(InstructionSet::baseline).lanes, 4);
}

TEST(VectorKernels, SumRowAtEveryWidth) {
  const std::vector<LocalId> columns{3, 0, 5, 5, 2};
  const std::vector<Real> values = test::random_vector(columns.size(), 1);
  for_every_table([&](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 0; dim <= 300; ++dim) {
      const std::int64_t stride = dim + 1;
      const auto x = test::random_vector(static_cast<std::size_t>(6 * stride + 1), 2);
      std::vector<Real> y(static_cast<std::size_t>(dim) + 2, Real{7});
      const cpu::SparseRow row{columns.data(), values.data(), 1, 5, 5, 2};
      vectors.sum_row(row, x.data() + 1, stride, dim, y.data() + 1, dim % 2 == 1);
      for (std::int64_t c = 0; c < dim; ++c) {
        double expected = dim % 2 == 1 ? 7 : 0;
        for (std::size_t e = 1; e < 5; ++e) {
          expected += static_cast<double>(values[e]) *
                      static_cast<double>(x[static_cast<std::size_t>(columns[e] * stride + c + 1)]);
        }
        ASSERT_NEAR(static_cast<double>(y[static_cast<std::size_t>(c) + 1]), expected, tolerance)
            << "dim " << dim << ", column " << c;
      }
      ASSERT_EQ(y.front(), 7);
      ASSERT_EQ(y.back(), 7);
      const Real* rows[6];
      for (std::int64_t r = 0; r < 6; ++r)
        rows[r] = x.data() + 1 + r * stride;
      std::vector<Real> y_of_pointers(y.size(), Real{7});
      vectors.sum_row_at(row, rows, dim, y_of_pointers.data() + 1, dim % 2 == 1);
      ASSERT_TRUE(test::same_bits(y_of_pointers, y)) << "dim " << dim;
    }
  });
}

TEST(VectorKernels, RowsOfBf16AtEveryWidth) {
  const std::vector<LocalId> columns{3, 0, 5, 5, 2};
  const std::vector<Real> values = test::random_vector(columns.size(), 1);
  const cpu::SparseRow row{columns.data(), values.data(), 0, 5, 5, 2};
  for_every_table([&](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 0; dim <= 300; dim += dim < 70 ? 1 : 23) {
      const auto x = test::random_vector(static_cast<std::size_t>(6 * dim), 2);
      std::vector<std::uint16_t> halves(x.size() + 1, 9);
      std::vector<Real> rounded(x.size() + 1, Real{7});
      vectors.narrow_row(x.data(), 6 * dim, halves.data());
      vectors.widen_row(halves.data(), 6 * dim, rounded.data());
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(halves[i], to_bf16(static_cast<float>(x[i]))) << "width " << 6 * dim;
        ASSERT_EQ(rounded[i], static_cast<Real>(from_bf16(halves[i])));
      }
      ASSERT_EQ(halves.back(), 9);
      ASSERT_EQ(rounded.back(), 7);
      std::vector<Real> expected(static_cast<std::size_t>(dim) + 1, Real{7});
      std::vector<Real> y = expected;
      vectors.sum_row(row, rounded.data(), dim, dim, expected.data(), true);
      vectors.sum_row_bf16(row, halves.data(), dim, dim, y.data(), true);
      ASSERT_TRUE(test::same_bits(y, expected)) << "dim " << dim;
    }
  });
}

// Entries 1 .. 4; element c of row r is (5 r + c) % 7, so columns differ in which row is best, and
// columns 3 and later hold nothing yet.
TEST(VectorKernels, ExtremeRowAtEveryWidth) {
  const std::vector<LocalId> columns{3, 0, 5, 5, 2};
  const cpu::SparseRow row{columns.data(), nullptr, 1, 5, 5, 2};
  for_every_table([&](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 0; dim <= 300; ++dim) {
      const bool is_min = dim % 2 == 1;
      const auto width = static_cast<std::size_t>(dim);
      std::vector<Real> x(6 * width);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<Real>((5 * (i / width) + i % width) % 7);
      std::vector<Real> y(width + 1, Real{3});
      std::vector<LocalId> argument(width + 1, -1);
      std::fill_n(argument.begin(), std::min<std::size_t>(3, width), 1);
      vectors.extreme_row(row, {x.data(), dim, 10, is_min}, dim, y.data(), argument.data());
      for (std::size_t c = 0; c < width; ++c) {
        Real best = c < 3 ? Real{3} : x[c];
        LocalId holder = c < 3 ? 1 : 10;
        for (const LocalId u : {0, 5, 2}) {
          const Real number = x[static_cast<std::size_t>(u) * width + c];
          if (is_min ? number >= best : number <= best) continue;
          best = number;
          holder = u + 10;
        }
        ASSERT_EQ(y[c], best) << "dim " << dim << ", column " << c;
        ASSERT_EQ(argument[c], holder) << "dim " << dim << ", column " << c;
      }
      ASSERT_EQ(y.back(), 3);
      ASSERT_EQ(argument.back(), -1);
    }
  });
}

// Entries 1 .. 4, of which 5 is listed twice; row r and column c belong to (r + c) % 3.
TEST(VectorKernels, ExtremeGradientRowAtEveryWidth) {
  const std::vector<LocalId> columns{3, 0, 5, 5, 2};
  const cpu::SparseRow row{columns.data(), nullptr, 1, 5, 5, 2};
  for_every_table([&](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 0; dim <= 300; ++dim) {
      const auto width = static_cast<std::size_t>(dim);
      std::vector<Real> grad_y(6 * width);
      std::vector<LocalId> argument(6 * width);
      for (std::size_t i = 0; i < grad_y.size(); ++i) {
        grad_y[i] = static_cast<Real>(i % 11);
        argument[i] = static_cast<LocalId>((i / width + i % width) % 3);
      }
      std::vector<Real> grad_x(width + 1, Real{7});
      vectors.extreme_gradient_row(row, {grad_y.data(), dim, argument.data(), dim, 2}, dim,
                                   grad_x.data(), dim % 2 == 1);
      for (std::size_t c = 0; c < width; ++c) {
        Real expected = dim % 2 == 1 ? 7 : 0;
        for (const std::size_t r : {0U, 5U, 2U})
          expected += (r + c) % 3 == 2 ? grad_y[r * width + c] : 0;
        ASSERT_EQ(grad_x[c], expected) << "dim " << dim << ", column " << c;
      }
      ASSERT_EQ(grad_x.back(), 7);
    }
  });
}

/// Computes one tile of random numbers and compares it with a plain loop.
void check_product_tile(const cpu::VectorKernels& vectors, int num_rows, int num_columns) {
  constexpr std::int64_t depth = 9;
  const std::int64_t padded = (num_columns + vectors.lanes - 1) / vectors.lanes * vectors.lanes;
  const auto x = test::random_vector(static_cast<std::size_t>(num_rows * depth * 2), 1);
  const auto panel = test::random_vector(static_cast<std::size_t>(depth * padded), 2);
  std::vector<Real> y(static_cast<std::size_t>(num_rows * (num_columns + 1)), Real{3});
  cpu::ProductTile tile{};
  tile.x_step = 2;
  tile.panel = panel.data();
  tile.depth = depth;
  tile.num_rows = num_rows;
  tile.num_columns = num_columns;
  tile.add = (num_columns + num_rows) % 2 == 0;
  for (int r = 0; r < num_rows; ++r) {
    tile.x[r] = x.data() + r * depth * 2;
    tile.y[r] = y.data() + r * (num_columns + 1);
  }
  vectors.product_tile(tile);
  for (int r = 0; r < num_rows; ++r) {
    ASSERT_EQ(tile.y[r][num_columns], 3) << "wrote past the row";
    for (int c = 0; c < num_columns; ++c) {
      double expected = tile.add ? 3 : 0;
      for (std::int64_t k = 0; k < depth; ++k) {
        expected += static_cast<double>(tile.x[r][2 * k]) *
                    static_cast<double>(panel[static_cast<std::size_t>(k * padded + c)]);
      }
      ASSERT_NEAR(static_cast<double>(tile.y[r][c]), expected, tolerance)
          << num_rows << " x " << num_columns;
    }
  }
}

TEST(VectorKernels, ProductTilesOfEveryShape) {
  for_every_table([](const cpu::VectorKernels& vectors) {
    for (int num_columns = 1; num_columns <= vectors.tiles.panel_vectors * vectors.lanes;
         ++num_columns) {
      const int num_vectors = (num_columns + vectors.lanes - 1) / vectors.lanes;
      for (int num_rows = 1; num_rows <= vectors.tiles.num_rows[num_vectors - 1]; ++num_rows) {
        check_product_tile(vectors, num_rows, num_columns);
      }
    }
  });
}

TEST(VectorKernels, PanelsCoverEveryWidthAndDifferByOneVector) {
  for_every_table([](const cpu::VectorKernels& vectors) {
    EXPECT_EQ(cpu::Panels(0, vectors).num_panels(), 0);
    for (std::int64_t width = 1; width <= 300; ++width) {
      const cpu::Panels panels(width, vectors);
      std::int64_t columns = 0;
      for (std::int64_t panel = 0; panel < panels.num_panels(); ++panel) {
        ASSERT_EQ(panels.column(panel), columns) << "width " << width;
        ASSERT_GE(panels.columns(panel), 1);
        ASSERT_LE(panels.padded_columns(0) - panels.padded_columns(panel), vectors.lanes);
        ASSERT_LE(panels.padded_columns(panel), vectors.tiles.panel_vectors * vectors.lanes);
        ASSERT_GE(panels.padded_columns(panel), width > vectors.lanes ? 2 * vectors.lanes : 1);
        columns += panels.columns(panel);
      }
      ASSERT_EQ(columns, width);
      ASSERT_EQ(panels.padded_width(), (width + vectors.lanes - 1) / vectors.lanes * vectors.lanes);
    }
  });
}

TEST(VectorKernels, SoftmaxRowEqualsTheExponentialFunction) {
  for_every_table([](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 1; dim <= 70; ++dim) {
      std::vector<Real> logits = test::random_vector(static_cast<std::size_t>(dim), 5);
      for (Real& logit : logits)
        logit *= 30;
      const double largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
      std::vector<Real> powers(logits.size() + 1, Real{9});
      const cpu::SoftmaxSums sums = vectors.softmax_row(logits.data(), dim, powers.data());
      double expected_sum = 0;
      for (std::size_t c = 0; c < logits.size(); ++c) {
        const double expected = std::exp(static_cast<double>(logits[c]) - largest);
        expected_sum += expected;
        ASSERT_NEAR(static_cast<double>(powers[c]), expected, 4 * expected * tolerance);
      }
      ASSERT_EQ(powers.back(), 9);
      ASSERT_EQ(static_cast<double>(sums.largest), largest);
      ASSERT_NEAR(static_cast<double>(sums.sum), expected_sum, expected_sum * tolerance);
      ASSERT_EQ(vectors.softmax_row(logits.data(), dim, nullptr).sum, sums.sum);
    }
  });
}

TEST(VectorKernels, SoftmaxRowOfExtremeLogits) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const Real largest = std::numeric_limits<Real>::max();
  for_every_table([&](const cpu::VectorKernels& vectors) {
    const std::vector<Real> logits{-largest, largest, -infinity, 0};
    std::vector<Real> powers(4);
    const cpu::SoftmaxSums sums = vectors.softmax_row(logits.data(), 4, powers.data());
    EXPECT_EQ(sums.sum, 1);
    EXPECT_EQ(powers[1], 1);
    EXPECT_LT(powers[0], std::numeric_limits<Real>::epsilon());
    const std::vector<Real> broken{0, std::numeric_limits<Real>::quiet_NaN()};
    EXPECT_TRUE(std::isnan(vectors.softmax_row(broken.data(), 2, nullptr).sum));
  });
}

TEST(VectorKernels, DropoutRowFollowsTheMaskAtEveryWidth) {
  const DropoutMask mask{random_key(9, RandomPurpose::dropout, 3), 5, 0.375F};
  cpu::PhiloxKeys keys{};
  RandomKey key = mask.key;
  for (int round = 0; round < 10; ++round) {
    keys.low[round] = key.low;
    keys.high[round] = key.high;
    key.low += 0x9E3779B9U;
    key.high += 0xBB67AE85U;
  }
  const GlobalId id = (GlobalId{7} << 33) + 12345;
  const cpu::DropoutRow row{&keys, static_cast<std::uint64_t>(id), mask.epoch, 3U << 21,
                            mask.scale()};
  for_every_table([&](const cpu::VectorKernels& vectors) {
    for (std::int64_t dim = 0; dim <= 600; dim += dim < 80 ? 1 : 37) {
      const auto x = test::random_vector(static_cast<std::size_t>(dim), 1);
      std::vector<Real> y(x.size() + 1, Real{9});
      vectors.dropout_row(row, x.data(), dim, y.data());
      for (std::size_t c = 0; c < x.size(); ++c) {
        const Real kept = mask.keeps(id, static_cast<std::uint32_t>(c)) ? x[c] * mask.scale() : 0;
        ASSERT_EQ(y[c], kept) << "dim " << dim << ", column " << c;
      }
      ASSERT_EQ(y.back(), 9);
    }
  });
}

TEST(VectorKernels, FinishRowAtEveryWidth) {
  for_every_table([](const cpu::VectorKernels& vectors) {
    for (std::size_t dim = 0; dim <= 70; ++dim) {
      const auto bias = test::random_vector(dim, 1);
      const auto residual = test::random_vector(dim, 2);
      const auto gate = test::random_vector(dim, 3);
      const auto before = test::random_vector(dim, 4);
      std::vector<Real> y = before;
      y.push_back(9);
      cpu::FinishedRow row{};
      row.bias = bias.data();
      row.residual = residual.data();
      row.relu = true;
      row.gate = gate.data();
      row.gate_scale = 3;
      vectors.finish_row(row, static_cast<std::int64_t>(dim), y.data());
      for (std::size_t c = 0; c < dim; ++c) {
        const Real sum = std::max(before[c] + bias[c] + residual[c], Real{0});
        ASSERT_EQ(y[c], gate[c] > 0 ? sum * 3 : 0) << "dim " << dim << ", column " << c;
      }
      ASSERT_EQ(y.back(), 9);
    }
  });
}

}  // namespace
}  // namespace weft::kernels
