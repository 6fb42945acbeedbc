// SPDX-License-Identifier: MIT
// What was written is read back equal, and what was changed in between is named.
#include "partition/partition_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "partition/own_methods.hpp"
#include "partition/write_partition.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/partition/small_datasets.hpp"
#include "tests/support/random_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;
using test_support::TemporaryFolder;

constexpr int num_parts = 3;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Writes `dataset` in three parts to `folder`.
std::vector<Part> write_three(const datasets::Dataset& dataset, const fs::path& folder) {
  const auto owner =
      random_owners(dataset.num_vertices, std::vector<double>(num_parts, 1.0 / num_parts), 1);
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  PartitionInfo info = test_support::info_of(dataset, num_parts);
  info.request = "--method random";
  info.fingerprint = 0x0123456789abcdef;
  PartBuilder builder(dataset, degrees, owner, info);
  write_partition(builder, PartitionRecord{}, folder);
  std::vector<Part> parts;
  for (int p = 0; p < num_parts; ++p)
    parts.push_back(builder.build(p));
  return parts;
}

datasets::Dataset small_dataset(bool sparse_features = false) {
  test_support::RandomDatasetOptions options;
  options.sparse_features = sparse_features;
  return test_support::random_dataset(options);
}

class PartitionFolder : public testing::Test {
 protected:
  // Changes one byte in the middle of a file.
  static void damage(const fs::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto middle = static_cast<std::streamoff>(fs::file_size(path) - 1);
    file.seekg(middle);
    const int byte = file.get();
    file.seekp(middle);
    file.put(static_cast<char>(byte ^ 1));
  }

  // Replaces the first `from` in a text file.
  static void edit(const fs::path& path, const std::string& from, const std::string& to) {
    std::string content = test_support::read_text(path);
    const std::size_t place = content.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    content.replace(place, from.size(), to);
    std::ofstream(path, std::ios::binary) << content;
  }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_ / "parts";
};

TEST_F(PartitionFolder, PartsAreReadBackEqual) {
  for (const bool sparse : {false, true}) {
    const auto dataset = small_dataset(sparse);
    const fs::path folder = temporary_ / (sparse ? "sparse" : "dense");
    for (const Part& part : write_three(dataset, folder)) {
      const Part opened = open_part(folder.string(), part.part);
      test_support::expect_equal_parts(opened, part);
      EXPECT_EQ(opened.info.request, "--method random");
      EXPECT_EQ(opened.info.dataset_name, dataset.name);
    }
  }
}

TEST_F(PartitionFolder, MultiLabelsAndTargetsAreReadBack) {
  auto dataset =
      test_support::dataset_of(test_support::graph_of(30, test_support::ring_arcs(30)), false);
  dataset.num_classes = 2;
  dataset.task = datasets::Task::multi_label;
  dataset.multi_labels = keep(dataset, std::vector<std::uint8_t>(60, 1));
  for (const Part& part : write_three(dataset, temporary_ / "multi")) {
    test_support::expect_equal_parts(open_part((temporary_ / "multi").string(), part.part), part);
  }
  dataset.task = datasets::Task::regression;
  dataset.multi_labels = {};
  dataset.targets = keep(dataset, std::vector<float>(60, 0.5F));
  for (const Part& part : write_three(dataset, temporary_ / "real")) {
    test_support::expect_equal_parts(open_part((temporary_ / "real").string(), part.part), part);
  }
}

TEST_F(PartitionFolder, OwnersAreReadBack) {
  const auto parts = write_three(small_dataset(), folder_);
  const auto owner = read_owner(folder_);
  test_support::expect_owned_once(parts, owner);
}

TEST_F(PartitionFolder, InfoIsReadFromEitherManifest) {
  write_three(small_dataset(), folder_);
  const PartitionInfo info = read_partition_info(folder_.string());
  EXPECT_EQ(info.num_parts, num_parts);
  EXPECT_EQ(info.fingerprint, 0x0123456789abcdefU);
  const PartitionInfo of_part = read_partition_info(part_folder(folder_, 1).string(), 1);
  EXPECT_EQ(of_part.num_parts, num_parts);
  EXPECT_EQ(of_part.split_names, info.split_names);
}

// A part alone is enough for its rank: no shared file system is needed.
TEST_F(PartitionFolder, PatternsWithRank) {
  const auto parts = write_three(small_dataset(), folder_);
  for (const Part& part : parts) {
    const fs::path host = temporary_ / ("host" + std::to_string(part.part));
    fs::create_directory(host);
    fs::copy(part_folder(folder_, part.part), part_folder(host, part.part));
  }
  fs::rename(folder_, temporary_ / "gone");
  const std::string root = temporary_.path().string();
  for (const Part& part : parts) {
    test_support::expect_equal_parts(open_part(root + "/host{rank}", part.part), part);
    test_support::expect_equal_parts(open_part(root + "/host{rank}/part-{rank}", part.part), part);
    EXPECT_EQ(read_partition_info(root + "/host{rank}", part.part).num_parts, num_parts);
  }
}

