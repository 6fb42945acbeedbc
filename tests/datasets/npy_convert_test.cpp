// SPDX-License-Identifier: MIT
#include "datasets/npy_convert.hpp"

#include <cmath>
#include <limits>

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

NpyBytes view(const std::string& bytes) {
  return view_npy(std::as_bytes(std::span(bytes)), "x");
}

std::vector<float> floats(const std::string& bytes) {
  return to_floats(view(bytes), "feature");
}
std::vector<std::int64_t> integers(const std::string& bytes) {
  return to_integers(view(bytes), "label");
}

const std::vector<float> one_two{1.0F, 2.0F};

}  // namespace

TEST(NpyConvert, ReadsEveryType) {
  EXPECT_EQ(floats(npy_of<float>("<f4", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<double>("<f8", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::int8_t>("|i1", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::int16_t>("<i2", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::int32_t>("<i4", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::int64_t>("<i8", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::uint8_t>("|u1", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::uint16_t>("<u2", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::uint32_t>("<u4", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::uint64_t>("<u8", "(2,)", {1, 2})), one_two);
  EXPECT_EQ(floats(npy_of<std::uint8_t>("|b1", "(2,)", {0, 1})), (std::vector<float>{0, 1}));
}

TEST(NpyConvert, ReadsHalves) {
  // 1, -2, the smallest subnormal, the largest
  EXPECT_EQ(floats(npy_of<std::uint16_t>("<f2", "(4,)", {0x3C00, 0xC000, 0x0001, 0x7BFF})),
            (std::vector<float>{1.0F, -2.0F, 0x1p-24F, 65504.0F}));
  expect_parts(error_of([] { (void)floats(npy_of<std::uint16_t>("<f2", "(1,)", {0x7C00})); }),
               {"inf"});
  expect_parts(error_of([] { (void)floats(npy_of<std::uint16_t>("<f2", "(1,)", {0x7E00})); }),
               {"nan"});
}

TEST(NpyConvert, UndoesOrders) {
  EXPECT_EQ(integers(npy_of<std::uint8_t>(">i4", "(1,)", {0, 0, 1, 2})),
            (std::vector<std::int64_t>{258}));
  EXPECT_EQ(floats(npy_of<float>("<f4", "(2, 3)", {1, 4, 2, 5, 3, 6}, true)),
            (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(NpyConvert, NamesTheRowAndColumnOfABadNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_parts(error_of([&] {
                 (void)floats(npy_of<float>("<f4", "(2, 2)", {1, 2, nan, 4}));
               }),
               {"x: row 1, column 0: feature nan"});
  expect_parts(error_of([] { (void)floats(npy_of<double>("<f8", "(1,)", {1e39})); }),
               {"x: row 0: feature 1e+39", "float32"});
  expect_parts(error_of([] {
                 (void)integers(npy_of<float>("<f4", "(2,)", {0, 1.5}));
               }),
               {"x: row 1: label 1.5", "whole"});
  expect_parts(error_of([] { (void)integers(npy_of<double>("<f8", "(1,)", {1e30})); }), {"1e+30"});
  expect_parts(error_of([] { (void)integers(npy_of<std::uint64_t>("<u8", "(1,)", {UINT64_MAX})); }),
               {"18446744073709551615"});
  EXPECT_EQ(integers(npy_of<float>("<f4", "(2,)", {-1, 3})), (std::vector<std::int64_t>{-1, 3}));
}

TEST(NpyConvert, WantsOneOrTwoDimensions) {
  expect_parts(error_of([] { (void)floats(npy_of<float>("<f4", "()", {1})); }),
               {"0 dimensions, expected 1 or 2"});
  expect_parts(error_of([] { (void)floats(npy_of<float>("<f4", "(1, 1, 1)", {1})); }),
               {"3 dimensions"});
  EXPECT_EQ(view(npy_of<float>("<f4", "(2,)", {1, 2})).num_columns(), 1);
}

TEST(NpyConvert, FindsTheFirstValueThatIsNotFinite) {
  std::vector<float> values(1'000'000, 1.0F);
  EXPECT_NO_THROW(require_finite(values, 10, "x", "feature"));
  values[700'003] = INFINITY;
  values[900'000] = NAN;
  expect_parts(error_of([&] { require_finite(values, 10, "x", "feature"); }),
               {"x: row 70000, column 3: feature inf"});
}

}  // namespace weft::datasets::tests
