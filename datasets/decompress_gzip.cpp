// SPDX-License-Identifier: MIT
// gzip by zlib's inflate. gzread is not used: it takes bytes after the last member for the end
// and reports a truncated file only when it is closed.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "datasets/decompress.hpp"
#include "datasets/input_problems.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr int gzip_window_bits = 16 + MAX_WBITS;  // 16: expect gzip headers, check the CRC

class GzipDecompressor : public Decompressor {
 public:
  GzipDecompressor(std::span<const std::byte> bytes, const std::string& name)
      : bytes_(bytes), name_(name) {
    const int status = inflateInit2(&stream_, gzip_window_bits);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK) throw RuntimeError(name + ": zlib cannot start");
  }
  ~GzipDecompressor() override { inflateEnd(&stream_); }
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;

  std::size_t read(std::span<char> out) override {
    std::size_t produced = 0;
    while (produced < out.size() && !is_finished())
      produced += inflate_some(out.subspan(produced));
    return produced;
  }

  [[nodiscard]] std::size_t position() const override { return position_; }

 private:
  /// At the end of the input, or where only zero bytes (padding of tapes) follow a member.
  bool is_finished() {
    if (inside_member_) return false;
    const auto rest = bytes_.subspan(position_);
    if (std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; })) {
      return true;
    }
    if (position_ > 0 && encoding_of(rest) != Encoding::gzip) {
      fail_at_byte(name_, position_,
                   text(rest.size(),
                        " bytes after the last gzip member are no member; the file is "
                        "damaged or two files were joined"));
    }
    inside_member_ = true;
    return false;
  }

  std::size_t inflate_some(std::span<char> out) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
    const std::size_t input = std::min(bytes_.size() - position_, most);
    const std::size_t room = std::min(out.size(), most);
    // zlib does not write to its input, it only lacks the const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes_.data() + position_));
    stream_.avail_in = static_cast<uInt>(input);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    position_ += input - stream_.avail_in;
    const std::size_t produced = room - stream_.avail_out;
    if (status == Z_STREAM_END) {
      inside_member_ = false;
      inflateReset(&stream_);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && position_ == bytes_.size() && stream_.avail_out > 0)) {
      fail_at_byte(name_, bytes_.size(), "the gzip stream ends early; the file was cut short");
    } else if (status != Z_OK) {
      fail_at_byte(name_, position_,
                   text("the gzip stream is damaged (",
                        stream_.msg != nullptr ? stream_.msg : "no header", ")"));
    }
    return produced;
  }

  std::span<const std::byte> bytes_;
  std::string name_;
  z_stream stream_{};
  std::size_t position_ = 0;
  bool inside_member_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> make_gzip_decompressor(std::span<const std::byte> bytes,
                                                     const std::string& name) {
  return std::make_unique<GzipDecompressor>(bytes, name);
}

}  // namespace weft::datasets
