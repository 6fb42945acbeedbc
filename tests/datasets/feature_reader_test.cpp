// SPDX-License-Identifier: MIT
#include "datasets/feature_reader.hpp"

#include <cmath>

#include "tests/datasets/sparse_npz_maker.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

class FeatureReader : public testing::Test {
 protected:
  FeatureView read_file(const std::string& name, const std::string& content) {
    return read_features(folder.write(name, content), 1 << 20, owner, notes);
  }
  std::string error(const std::string& name, const std::string& content) {
    return error_of([&] { (void)read_file(name, content); });
  }

  TemporaryFolder folder;
  Dataset owner;
  std::vector<std::string> notes;
};

}  // namespace

TEST_F(FeatureReader, MapsPlainFloats) {
  const FeatureView view = read_file("f.npy", npy_of<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(view.num_rows, 2);
  EXPECT_EQ(view.num_columns, 3);
  EXPECT_EQ(vector_of(view.dense), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_file("g.npy", npy_of<float>("<f4", "(2,)", {1, 2})).num_columns, 1);
}

TEST_F(FeatureReader, ConvertsOthers) {
  EXPECT_EQ(vector_of(read_file("f.npy", npy_of<std::uint8_t>("|b1", "(1, 2)", {0, 1})).dense),
            (std::vector<float>{0, 1}));
  EXPECT_EQ(vector_of(read_file("f.npy", npy_of<float>("<f4", "(2, 2)", {1, 3, 2, 4}, true)).dense),
            (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(FeatureReader, KeepsSparseRowsSparse) {
  const FeatureView view = read_file("f.npz", npz_of(sparse_members()));
  EXPECT_TRUE(view.is_sparse());
  EXPECT_EQ(view.num_rows, 3);
  EXPECT_EQ(vector_of(view.values), (std::vector<float>{5, 6, 7}));
  EXPECT_TRUE(notes.empty());
}

TEST_F(FeatureReader, AddsUpRepeatedEntries) {
  auto members = sparse_members();
  members["indices"] = npy_of<std::int32_t>("<i4", "(3,)", {1, 2, 2});
  const FeatureView view = read_file("f.npz", npz_of(members));
  EXPECT_EQ(vector_of(view.values), (std::vector<float>{5, 13}));
  expect_parts(notes.at(0), {"f.npz: 1 entries repeat"});
  members["data"] = npy_of<float>("<f4", "(3,)", {1, 3e38F, 3e38F});
  expect_parts(error("f.npz", npz_of(members)), {"sum of repeated entries inf"});
}

TEST_F(FeatureReader, ReadsMatrices) {
  const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n2 3 2\n";
  const FeatureView view = read_file("f.mtx.gz", gzip_of(coordinate + "2 3 7\n2 1 6\n"));
  EXPECT_EQ(vector_of(view.row_ptr), (std::vector<std::int64_t>{0, 0, 2}));
  EXPECT_EQ(vector_of(view.col_idx), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(vector_of(view.values), (std::vector<float>{6, 7}));
  const std::string symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n";
  EXPECT_EQ(vector_of(read_file("f.mtx", symmetric + "2 1\n2 2\n").col_idx),
            (std::vector<std::int32_t>{1, 0, 1}));
  const std::string array = "%%MatrixMarket matrix array integer general\n2 2\n1\n3\n2\n4\n";
  EXPECT_EQ(vector_of(read_file("f.mtx", array).dense), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(FeatureReader, RefusesOtherFiles) {
  expect_parts(error("f.txt", "1 2\n"), {"f.txt:1: no features", ".npy"});
  expect_parts(error("f.npy", "x"), {"f.npy:@0"});
  expect_parts(error("f.npz", "x"), {"f.npz:@1"});
  expect_parts(error("f.npy", npy_of<float>("<f4", "(2, 0)", {})), {"0 columns"});
  expect_parts(error("f.npy", npy_of<float>("<f4", "(1, 2)", {0, NAN})),
               {"f.npy: row 0, column 1: feature nan"});
  expect_parts(error_of([&] { (void)read_features(folder / "none.npy", 1 << 20, owner, notes); }),
               {"none.npy", "cannot open"});
}

}  // namespace weft::datasets::tests
