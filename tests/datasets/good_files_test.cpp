// SPDX-License-Identifier: MIT
// The karate club reads the same from every format: the reference edges, features, labels, split.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "datasets/feature_reader.hpp"
#include "datasets/label_reader.hpp"
#include "datasets/npy.hpp"
#include "datasets/zip_archive.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/karate_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

namespace {

class GoodFiles : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("WEFT_DATA_DIR");
    if (data == nullptr || *data == '\0') GTEST_SKIP() << "WEFT_DATA_DIR is not set";
    good = std::filesystem::path(data) / "formats" / "good";
  }

  /// The reference graph, both directions of each edge, with the weights of a file.
  [[nodiscard]] Arcs reference(Weights weights) const {
    std::istringstream lines(
        test_support::read_text(good / "REFERENCE_karate" / "edges_undirected.txt"));
    Arcs arcs;
    int source = 0;
    int destination = 0;
    float weight = 0.0F;
    while (lines >> source >> destination >> weight) {
      if (weights == Weights::none) weight = 1.0F;
      if (weights == Weights::reference_plus_half) weight += 0.5F;
      arcs.emplace_back(destination, source, weight);
      arcs.emplace_back(source, destination, weights == Weights::skew ? -weight : weight);
    }
    std::sort(arcs.begin(), arcs.end());
    return arcs;
  }

  std::filesystem::path good;
};

/// Arcs with vertices numbered by the number at the end of their names ("node, no. 7").
Arcs renumbered_by_name(const Dataset& dataset) {
  Arcs arcs = arcs_of(dataset.graph);
  if (dataset.node_ids.strings.empty()) return arcs;
  const auto number = [&](int vertex) {
    const std::string name = dataset.node_ids.text_of(vertex);
    return std::stoi(name.substr(name.rfind(' ') + 1));
  };
  for (auto& [source, destination, weight] : arcs) {
    source = number(source);
    destination = number(destination);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

}  // namespace

TEST_F(GoodFiles, GiveTheReferenceGraph) {
  for (const KarateFile& karate : karate_files()) {
    SCOPED_TRACE(karate.file);
    ImportReport report;
    const Dataset dataset = import_dataset(karate_options(karate, good / karate.file), report);
    EXPECT_EQ(dataset.num_vertices, 34);
    EXPECT_EQ(renumbered_by_name(dataset), reference(karate.weights));
    EXPECT_EQ(dataset.directed, karate.weights == Weights::skew);
  }
}

TEST_F(GoodFiles, OtherCompressionsAreNamed) {
  ImportReport report;
  for (const char* ending : {"bz2", "xz"}) {
    ImportOptions options;
    options.source = good / (std::string("snap/karate.txt.") + ending);
    expect_parts(error_of([&] { (void)import_dataset(options, report); }),
                 {":@0: ", "decompress it first"});
  }
}

TEST_F(GoodFiles, GiveTheReferenceFeatures) {
  const auto reference = map_npy<float>(good / "REFERENCE_karate/features.npy");
  for (const char* file :
       {"npy/f2.npy", "npy/f4_big_endian.npy", "npy/f4_c.npy", "npy/f4_fortran.npy",
        "npy/f4_version2.npy", "npy/f4_version3.npy", "npy/f8_c.npy", "mtx/features_array.mtx"}) {
    SCOPED_TRACE(file);
    Dataset owner;
    std::vector<std::string> notes;
    const FeatureView view = read_features(good / file, 1 << 20, owner, notes);
    EXPECT_EQ(view.num_rows, 34);
    EXPECT_EQ(vector_of(view.dense), vector_of(reference.values));
  }
}

TEST_F(GoodFiles, GiveTheReferenceFeaturesSparse) {
  const auto reference = map_npy<float>(good / "REFERENCE_karate/features.npy");
  Dataset owner;
  std::vector<std::string> notes;
  const FeatureView view =
      read_features(good / "mtx/features_coordinate.mtx", 1 << 20, owner, notes);
  std::vector<float> dense(34 * 4);
  for (std::size_t row = 0; row < 34; ++row) {
    for (auto i = static_cast<std::size_t>(view.row_ptr[row]);
         i < static_cast<std::size_t>(view.row_ptr[row + 1]); ++i) {
      dense[row * 4 + static_cast<std::size_t>(view.col_idx[i])] = view.values[i];
    }
  }
  EXPECT_EQ(dense, vector_of(reference.values));
}

TEST_F(GoodFiles, GiveTheReferenceLabels) {
  LabelOptions options;
  options.max_decompressed_bytes = 1 << 20;
  const auto reference = read_labels(good / "REFERENCE_karate/labels.txt", options).labels;
  for (const char* file : {"npy/i8_labels.npy", "npy/i8_labels_column.npy", "npy/u1_labels.npy"}) {
    EXPECT_EQ(read_labels(good / file, options).labels, reference) << file;
  }
}

TEST_F(GoodFiles, OtherArraysAreNamed) {
  Dataset owner;
  std::vector<std::string> notes;
  const auto error = [&](const char* file) {
    return error_of([&] { (void)read_features(good / file, 1 << 20, owner, notes); });
  };
  expect_parts(error("npy/scalar.npy"), {"0 dimensions"});
  expect_parts(error("npz/stored.npz"), {"no member indptr.npy, found x.npy, y.npy"});
}

TEST_F(GoodFiles, ArchivesOfEveryWriterAreRead) {
  for (const char* file : {"npz/stored.npz", "npz/deflated.npz", "npz/no_zip64_extra.npz"}) {
    const ZipArchive archive(good / file, 1 << 20);
    ASSERT_EQ(archive.members().size(), 2U) << file;
    for (const ZipMember& member : archive.members()) {
      const auto bytes = archive.read(member);
      EXPECT_GT(parse_npy_header(bytes, member.name).num_items(), 0) << file;
    }
  }
}

}  // namespace weft::datasets::tests