TEST_F(PartitionFolder, MissingPartsAreNamedWithRankAndHost) {
  write_three(small_dataset(), folder_);
  fs::remove_all(part_folder(folder_, 2));
  const std::string message = error_of([&] { (void)open_part(folder_.string(), 2); });
  EXPECT_NE(message.find("part 2 of rank 2"), std::string::npos) << message;
  EXPECT_NE(message.find("host"), std::string::npos) << message;
  EXPECT_NE(message.find("part-00002"), std::string::npos) << message;
}

// Bug report 49: more ranks than parts.
TEST_F(PartitionFolder, RanksBeyondThePartsNameBoth) {
  write_three(small_dataset(), folder_);
  const std::string message = error_of([&] { (void)open_part(folder_.string(), 3); });
  EXPECT_NE(message.find("part 3 of rank 3"), std::string::npos) << message;
  EXPECT_NE(message.find("has 3 parts"), std::string::npos) << message;
}

TEST_F(PartitionFolder, AnotherPartsFolderIsRefused) {
  write_three(small_dataset(), folder_);
  const std::string message =
      error_of([&] { (void)open_part(part_folder(folder_, 0).string(), 1); });
  EXPECT_NE(message.find("holds part 0"), std::string::npos) << message;
}

TEST_F(PartitionFolder, AbsentFolderIsNamed) {
  const std::string message = error_of([&] { (void)read_partition_info(folder_.string()); });
  EXPECT_NE(message.find(folder_.string()), std::string::npos) << message;
}

TEST_F(PartitionFolder, EveryDamagedArrayIsFound) {
  write_three(small_dataset(), folder_);
  int num_arrays = 0;
  for (const auto& entry : fs::directory_iterator(part_folder(folder_, 1))) {
    if (entry.path().extension() != ".npy") continue;
    ++num_arrays;
    damage(entry.path());
    const std::string message = error_of([&] { (void)open_part(folder_.string(), 1); });
    EXPECT_NE(message.find(entry.path().filename().string()), std::string::npos) << message;
    EXPECT_NE(message.find("checksum"), std::string::npos) << message;
    damage(entry.path());
  }
  EXPECT_EQ(num_arrays, 11);
  EXPECT_NO_THROW((void)open_part(folder_.string(), 1));
}

TEST_F(PartitionFolder, ManifestErrorsNameTheKey) {
  write_three(small_dataset(), folder_);
  const fs::path manifest = part_folder(folder_, 0) / "part.json";
  const std::string original = test_support::read_text(manifest);
  const auto expect = [&](const std::string& from, const std::string& to,
                          const std::string& words) {
    edit(manifest, from, to);
    const std::string message = error_of([&] { (void)open_part(folder_.string(), 0); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("part.json"), std::string::npos) << message;
    std::ofstream(manifest, std::ios::binary) << original;
  };
  expect("\"format_version\": 1", "\"format_version\": 2", "format_version is 2, expected 1");
  expect("\"num_interior\"", "\"num_outside\"", "num_interior is missing");
  expect("\"num_parts\": 3", "\"num_parts\": \"3\"", "num_parts has the wrong type");
  expect("\"num_parts\": 3", "\"num_parts\": -3", "num_parts is -3");
  expect("\"halo_begin\": 0", "\"halo_begin\": 1", "peers");
  expect("weft-part", "other", "format is");
  expect("{", "[", "is not valid JSON");
}

TEST_F(PartitionFolder, ShapesAreHeldAgainstCounts) {
  write_three(small_dataset(), folder_);
  const fs::path manifest = part_folder(folder_, 0) / "part.json";
  const Part part = open_part(folder_.string(), 0);
  edit(manifest, text("\"num_interior\": ", part.num_interior),
       text("\"num_interior\": ", part.num_interior + 1));
  const std::string message = error_of([&] { (void)open_part(folder_.string(), 0); });
  EXPECT_NE(message.find("shape"), std::string::npos) << message;
}

TEST_F(PartitionFolder, NothingIsOverwritten) {
  write_three(small_dataset(), folder_);
  EXPECT_THROW(write_three(small_dataset(), folder_), InputError);
  EXPECT_NO_THROW((void)open_part(folder_.string(), 0));
}

TEST_F(PartitionFolder, AnotherDatasetIsRefusedInWords) {
  write_three(small_dataset(), folder_);
  const PartitionInfo info = read_partition_info(folder_.string());
  auto same = small_dataset();
  EXPECT_NO_THROW(check_dataset(info, same, "folder"));
  same.fingerprint += 1;
  same.name = "other";
  const std::string message = error_of([&] { check_dataset(info, same, "folder"); });
  EXPECT_NE(message.find("partition of another dataset"), std::string::npos) << message;
  EXPECT_NE(message.find("\"other\""), std::string::npos) << message;
}

}  // namespace
}  // namespace weft::partition
