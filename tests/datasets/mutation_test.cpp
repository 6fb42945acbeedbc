// SPDX-License-Identifier: MIT
// Damaged input never crashes the import: it ends with an error and leaves nothing, or it makes a
// dataset that is valid. Each good file is cut, its bytes are changed and its columns swapped.
//
// WEFT_MUTATION_SEEDS sets the number of seeds a file (10).
#include <cstdlib>
#include <random>

#include "datasets/dataset_folder.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/karate_files.hpp"
#include "tests/datasets/sparse_npz_maker.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

class Mutation : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* count = std::getenv("WEFT_MUTATION_SEEDS")) num_seeds = std::atoi(count);
    const char* data = std::getenv("WEFT_DATA_DIR");
    if (data != nullptr && *data != '\0') good = std::filesystem::path(data) / "formats" / "good";
  }

  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  }

  /// The content with one of: the end cut off, some bytes changed, a piece doubled or removed, two
  /// fields of a line swapped.
  std::string mutated(std::string content) {
    switch (below(5)) {
      case 0:
        return content.substr(0, below(content.size()));
      case 1:
        return content.insert(below(content.size()), content, below(content.size()), below(20));
      case 2:
        return content.erase(below(content.size()), 1 + below(20));
      case 3:
        return swap_fields(std::move(content));
      default:
        for (std::size_t i = 1 + below(4); i > 0 && !content.empty(); --i) {
          content[below(content.size())] = static_cast<char>(below(256));
        }
        return content;
    }
  }

  std::string swap_fields(std::string content) {
    const std::size_t begin = content.find('\n', below(content.size()));
    if (begin == content.npos) return content;
    const std::size_t middle = content.find_first_of("\t ,", begin);
    const std::size_t end = content.find('\n', begin + 1);
    if (middle == content.npos || end == content.npos || middle > end) return content;
    const std::string left = content.substr(begin + 1, middle - begin - 1);
    const std::string right = content.substr(middle + 1, end - middle - 1);
    return content.replace(begin + 1, end - begin - 1, right + content[middle] + left);
  }

  /// Imports and writes; a dataset must be valid, an error must leave nothing.
  void expect_survival(const ImportOptions& options) {
    const TemporaryFolder out;
    try {
      ImportReport report;
      write_dataset(import_dataset(options, report), out / "set");
    } catch (const Error& error) {
      EXPECT_TRUE(std::filesystem::is_empty(out.path())) << error.what();
      EXPECT_NE(std::string(error.what()), "");
      ++num_refused;
      return;
    }
    EXPECT_NO_THROW((void)open_dataset(out / "set", true));
    ++num_accepted;
  }

  /// Imports `options` with a file as one of their side files.
  auto import_with(const ImportOptions& options, std::filesystem::path SourceFiles::*side) {
    return [this, options, side](const std::filesystem::path& path) {
      ImportOptions changed = options;
      changed.files.*side = path;
      expect_survival(changed);
    };
  }

  /// Calls `import` with each mutation of `content`, written to `name`.
  template <typename Import>
  void mutate(const std::string& name, const std::string& content, Import import) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    std::filesystem::create_directories((folder / name).parent_path());
    for (int seed = 0; seed < num_seeds; ++seed) {
      random.seed(static_cast<std::uint64_t>(seed));
      import(folder.write(name, mutated(content)));
    }
  }

  int num_seeds = 10;
  int num_refused = 0;
  int num_accepted = 0;
  std::filesystem::path good;  ///< files of other programs; empty without WEFT_DATA_DIR
  std::mt19937_64 random;
};

/// Features, but for arrays of labels and masks, which are read as labels.
std::filesystem::path SourceFiles::*side_of(const std::string& file) {
  const bool is_label = file.find("labels") != file.npos || file.find("mask") != file.npos;
  return is_label ? &SourceFiles::labels : &SourceFiles::features;
}

}  // namespace

