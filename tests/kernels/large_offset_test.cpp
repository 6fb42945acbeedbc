// SPDX-License-Identifier: MIT
// Rows beyond 2^31 elements: kernels work on the last rows of a table of 8.7 million rows of 256,
// whose offsets do not fit 32 bits. The table is mapped but not stored.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/rows.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

/// Address space for a table; pages appear when touched.
class SparselyTouchedTable {
 public:
  SparselyTouchedTable(std::int64_t num_rows, std::int64_t num_columns)
      : num_rows_(num_rows),
        num_columns_(num_columns),
        bytes_(static_cast<std::size_t>(num_rows * num_columns) * sizeof(Real)),
        data_(mmap(nullptr,
                   bytes_,
                   PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1,
                   0)) {}
  ~SparselyTouchedTable() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  SparselyTouchedTable(const SparselyTouchedTable&) = delete;
  SparselyTouchedTable& operator=(const SparselyTouchedTable&) = delete;

  [[nodiscard]] bool is_mapped() const { return data_ != MAP_FAILED; }
  [[nodiscard]] MatrixView view() {
    return {static_cast<Real*>(data_), num_rows_, num_columns_, num_columns_};
  }

 private:
  std::int64_t num_rows_;
  std::int64_t num_columns_;
  std::size_t bytes_;
  void* data_;
};

TEST(LargeOffset, LastRowsOfATableBeyond2To31Elements) {
  const std::int64_t n = 8700000;
  const std::int64_t width = 256;
  SparselyTouchedTable table(n, width);
  if (!table.is_mapped()) GTEST_SKIP() << "no address space for a table of " << n << " rows";
  const MatrixView x = table.view();
  const RowSet last = RowSet::range(n - 2, n);
  test::fill_random(x.rows(n - 2, n), 1);
  Context ctx(2);

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
  weight_gradient(ctx, x, x, grad_w.view(), last);
  EXPECT_GT(grad_w.at(3, 3), 0);

  relu(ctx, x, x, last);
  EXPECT_GE(x.at(n - 1, 0), 0);
  scatter_add_rows(ctx, gathered.view(), listed, x);
  EXPECT_EQ(x.at(n - 1, 255), std::max(gathered.at(0, 255), Real{0}) + gathered.at(0, 255));
}

}  // namespace
}  // namespace weft::kernels
