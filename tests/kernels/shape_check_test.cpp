// SPDX-License-Identifier: MIT
// Texts of shape errors: object, found, expected, remedy.
#include "kernels/shape_check.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/support/error.hpp"

namespace weft::kernels {
namespace {

template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ShapeCheck, UnequalCountsAreNamedWithTheirRemedy) {
  EXPECT_EQ(message_of([] {
              require_equal("op", {"rows of x", 2}, {"columns of a", 3}, "do");
            }),
            "op: rows of x: 2, but columns of a: 3; do");
  EXPECT_NO_THROW(require_equal("op", {"rows of x", 3}, {"columns of a", 3}, "do"));
}

TEST(ShapeCheck, RowSetsOutsideTheMatrixAreNamed) {
  const std::vector<LocalId> list{1, 7};
  EXPECT_EQ(message_of([&] {
              require_rows("op", RowSet::of(list), {"rows of y", 7});
            }),
            "op: rows 1 to 8 (exclusive) asked for, but rows of y: 7; pass a row set inside the "
            "matrix");
  EXPECT_NO_THROW(require_rows("op", RowSet::of(list), {"rows of y", 8}));
  EXPECT_NO_THROW(require_rows("op", RowSet::range(0, 0), {"rows of y", 0}));
  EXPECT_NE(message_of([] { require_rows("op", RowSet::range(-1, 2), {"rows", 7}); }), "accepted");
  EXPECT_NE(message_of([] { require_rows("op", RowSet::range(3, 2), {"rows", 7}); }), "accepted");
}

TEST(ShapeCheck, SparseArraysMustFitTheirShape) {
  SparseMatrix a{2, 2, {0, 1, 2}, {0, 1}, {}};
  EXPECT_NO_THROW(require_sparse("op", a.view()));
  a.values = {1};
  EXPECT_NE(message_of([&] { require_sparse("op", a.view()); }).find("entries of values: 1"),
            std::string::npos);
  const std::vector<EdgeOffset> row_end{1};
  SparseView view = a.view();
  view.row_end = row_end;
  EXPECT_EQ(message_of([&] { require_sparse("op", view); }),
            "op: entries of row_end: 1, but rows of the sparse matrix: 2; pass the end of every "
            "row, or none at all for whole rows");
}

}  // namespace
}  // namespace weft::kernels
