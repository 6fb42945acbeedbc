// SPDX-License-Identifier: MIT
// Aligned memory from the C library; large blocks start on a 2 MiB boundary, so that the kernel
// can back them with huge pages: gathers from a large table lose 11-50 % of their speed without.
#include "kernels/buffer.hpp"

#include <atomic>
#include <cstdlib>

#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"

namespace weft::kernels {
namespace {

constexpr std::int64_t cache_line_bytes = 64;
constexpr std::int64_t huge_page_bytes = std::int64_t{2} << 20;

std::atomic<std::int64_t> allocations{0};

std::int64_t round_up(std::int64_t num_bytes, std::int64_t alignment) {
  return (num_bytes + alignment - 1) / alignment * alignment;
}

std::int64_t alignment_of(std::int64_t num_bytes) {
  return num_bytes >= 2 * huge_page_bytes ? huge_page_bytes : cache_line_bytes;
}

}  // namespace

void* Buffer::allocate(std::int64_t num_bytes) const {
  if (source_ != nullptr) return source_->allocate(num_bytes);
  void* data = std::aligned_alloc(static_cast<std::size_t>(alignment_of(num_bytes)),
                                  static_cast<std::size_t>(num_bytes));
  if (data != nullptr) advise_huge_pages(data, static_cast<std::size_t>(num_bytes));
  return data;
}

bool Buffer::reserve(std::int64_t num_bytes) {
  if (num_bytes <= capacity_bytes_) return false;
  const std::int64_t rounded =
      round_up(num_bytes, source_ == nullptr ? alignment_of(num_bytes) : cache_line_bytes);
  data_.reset();
  capacity_bytes_ = 0;
  data_ = {allocate(rounded), Release{source_ != nullptr}};
  if (!data_) {
    throw RuntimeError(text("kernels: no memory for a buffer of ", format_bytes(num_bytes),
                            source_ == nullptr ? "; use more ranks, or a smaller model"
                                               : " in the memory that it was told to use; make "
                                                 "that larger, or the matrix its full size first"));
  }
  capacity_bytes_ = rounded;
  allocations.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Buffer::Release::operator()(void* data) const noexcept {
  if (!is_borrowed) std::free(data);
}

std::int64_t num_buffer_allocations() {
  return allocations.load(std::memory_order_relaxed);
}

}  // namespace weft::kernels
