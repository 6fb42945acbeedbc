// SPDX-License-Identifier: MIT
// A text file, plain or compressed, as a sequence of chunks of whole lines.
//
// A plain file is mapped and its chunks are views of the mapping; a compressed one is decompressed
// chunk by chunk, so memory is bounded by the chunk and not by the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/decompress.hpp"
#include "graph/support/files.hpp"

namespace weft::datasets {

/// Default of `--max-decompressed`: a bound against files made to fill the memory.
inline constexpr std::int64_t default_max_decompressed_bytes = std::int64_t{1} << 36;

/// Some whole lines of a file; each ends with '\n', the last line of the file too.
struct TextChunk {
  std::string_view text;
  std::vector<char> storage;   ///< what `text` points to, where it is not the mapping
  std::size_t source_end = 0;  ///< position in the file behind this chunk
};

class TextSource {
 public:
  /// Opens `path`. Errors   InputError: absent, a format that is not text (named, with remedy)
  explicit TextSource(const std::filesystem::path& path,
                      std::int64_t max_decompressed_bytes = default_max_decompressed_bytes);

  /// The first `bytes` bytes that were not yet taken, or all if there are fewer; takes nothing.
  /// The view holds until the next call.
  [[nodiscard]] std::string_view peek(std::size_t bytes);
  /// Takes `bytes` bytes that `peek` has shown.
  void skip(std::size_t bytes);
  /// Takes about `bytes` bytes, cut behind a line end. False at the end of the file.
  bool next(std::size_t bytes, TextChunk& chunk);

  /// Lets the kernel drop the mapped pages before `position` (of `TextChunk::source_end`).
  void release_before(std::size_t position);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  [[nodiscard]] std::size_t file_bytes() const { return file_.bytes().size(); }
  /// Position in the file up to which everything was taken.
  [[nodiscard]] std::size_t position() const;

 private:
  bool next_mapped(std::size_t bytes, TextChunk& chunk);
  bool next_decompressed(std::size_t bytes, TextChunk& chunk);
  void fill_pending(std::size_t bytes);

  std::string name_;
  MappedFile file_;
  Encoding encoding_;
  std::size_t taken_ = 0;     ///< of the mapping
  std::size_t released_ = 0;  ///< pages of the mapping given back
  std::unique_ptr<Decompressor> decompressor_;
  std::vector<char> pending_;  ///< decompressed and not yet taken
  std::int64_t decompressed_ = 0;
  std::int64_t max_decompressed_;
  bool at_end_ = false;
};

}  // namespace weft::datasets
