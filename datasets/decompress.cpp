// SPDX-License-Identifier: MIT
// Which decompressor a file needs.
#include "datasets/decompress.hpp"

#include <string_view>

#include "graph/support/error.hpp"

namespace weft::datasets {

const char* encoding_name(Encoding encoding) {
  if (encoding == Encoding::gzip) return "gzip";
  return encoding == Encoding::zstd ? "zstd" : "plain text";
}

Encoding encoding_of(std::span<const std::byte> bytes) {
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (head.starts_with("\x1f\x8b")) return Encoding::gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd")) return Encoding::zstd;
  // A skippable frame, magic 0x184D2A50 to 0x184D2A5F, may come first.
  const bool is_skippable = head.size() >= 4 && (static_cast<unsigned char>(head[0]) >> 4) == 5 &&
                            head.substr(1, 3) == "\x2a\x4d\x18";
  return is_skippable ? Encoding::zstd : Encoding::plain;
}

std::unique_ptr<Decompressor> make_decompressor(Encoding encoding,
                                                std::span<const std::byte> bytes,
                                                const std::string& name) {
  if (encoding == Encoding::gzip) return make_gzip_decompressor(bytes, name);
  if (encoding == Encoding::zstd) return make_zstd_decompressor(bytes, name);
  throw RuntimeError(name + ": plain text needs no decompressor");
}

}  // namespace weft::datasets
