// SPDX-License-Identifier: MIT
// The safetensors format: bytes as the format says, values back bit by bit, and every kind of
// damage named.
#include "trainer/safetensors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::trainer {
namespace {

using Shape = std::vector<std::int64_t>;

/// A file with `header` as it stands and `num_bytes` bytes of values.
std::string file_bytes(const std::string& header, std::size_t num_bytes) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof(length));
  return bytes + header + std::string(num_bytes, '\0');
}

class Safetensors : public testing::Test {
 protected:
  /// The text of the error that a file of these bytes is refused with.
  std::string refusal(const std::string& bytes) const {
    const auto path = folder_.write("bad.safetensors", bytes);
    try {
      const SafetensorsFile file(path);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("bad.safetensors"), std::string::npos);
      return error.what();
    }
    return "nothing refused";
  }

  test_support::TemporaryFolder folder_;
};

#define EXPECT_HAS(message, part) \
  EXPECT_NE((message).find(part), std::string::npos) << "in: " << (message)

TEST_F(Safetensors, ValuesNamesShapesAndMetadataComeBack) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> weights = {1.5F,   -0.0F, nan, std::numeric_limits<float>::infinity(),
                                      1e-45F, 6.0F};
  const std::vector<double> bias = {0.1, 1e300};
  const std::vector<double> scalar = {7.0};
  const std::vector<NamedTensor> tensors = {
      make_tensor("layer0.weight", {2, 3}, std::span(weights)),
      make_tensor("layer0.bias", {2}, std::span(bias)),
      make_tensor("none", {0, 4}, std::span<const float>()),
      make_tensor("scalar", {}, std::span(scalar))};
  const TensorMetadata metadata = {{"epoch", "12"}, {"name", "a \"b\" é\n"}};
  const auto path = folder_ / "w.safetensors";
  write_safetensors(path, tensors, metadata);

  const SafetensorsFile file(path);
  EXPECT_EQ(file.metadata(), metadata);
  EXPECT_EQ(file.metadata_value("epoch"), "12");
  ASSERT_EQ(file.tensors().size(), 4U);
  std::vector<float> weights_back(6);
  file.read("layer0.weight", Shape{2, 3}, std::span(weights_back));
  EXPECT_EQ(std::memcmp(weights_back.data(), weights.data(), 6 * sizeof(float)), 0);
  std::vector<double> bias_back(2);
  file.read("layer0.bias", Shape{2}, std::span(bias_back));
  EXPECT_EQ(bias_back, bias);
  std::vector<double> scalar_back(1);
  file.read("scalar", Shape{}, std::span(scalar_back));
  EXPECT_EQ(scalar_back, scalar);
  file.read("none", Shape{0, 4}, std::span<float>());
}

TEST_F(Safetensors, BytesAreThoseOfTheFormat) {
  const std::vector<float> values = {1.0F, 2.0F};
  const auto path = folder_ / "w.safetensors";
  write_safetensors(path, std::vector{make_tensor("t", {2}, std::span(values))});
  const std::string bytes = test_support::read_text(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const std::string header = bytes.substr(8, length);
  EXPECT_EQ(header.substr(0, header.find_last_not_of(' ') + 1),
            R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})");
  EXPECT_EQ((8 + length) % 8, 0U) << "values are aligned";
  EXPECT_EQ(bytes.size(), 8 + length + 8);
  EXPECT_EQ(std::memcmp(bytes.data() + 8 + length, values.data(), 8), 0);
}

TEST_F(Safetensors, ReadsConvertBetweenFloatAndDouble) {
  const std::vector<double> values = {0.1, std::numeric_limits<double>::quiet_NaN()};
  const auto path = folder_ / "w.safetensors";
  write_safetensors(path, std::vector{make_tensor("t", {2}, std::span(values))});
  std::vector<float> back(2);
  SafetensorsFile(path).read("t", Shape{2}, std::span(back));
  EXPECT_EQ(back[0], 0.1F);
  EXPECT_TRUE(std::isnan(back[1]));
}

TEST_F(Safetensors, ReadsFilesOfOthers) {
  // Another order of keys and of bytes, spaces in and after the header, values not aligned.
  const std::string header =
      R"({ "b" : {"shape":[1],"dtype":"F32","data_offsets":[4,8]}, )"
      R"("a":{"data_offsets":[0,4],"dtype":"F32","shape":[]},"__metadata__":{"format":"pt"}}   )";
  std::string bytes = file_bytes(header, 8);
  const float values[] = {3.0F, 4.0F};
  std::memcpy(bytes.data() + 8 + header.size(), values, sizeof(values));
  const SafetensorsFile file(folder_.write("other.safetensors", bytes));
  float value = 0;
  file.read("b", Shape{1}, std::span(&value, 1));
  EXPECT_EQ(value, 4.0F);
  EXPECT_EQ(file.tensors().front().name, "a");
  EXPECT_EQ(file.metadata_value("format"), "pt");
}

