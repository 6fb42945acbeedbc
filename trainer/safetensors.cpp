// SPDX-License-Identifier: MIT
// Reads strictly: a checkpoint that is damaged must be noticed here, not as a strange accuracy.
#include "trainer/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t max_header_bytes = 100'000'000;  // the format's own limit
constexpr std::size_t alignment = 8;  // of the values, so that mapped doubles are aligned
constexpr std::string_view metadata_key = "__metadata__";

std::string_view type_name(TensorType type) {
  return type == TensorType::f32 ? "F32" : "F64";
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::vector<std::string> words;
  for (const std::int64_t extent : shape)
    words.push_back(std::to_string(extent));
  return text('[', join(words, ", "), ']');
}

[[noreturn]] void fail(const fs::path& path, const std::string& message) {
  throw InputError(text("safetensors: ", path.string(), ": ", message));
}

/// Product of `shape` times the element's size, or -1 where an extent is negative or the product
/// does not fit 63 bits.
std::int64_t tensor_bytes(TensorType type, std::span<const std::int64_t> shape) {
  std::int64_t bytes = element_bytes(type);
  for (const std::int64_t extent : shape) {
    if (extent < 0) return -1;
    if (extent > 0 && bytes > std::numeric_limits<std::int64_t>::max() / extent) return -1;
    bytes *= extent;
  }
  return bytes;
}

template <typename T>
NamedTensor make_tensor_of(TensorType type,
                           std::string name,
                           std::vector<std::int64_t> shape,
                           std::span<const T> values) {
  return {std::move(name), type, std::move(shape), std::as_bytes(values)};
}

void check_for_writing(const fs::path& path, std::span<const NamedTensor> tensors) {
  std::set<std::string_view> names;
  for (const NamedTensor& tensor : tensors) {
    if (tensor.name == metadata_key) fail(path, text("a tensor may not be called ", metadata_key));
    if (!names.insert(tensor.name).second) {
      fail(path, text("two tensors are called '", tensor.name, "'; names must be unique"));
    }
    const std::int64_t expected = tensor_bytes(tensor.type, tensor.shape);
    if (expected != static_cast<std::int64_t>(tensor.bytes.size())) {
      fail(path, text("tensor '", tensor.name, "' has ", tensor.bytes.size(), " bytes; its shape ",
                      shape_text(tensor.shape), " needs ", expected));
    }
  }
}

