// SPDX-License-Identifier: MIT
// Owned memory of a backend: aligned for vector instructions, on 2 MiB pages where large.
//
// The only place of this folder that allocates what does not fit a standard container.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace weft::kernels {

/// A block of bytes that only grows.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::move(other.data_)), capacity_bytes_(std::exchange(other.capacity_bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
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
    void operator()(void* data) const noexcept;
  };
  std::unique_ptr<void, Release> data_;
  std::int64_t capacity_bytes_ = 0;
};

/// Allocations by any Buffer of this process.
[[nodiscard]] std::int64_t num_buffer_allocations();

}  // namespace weft::kernels
