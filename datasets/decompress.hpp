// SPDX-License-Identifier: MIT
// Streaming decompression of gzip and zstd, recognized by their first bytes and not by the name.
//
// Both formats allow several streams back to back (pigz, `cat a.gz b.gz`); all are read. A stream
// that ends early, a wrong checksum, and bytes after the last stream that are none are errors.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace weft::datasets {

enum class Encoding { plain, gzip, zstd };

/// "plain text", "gzip" or "zstd".
[[nodiscard]] const char* encoding_name(Encoding encoding);

/// Recognizes the encoding by its magic bytes.
[[nodiscard]] Encoding encoding_of(std::span<const std::byte> bytes);

/// Produces the decompressed bytes of a whole file piece by piece.
class Decompressor {
 public:
  virtual ~Decompressor() = default;
  /// Fills `out` as far as it can; returns the number of bytes, 0 at the end.
  /// Errors   InputError "NAME:@OFFSET: ..." as above
  virtual std::size_t read(std::span<char> out) = 0;
  /// How many bytes of the input were used so far.
  [[nodiscard]] virtual std::size_t position() const = 0;
};

/// `bytes` must outlive the decompressor; `name` is the file's, for messages.
[[nodiscard]] std::unique_ptr<Decompressor> make_decompressor(Encoding encoding,
                                                              std::span<const std::byte> bytes,
                                                              const std::string& name);
[[nodiscard]] std::unique_ptr<Decompressor> make_gzip_decompressor(std::span<const std::byte> bytes,
                                                                   const std::string& name);
[[nodiscard]] std::unique_ptr<Decompressor> make_zstd_decompressor(std::span<const std::byte> bytes,
                                                                   const std::string& name);

}  // namespace weft::datasets
