// SPDX-License-Identifier: MIT
// Collectives that are composed of messages: sums of floating-point numbers whose bits depend on
// the number of ranks only, and gathers of any size.
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

// Below this, all ranks send everything to everybody: one round of messages.
constexpr std::size_t small_sum_bytes = 4096;

// Elements begin(rank) .. begin(rank + 1) - 1 are summed by `rank`.
std::size_t slice_begin(std::size_t size, int rank, int num_ranks) {
  return size * static_cast<std::size_t>(rank) / static_cast<std::size_t>(num_ranks);
}

// values = table[0] + table[1] + ...; row r of the table comes from rank r.
template <typename T>
void add_rows(std::span<const T> table, std::span<T> values) {
  const std::size_t width = values.size();
  if (width == 0) return;
  std::copy_n(table.data(), width, values.data());
  for (std::size_t row = width; row < table.size(); row += width) {
    for (std::size_t i = 0; i < width; ++i)
      values[i] += table[row + i];
  }
}

template <typename T>
std::span<T> sum_table(Communicator& communicator, std::size_t row_size) {
  const std::size_t size = row_size * static_cast<std::size_t>(communicator.size());
  return {reinterpret_cast<T*>(sum_scratch(communicator, size * sizeof(T)).data()), size};
}

template <typename T>
void sum_small(Communicator& communicator, std::span<T> values) {
  const std::span<T> table = sum_table<T>(communicator, values.size());
  all_gather_bytes(communicator, std::as_bytes(values), std::as_writable_bytes(table));
  add_rows<T>(table, values);
}

// Each rank adds one slice of all ranks and returns it to them: what a ring would move, with the
// order of the sum fixed.
template <typename T>
void sum_by_slices(Communicator& communicator, std::span<T> values) {
  const int size = communicator.size();
  const int rank = communicator.rank();
  const auto slice = [&](int r) {
    const std::size_t begin = slice_begin(values.size(), r, size);
    return values.subspan(begin, slice_begin(values.size(), r + 1, size) - begin);
  };
  const std::span<T> mine = slice(rank);
  const std::span<T> table = sum_table<T>(communicator, mine.size());
  const auto table_row = [&](int r) {
    return table.subspan(static_cast<std::size_t>(r) * mine.size(), mine.size());
  };
  RequestSet requests(communicator);
  for (int step = 1; step < size; ++step) {
    const int source = (rank - step + size) % size;
    requests.receive(std::as_writable_bytes(table_row(source)), source, tag_of(Tag::sum));
  }
  for (int step = 1; step < size; ++step) {
    const int destination = (rank + step) % size;
    requests.send(std::as_bytes(slice(destination)), destination, tag_of(Tag::sum));
  }
  std::ranges::copy(mine, table_row(rank).begin());
  requests.wait();
  add_rows<T>(table, mine);
  for (int step = 1; step < size; ++step) {
    const int source = (rank - step + size) % size;
    requests.receive(std::as_writable_bytes(slice(source)), source, tag_of(Tag::sum));
  }
  for (int step = 1; step < size; ++step) {
    requests.send(std::as_bytes(mine), (rank + step) % size, tag_of(Tag::sum));
  }
  requests.wait();
}

template <typename T>
void sum(Communicator& communicator, std::span<T> values) {
  if (communicator.size() == 1 || values.empty()) return;
  if (values.size_bytes() <= small_sum_bytes) {
    sum_small(communicator, values);
  } else {
    sum_by_slices(communicator, values);
  }
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
