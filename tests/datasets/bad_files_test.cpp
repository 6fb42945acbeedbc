// SPDX-License-Identifier: MIT
// Every malformed file of the collection whose format is read: refused by the program with status
// 2, at the place that the collection's index states, and nothing is left behind.
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "datasets/dataset_folder.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/import_program.hpp"

namespace weft::datasets::tests {

using test_support::ProgramResult;
using test_support::TemporaryFolder;

namespace {

/// A line of index.tsv.
struct BadFile {
  std::string file;
  std::string format;
  std::string place;
};

std::vector<BadFile> read_index(const std::filesystem::path& index) {
  std::istringstream lines(test_support::read_text(index));
  std::vector<BadFile> files;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    BadFile bad;
    std::getline(fields, bad.file, '\t');
    std::getline(fields, bad.format, '\t');
    std::getline(fields, bad.place, '\t');
    files.push_back(bad);
  }
  return files;
}

/// Files that are refused only where an option asks for it: the option.
const std::map<std::string, std::string> conditional{
    {"snap/header_node_count_small.txt", "--ids contiguous"}};

/// Files that are not refused: recognized by content, summed, or warned of.
const std::map<std::string, std::string> accepted{
    {"snap/not_gzip.txt.gz", "SNAP, plain text"},
    {"mtx/duplicate_entry.mtx", "repeated arcs 1\n"},
    {"labels/gap_in_classes.txt", "no vertex of class 1 to 4"}};

/// Options that a file needs to be read as its line in the index means it.
const std::map<std::string, std::string> extra_options{
    {"csv/wrong_delimiter.csv", "--delimiter ,"},
    {"csv/bad_utf8.csv", "--ids string"},
    {"csv/unbalanced_quote.csv", "--ids string"},
    {"csv/text_after_quote.csv", "--ids string"},
    {"csv/missing_column.csv", "--columns src,dst,w"},
    {"npy/float_labels.npy", "--nodes 2 --labels"},
    {"npy/labels_out_of_range.npy", "--nodes 2 --labels"}};

/// What an error says, behind the name, of a file whose place in the index is no line and no byte.
const std::map<std::string, std::string> member_words{
    {"npz/corrupt.npz", "[indices.npy]: the local header and the directory say different sizes"},
    {"npz/missing_key.npz", ": no member indptr.npy, found indices.npy"},
    {"npz/indptr_short.npz", "[indptr]: 2 offsets for 2 rows, expected 3"},
    {"npz/indptr_first.npz", "[indptr]@0: offset 1, expected 0"},
    {"npz/column_out.npz", "[indices]@1: column 2, expected 0 to 1"},
    {"npz/column_negative.npz", "[indices]@1: column -1, expected 0 to 1"},
    {"npz/format_csc.npz", "[format]: 'csc', expected 'csr'"}};

std::string find_or_empty(const std::map<std::string, std::string>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::string() : found->second;
}

/// `words` with runs of blanks made one: the cells of a table.
std::string with_single_blanks(std::string words) {
  words.erase(
      std::unique(words.begin(), words.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
      words.end());
  return words;
}

/// The words that an error at `place` of the index must hold.
std::string place_words(const std::string& file, const std::string& place) {
  const std::string name = file.substr(file.rfind('/') + 1);
  if (place.starts_with("byte ")) return name + ":@" + place.substr(5) + ":";
  if (place == "row 0 col 1") return name + ": row 0, column 1";
  if (place.starts_with("row ")) return name + ": " + place;
  if (place == "end") return name + ":@";
  if (place == "0") return name + ": is empty";
  if (place == "-" || place.starts_with("member")) return name + member_words.at(file);
  return name + ":" + place + ":";
}

class BadFiles : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("WEFT_DATA_DIR");
    if (data == nullptr || *data == '\0') GTEST_SKIP() << "WEFT_DATA_DIR is not set";
    bad = std::filesystem::path(data) / "formats" / "bad";
    edges = folder.write("edges.txt", "0 1\n").string();
  }

  /// The arguments that read `file` as what it is.
  [[nodiscard]] std::string arguments(const BadFile& row) const {
    const std::string path = (bad / row.file).string();
    const std::string extra = find_or_empty(extra_options, row.file);
    if (extra.ends_with("--labels")) return edges + " " + extra + " " + path;
    if (row.format == "npy" || row.format.ends_with("npz")) return edges + " --features " + path;
    if (row.format == "labels") return edges + " --nodes 3 --labels " + path;
    if (row.format == "split") return edges + " --nodes 3 --split " + path;
    return path + " " + extra;
  }

  ProgramResult import(const std::string& words) {
    out = std::make_unique<TemporaryFolder>();
    return run_import(words + " --out '" + (*out / "set").string() + "'");
  }
  [[nodiscard]] bool left_nothing() const { return std::filesystem::is_empty(out->path()); }

  TemporaryFolder folder;
  std::unique_ptr<TemporaryFolder> out;
  std::filesystem::path bad;
  std::string edges;
};

}  // namespace

TEST_F(BadFiles, AreRefusedAtTheirPlace) {
  const std::vector<std::string> formats{"snap", "snap weighted", "csv",    "mtx",  "npy",
                                         "npz",  "csr npz",       "labels", "split"};
  int num_refused = 0;
  for (const BadFile& row : read_index(bad / "index.tsv")) {
    if (std::find(formats.begin(), formats.end(), row.format) == formats.end()) continue;
    SCOPED_TRACE(row.file);
    if (const std::string words = find_or_empty(accepted, row.file); !words.empty()) {
      const ProgramResult result = import(arguments(row));
      EXPECT_EQ(result.status, 0) << result.err;
      expect_parts(with_single_blanks(result.out) + result.err, {words});
      continue;
    }
    std::string words = arguments(row);
    if (const std::string option = find_or_empty(conditional, row.file); !option.empty()) {
      EXPECT_EQ(import(words).status, 0);
      words += " " + option;
    }
    const ProgramResult result = import(words);
    EXPECT_EQ(result.status, 2) << result.err;
    expect_parts(result.err, {"weft: error: ", place_words(row.file, row.place)});
    EXPECT_TRUE(left_nothing());
    ++num_refused;
  }
  EXPECT_GE(num_refused, 69);
}

TEST_F(BadFiles, DuplicateEntriesAreSummed) {
  const ProgramResult result = import((bad / "mtx/duplicate_entry.mtx").string());
  ASSERT_EQ(result.status, 0) << result.err;
  const Dataset dataset = open_dataset(*out / "set", true);
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 4.0F}}));
}

}  // namespace weft::datasets::tests
