// SPDX-License-Identifier: MIT
// Shared rows, and what each rank must know of its peers' numbering: where their slots for it
// begin.
#include "comm/shared_slots.hpp"

#include <algorithm>
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

// What a publication is.
constexpr std::int64_t form_packed = 0;
constexpr std::int64_t form_rows = 1;

std::span<const LocalId> written(const SharedRange& range, std::span<const LocalId> copied_rows) {
  return copied_rows.subspan(static_cast<std::size_t>(range.write_begin),
                             static_cast<std::size_t>(range.write_end - range.write_begin));
}

// Whether a slot for a peer of the host is no copy, or nobody says what it copies.
bool have_sums(std::span<const SharedRange> ranges, std::span<const LocalId> copied_rows) {
  return std::ranges::any_of(ranges, [&](const SharedRange& range) {
    if (!is_written(range)) return false;
    return copied_rows.empty() ||
           std::ranges::count(written(range, copied_rows), no_copied_row) > 0;
  });
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
                         std::int64_t max_row_bytes,
                         std::span<const LocalId> copied_rows)
    : ranges_(std::move(ranges)),
      begins_(ranges_.size()),
      sources_(ranges_.size()),
      num_rows_(num_rows),
      rows_(communicator, memory, parts_with(ranges_, is_written), parts_with(ranges_, is_read)) {
  std::int64_t has_sums = have_sums(ranges_, copied_rows) ? 1 : 0;
  communicator.all_reduce_max(std::span(&has_sums, 1));
  are_copies_ = has_sums == 0;
  tell_ranges(communicator, copied_rows);
  agree_on_errors(communicator, [&] {
    if (!memory.is_on()) return;
    for (auto& [buffer, publication] : packed_) {
      buffer.use(memory, num_rows_, columns_for(max_row_bytes));
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

void SharedSlots::tell_ranges(Communicator& communicator, std::span<const LocalId> copied_rows) {
  constexpr int tag = static_cast<int>(Tag::shared_slots);
  RequestSet requests(communicator);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const SharedRange& range = ranges_[i];
    requests.receive(std::as_writable_bytes(std::span(begins_).subspan(i, 1)), range.part, tag);
    if (!are_copies_) continue;
    sources_[i].resize(static_cast<std::size_t>(range.read_end - range.read_begin));
    requests.receive(std::as_writable_bytes(std::span(sources_[i])), range.part, tag);
  }
  for (const SharedRange& range : ranges_) {
    requests.send(std::as_bytes(std::span(&range.write_begin, 1)), range.part, tag);
    if (!are_copies_) continue;
    requests.send(std::as_bytes(written(range, copied_rows)), range.part, tag);
  }
  requests.wait();
}

kernels::MatrixView SharedSlots::next(std::int64_t dim, kernels::Storage storage) {
  rows_.wait_until_read(packed().publication);
  packed().rows.resize(num_rows_, dim, storage);
  return packed().rows.view();
}

void SharedSlots::publish_packed() {
  packed().publication = rows_.publish(std::as_const(packed().rows).view(), form_packed);
  ++num_packed_;
}

void SharedSlots::publish_rows(kernels::ConstMatrixView x) {
  rows_.publish(x, form_rows);
}

void SharedSlots::read(std::span<const Real*> pointers) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const SharedRange& range = ranges_[i];
    if (!is_read(range)) continue;
    const auto [rows, form] = rows_.read(range.part);
    for (std::int64_t slot = range.read_begin; slot < range.read_end; ++slot) {
      const std::int64_t place = slot - range.read_begin;
      const std::int64_t row =
          form == form_rows ? sources_[i][static_cast<std::size_t>(place)] : begins_[i] + place;
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
