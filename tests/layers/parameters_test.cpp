// SPDX-License-Identifier: MIT
// The parameter block, and the initial weights.
#include "layers/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::layers {
namespace {

TEST(Parameters, LieInOneBlockInTheOrderOfAdding) {
  ParameterStore store;
  const ParameterId weight = store.add("weight", 0, 3, 4);
  const ParameterId bias = store.add("bias", 0, 1, 4);
  store.allocate();
  EXPECT_EQ(store.size(), 16);
  store.value(bias).at(0, 2) = 7;
  EXPECT_EQ(store.values()[14], 7);
  store.gradient(weight).at(2, 3) = 5;
  EXPECT_EQ(store.gradients()[11], 5);
  EXPECT_EQ(store.value_span(weight).size(), 12U);
}

TEST(Parameters, GlorotStaysInItsLimitAndDependsOnSeedAndParameter) {
  ParameterStore store;
  const ParameterId first = store.add("first", 0, 50, 30);
  const ParameterId second = store.add("second", 1, 50, 30);
  store.allocate();
  initialize_glorot(store, first, 1);
  initialize_glorot(store, second, 1);
  const double limit = std::sqrt(6.0 / 80.0);
  double sum = 0;
  double square = 0;
  for (const Real w : store.value_span(first)) {
    EXPECT_LE(std::abs(static_cast<double>(w)), limit);
    sum += static_cast<double>(w);
    square += static_cast<double>(w) * static_cast<double>(w);
  }
  EXPECT_NEAR(sum / 1500, 0, 4 * limit / std::sqrt(3.0 * 1500));
  EXPECT_NEAR(square / 1500, limit * limit / 3, 0.1 * limit * limit / 3);
  EXPECT_NE(store.value(first).at(0, 0), store.value(second).at(0, 0));
  const Real before = store.value(first).at(4, 5);
  initialize_glorot(store, first, 2);
  EXPECT_NE(store.value(first).at(4, 5), before);
  initialize_glorot(store, first, 1);
  EXPECT_EQ(store.value(first).at(4, 5), before);
}

}  // namespace
}  // namespace weft::layers
