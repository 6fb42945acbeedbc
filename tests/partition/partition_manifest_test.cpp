// SPDX-License-Identifier: MIT
#include "partition/partition_manifest.hpp"

#include <gtest/gtest.h>

#include <string>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

class Manifest : public testing::Test {
 protected:
  static PartManifest example() {
    PartManifest manifest;
    manifest.info.num_parts = 4;
    manifest.info.num_vertices = std::int64_t{1} << 40;
    manifest.info.num_edges = 77;
    manifest.info.method = "metis";
    manifest.info.seed = ~std::uint64_t{0};
    manifest.info.dataset_fingerprint = 0xfedcba9876543210;
    manifest.info.fingerprint = 1;
    manifest.info.task = datasets::Task::multi_label;
    manifest.info.num_classes = 3;
    manifest.info.directed = false;
    manifest.info.split_names = {"a", "b"};
    manifest.info.dataset_name = "name with \"quotes\"";
    manifest.info.request = "--method metis";
    manifest.part = 2;
    manifest.num_interior = 5;
    manifest.num_boundary = 6;
    manifest.num_halo = 7;
    manifest.num_edges = 8;
    manifest.num_feature_columns = 9;
    manifest.peers = {{0, 0, 3, 0, 2}, {1, 0, 0, 2, 4}, {3, 3, 7, 4, 4}};
    manifest.checksums = {{"row_ptr.npy", 12}};
    return manifest;
  }

  // The error of reading `content` as part.json.
  std::string error_of(const std::string& content) const {
    const auto path = folder_.write("part.json", content);
    try {
      (void)read_part_manifest(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  // The error of reading the example after `change`.
  template <typename Change>
  std::string error_after(Change change) const {
    PartManifest manifest = example();
    change(manifest);
    write_part_manifest(folder_.path(), manifest);
    return error_of(test_support::read_text(folder_ / "part.json"));
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(Manifest, PartIsReadBack) {
  const PartManifest written = example();
  write_part_manifest(folder_.path(), written);
  const PartManifest read = read_part_manifest(folder_ / "part.json");
  EXPECT_EQ(read.info.num_vertices, written.info.num_vertices);
  EXPECT_EQ(read.info.seed, written.info.seed);
  EXPECT_EQ(read.info.dataset_fingerprint, written.info.dataset_fingerprint);
  EXPECT_EQ(read.info.task, written.info.task);
  EXPECT_EQ(read.info.directed, written.info.directed);
  EXPECT_EQ(read.info.split_names, written.info.split_names);
  EXPECT_EQ(read.info.dataset_name, written.info.dataset_name);
  EXPECT_EQ(read.info.request, written.info.request);
  EXPECT_EQ(read.part, 2);
  EXPECT_EQ(read.num_interior, 5);
  EXPECT_EQ(read.num_boundary, 6);
  EXPECT_EQ(read.num_halo, 7);
  EXPECT_EQ(read.num_edges, 8);
  EXPECT_EQ(read.num_feature_columns, 9);
  EXPECT_EQ(read.checksums, written.checksums);
  ASSERT_EQ(read.peers.size(), 3U);
  EXPECT_EQ(read.peers[2].part, 3);
  EXPECT_EQ(read.peers[2].halo_begin, 3);
  EXPECT_EQ(read.peers[1].send_end, 4);
}

TEST_F(Manifest, PartitionIsReadBack) {
  PartitionRecord record;
  record.quality.parts.resize(2);
  record.quality.halo_rows = 123;
  write_partition_manifest(folder_.path(), example().info, record, {{"owner.npy", 5}});
  const PartitionInfo info = read_info(folder_ / "partition.json");
  EXPECT_EQ(info.num_parts, 4);
  EXPECT_EQ(info.method, "metis");
  EXPECT_EQ(read_checksums(folder_ / "partition.json").at("owner.npy"), 5U);
  EXPECT_NE(test_support::read_text(folder_ / "partition.json").find("\"halo_rows\": 123"),
            std::string::npos);
}

TEST_F(Manifest, NamesOfAnyBytesAreWritten) {
  PartManifest manifest = example();
  manifest.info.dataset_name = "bad \xff utf-8";
  write_part_manifest(folder_.path(), manifest);
  EXPECT_NO_THROW((void)read_part_manifest(folder_ / "part.json"));
}

TEST_F(Manifest, WhatIsNoManifestIsRefused) {
  EXPECT_NE(error_of("{").find("is not valid JSON"), std::string::npos);
  EXPECT_NE(error_of("[]").find("is no JSON object"), std::string::npos);
  EXPECT_NE(error_of("{}").find("format is missing"), std::string::npos);
  EXPECT_THROW((void)read_info(folder_ / "absent.json"), InputError);
}

TEST_F(Manifest, PeersThatDoNotTileTheHaloAreRefused) {
  EXPECT_NE(error_after([](PartManifest& m) { m.peers.pop_back(); }).find("do not fill the halo"),
            std::string::npos);
  EXPECT_NE(error_after([](PartManifest& m) { m.peers[2].halo_begin = 4; }).find("part 3"),
            std::string::npos);
  EXPECT_NE(error_after([](PartManifest& m) { m.peers[1].send_begin = 1; }).find("part 1"),
            std::string::npos);
  EXPECT_NE(error_after([](PartManifest& m) { m.peers[1].part = 2; }).find("part 2"),
            std::string::npos);
  EXPECT_NE(error_after([](PartManifest& m) { m.peers[2].part = 4; }).find("part 4"),
            std::string::npos);
  EXPECT_NE(error_after([](PartManifest& m) { m.peers[1].part = 0; }).find("part 0"),
            std::string::npos);
}

TEST_F(Manifest, CountsBeyondTheirTypeAreRefused) {
  write_part_manifest(folder_.path(), example());
  std::string content = test_support::read_text(folder_ / "part.json");
  const std::string key = "\"num_interior\": 5";
  content.replace(content.find(key), key.size(), "\"num_interior\": 3000000000");
  EXPECT_NE(error_of(content).find("num_interior is 3000000000"), std::string::npos);
}

}  // namespace
}  // namespace weft::partition