TEST_F(Mutation, EdgeLists) {
  if (good.empty()) GTEST_SKIP() << "WEFT_DATA_DIR is not set";
  for (const KarateFile& karate : karate_files()) {
    mutate(
        karate.file, test_support::read_text(good / karate.file),
        [&](const std::filesystem::path& path) { expect_survival(karate_options(karate, path)); });
  }
  EXPECT_GT(num_refused, 0);
  EXPECT_GT(num_accepted, 0);
}

TEST_F(Mutation, SideFiles) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.source = folder.write("edges.txt", "0 1\n1 2\n");
  const auto with = [&](std::filesystem::path SourceFiles::*side) {
    return import_with(options, side);
  };
  mutate("f.npz", npz_of(sparse_members(), true), with(&SourceFiles::features));
  mutate("g.npz", npz_of(sparse_members(), false), with(&SourceFiles::features));
  mutate("f.npy", npy_of<float>("<f4", "(3, 2)", {1, 2, 3, 4, 5, 6}), with(&SourceFiles::features));
  mutate("h.npy", npy_of<std::int16_t>("<i2", "(3,)", {1, 2, 3}), with(&SourceFiles::features));
  mutate("f.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 0.5\n3 4 2\n2 2 1\n",
         with(&SourceFiles::features));
  mutate("a.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n",
         with(&SourceFiles::features));
  mutate("l.txt", "# classes\n0\n2\n-1\n", with(&SourceFiles::labels));
  mutate("n.txt", "red\ngreen blue\nred\n", with(&SourceFiles::labels));
  mutate("l.npy", npy_of<std::int64_t>("<i8", "(3,)", {0, 1, -1}), with(&SourceFiles::labels));
  mutate("s.txt", "# columns: a b\n0 1\n2 0\n-1 0\n", with(&SourceFiles::splits));
  mutate("s.npy", npy_of<std::int8_t>("|i1", "(2, 3)", {0, 1, 2, 0, 0, -1}),
         with(&SourceFiles::splits));
  mutate("ids.txt", "0\n1\n2\n", with(&SourceFiles::node_ids));
  EXPECT_GT(num_refused, 0);
  EXPECT_GT(num_accepted, 0);
}

TEST_F(Mutation, SideFilesOfOtherPrograms) {
  if (good.empty()) GTEST_SKIP() << "WEFT_DATA_DIR is not set";
  const TemporaryFolder folder;
  ImportOptions options;
  options.source = folder.write("edges.txt", "0 1\n1 33\n");
  options.num_vertices = 34;
  int num_files = 0;
  for (const std::string format : {"npy", "npz", "mtx"}) {
    for (const auto& entry : std::filesystem::directory_iterator(good / format)) {
      const std::string file = entry.path().filename().string();
      if (format == "mtx" && !file.starts_with("features_")) continue;
      mutate(file, test_support::read_text(entry.path()), import_with(options, side_of(file)));
      ++num_files;
    }
  }
  EXPECT_GE(num_files, 18);
  EXPECT_GT(num_refused, 0);
  EXPECT_GT(num_accepted, 0);
}

TEST_F(Mutation, DatasetFolders) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.source = folder.write("edges.txt", "0 1 0.5\n1 2 3\n");
  options.files.features = folder.write("f.npz", npz_of(sparse_members(), true));
  options.files.labels = folder.write("l.txt", "a\nb\na\n");
  options.files.splits = folder.write("s.txt", "0\n1\n2\n");
  ImportReport report;
  write_dataset(import_dataset(options, report), folder / "set");
  for (const auto& entry : std::filesystem::directory_iterator(folder / "set")) {
    const std::string whole = test_support::read_text(entry.path());
    mutate(entry.path().filename(), whole, [&](const std::filesystem::path& path) {
      std::filesystem::copy_file(path, entry.path(),
                                 std::filesystem::copy_options::overwrite_existing);
      try {
        (void)open_dataset(folder / "set", true);
      } catch (const InputError&) {
        ++num_refused;
      }
    });
    folder.write("set/" + entry.path().filename().string(), whole);
  }
  EXPECT_GT(num_refused, 0);
  EXPECT_NO_THROW((void)open_dataset(folder / "set", true));
}

}  // namespace weft::datasets::tests
