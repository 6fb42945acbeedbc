// SPDX-License-Identifier: MIT
#include "datasets/npy_header_text.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

NpyHeader parse(const std::string& literal) {
  return parse_npy_header_text(literal, "x", 10);
}

std::string typed(const std::string& type) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (3,)}";
}

}  // namespace

TEST(NpyHeaderText, TakesKeysInAnyOrderAndSpacing) {
  const NpyHeader header =
      parse("{ \"shape\" :( 2 ,3L, ) , 'descr':'>u2','fortran_order' : True,}  \n");
  EXPECT_EQ(header.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(header.type_name(), ">u2");
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.num_items(), 6);
  EXPECT_EQ(parse("{'descr': '|b1', 'fortran_order': False, 'shape': ()}").num_items(), 1);
}

TEST(NpyHeaderText, KnowsTheTypes) {
  for (const char* type : {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u8", "|b1"}) {
    EXPECT_EQ(parse(typed(type)).type_name(), type);
  }
}

TEST(NpyHeaderText, RefusesTypesByTheirNames) {
  expect_parts(error_of([] { (void)parse(typed("|O")); }), {"x:@10: object array", "pickle"});
  expect_parts(error_of([] { (void)parse(typed("<c8")); }), {"complex type '<c8'"});
  expect_parts(error_of([] { (void)parse(typed("<U5")); }), {"text type"});
  expect_parts(error_of([] { (void)parse(typed("|S3")); }), {"text type"});
  for (const char* type : {"<M8[ns]", "<f16", "<f1", "f4", "", "<f", "<b2", "<i3"}) {
    expect_parts(error_of([&] { (void)parse(typed(type)); }), {"expected numbers"});
  }
  expect_parts(error_of([] {
                 (void)parse("{'descr': [('u', '<i4')], 'fortran_order': False, 'shape': (2,)}");
               }),
               {"record type"});
}

TEST(NpyHeaderText, RefusesWhatIsNoHeader) {
  const std::string type = "'descr': '<f4', ";
  const std::string order = "'fortran_order': False, ";
  const std::vector<std::string> literals{"",
                                          "{",
                                          "{}",
                                          "{" + type + order + "}",
                                          "{" + type + order + "'shape': (2}",
                                          "{" + type + order + "'shape': 2}",
                                          "{" + type + "'fortran_order': 0, 'shape': (2,)}",
                                          "{" + type + order + "'shape': (x,)}",
                                          "{" + type + order + "'shape': (99999999999999999999,)}",
                                          "{" + type + order + "'shape': (2,)} more",
                                          "{'other': 1}",
                                          "{'descr: 1}"};
  for (const std::string& literal : literals) {
    expect_parts(error_of([&] { (void)parse(literal); }), {"x:@10: "});
  }
  expect_parts(error_of([&] { (void)parse("{" + type + order + "'shape': (2, -4)}"); }),
               {"negative dimension -4"});
}

}  // namespace weft::datasets::tests