TEST_F(Safetensors, AbsentTensorsShapesAndKeysAreNamed) {
  const std::vector<float> values(6);
  const auto path = folder_ / "w.safetensors";
  write_safetensors(path, std::vector{make_tensor("weight", {2, 3}, std::span(values))},
                    {{"epoch", "1"}});
  const SafetensorsFile file(path);
  std::vector<float> back(6);
  EXPECT_THROW(file.read("wieght", Shape{2, 3}, std::span(back)), InputError);
  EXPECT_THROW(file.read("weight", Shape{3, 2}, std::span(back)), InputError);
  EXPECT_THROW(file.read("weight", Shape{2, 3, 1}, std::span(back)), InputError);
  EXPECT_THROW(static_cast<void>(file.metadata_value("step")), InputError);
  EXPECT_THROW(SafetensorsFile(folder_ / "absent.safetensors"), InputError);
}

TEST_F(Safetensors, TruncatedFilesAreRefusedAtEveryLength) {
  const std::vector<float> values(3);
  const auto path = folder_ / "w.safetensors";
  write_safetensors(path, std::vector{make_tensor("t", {3}, std::span(values))}, {{"k", "v"}});
  const std::string whole = test_support::read_text(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "nothing refused") << length << " bytes";
  }
  EXPECT_HAS(refusal(whole.substr(0, 20)), "cut short");
  EXPECT_HAS(refusal(whole + "x"), "1 bytes follow the last tensor");
}

TEST_F(Safetensors, ForeignFilesAreRefused) {
  EXPECT_HAS(refusal("PK\x03\x04 a zip file, not ours"), "no safetensors file");
  EXPECT_HAS(refusal(file_bytes("[1, 2]", 0)), "byte 8 is not '{'");
  EXPECT_HAS(refusal(file_bytes("{\"a\": ", 0)), "not JSON");
  EXPECT_HAS(refusal(file_bytes("", 0)), "byte 8 is not '{'");
}

TEST_F(Safetensors, OverlapsHolesAndBadOffsetsAreRefused) {
  const auto two = [](const char* first, const char* second) {
    return std::string(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)") + first +
           R"(},"b":{"dtype":"F32","shape":[2],"data_offsets":)" + second + "}}";
  };
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[4,12]"), 12)), "overlaps");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[0,8]"), 8)), "overlaps");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[12,20]"), 20)), "a hole");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[8,16]"), 12)), "cut short");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[16,8]"), 16)), "expected two that rise");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[8]"), 16)), "expected two that rise");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[8,12]"), 12)), "its shape [2] of F32 needs 8");
  EXPECT_HAS(refusal(file_bytes(two("[0,8]", "[-8,0]"), 8)), "whole numbers");
}

TEST_F(Safetensors, BadEntriesAreRefused) {
  const auto entry = [](const std::string& content) { return file_bytes("{" + content + "}", 4); };
  EXPECT_HAS(refusal(entry(R"("a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]})")),
             "expected F32 or F64");
  EXPECT_HAS(refusal(entry(R"("a":{"dtype":"F32","shape":[1]})")), "must have dtype");
  EXPECT_HAS(refusal(entry(R"("a":3)")), "must have dtype");
  EXPECT_HAS(refusal(entry(R"("a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})")),
             "whole numbers");
  EXPECT_HAS(refusal(entry(R"("a":{"dtype":"F32","shape":[4294967296,4294967296],)"
                           R"("data_offsets":[0,4]})")),
             "more than 2^63");
  EXPECT_HAS(refusal(entry(R"("__metadata__":{"k":1})")), "is not text");
  EXPECT_HAS(refusal(entry(R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                           R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})")),
             "the key 'a' twice");
}

TEST_F(Safetensors, WritesRefuseWhatCouldNotBeRead) {
  const std::vector<float> values(2);
  const auto path = folder_ / "w.safetensors";
  const NamedTensor good = make_tensor("t", {2}, std::span(values));
  EXPECT_THROW(write_safetensors(path, std::vector{good, good}), InputError);
  EXPECT_THROW(
      write_safetensors(path, std::vector{make_tensor("__metadata__", {2}, std::span(values))}),
      InputError);
  EXPECT_THROW(write_safetensors(path, std::vector{make_tensor("t", {3}, std::span(values))}),
               InputError);
  EXPECT_FALSE(std::filesystem::exists(path));
  write_safetensors(path, {});
  EXPECT_TRUE(SafetensorsFile(path).tensors().empty());
}

}  // namespace
}  // namespace weft::trainer
