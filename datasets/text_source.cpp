// SPDX-License-Identifier: MIT
// Mapping or decompressing a text file and cutting it at line ends.
#include "datasets/text_source.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "datasets/input_problems.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::size_t longest_line_bytes = std::size_t{1} << 28;

struct ForeignFormat {
  std::string_view magic;
  const char* found;
  const char* remedy;
};
using namespace std::string_view_literals;
constexpr std::array<ForeignFormat, 8> foreign_formats{{
    {"BZh"sv, "bzip2 data", "decompress it first: bzip2 -dk FILE"},
    {"\xfd\x37zXZ\0"sv, "xz data", "decompress it first: xz -dk FILE"},
    {"PAR1"sv, "a Parquet file", "export the table as CSV"},
    {"ARROW1"sv, "an Arrow file", "export the table as CSV"},
    {"\x89HDF"sv, "an HDF5 file", "export the edges as text"},
    {"\x93NUMPY"sv, "a NumPy array", "save the edges with numpy.savetxt"},
    {"PK\x03\x04"sv, "a zip archive (.npz, .pt)", "save the edges as text"},
    {"MATLAB 5.0"sv, "a MATLAB file", "save the edges as text or MatrixMarket"},
}};

/// Refuses what is not text by its first bytes: parsed as text it would be "no number in line 1".
void refuse_foreign_formats(std::string_view head, const std::string& name) {
  for (const ForeignFormat& format : foreign_formats) {
    if (head.starts_with(format.magic)) {
      fail_at_byte(name, 0,
                   text(format.found, ", expected text, plain or compressed with gzip or zstd; ",
                        format.remedy));
    }
  }
  if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv)) {
    fail_at_line(name, 1,
                 "UTF-16 text, expected UTF-8 or ASCII; convert it: iconv -f UTF-16 -t UTF-8 FILE");
  }
}

}  // namespace

TextSource::TextSource(const std::filesystem::path& path, std::int64_t max_decompressed_bytes)
    : name_(path.string()),
      file_(path),
      encoding_(encoding_of(file_.bytes())),
      max_decompressed_(max_decompressed_bytes) {
  if (encoding_ != Encoding::plain) {
    decompressor_ = make_decompressor(encoding_, file_.bytes(), name_);
  } else if (!file_.bytes().empty()) {
    ::madvise(const_cast<std::byte*>(file_.bytes().data()), file_.bytes().size(), MADV_SEQUENTIAL);
  }
  refuse_foreign_formats(peek(16), name_);
  if (peek(3) == "\xef\xbb\xbf") skip(3);  // a UTF-8 byte order mark
}

std::size_t TextSource::position() const {
  return decompressor_ ? decompressor_->position() : taken_;
}

std::string_view TextSource::peek(std::size_t bytes) {
  if (!decompressor_) return file_.text().substr(taken_, bytes);
  fill_pending(bytes);
  return std::string_view(pending_.data(), pending_.size()).substr(0, bytes);
}

void TextSource::skip(std::size_t bytes) {
  if (!decompressor_) {
    taken_ += bytes;
  } else {
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(bytes));
  }
}

bool TextSource::next(std::size_t bytes, TextChunk& chunk) {
  const bool found = decompressor_ ? next_decompressed(bytes, chunk) : next_mapped(bytes, chunk);
  chunk.source_end = position();
  return found;
}

bool TextSource::next_mapped(std::size_t bytes, TextChunk& chunk) {
  const std::string_view rest = file_.text().substr(taken_);
  if (rest.empty()) return false;
  std::size_t end = rest.size() <= bytes ? rest.rfind('\n') : rest.rfind('\n', bytes - 1);
  if (end == rest.npos) end = rest.find('\n', std::min(bytes, rest.size()));
  if (end == rest.npos) {  // the last line, without a line end: give it one
    chunk.storage.assign(rest.begin(), rest.end());
    chunk.storage.push_back('\n');
    chunk.text = {chunk.storage.data(), chunk.storage.size()};
    taken_ += rest.size();
    return true;
  }
  chunk.text = rest.substr(0, end + 1);
  taken_ += end + 1;
  return true;
}

bool TextSource::next_decompressed(std::size_t bytes, TextChunk& chunk) {
  std::size_t end = 0;
  for (std::size_t wanted = bytes; end == 0; wanted *= 2) {
    fill_pending(wanted);
    const std::string_view found(pending_.data(), pending_.size());
    end = found.rfind('\n', wanted - 1) + 1;  // npos + 1 == 0
    if (end == 0) end = found.find('\n') + 1;
    if (end > 0 || at_end_) break;
    if (wanted > longest_line_bytes) {
      throw InputError(text(name_, ": a line is longer than ", longest_line_bytes,
                            " bytes; the file is no list of lines"));
    }
  }
  if (pending_.empty()) return false;
  if (end == 0) {
    pending_.push_back('\n');
    end = pending_.size();
  }
  chunk.storage.swap(pending_);
  const auto tail = chunk.storage.begin() + static_cast<std::ptrdiff_t>(end);
  pending_.assign(tail, chunk.storage.end());
  chunk.text = {chunk.storage.data(), end};
  return true;
}

void TextSource::fill_pending(std::size_t bytes) {
  std::size_t filled = pending_.size();
  if (filled >= bytes || at_end_) return;
  pending_.resize(bytes);
  while (filled < bytes && !at_end_) {
    const std::size_t count = decompressor_->read(std::span(pending_).subspan(filled));
    at_end_ = count == 0;
    filled += count;
    decompressed_ += static_cast<std::int64_t>(count);
    if (decompressed_ > max_decompressed_) {
      throw InputError(text(name_, ": decompresses to more than ", format_bytes(max_decompressed_),
                            "; raise --max-decompressed if the file is meant to be so large"));
    }
  }
  pending_.resize(filled);
}

void TextSource::release_before(std::size_t position) {
  if (decompressor_) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = position / page * page;
  if (end <= released_) return;
  auto* begin = const_cast<std::byte*>(file_.bytes().data()) + released_;
  ::madvise(begin, end - released_, MADV_DONTNEED);  // only a hint: a failure costs memory
  released_ = end;
}

}  // namespace weft::datasets
