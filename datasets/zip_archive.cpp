// SPDX-License-Identifier: MIT
// The central directory, then a member at a time: bounds are checked before anything is allocated,
// and the CRC of what comes out is always compared.
#include "datasets/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "datasets/input_problems.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_locator_signature = 0x07064b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t directory_signature = 0x02014b50;
constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t end64_locator_bytes = 20;
constexpr std::size_t end64_bytes = 56;
constexpr std::size_t directory_entry_bytes = 46;
constexpr std::size_t local_header_bytes = 30;
constexpr std::uint64_t see_zip64 = 0xFFFFFFFF;

/// Little-endian numbers at offsets that are checked against the end.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  [[nodiscard]] std::span<const std::byte> range(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > bytes_.size() - offset) {
      fail_at_byte(name_, bytes_.size(), "the zip archive is cut short or damaged");
    }
    return bytes_.subspan(offset, count);
  }

  [[nodiscard]] std::uint64_t number(std::uint64_t offset, int width) const {
    std::uint64_t value = 0;
    const auto found = range(offset, static_cast<std::uint64_t>(width));
    for (std::size_t i = 0; i < found.size(); ++i) {
      value |= std::to_integer<std::uint64_t>(found[i]) << (8 * i);
    }
    return value;
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
};

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

/// Finds the end record from behind: a comment of up to 64 KiB may follow it.
std::uint64_t find_end_record(const ByteReader& reader) {
  const std::uint64_t size = reader.size();
  const std::uint64_t first = size > end_bytes + 65535 ? size - end_bytes - 65535 : 0;
  for (std::uint64_t at = size >= end_bytes ? size - end_bytes + 1 : 0; at > first; --at) {
    if (reader.number(at - 1, 4) == end_signature) return at - 1;
  }
  fail_at_byte(reader.name(), size,
               "no zip end record; the file is cut short or is no zip archive (.npz)");
}

Directory find_directory(const ByteReader& reader) {
  const std::uint64_t end = find_end_record(reader);
  Directory directory{reader.number(end + 16, 4), reader.number(end + 10, 2)};
  const bool has_locator = end >= end64_locator_bytes &&
                           reader.number(end - end64_locator_bytes, 4) == end64_locator_signature;
  if (!has_locator) return directory;
  const std::uint64_t end64 = reader.number(end - end64_locator_bytes + 8, 8);
  if (reader.range(end64, end64_bytes).empty() || reader.number(end64, 4) != end64_signature) {
    fail_at_byte(reader.name(), end64, "no zip64 end record where its locator says");
  }
  return {reader.number(end64 + 48, 8), reader.number(end64 + 32, 8)};
}

/// The zip64 field among the extra fields in [at, at + bytes): where its content begins, 0 if there
/// is none.
std::uint64_t find_zip64_extra(const ByteReader& reader, std::uint64_t at, std::uint64_t bytes) {
  const std::uint64_t end = at + bytes;
  while (at + 4 <= end) {
    if (reader.number(at, 2) == 1) return at + 4;
    at += 4 + reader.number(at + 2, 2);
  }
  return 0;
}

/// Replaces sizes that do not fit 32 bits by those of the zip64 extra field.
void read_zip64_extra(const ByteReader& reader,
                      std::uint64_t at,
                      std::uint64_t bytes,
                      ZipMember& member) {
  std::uint64_t field = find_zip64_extra(reader, at, bytes);
  if (field == 0) return;
  for (std::uint64_t* value : {&member.size_bytes, &member.stored_bytes, &member.header_offset}) {
    if (*value != see_zip64) continue;
    *value = reader.number(field, 8);
    field += 8;
  }
}

/// Sizes in the local header must be those of the directory, or one of the two is damaged. Streamed
/// archives leave them open.
bool agrees_with_local_header(const ByteReader& reader, const ZipMember& member) {
  constexpr std::uint64_t is_streamed = 8;
  const std::uint64_t at = member.header_offset;
  if ((reader.number(at + 6, 2) & is_streamed) != 0) return true;
  const std::uint64_t stored = reader.number(at + 18, 4);
  const std::uint64_t size = reader.number(at + 22, 4);
  if (stored != see_zip64 && stored != member.stored_bytes) return false;
  if (size != see_zip64 && size != member.size_bytes) return false;
  const std::uint64_t extra_at = at + local_header_bytes + reader.number(at + 26, 2);
  const std::uint64_t extra = find_zip64_extra(reader, extra_at, reader.number(at + 28, 2));
  return extra == 0 || (reader.number(extra, 8) == member.size_bytes &&
                        reader.number(extra + 8, 8) == member.stored_bytes);
}

