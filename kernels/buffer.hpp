// SPDX-License-Identifier: MIT
// Owned memory of a backend: aligned for vector instructions, on 2 MiB pages where large.
//
// The only place of this folder that allocates what does not fit a standard container.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace weft::kernels {

/// Where buffers may have their memory from instead of the C library: memory that other processes
/// read, for instance.
class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// Returns `num_bytes`, 64-byte aligned, that live as long as the source; null if it has no room.
  [[nodiscard]] virtual void* allocate(std::int64_t num_bytes) = 0;
};

/// A block of bytes that only grows.
class Buffer {
 public:
  Buffer() = default;
  /// Has its memory from `source`, which must outlive it and which never gets it back: a block that
  /// grows takes room for the smaller ones, too.
  explicit Buffer(MemorySource& source) : source_(&source) {}
  Buffer(Buffer&& other) noexcept
      : source_(other.source_),
        data_(std::move(other.data_)),
        capacity_bytes_(std::exchange(other.capacity_bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    source_ = other.source_;
    data_ = std::move(other.data_);
    capacity_bytes_ = std::exchange(other.capacity_bytes_, 0);
    return *this;
  }

  /// Makes room for `num_bytes`, 64-byte aligned; allocates, and loses the contents, only where
  /// the capacity is too small. Returns whether it allocated. Throws RuntimeError that names the
  /// size if the memory is not there.
  bool reserve(std::int64_t num_bytes);

  [[nodiscard]] void* data() { return data_.get(); }
  [[nodiscard]] const void* data() const { return data_.get(); }
  [[nodiscard]] std::int64_t capacity_bytes() const { return capacity_bytes_; }

 private:
  struct Release {
    bool is_borrowed;  ///< of a source; a default pointer has false
    void operator()(void* data) const noexcept;
  };
  [[nodiscard]] void* allocate(std::int64_t num_bytes) const;

  MemorySource* source_ = nullptr;  // null: the C library
  std::unique_ptr<void, Release> data_;
  std::int64_t capacity_bytes_ = 0;
};

/// Allocations by any Buffer of this process.
[[nodiscard]] std::int64_t num_buffer_allocations();

}  // namespace weft::kernels
