// SPDX-License-Identifier: MIT
// Slots: every row arrives where it belongs, there and back, all of them or the first of each peer,
// in any storage.
#include "comm/slot_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph/support/error.hpp"
#include "kernels/bfloat16.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::comm {
namespace {

constexpr std::int64_t dim = 3;

/// Slots between two ranks: more from the lower to the higher one.
std::int64_t num_slots(int from, int to) {
  return from < to ? 5 + from : 3;
}

std::vector<partition::HaloPeer> all_to_all_peers(const Communicator& world) {
  std::vector<partition::HaloPeer> peers;
  LocalId halo = 0;
  std::int64_t send = 0;
  for (int p = 0; p < world.size(); ++p) {
    if (p == world.rank()) continue;
    const auto received = static_cast<LocalId>(num_slots(p, world.rank()));
    const std::int64_t sent = num_slots(world.rank(), p);
    peers.push_back({p, halo, static_cast<LocalId>(halo + received), send, send + sent});
    halo += received;
    send += sent;
  }
  return peers;
}

/// Names the two ranks and the slot; whole numbers below 256, which bf16 holds exactly.
Real value_of(int from, int to, std::int64_t slot) {
  return static_cast<Real>(32 * from + 8 * to % 32 + slot % 8);
}

Real element(kernels::ConstMatrixView rows, std::int64_t r, std::int64_t c) {
  if (rows.storage == kernels::Storage::real) return rows.at(r, c);
  return static_cast<Real>(kernels::from_bf16(rows.row_bf16(r)[c]));
}

void set_row(kernels::MatrixView rows, std::int64_t r, Real value) {
  for (std::int64_t c = 0; c < rows.num_columns; ++c) {
    if (rows.storage == kernels::Storage::real) {
      rows.at(r, c) = value;
    } else {
      rows.row_bf16(r)[c] = kernels::to_bf16(static_cast<float>(value));
    }
  }
}

/// The first half of each peer's slots, rounded up.
SlotCounts halves(const SlotExchange& exchange) {
  SlotCounts counts = exchange.all_slots();
  for (LocalId& count : counts.halo)
    count = (count + 1) / 2;
  for (std::int64_t& count : counts.send)
    count = (count + 1) / 2;
  return counts;
}

void exchange_once(Communicator& world,
                   SlotExchange& exchange,
                   const SlotCounts& counts,
                   kernels::Storage storage) {
  const auto peers = exchange.peers();
  exchange.begin({dim, storage}, counts,
                 [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
                   const auto peer = std::ranges::find_if(peers, [&](const auto& candidate) {
                     return candidate.send_begin <= begin && begin < candidate.send_end;
                   });
                   for (std::int64_t s = begin; s < end; ++s)
                     set_row(packed, s, value_of(world.rank(), peer->part, s - begin));
                 });
  const kernels::ConstMatrixView rows = exchange.finish();
  const kernels::MatrixView back = exchange.reverse_buffer({dim, storage});
  for (std::size_t i = 0; i < peers.size(); ++i) {
    for (LocalId s = 0; s < counts.halo[i]; ++s) {
      const Real expected = value_of(peers[i].part, world.rank(), s);
      EXPECT_EQ(element(rows, peers[i].halo_begin + s, dim - 1), expected);
      set_row(back, peers[i].halo_begin + s, expected + 1);
    }
  }
  exchange.begin_reverse(counts);
  const kernels::ConstMatrixView returned = exchange.finish_reverse();
  for (std::size_t i = 0; i < peers.size(); ++i) {
    for (std::int64_t s = 0; s < counts.send[i]; ++s) {
      EXPECT_EQ(element(returned, peers[i].send_begin + s, 0),
                value_of(world.rank(), peers[i].part, s) + 1);
    }
  }
}

TEST(SlotExchange, BringsAllOrTheFirstSlotsThereAndBack) {
  Communicator world = Communicator::world();
  SlotExchange exchange(world, all_to_all_peers(world));
  for (const kernels::Storage storage : {kernels::Storage::real, kernels::Storage::bf16}) {
    for (int round = 0; round < 3; ++round) {
      exchange_once(world, exchange, exchange.all_slots(), storage);
      exchange_once(world, exchange, halves(exchange), storage);
    }
  }
}

TEST(SlotExchange, CountsTheBytesOfWhatTravels) {
  Communicator world = Communicator::world();
  SlotExchange exchange(world, all_to_all_peers(world));
  const SlotCounts counts = halves(exchange);
  exchange_once(world, exchange, counts, kernels::Storage::bf16);
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < counts.send.size(); ++i)
    rows += counts.send[i] + counts.halo[i];
  EXPECT_EQ(exchange.traffic().bytes_sent, rows * dim * 2);
}

TEST(SlotExchange, RefusesALimitOfNoBytes) {
  Communicator world = Communicator::world();
  EXPECT_THROW(SlotExchange(world, all_to_all_peers(world), {0}), InputError);
}

TEST(SlotExchange, WideRowsArePackedAndSentInPieces) {
  constexpr std::int64_t wide = 300000 / std::int64_t{sizeof(Real)};  // three rows a MiB
  Communicator world = Communicator::world();
  SlotExchange exchange(world, all_to_all_peers(world));
  std::vector<std::int64_t> packed_slots;
  exchange.begin({wide}, exchange.all_slots(),
                 [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
                   EXPECT_LE(end - begin, 3);
                   for (std::int64_t s = begin; s < end; ++s) {
                     packed_slots.push_back(s);
                     std::fill_n(packed.row(s), wide, static_cast<Real>(100 * world.rank() + s));
                   }
                 });
  const kernels::ConstMatrixView rows = exchange.finish();
  std::ranges::sort(packed_slots);
  ASSERT_EQ(std::ssize(packed_slots), exchange.num_send());
  std::int64_t expected_messages = 0;
  for (const partition::HaloPeer& peer : exchange.peers()) {
    expected_messages += (peer.send_end - peer.send_begin + 2) / 3;
    // Its slots for this rank follow those for the ranks before.
    std::int64_t first = 0;
    for (int p = 0; p < world.rank(); ++p)
      first += p == peer.part ? 0 : num_slots(peer.part, p);
    for (LocalId h = peer.halo_begin; h < peer.halo_end; ++h) {
      const auto expected = static_cast<Real>(100 * peer.part + first + h - peer.halo_begin);
      EXPECT_EQ(rows.at(h, 0), expected);
      EXPECT_EQ(rows.at(h, wide - 1), expected);
    }
  }
  EXPECT_EQ(exchange.traffic().messages_sent, expected_messages);
}

}  // namespace
}  // namespace weft::comm