/// Reads the entry at `at` and moves behind it.
ZipMember read_entry(const ByteReader& reader, std::uint64_t& at) {
  if (reader.number(at, 4) != directory_signature) {
    fail_at_byte(reader.name(), at, "no entry of the zip directory here; the archive is damaged");
  }
  if ((reader.number(at + 8, 2) & 1) != 0) {
    fail_at_byte(reader.name(), at, "an encrypted member, expected plain data");
  }
  ZipMember member;
  member.method = static_cast<int>(reader.number(at + 10, 2));
  member.crc = static_cast<std::uint32_t>(reader.number(at + 16, 4));
  member.stored_bytes = reader.number(at + 20, 4);
  member.size_bytes = reader.number(at + 24, 4);
  const std::uint64_t name_bytes = reader.number(at + 28, 2);
  const std::uint64_t extra_bytes = reader.number(at + 30, 2);
  const std::uint64_t comment_bytes = reader.number(at + 32, 2);
  member.header_offset = reader.number(at + 42, 4);
  const auto name = reader.range(at + directory_entry_bytes, name_bytes);
  member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  read_zip64_extra(reader, at + directory_entry_bytes + name_bytes, extra_bytes, member);
  at += directory_entry_bytes + name_bytes + extra_bytes + comment_bytes;
  return member;
}

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  uLong crc = crc32(0, nullptr, 0);
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), most);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(count));
    bytes = bytes.subspan(count);
  }
  return static_cast<std::uint32_t>(crc);
}

/// Inflates a raw deflate stream; false unless it ends exactly where `out` does.
bool inflate_raw(std::span<const std::byte> in, std::span<std::byte> out) {
  z_stream stream{};
  int status = inflateInit2(&stream, -MAX_WBITS);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_OK) throw RuntimeError("zlib cannot start");
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  std::byte nothing{};
  while (status == Z_OK) {
    const std::size_t input = std::min(in.size(), most);
    const std::size_t room = std::min(out.size(), most);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &nothing : out.data());
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    in = in.subspan(input - stream.avail_in);
    out = out.subspan(room - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  return status == Z_STREAM_END && out.empty();
}

}  // namespace

ZipArchive::ZipArchive(const std::filesystem::path& path, std::int64_t max_member_bytes)
    : name_(path.string()), file_(path) {
  read_directory(max_member_bytes);
}

void ZipArchive::read_directory(std::int64_t max_member_bytes) {
  const ByteReader reader(file_.bytes(), name_);
  const Directory directory = find_directory(reader);
  std::uint64_t at = directory.offset;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    members_.push_back(read_entry(reader, at));
    const ZipMember& member = members_.back();
    if (member.size_bytes > static_cast<std::uint64_t>(max_member_bytes)) {
      throw InputError(text(name_, "[", member.name, "]: inflates to ", member.size_bytes,
                            " bytes, more than --max-decompressed allows"));
    }
  }
}

const ZipMember* ZipArchive::find(const std::string& name) const {
  for (const ZipMember& member : members_) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

std::span<const std::byte> ZipArchive::stored_bytes_of(const ZipMember& member) const {
  const ByteReader reader(file_.bytes(), name_);
  if (reader.number(member.header_offset, 4) != local_signature) {
    fail_at_byte(name_, member.header_offset, "no local header of a zip member here");
  }
  if (!agrees_with_local_header(reader, member)) {
    throw InputError(text(name_, "[", member.name, "]: the local header and the directory say ",
                          "different sizes; the archive is damaged"));
  }
  const std::uint64_t skipped = local_header_bytes + reader.number(member.header_offset + 26, 2) +
                                reader.number(member.header_offset + 28, 2);
  return reader.range(member.header_offset + skipped, member.stored_bytes);
}

std::vector<std::byte> ZipArchive::read(const ZipMember& member) const {
  const auto stored = stored_bytes_of(member);
  const auto fail = [&](const std::string& message) {
    throw InputError(text(name_, "[", member.name, "]: ", message));
  };
  // Deflate shrinks by 1032 at most: a larger size is a lie, and is not allocated.
  constexpr std::uint64_t largest_ratio = 1032;
  std::vector<std::byte> bytes;
  if (member.method == 0) {
    if (member.size_bytes != member.stored_bytes) fail("a stored member of two sizes");
    bytes.assign(stored.begin(), stored.end());
  } else if (member.method == 8) {
    if (member.size_bytes / largest_ratio > member.stored_bytes) fail("an impossible size");
    bytes.resize(member.size_bytes);
    if (!inflate_raw(stored, bytes)) fail("the deflated data are damaged");
  } else {
    fail(text("compression method ", member.method,
              ", expected stored or deflated (numpy.savez, savez_compressed)"));
  }
  if (crc_of(bytes) != member.crc) fail("the CRC is wrong; the data are damaged");
  return bytes;
}

}  // namespace weft::datasets
