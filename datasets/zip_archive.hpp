// SPDX-License-Identifier: MIT
// Reads zip archives (`.npz`): members stored or deflated, zip64 included.
//
// Sizes are taken from the central directory at the end: local headers of streamed archives hold
// zeros. Source: PKWARE's APPNOTE.TXT, version 6.3.10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "graph/support/files.hpp"

namespace weft::datasets {

struct ZipMember {
  std::string name;
  std::uint64_t header_offset = 0;  ///< of the local header
  std::uint64_t stored_bytes = 0;
  std::uint64_t size_bytes = 0;  ///< after inflating
  std::uint32_t crc = 0;
  int method = 0;  ///< 0 stored, 8 deflated
};

class ZipArchive {
 public:
  /// Maps `path` and reads its directory.
  /// Errors   InputError "FILE:@OFFSET: ...": no zip archive, cut short, damaged directory
  explicit ZipArchive(const std::filesystem::path& path, std::int64_t max_member_bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  /// The member called `name`, null if there is none.
  [[nodiscard]] const ZipMember* find(const std::string& name) const;
  /// The bytes of `member`.
  /// Errors   InputError "FILE[member]: ...": damaged data, wrong CRC, encrypted, other method
  [[nodiscard]] std::vector<std::byte> read(const ZipMember& member) const;

 private:
  void read_directory(std::int64_t max_member_bytes);
  [[nodiscard]] std::span<const std::byte> stored_bytes_of(const ZipMember& member) const;

  std::string name_;
  MappedFile file_;
  std::vector<ZipMember> members_;
};

}  // namespace weft::datasets
