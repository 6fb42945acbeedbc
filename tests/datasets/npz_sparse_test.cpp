// SPDX-License-Identifier: MIT
#include "datasets/npz_sparse.hpp"

#include <cmath>

#include "tests/datasets/sparse_npz_maker.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

SparseRows read_rows(const std::map<std::string, std::string>& members, bool deflated = true) {
  const TemporaryFolder folder;
  return read_sparse_npz(folder.write("f.npz", npz_of(members, deflated)), 1 << 20);
}

std::string error_with(const std::string& member, const std::string& content) {
  auto members = sparse_members();
  members[member] = content;
  return error_of([&] { (void)read_rows(members); });
}

std::string offsets(const std::vector<std::int64_t>& values) {
  return npy_of<std::int64_t>("<i8", text("(", values.size(), ",)"), values);
}

}  // namespace

TEST(NpzSparse, ReadsCsr) {
  for (const bool deflated : {false, true}) {
    const SparseRows rows = read_rows(sparse_members(), deflated);
    EXPECT_EQ(rows.num_columns, 3);
    EXPECT_EQ(rows.row_ptr, (std::vector<std::int64_t>{0, 1, 1, 3}));
    EXPECT_EQ(rows.col_idx, (std::vector<std::int32_t>{1, 0, 2}));
    EXPECT_EQ(rows.values, (std::vector<float>{5, 6, 7}));
  }
}

TEST(NpzSparse, ReadsAFormatOfText) {
  auto members = sparse_members();
  members["format"] = npy_bytes("{'descr': '<U3', 'fortran_order': False, 'shape': (), }",
                                std::string("c\0\0\0s\0\0\0r\0\0\0", 12));
  EXPECT_EQ(read_rows(members).num_columns, 3);
}

TEST(NpzSparse, RefusesAnotherForm) {
  expect_parts(error_with("format", npy_bytes("{'descr': '|S3'}", "csc")),
               {"f.npz[format]: 'csc', expected 'csr'", "tocsr"});
  auto members = sparse_members();
  members.erase("indptr");
  expect_parts(error_of([&] { (void)read_rows(members); }),
               {"f.npz: no member indptr.npy, found data.npy", "save_npz"});
}

TEST(NpzSparse, RefusesOffsetsThatDoNotFit) {
  expect_parts(error_with("indptr", offsets({0, 1, 3})),
               {"f.npz[indptr]: 3 offsets for 3 rows, expected 4"});
  expect_parts(error_with("indptr", offsets({1, 1, 1, 3})), {"f.npz[indptr]@0: offset 1"});
  expect_parts(error_with("indptr", offsets({0, 2, 1, 3})), {"f.npz[indptr]@2: offset 1 after 2"});
  expect_parts(error_with("indptr", offsets({0, 1, 1, 2})),
               {"f.npz[indptr]@3: the last offset is 2, expected 3"});
  expect_parts(error_with("data", npy_of<float>("<f4", "(2,)", {1, 2})),
               {"f.npz[data]: 2 values for 3 columns"});
}

TEST(NpzSparse, RefusesColumnsAndValues) {
  expect_parts(error_with("indices", npy_of<std::int32_t>("<i4", "(3,)", {1, 0, 3})),
               {"f.npz[indices]@2: column 3, expected 0 to 2"});
  expect_parts(error_with("indices", npy_of<std::int32_t>("<i4", "(3,)", {-1, 0, 2})),
               {"f.npz[indices]@0: column -1"});
  expect_parts(error_with("data", npy_of<float>("<f4", "(3,)", {1, NAN, 2})),
               {"f.npz[data]: row 1: feature nan"});
  expect_parts(error_with("shape", npy_of<std::int64_t>("<i8", "(3,)", {3, 3, 3})),
               {"f.npz[shape]: 3 numbers"});
  expect_parts(error_with("shape", npy_of<std::int64_t>("<i8", "(2,)", {3, 1LL << 40})),
               {"f.npz[shape]: extent 1099511627776"});
  expect_parts(error_with("indices", "no array"), {"f.npz[indices]:@0"});
  expect_parts(error_with("data", npy_of<float>("<f4", "(3, 1)", {1, 2, 3})), {"no vector"});
}

}  // namespace weft::datasets::tests
