// SPDX-License-Identifier: MIT
#include "datasets/npy.hpp"

#include "graph/support/checksum.hpp"
#include "graph/support/files.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

template <typename T>
class NpyType : public testing::Test {};
using Types = testing::Types<std::int8_t, std::uint8_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(NpyType, Types);

TYPED_TEST(NpyType, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  const std::vector<TypeParam> values{0, 1, 2, 3, 4, 100};
  const auto path = folder / "a.npy";
  const std::uint64_t sum = write_npy<TypeParam>(path, values, {2, 3});
  EXPECT_EQ(sum, checksum(MappedFile(path).bytes()));
  const NpyArray<TypeParam> array = map_npy<TypeParam>(path);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(vector_of(array.values), values);
}

TEST(Npy, WritesTheHeaderOfNumpy) {
  const TemporaryFolder folder;
  write_npy<float>(folder / "a.npy", std::vector<float>{1, 2}, {2});
  write_npy<float>(folder / "b.npy", std::vector<float>{}, {0, 4});
  const std::string one = test_support::read_text(folder / "a.npy");
  expect_parts(one, {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"});
  EXPECT_EQ(one.size(), 128U + 8U);
  EXPECT_EQ(one[127], '\n');
  expect_parts(test_support::read_text(folder / "b.npy"), {"'shape': (0, 4), }"});
  EXPECT_TRUE(map_npy<float>(folder / "b.npy").values.empty());
}

TEST(Npy, ReadsVersions2And3AndUnalignedData) {
  const TemporaryFolder folder;
  const std::string literal = "{'shape': (2,), 'fortran_order': False, 'descr': '<i8'}";
  for (const int version : {1, 2, 3}) {
    for (std::size_t pad = 0; pad < 8; ++pad) {
      const auto path = folder.write("a.npy", npy_bytes(literal + std::string(pad, ' '),
                                                        bytes_of<std::int64_t>({7, -8}), version));
      EXPECT_EQ(vector_of(map_npy<std::int64_t>(path).values), (std::vector<std::int64_t>{7, -8}));
    }
  }
}

TEST(Npy, RefusesAnotherTypeOrOrder) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.npy", npy_of<float>("<f4", "(2,)", {1, 2}));
  expect_parts(error_of([&] { (void)map_npy<double>(path); }),
               {"a.npy:@10: type <f4, expected <f8"});
  const auto big = folder.write("b.npy", npy_of<float>(">f4", "(2,)", {1, 2}));
  expect_parts(error_of([&] { (void)map_npy<float>(big); }), {"type >f4, expected <f4"});
  const auto by_column = folder.write("c.npy", npy_of<float>("<f4", "(1, 2)", {1, 2}, true));
  expect_parts(error_of([&] { (void)map_npy<float>(by_column); }), {"Fortran order"});
}

TEST(Npy, RefusesDataOfAnotherLength) {
  const std::string whole = npy_of<float>("<f4", "(2, 2)", {1, 2, 3, 4});
  const auto parse = [](const std::string& bytes) {
    (void)parse_npy_header(std::as_bytes(std::span(bytes)), "x");
  };
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string message = error_of([&] { parse(whole.substr(0, size)); });
    EXPECT_EQ(message.rfind("x:@", 0), 0U) << message;
  }
  expect_parts(error_of([&] { parse(whole.substr(0, whole.size() - 3)); }),
               {"13 bytes of data, expected 16"});
  expect_parts(error_of([&] { parse(whole + "z"); }), {"17 bytes of data, expected 16"});
}

TEST(Npy, RefusesSizesThatOverflow) {
  const std::string bytes = npy_of<float>("<f4", "(4611686018427387904, 4)", {});
  expect_parts(error_of([&] { (void)parse_npy_header(std::as_bytes(std::span(bytes)), "x"); }),
               {"overflows 64 bits"});
}

TEST(Npy, RefusesAShapeThatIsNotTheSize) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_npy<float>(folder / "a.npy", std::vector<float>{1}, {2}), RuntimeError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
}

}  // namespace weft::datasets::tests
