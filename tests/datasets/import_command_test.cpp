// SPDX-License-Identifier: MIT
// `weft import` from outside: outputs, exit statuses, and what it leaves behind.
#include <algorithm>

#include "datasets/dataset_folder.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/import_program.hpp"

namespace weft::datasets::tests {

namespace {

class ImportCommand : public testing::Test {
 protected:
  test_support::ProgramResult run(const std::string& edges, const std::string& arguments) {
    folder.write("edges.txt", edges);
    return run_import(text(folder / "edges.txt", " --out ", folder / "out", " ", arguments));
  }
  /// Runs, and expects status 2, words on stderr, nothing on stdout and no output folder.
  void expect_refused(const std::string& edges,
                      const std::string& arguments,
                      std::initializer_list<std::string> words) {
    const auto result = run(edges, arguments);
    EXPECT_EQ(result.status, 2) << result.err;
    expect_parts(result.err, words);
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }

  test_support::TemporaryFolder folder;
};

}  // namespace

TEST_F(ImportCommand, PrintsWhatItReadAndWritesTheDataset) {
  const auto result = run("# c\n0 1\n\n1 2\n2 2\n1 2\n", "--undirected --name toy");
  EXPECT_EQ(result.status, 0) << result.err;
  std::string words = result.out;  // runs of blanks become one
  words.erase(
      std::unique(words.begin(), words.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
      words.end());
  expect_parts(words, {"import toy", "lines read 6", "comment lines skipped 1",
                       "blank lines skipped 1", "arcs read 4", "self-loops 1", "repeated arcs 1",
                       "arcs without reverse 2", "isolated vertices 0", "vertices 3", "arcs kept 5",
                       "direction undirected", "features none", "classes none"});
  expect_parts(result.err, {"ids are taken as they are"});
  const Dataset dataset = open_dataset(folder / "out", true);
  EXPECT_EQ(dataset.graph.num_edges(), 5);
  expect_parts(dataset.provenance, {"weft import ", "--undirected", "4 arcs read"});
}

TEST_F(ImportCommand, NotesTheShareOfReciprocalArcs) {
  expect_parts(run("0 1\n1 2\n2 3\n", "").err, {"note: 0 % of arcs have their reverse"});
}

TEST_F(ImportCommand, PrintsSplitsAndClasses) {
  folder.write("l.txt", "a\nb\n");
  folder.write("s.txt", "# split: public\n0\n2\n");
  const auto result =
      run("0 1\n", text("--labels ", folder / "l.txt", " --split ", folder / "s.txt"));
  expect_parts(result.out, {"2 (single_label)", "split public (train / val / test)", "1 / 0 / 1"});
  expect_parts(result.err, {"warning: ", "no training vertex of class 1"});
}

TEST_F(ImportCommand, CountsSeveralSplitsAboveTheirRows) {
  folder.write("s.txt", "# columns: p q\n0 0\n2 1\n");
  const auto result = run("0 1\n", text("--split ", folder / "s.txt"));
  expect_parts(result.out, {"\nsplits ", "p (train / val / test)", "1 / 0 / 1",
                            "q (train / val / test)", "1 / 1 / 0"});
}

TEST_F(ImportCommand, TakesTheNameOfTheOutputFolder) {
  EXPECT_EQ(run("0 1\n", "").status, 0);
  EXPECT_EQ(open_dataset(folder / "out").name, "out");
  const auto result = run_import(text(folder / "edges.txt", " --out ", folder / "new/"));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(open_dataset(folder / "new").name, "new");
}

// As under an mpiexec of any library: each process would write the same folder.
TEST_F(ImportCommand, RefusesToBeOneOfSeveralProcesses) {
  folder.write("edges.txt", "0 1\n");
  const std::string arguments = text(folder / "edges.txt", " --out ", folder / "out");
  for (const std::string rank : {"0", "1"}) {
    ASSERT_EQ(setenv("PMI_SIZE", "2", 1), 0);
    ASSERT_EQ(setenv("PMI_RANK", rank.c_str(), 1), 0);
    const auto result = run_import(arguments);
    unsetenv("PMI_SIZE");
    unsetenv("PMI_RANK");
    if (rank == "0") {
      EXPECT_EQ(result.status, 2);
      expect_parts(result.err,
                   {"import runs as one process; start it without mpiexec (PMI_SIZE=2"});
    } else {
      EXPECT_EQ(result.status, 0);  // or the launcher ends rank 0 before it has told why
      EXPECT_EQ(result.err, "");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
}

TEST_F(ImportCommand, RefusesInput) {
  expect_refused("0 1\n1 x\n", "", {"weft: error: ", "edges.txt:2: id 'x'"});
  expect_refused("0 1\n", text("--features ", folder / "none.npy"),
                 {(folder / "none.npy").string()});
  expect_refused("0 1\n1 7\n", "--nodes 3", {"edges.txt:2: vertex id 7 is not below 3"});
}

TEST_F(ImportCommand, AnswersUnknownWordsWithTheList) {
  expect_refused("0 1\n", "--format matrix", {"--format matrix", "auto, snap, csv, tsv, mtx"});
  expect_refused("0 1\n", "--ids none", {"auto, contiguous, sparse, one_based, string"});
  expect_refused("0 1\n", "--repeats first", {"sum, keep-one"});
  expect_refused("0 1\n", "--loops all", {"keep, drop"});
  expect_refused("0 1\n", "--task guess", {"single_label, multi_label, regression"});
  expect_refused("0 1\n", "--header maybe", {"auto, yes, no"});
  expect_refused("0 1\n", "--labels-by name", {"row, id"});
  expect_refused("0 1\n", "--delimiter ab", {"one character"});
  expect_refused("0 1\n", "--columns a", {"--columns: 1 names"});
  expect_refused("0 1\n", "--weights no --repeats sum", {"contradict each other"});
  expect_refused("0 1\n", "--directed --undirected", {"directed"});
}

TEST_F(ImportCommand, DoesNotTouchAFolderWithContent) {
  std::filesystem::create_directory(folder / "out");
  folder.write("out/mine.txt", "keep");
  const auto result = run("0 1\n", "");
  EXPECT_EQ(result.status, 2);
  expect_parts(result.err, {"--out exists"});
  EXPECT_EQ(test_support::read_text(folder / "out/mine.txt"), "keep");
}

TEST_F(ImportCommand, BoundsCompressedInput) {
  expect_refused(gzip_of("0 1\n" + std::string(1'000'000, '\n')), "--max-decompressed 10kb",
                 {"--max-decompressed"});
}

TEST_F(ImportCommand, TakesColumnsAndDelimiters) {
  const auto result = run("who|x|whom|w\n5|a|6|0.5\n",
                          "--format csv --delimiter '|' --columns who,whom,w --directed");
  EXPECT_EQ(result.status, 0) << result.err;
  const Dataset dataset = open_dataset(folder / "out");
  EXPECT_EQ(arcs_of(dataset.graph), (Arcs{{0, 1, 0.5F}}));
  EXPECT_EQ(dataset.node_ids.text_of(1), "6");
}

}  // namespace weft::datasets::tests