std::string make_header(std::span<const NamedTensor> tensors, const TensorMetadata& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header[std::string(metadata_key)] = metadata;
  std::size_t begin = 0;
  for (const NamedTensor& tensor : tensors) {
    const std::size_t end = begin + tensor.bytes.size();
    header[tensor.name] = {
        {"dtype", type_name(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string result = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  result.append((alignment - (length_bytes + result.size()) % alignment) % alignment, ' ');
  return result;
}

/// Reads the header of one file; every failure names the file and the tensor.
class HeaderReader {
 public:
  HeaderReader(const fs::path& path, std::span<const std::byte> bytes)
      : path_(path), bytes_(bytes) {}

  void read(std::vector<NamedTensor>& tensors, TensorMetadata& metadata) {
    const std::string_view header = header_text();
    values_ = bytes_.subspan(length_bytes + header.size());
    const Json json = parse(header);
    for (const auto& [name, entry] : json.items()) {
      if (name == metadata_key) {
        read_metadata(entry, metadata);
      } else {
        tensors.push_back(read_tensor(name, entry));
      }
    }
    check_coverage(tensors);
  }

 private:
  std::string_view header_text() const {
    if (bytes_.size() < length_bytes) {
      fail(path_, text("the file has ", bytes_.size(),
                       " bytes; expected at least 8; it is no "
                       "safetensors file, or was cut short"));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), length_bytes);
    if (length > max_header_bytes) {
      fail(path_, text("the first 8 bytes give a header of ", length, " bytes; expected at most ",
                       max_header_bytes, "; it is no safetensors file"));
    }
    if (length > bytes_.size() - length_bytes) {
      fail(path_, text("the header should have ", length, " bytes, but only ",
                       bytes_.size() - length_bytes, " follow; the file was cut short"));
    }
    return {reinterpret_cast<const char*>(bytes_.data()) + length_bytes,
            static_cast<std::size_t>(length)};
  }

  Json parse(std::string_view header) const {
    if (header.empty() || header.front() != '{') {
      fail(path_, "byte 8 is not '{'; it is no safetensors file");
    }
    std::vector<std::set<std::string>> keys;
    const auto refuse_repeats = [&](int, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
      if (event == Json::parse_event_t::object_end) keys.pop_back();
      if (event == Json::parse_event_t::key &&
          !keys.back().insert(parsed.get<std::string>()).second) {
        fail(path_, text("the header has the key '", parsed.get<std::string>(), "' twice"));
      }
      return true;
    };
    try {
      return Json::parse(header, refuse_repeats);
    } catch (const Json::exception& error) {
      fail(path_, text("the header is not JSON: ", error.what()));
    }
  }

  void read_metadata(const Json& entry, TensorMetadata& metadata) const {
    if (!entry.is_object()) fail(path_, text(metadata_key, " is no object of texts"));
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) fail(path_, text(metadata_key, " '", key, "' is not text"));
      metadata[key] = value.get<std::string>();
    }
  }

  NamedTensor read_tensor(const std::string& name, const Json& entry) const {
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets")) {
      fail(path_, text("tensor '", name, "' must have dtype, shape and data_offsets, no more"));
    }
    NamedTensor tensor;
    tensor.name = name;
    tensor.type = read_type(name, entry["dtype"]);
    tensor.shape = read_counts(name, "shape", entry["shape"]);
    const auto offsets = read_counts(name, "data_offsets", entry["data_offsets"]);
    const std::int64_t available = static_cast<std::int64_t>(values_.size());
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > available) {
      fail(path_, text("tensor '", name, "' has data_offsets ", shape_text(offsets),
                       "; expected two that rise and end by ", available,
                       "; the file is damaged or was cut short"));
    }
    const std::int64_t expected = tensor_bytes(tensor.type, tensor.shape);
    if (offsets[1] - offsets[0] != expected) {
      fail(path_, text("tensor '", name, "' has ", offsets[1] - offsets[0], " bytes; its shape ",
                       shape_text(tensor.shape), " of ", type_name(tensor.type), " needs ",
                       expected < 0 ? "more than 2^63" : std::to_string(expected)));
    }
    tensor.bytes =
        values_.subspan(static_cast<std::size_t>(offsets[0]), static_cast<std::size_t>(expected));
    return tensor;
  }

  TensorType read_type(const std::string& name, const Json& dtype) const {
    if (dtype == type_name(TensorType::f32)) return TensorType::f32;
    if (dtype == type_name(TensorType::f64)) return TensorType::f64;
    fail(path_, text("tensor '", name, "' has dtype ", dtype.dump(), "; expected F32 or F64"));
  }

  std::vector<std::int64_t> read_counts(const std::string& name,
                                        const char* what,
                                        const Json& list) const {
    std::vector<std::int64_t> counts;
    bool good = list.is_array();
    for (std::size_t i = 0; good && i < list.size(); ++i) {
      good = list[i].is_number_unsigned() &&
             list[i].get<std::uint64_t>() <=
                 static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      if (good) counts.push_back(list[i].get<std::int64_t>());
    }
    if (!good) {
      fail(path_, text("tensor '", name, "' has ", what, ' ', list.dump(),
                       "; expected whole numbers from 0 to 2^63 - 1"));
    }
    return counts;
  }

  /// Sorts by position and demands that each tensor begins where the one before it ends.
  void check_coverage(std::vector<NamedTensor>& tensors) const {
    const auto position = [this](const NamedTensor& tensor) {
      return std::pair(tensor.bytes.data() - values_.data(), tensor.bytes.size());
    };
    std::stable_sort(tensors.begin(), tensors.end(), [&](const auto& left, const auto& right) {
      return position(left) < position(right);
    });
    std::ptrdiff_t expected = 0;
    for (const NamedTensor& tensor : tensors) {
      const std::ptrdiff_t begin = position(tensor).first;
      if (begin != expected) {
        fail(path_, text("tensor '", tensor.name, "' begins at byte ", begin, " of the values; ",
                         begin < expected ? "it overlaps the one before it, which ends at "
                                          : "a hole is before it, from ",
                         expected));
      }
      expected += static_cast<std::ptrdiff_t>(tensor.bytes.size());
    }
    if (expected != static_cast<std::ptrdiff_t>(values_.size())) {
      fail(path_, text(values_.size() - static_cast<std::size_t>(expected),
                       " bytes follow the last tensor; expected none"));
    }
  }

  const fs::path& path_;
  std::span<const std::byte> bytes_;
  std::span<const std::byte> values_;
};

