// SPDX-License-Identifier: MIT
// The reference's copies: matrices of Real are used in place, others widened and rounded back.
#include "kernels/reference/real_copy.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels::reference {
namespace {

TEST(RealCopy, MatricesOfRealAreUsedInPlace) {
  Matrix x(2, 3);
  EXPECT_EQ(RealInput(x.view()).view().data, x.data());
  EXPECT_EQ(RealOutput(x.view()).view().data, x.data());
  EXPECT_EQ(RealOutput(MatrixView{}).view().data, nullptr);
}

TEST(RealCopy, MatricesOfBf16AreWidenedAndRoundedBack) {
  Matrix x(2, 3, Storage::bf16);
  x.fill(Real{1.5});
  const RealInput in(x.view());
  EXPECT_EQ(in.view().storage, Storage::real);
  EXPECT_EQ(in.view().at(1, 2), Real{1.5});
  const RealOutput out(x.view());
  EXPECT_EQ(out.view().at(0, 0), Real{1.5});
  out.view().at(0, 0) = Real{2.001F};
  EXPECT_EQ(x.view().row_bf16(0)[0], 0x3FC0U) << "before it is stored";
  out.store();
  EXPECT_EQ(x.view().row_bf16(0)[0], 0x4000U);
  EXPECT_EQ(x.view().row_bf16(1)[2], 0x3FC0U);
}

}  // namespace
}  // namespace weft::kernels::reference
