// SPDX-License-Identifier: MIT
// Matrices: memory is aligned, kept and counted, and offsets past 2^31 elements are right.
#include "kernels/matrix.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

TEST(Matrix, MemoryIsAlignedAndKeptWhenTheShapeShrinks) {
  const std::int64_t before = num_matrix_allocations();
  Matrix x(10, 7);
  EXPECT_EQ(num_matrix_allocations(), before + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0U);
  const Real* data = x.data();
  x.resize(3, 20);
  x.resize(0, 5);
  x.resize(7, 10);
  EXPECT_EQ(x.data(), data);
  EXPECT_EQ(num_matrix_allocations(), before + 1);
  x.resize(1000, 10);
  EXPECT_EQ(num_matrix_allocations(), before + 2);
  EXPECT_EQ(x.num_rows(), 1000);
  EXPECT_EQ(x.size(), 10000);
}

TEST(Matrix, FillAndViewsSeeTheSameElements) {
  Matrix x(3, 4);
  x.fill(2);
  x.view().at(1, 2) = 5;
  EXPECT_EQ(x.at(1, 2), 5);
  const ConstMatrixView middle = std::as_const(x).view().rows(1, 3);
  EXPECT_EQ(middle.num_rows, 2);
  EXPECT_EQ(middle.at(0, 2), 5);
  EXPECT_EQ(middle.row(1)[0], 2);
  EXPECT_EQ(x.values().size(), 12U);
}

TEST(Matrix, MovedFromIsEmptyAndUsable) {
  Matrix x(2, 2);
  x.fill(3);
  Matrix y = std::move(x);
  EXPECT_EQ(y.at(1, 1), 3);
  EXPECT_EQ(x.size(), 0);  // NOLINT(bugprone-use-after-move): the promise under test
  x.resize(2, 2);
  x.fill(1);
  y = std::move(x);
  EXPECT_EQ(y.at(0, 0), 1);
}

/// Always the same room.
class OneRoom : public MemorySource {
 public:
  void* allocate(std::int64_t num_bytes) override {
    return num_bytes <= std::ssize(bytes) ? bytes : nullptr;
  }

  alignas(64) std::byte bytes[256];
};

TEST(Matrix, HasItsMemoryFromASource) {
  OneRoom room;
  Matrix x(2, 2, Storage::bf16);
  x.use(room, 4, 5);
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(x.storage(), Storage::real);
  x.resize(4, 4);
  EXPECT_EQ(static_cast<void*>(x.data()), room.bytes);
  Matrix y = std::move(x);
  EXPECT_EQ(static_cast<void*>(y.data()), room.bytes);
  EXPECT_THROW(y.use(room, 100, 100), RuntimeError);
}

TEST(Matrix, ImpossibleShapesAreRefused) {
  EXPECT_THROW(Matrix(-1, 3), InputError);
  EXPECT_THROW(Matrix(std::int64_t{1} << 40, std::int64_t{1} << 40), InputError);
}

TEST(Matrix, OffsetsAre64Bit) {
  // 8,643,286 rows of 256: the last element's offset does not fit 31 bits. No memory is touched.
  const Real* base = nullptr;
  const ConstMatrixView x{base, 8643286, 256, 256};
  const std::int64_t last = (x.num_rows - 1) * x.stride + x.num_columns - 1;
  EXPECT_EQ(last, 2212681215);
  EXPECT_EQ(RowSet::range(0, x.num_rows).size() * x.stride, 2212681216);
}

}  // namespace
}  // namespace weft::kernels
