// SPDX-License-Identifier: MIT
// Files that are whole or absent: everything is written to a temporary name beside its target,
// synced and renamed, so a reader sees the old whole or the new whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// A read-only view of a whole file, mapped into memory.
class MappedFile {
 public:
  /// Throws InputError that names the path if it cannot be opened or is no regular file, and
  /// RuntimeError where the address space is too small for it.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes a file under a temporary name; `commit` syncs it and renames it to its target. Without
/// `commit` the destructor removes it.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws RuntimeError that names the path (disk full, for one).
  void write(std::span<const std::byte> bytes);
  void write(std::string_view characters);
  void commit();

 private:
  void flush();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::string buffer_;  ///< gathers small writes
  int descriptor_ = -1;
};

/// From now on SIGINT, SIGTERM and SIGHUP remove the temporaries of all atomic files and folders
/// that are not committed, before they end the process as usual. Call it once, before any other
/// thread begins: a thread of its own waits for the signals.
void remove_temporaries_when_interrupted();

/// While one lives, the first of these signals does not end the process but asks it to come to an
/// end by itself; the second ends it. One at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  /// The signal that has come; 0 if none has.
  [[nodiscard]] int signal() const;
};

/// Writes `content` to `target` atomically.
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

/// A folder that is filled under a temporary name beside its target; `commit` syncs and renames
/// it. Without `commit` the destructor removes it with all that is in it.
class AtomicFolder {
 public:
  /// Throws InputError if `target` exists and is not an empty folder.
  explicit AtomicFolder(std::filesystem::path target);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Where to write before `commit`.
  [[nodiscard]] const std::filesystem::path& path() const { return temporary_; }
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

}  // namespace weft
