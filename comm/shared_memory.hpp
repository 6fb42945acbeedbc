// SPDX-License-Identifier: MIT
// Memory of this rank that the other ranks of its host read in place: nothing is packed, sent or
// copied.
//
// Invariant: a rank writes to its own segment only; those of the others are mapped for reading.
// Sharing is an offer: where it cannot be had it is off on all ranks of the host, with a reason,
// and messages do the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "kernels/buffer.hpp"

namespace weft::comm {

struct SharedMemoryOptions {
  bool is_wanted = true;   ///< false on any rank of a host: off on that host
  std::uint64_t host = 0;  ///< ranks with the same number share; 0: those of one host
};

/// A segment of each rank of the host. A matrix that uses it lies where the others can read it.
class SharedMemory final : public kernels::MemorySource {
 public:
  /// Makes a segment of `num_bytes` (another number on each rank is fine), on huge pages where the
  /// kernel has them. All of it is allocated here, so that no later write can find it missing.
  /// Collective. What makes sharing impossible is no error: `reason` tells it.
  SharedMemory(Communicator& communicator,
               std::int64_t num_bytes,
               SharedMemoryOptions options = {});
  ~SharedMemory() override;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// The same on all ranks of the host.
  [[nodiscard]] bool is_on() const;
  /// Why it is off; empty if it is on.
  [[nodiscard]] const std::string& reason() const;

  /// Whether `rank` is another rank whose segment can be read here.
  [[nodiscard]] bool is_shared_with(int rank) const;
  /// The ranks of this host, rising, this one among them; empty if sharing is off.
  [[nodiscard]] std::span<const int> local_ranks() const;

  /// This rank's segment, 2 MiB aligned; empty if sharing is off.
  [[nodiscard]] std::span<std::byte> mine() const;
  /// The segment of a rank that `is_shared_with`; writing to it ends the process.
  [[nodiscard]] std::span<const std::byte> of(int rank) const;

  /// The next `num_bytes` of the segment, 64-byte aligned; null if there is no room.
  [[nodiscard]] void* allocate(std::int64_t num_bytes) override;
  /// What `allocate` takes of the segment for so many bytes; a sum of these is what it needs.
  [[nodiscard]] static std::int64_t room_for(std::int64_t num_bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::comm