template <typename Stored, typename T>
void convert(std::span<const std::byte> bytes, std::span<T> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = static_cast<T>(value);
  }
}

template <typename T>
void copy_values(const NamedTensor& tensor, std::span<T> values) {
  WEFT_ASSERT(static_cast<std::int64_t>(values.size()) == tensor.num_elements());
  if (tensor.type == TensorType::f32) {
    convert<float>(tensor.bytes, values);
  } else {
    convert<double>(tensor.bytes, values);
  }
}

}  // namespace

std::int64_t NamedTensor::num_elements() const {
  return static_cast<std::int64_t>(bytes.size()) / element_bytes(type);
}

NamedTensor make_tensor(std::string name,
                        std::vector<std::int64_t> shape,
                        std::span<const float> values) {
  return make_tensor_of(TensorType::f32, std::move(name), std::move(shape), values);
}

NamedTensor make_tensor(std::string name,
                        std::vector<std::int64_t> shape,
                        std::span<const double> values) {
  return make_tensor_of(TensorType::f64, std::move(name), std::move(shape), values);
}

void write_safetensors(const fs::path& path,
                       std::span<const NamedTensor> tensors,
                       const TensorMetadata& metadata) {
  check_for_writing(path, tensors);
  const std::string header = make_header(tensors, metadata);
  const std::uint64_t length = header.size();
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const NamedTensor& tensor : tensors)
    file.write(tensor.bytes);
  file.commit();
}

SafetensorsFile::SafetensorsFile(const fs::path& path)
    : path_(path), file_(std::make_unique<MappedFile>(path)) {
  HeaderReader(path_, file_->bytes()).read(tensors_, metadata_);
}

SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&&) noexcept = default;

const std::string& SafetensorsFile::metadata_value(const std::string& key) const {
  const auto place = metadata_.find(key);
  if (place != metadata_.end()) return place->second;
  std::vector<std::string> names;
  for (const auto& entry : metadata_)
    names.push_back(entry.first);
  fail(path_, text("the metadata has no '", key, "'; there are: ", join(names, ", ")));
}

const NamedTensor& SafetensorsFile::find(std::string_view name,
                                         std::span<const std::int64_t> shape) const {
  const auto place = std::find_if(tensors_.begin(), tensors_.end(),
                                  [name](const NamedTensor& t) { return t.name == name; });
  if (place == tensors_.end()) {
    std::vector<std::string> names;
    for (const NamedTensor& tensor : tensors_)
      names.push_back(tensor.name);
    fail(path_, text("there is no tensor '", name, "'; there are: ", join(names, ", ")));
  }
  if (!std::equal(shape.begin(), shape.end(), place->shape.begin(), place->shape.end())) {
    fail(path_, text("tensor '", name, "' has shape ", shape_text(place->shape), "; expected ",
                     shape_text(shape), "; the model differs from the one that was saved"));
  }
  return *place;
}

void SafetensorsFile::read(std::string_view name,
                           std::span<const std::int64_t> shape,
                           std::span<float> values) const {
  copy_values(find(name, shape), values);
}

void SafetensorsFile::read(std::string_view name,
                           std::span<const std::int64_t> shape,
                           std::span<double> values) const {
  copy_values(find(name, shape), values);
}

}  // namespace weft::trainer
