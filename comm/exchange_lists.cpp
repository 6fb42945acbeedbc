// SPDX-License-Identifier: MIT
// Lengths first, so that every list is received where it will stay.
#include "comm/exchange_lists.hpp"

#include <cstdint>
#include <span>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"

namespace weft::comm {

std::vector<std::vector<std::byte>> exchange_lists(
    Communicator& communicator, const std::vector<std::vector<std::byte>>& to_each) {
  const auto size = static_cast<std::size_t>(communicator.size());
  const auto self = static_cast<std::size_t>(communicator.rank());
  WEFT_ASSERT(to_each.size() == size);
  std::vector<std::int64_t> lengths;
  for (const std::vector<std::byte>& list : to_each)
    lengths.push_back(std::ssize(list));
  const std::vector<std::int64_t> announced = all_to_all(communicator, lengths);
  std::vector<std::vector<std::byte>> received(size);
  RequestSet requests(communicator);
  for (std::size_t p = 0; p < size; ++p) {
    if (p == self) continue;
    received[p].resize(static_cast<std::size_t>(announced[p]));
    requests.receive(received[p], static_cast<int>(p), static_cast<int>(Tag::list));
  }
  for (std::size_t p = 0; p < size; ++p) {
    if (p != self) requests.send(to_each[p], static_cast<int>(p), static_cast<int>(Tag::list));
  }
  received[self] = to_each[self];
  requests.wait();
  return received;
}

}  // namespace weft::comm
