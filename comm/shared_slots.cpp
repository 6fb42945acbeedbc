// SPDX-License-Identifier: MIT
// Shared rows, and what each rank must know of its peers' numbering: where their slots for it
// begin.
#include "comm/shared_slots.hpp"

#include <utility>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"

namespace weft::comm {

namespace {

bool is_written(const SharedRange& range) {
  return range.write_begin < range.write_end;
}
bool is_read(const SharedRange& range) {
  return range.read_begin < range.read_end;
}

template <typename Condition>
std::vector<int> parts_with(std::span<const SharedRange> ranges, const Condition& holds) {
  std::vector<int> parts;
  for (const SharedRange& range : ranges) {
    if (holds(range)) parts.push_back(range.part);
  }
  return parts;
}

// Rows of Real of at least so many bytes.
std::int64_t columns_for(std::int64_t row_bytes) {
  return (row_bytes + std::int64_t{sizeof(Real)} - 1) / std::int64_t{sizeof(Real)};
}

}  // namespace

SharedSlots::SharedSlots(Communicator& communicator,
                         SharedMemory& memory,
                         std::vector<SharedRange> ranges,
                         std::int64_t num_rows,
                         std::int64_t max_row_bytes)
    : ranges_(std::move(ranges)),
      begins_(ranges_.size()),
      num_rows_(num_rows),
      rows_(communicator, memory, parts_with(ranges_, is_written), parts_with(ranges_, is_read)) {
  tell_ranges(communicator);
  agree_on_errors(communicator, [&] {
    if (!memory.is_on()) return;
    for (kernels::Matrix& buffer : buffers_) {
      buffer.use(memory);
      buffer.resize(num_rows_, columns_for(max_row_bytes));
    }
  });
}

std::int64_t SharedSlots::room(std::int64_t num_rows,
                               std::int64_t max_row_bytes,
                               std::int64_t num_local_ranks) {
  const std::int64_t matrix_bytes =
      num_rows * columns_for(max_row_bytes) * std::int64_t{sizeof(Real)};
  return SharedRows::room(num_local_ranks) + 2 * SharedMemory::room_for(matrix_bytes);
}

void SharedSlots::tell_ranges(Communicator& communicator) {
  constexpr int tag = static_cast<int>(Tag::shared_slots);
  RequestSet requests(communicator);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    requests.receive(std::as_writable_bytes(std::span(begins_).subspan(i, 1)), ranges_[i].part,
                     tag);
  }
  for (const SharedRange& range : ranges_)
    requests.send(std::as_bytes(std::span(&range.write_begin, 1)), range.part, tag);
  requests.wait();
}

kernels::MatrixView SharedSlots::next(std::int64_t dim, kernels::Storage storage) {
  rows_.wait_until_read(num_published_ - 1);
  buffer().resize(num_rows_, dim, storage);
  return buffer().view();
}

void SharedSlots::publish() {
  rows_.publish(std::as_const(buffer()).view());
  ++num_published_;
}

void SharedSlots::read(std::span<const Real*> pointers) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const SharedRange& range = ranges_[i];
    if (!is_read(range)) continue;
    const kernels::ConstMatrixView rows = rows_.read(range.part).rows;
    for (std::int64_t slot = range.read_begin; slot < range.read_end; ++slot) {
      const std::int64_t row = begins_[i] + slot - range.read_begin;
      pointers[static_cast<std::size_t>(slot)] = reinterpret_cast<const Real*>(rows.row_begin(row));
    }
  }
}

void SharedSlots::release() {
  for (const SharedRange& range : ranges_) {
    if (is_read(range)) rows_.done(range.part);
  }
}

}  // namespace weft::comm
