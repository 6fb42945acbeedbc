// SPDX-License-Identifier: MIT
// Collectives that are composed of messages: sums of floating-point numbers, and gathers of any
// size.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "comm/communicator.hpp"
#include "comm/transport.hpp"

namespace weft::comm {

namespace {

constexpr int tag_of(Tag tag) {
  return static_cast<int>(tag);
}

template <typename T>
void sum(Communicator& communicator, std::span<T> values) {
  OrderedSums& sums = blocking_sums(communicator);
  sums.begin(values);
  sums.finish();
}

}  // namespace

void Communicator::all_reduce_sum(std::span<float> values) {
  sum(*this, values);
}
void Communicator::all_reduce_sum(std::span<double> values) {
  sum(*this, values);
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> mine,
                                                         int root) {
  const std::vector<std::int64_t> sizes = all_gather_of(*this, std::ssize(mine));
  std::vector<std::vector<std::byte>> all;
  RequestSet requests(*this);
  if (rank() != root) {
    requests.send(mine, root, tag_of(Tag::gather));
    requests.wait();
    return all;
  }
  all.resize(sizes.size());
  for (int source = 0; source < size(); ++source) {
    auto& bytes = all[static_cast<std::size_t>(source)];
    bytes.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(source)]));
    if (source == root) {
      std::ranges::copy(mine, bytes.begin());
    } else {
      requests.receive(bytes, source, tag_of(Tag::gather));
    }
  }
  requests.wait();
  return all;
}

void Communicator::broadcast_text(std::string& text, int root) {
  std::int64_t size = std::ssize(text);
  broadcast(std::as_writable_bytes(std::span(&size, 1)), root);
  text.resize(static_cast<std::size_t>(size));
  broadcast(std::as_writable_bytes(std::span(text)), root);
}

std::vector<std::string> Communicator::all_gather(const std::string& mine) {
  const std::vector<std::int64_t> sizes = all_gather_of(*this, std::ssize(mine));
  const auto on_root = gather(std::as_bytes(std::span(mine)));
  std::string joined(
      static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})), '\0');
  std::size_t filled = 0;
  for (const auto& bytes : on_root) {
    if (!bytes.empty()) std::memcpy(joined.data() + filled, bytes.data(), bytes.size());
    filled += bytes.size();
  }
  broadcast(std::as_writable_bytes(std::span(joined)));
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (const std::int64_t num_bytes : sizes) {
    texts.push_back(joined.substr(begin, static_cast<std::size_t>(num_bytes)));
    begin += static_cast<std::size_t>(num_bytes);
  }
  return texts;
}

bool Communicator::is_same_on_all_ranks(std::uint64_t value) {
  const auto as_signed = static_cast<std::int64_t>(value);
  std::array<std::int64_t, 2> extremes = {as_signed, ~as_signed};  // ~ turns the order round
  all_reduce_max(std::span<std::int64_t>(extremes));
  return extremes[0] == ~extremes[1];
}

}  // namespace weft::comm
