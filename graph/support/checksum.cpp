// SPDX-License-Identifier: MIT
// XXH3: fast enough to check every byte of a dataset at memory speed; no cryptographic promise.
#include "graph/support/checksum.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace weft {

struct Checksum::State {
  XXH3_state_t* handle = XXH3_createState();
  State() {
    if (handle == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(handle);
  }
  ~State() { XXH3_freeState(handle); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Checksum::Checksum() : state_(std::make_unique<State>()) {}
Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;

void Checksum::update(std::span<const std::byte> bytes) {
  XXH3_64bits_update(state_->handle, bytes.data(), bytes.size());
}

std::uint64_t Checksum::value() const {
  return XXH3_64bits_digest(state_->handle);
}

std::string checksum_text(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace weft
