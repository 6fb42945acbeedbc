// SPDX-License-Identifier: MIT
#include "datasets/csv_header.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

using Names = std::vector<std::string>;

CsvHeader header_of(const Names& fields) {
  return {"e.csv", 1, fields};
}

bool decide(const Names& fields, const ColumnOptions& options = {}) {
  Names notes;
  return decide_header(header_of(fields), options, notes);
}

EdgeLineFormat find(const Names& fields, Choice weights = Choice::automatic) {
  EdgeLineFormat columns;
  Names notes;
  find_columns(header_of(fields), weights, columns, notes);
  return columns;
}

EdgeLineFormat choose(const Names& fields, const Names& columns, bool has_header = true) {
  EdgeLineFormat format;
  ColumnOptions options;
  options.columns = columns;
  choose_columns(header_of(fields), has_header, options, format);
  return format;
}

}  // namespace

TEST(CsvHeader, IsDecidedByNumbersOrByOption) {
  EXPECT_TRUE(decide({"src", "dst"}));
  EXPECT_TRUE(decide({"0", "dst"}));
  EXPECT_FALSE(decide({"0", "1"}));
  EXPECT_FALSE(decide({"0", "1", "w"}));
  ColumnOptions options;
  options.header = Choice::yes;
  EXPECT_TRUE(decide({"0", "1"}, options));
  options.header = Choice::no;
  EXPECT_FALSE(decide({"src", "dst"}, options));
  options = {};
  options.columns = {"2", "3"};
  EXPECT_FALSE(decide({"name", "0", "1"}, options));
  EXPECT_TRUE(decide({"0", "1", "x"}, options));
  EXPECT_FALSE(decide({"0", "1"}, options)) << "there is no third column to judge by";
}

TEST(CsvHeader, OfStringIdsIsKnownByItsNames) {
  ColumnOptions options;
  options.string_ids = true;
  EXPECT_TRUE(decide({"source", "target"}, options));
  EXPECT_FALSE(decide({"alice", "bob"}, options));
  options.columns = {"who", "whom"};
  EXPECT_TRUE(decide({"who", "whom"}, options));
}

TEST(CsvHeader, GuessesAreSaid) {
  Names notes;
  (void)decide_header(header_of({"src", "dst"}), {}, notes);
  ASSERT_EQ(notes.size(), 1U);
  expect_parts(notes[0], {"e.csv: line 1 is read as a header", "--header no"});
}

TEST(CsvHeader, ReadAndIgnoredColumnsAreSaid) {
  EdgeLineFormat columns;
  Names notes;
  find_columns(header_of({"time", "source", "target", "w", "place"}), Choice::automatic, columns,
               notes);
  ASSERT_EQ(notes.size(), 2U);
  expect_parts(notes[0], {"e.csv: columns source and target are read as source and destination",
                          "ignored: time, place;", "--columns"});
  expect_parts(notes[1], {"column w is read as the weight"});
  columns = {};
  notes.clear();
  find_columns(header_of({"v", "u", "w"}), Choice::no, columns, notes);
  ASSERT_EQ(notes.size(), 1U);
  expect_parts(notes[0], {"columns u and v", "ignored: w;"});
  columns = {};
  notes.clear();
  find_columns(header_of({"u", "v"}), Choice::automatic, columns, notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("ignored"), std::string::npos);
}

TEST(CsvHeader, FindsTheNamesInUse) {
  for (const auto& [source, destination] :
       std::vector<std::pair<std::string, std::string>>{{"src", "dst"},
                                                        {"source", "target"},
                                                        {"src_id", "dst_id"},
                                                        {"node_1", "node_2"},
                                                        {"id_1", "id_2"},
                                                        {"from", "to"},
                                                        {"u", "v"},
                                                        {"FromNodeId", "ToNodeId"}}) {
    const EdgeLineFormat format = find({"x", destination, "Weight", source});
    EXPECT_EQ(format.source, 3) << source;
    EXPECT_EQ(format.destination, 1);
    EXPECT_EQ(format.weight, 2);
  }
  EXPECT_EQ(find({"u", "v", "w"}, Choice::no).weight, -1);
  EXPECT_EQ(find({"u", "v", "label"}).weight, -1);
}

TEST(CsvHeader, RefusesWhatItCannotTell) {
  expect_parts(
      error_of([] {
        (void)find({"a", "b"});
      }),
      {"e.csv:1: the columns a, b have no names", "--columns SOURCE,TARGET", "--ids string"});
  expect_parts(error_of([] {
                 (void)find({"time", "a", "b"});
               }),
               {"the columns time, a, b have no names", "two of them: --columns SOURCE,TARGET"});
  expect_parts(error_of([] { (void)find({"src", "src"}); }), {"e.csv:1: column name 'src' twice"});
  expect_parts(error_of([] { (void)find({"src;dst"}); }), {"1 column 'src;dst'"});
  expect_parts(error_of([] { (void)find({"u", "v"}, Choice::yes); }), {"--weights yes"});
}

TEST(CsvHeader, TakesColumnsByNameOrNumber) {
  const EdgeLineFormat named = choose({"a", "b", "c"}, {"c", "A", "b"});
  EXPECT_EQ(named.source, 2);
  EXPECT_EQ(named.destination, 0);
  EXPECT_EQ(named.weight, 1);
  const EdgeLineFormat numbered = choose({"0", "1", "2"}, {"3", "1"}, false);
  EXPECT_EQ(numbered.source, 2);
  EXPECT_EQ(numbered.destination, 0);
  EXPECT_EQ(numbered.weight, -1);
  expect_parts(error_of([] {
                 (void)choose({"a", "b"}, {"a", "x"});
               }),
               {"no column 'x'", "the columns are a, b (2 columns)"});
  expect_parts(error_of([] {
                 (void)choose({"0", "1"}, {"1", "3"}, false);
               }),
               {"no column '3'", "the columns are 1 to 2 (2 columns)"});
  expect_parts(error_of([] { (void)choose({"a", "b"}, {"a", "1"}); }), {"one column"});
}

}  // namespace weft::datasets::tests
