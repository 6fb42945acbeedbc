// SPDX-License-Identifier: MIT
#include "datasets/zip_archive.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

const std::vector<ZipEntry> entries{{"a.npy", std::string(5000, 'x') + "end"}, {"empty", ""}};

std::string read(const std::filesystem::path& path, const std::string& member) {
  const ZipArchive archive(path, 1 << 20);
  const ZipMember* found = archive.find(member);
  if (found == nullptr) return "none";
  const std::vector<std::byte> bytes = archive.read(*found);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads every member of `bytes`.
void read_all(const TemporaryFolder& folder, const std::string& bytes) {
  const ZipArchive archive(folder.write("a.npz", bytes), 1 << 20);
  for (const ZipMember& member : archive.members())
    (void)archive.read(member);
}

}  // namespace

TEST(ZipArchive, ReadsStoredAndDeflatedMembers) {
  const TemporaryFolder folder;
  for (const bool deflated : {false, true}) {
    for (const std::string& comment : {std::string(), std::string(300, 'P')}) {
      const auto path = folder.write("a.npz", zip_of(entries, deflated, comment));
      for (const ZipEntry& entry : entries)
        EXPECT_EQ(read(path, entry.name), entry.content);
      EXPECT_EQ(read(path, "b"), "none");
    }
  }
  EXPECT_TRUE(ZipArchive(folder.write("b", zip_of({}, false)), 1).members().empty());
}

TEST(ZipArchive, RefusesAnArchiveThatIsCutShort) {
  const TemporaryFolder folder;
  const std::string whole = zip_of(entries, true);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_parts(error_of([&] { read_all(folder, whole.substr(0, size)); }), {"a.npz"});
  }
}

TEST(ZipArchive, NoticesEveryChangedBitOfTheData) {
  const TemporaryFolder folder;
  const std::string whole = zip_of({{"m", "0123456789"}}, false);
  const std::size_t begin = whole.find("0123456789");
  for (std::size_t i = 0; i < 10; ++i) {
    std::string bytes = whole;
    bytes[begin + i] = static_cast<char>(bytes[begin + i] ^ 4);
    expect_parts(error_of([&] { read_all(folder, bytes); }), {"a.npz[m]", "CRC is wrong"});
  }
}

TEST(ZipArchive, ComparesLocalHeaderAndDirectory) {
  const TemporaryFolder folder;
  std::string bytes = zip_of({{"m", "0123456789"}}, false);
  bytes[22] = 9;  // the size in the local header
  expect_parts(error_of([&] { read_all(folder, bytes); }), {"a.npz[m]", "different sizes"});
}

TEST(ZipArchive, RefusesSizesThatCannotBe) {
  const TemporaryFolder folder;
  std::string bytes = zip_of({{"m", std::string(100, 'x')}}, true);
  const std::size_t directory = bytes.find("PK\x01\x02");
  bytes[directory + 26] = 1;  // the size in the directory: 65,636
  bytes[24] = 1;              // and in the local header
  expect_parts(error_of([&] { read_all(folder, bytes); }), {"impossible size"});
  expect_parts(
      error_of([&] { const ZipArchive archive(folder.write("big", zip_of(entries, true)), 100); }),
      {"big[a.npy]", "--max-decompressed"});
}

TEST(ZipArchive, RefusesOtherMethodsAndEncryption) {
  const TemporaryFolder folder;
  std::string bytes = zip_of({{"m", "x"}}, false);
  const std::size_t directory = bytes.find("PK\x01\x02");
  std::string bzip = bytes;
  bzip[directory + 10] = 12;
  expect_parts(error_of([&] { read_all(folder, bzip); }), {"compression method 12"});
  bytes[directory + 8] = 1;
  expect_parts(error_of([&] { read_all(folder, bytes); }), {"encrypted"});
}

}  // namespace weft::datasets::tests
