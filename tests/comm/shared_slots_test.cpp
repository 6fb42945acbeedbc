// SPDX-License-Identifier: MIT
// Slots in shared memory against slots in messages: the same rows and the same bits of gradients,
// whether all peers, some or none share memory; and never a row of another round.
#include "comm/shared_slots.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/halo_exchange.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "kernels/bfloat16.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::comm {
namespace {

using kernels::Storage;

constexpr RandomPurpose purpose = RandomPurpose::test;
constexpr std::int64_t widest = 33;

/// Whole numbers below 256, which bf16 holds exactly, in a round and column; vertices by column.
Real value_of(GlobalId vertex, std::int64_t column, std::int64_t round) {
  const std::int64_t digit = column % 2 == 0 ? vertex % 17 : vertex / 17 % 18;
  return static_cast<Real>((digit + round * 5 + column) % 251);
}

Real number(const Real* row, std::int64_t c, Storage storage) {
  if (storage == Storage::real) return row[c];
  return static_cast<Real>(kernels::from_bf16(reinterpret_cast<const std::uint16_t*>(row)[c]));
}

std::uint32_t draw(std::uint32_t layer, std::uint64_t id, std::uint32_t column) {
  return random_word(random_key(9, purpose, layer), id, column);
}

// 300 vertices at random owners; each part reads a fifth of the others', but rank 2 reads nothing.
HandPart random_part(const Communicator& world) {
  constexpr GlobalId num_vertices = 300;
  std::vector<int> owner;
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  for (GlobalId v = 0; v < num_vertices; ++v) {
    const auto id = static_cast<std::uint64_t>(v);
    owner.push_back(static_cast<int>(draw(0, id, 0) % static_cast<std::uint32_t>(world.size())));
    for (int part = 0; part < world.size(); ++part) {
      const bool is_read = part != 2 && draw(1, id, static_cast<std::uint32_t>(part)) % 5 == 0;
      if (is_read && owner.back() != part) reads[static_cast<std::size_t>(part)].insert(v);
    }
  }
  return make_hand_part(owner, reads, world.rank());
}

/// Which ranks share: all, pairs (the others get messages), none.
enum class Sharing { all, pairs, none };

SharedMemoryOptions memory_options(const Communicator& world, Sharing sharing) {
  SharedMemoryOptions options;
  options.is_wanted = sharing != Sharing::none;
  if (sharing == Sharing::pairs) options.host = static_cast<std::uint64_t>(world.rank() / 2) + 1;
  return options;
}

/// A part whose slots lie in shared memory.
struct SharedPart {
  SharedPart(Communicator& world, Sharing sharing)
      : part(random_part(world)),
        memory(world,
               2 * SlotExchange::shared_room(part.plan.peers, row_bytes, world.size()) +
                   SharedMemory::room_for(part.num_owned() * row_bytes.forward),
               memory_options(world, sharing)),
        slots(world, part.plan.peers, options()),
        halo(world, part.plan, part.num_owned(), options()) {
    if (memory.is_on()) x.use(memory, part.num_owned(), widest);
  }

  static constexpr SharedRowBytes row_bytes{widest * std::int64_t{sizeof(Real)},
                                            widest* std::int64_t{sizeof(Real)}};
  HaloOptions options() {
    return {.shared = &memory, .row_bytes = row_bytes, .copied_rows = part.plan.send_rows};
  }

  void begin(const RowFormat& format, const SlotCounts& counts, std::int64_t round) {
    slots.begin(format, counts,
                [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
                  for (std::int64_t s = begin; s < end; ++s)
                    fill_row(packed, s, part.plan.send_rows[static_cast<std::size_t>(s)], round);
                });
  }
  /// Of rows of x, without packing for peers of the host.
  void begin_in_place(const RowFormat& format, const SlotCounts& counts, std::int64_t round) {
    slots.wait_until_read();
    x.resize(part.num_owned(), format.dim, format.storage);
    for (LocalId row = 0; row < part.num_owned(); ++row)
      fill_row(x.view(), row, row, round);
    slots.begin_in_place(
        x.view(), counts, [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
          num_packed += end - begin;
          for (std::int64_t s = begin; s < end; ++s)
            fill_row(packed, s, part.plan.send_rows[static_cast<std::size_t>(s)], round);
        });
  }
  /// The numbers of an owned vertex.
  void fill_row(kernels::MatrixView rows,
                std::int64_t at,
                LocalId owned,
                std::int64_t round) const {
    for (std::int64_t c = 0; c < rows.num_columns; ++c) {
      const Real value = value_of(part.owned[static_cast<std::size_t>(owned)], c, round);
      if (rows.storage == Storage::real) {
        rows.at(at, c) = value;
      } else {
        rows.row_bf16(at)[c] = kernels::to_bf16(static_cast<float>(value));
      }
    }
  }
  /// Slots for peers that do not share memory.
  [[nodiscard]] std::int64_t num_for_others() const {
    std::int64_t count = 0;
    for (const partition::HaloPeer& peer : part.plan.peers)
      count += memory.is_shared_with(peer.part) ? 0 : peer.send_end - peer.send_begin;
    return count;
  }

  HandPart part;
  kernels::Matrix x;
  std::int64_t num_packed = 0;
  SharedMemory memory;
  SlotExchange slots;
  HaloExchange halo;
};

void expect_row(const Real* row, const RowFormat& format, GlobalId vertex, std::int64_t round) {
  for (std::int64_t c = 0; c < format.dim; ++c) {
    ASSERT_EQ(number(row, c, format.storage), value_of(vertex, c, round))
        << "vertex " << vertex << " round " << round;
  }
}

/// The first slots of each peer.
void expect_slots(const SlotRows& rows,
                  const HandPart& part,
                  const SlotCounts& counts,
                  std::int64_t round) {
  const kernels::ConstMatrixView& matrix = rows.matrix;
  ASSERT_EQ(matrix.num_rows, std::ssize(part.halo));
  for (std::size_t i = 0; i < counts.halo.size(); ++i) {
    const LocalId begin = part.plan.peers[i].halo_begin;
    for (LocalId slot = begin; slot < begin + counts.halo[i]; ++slot) {
      const auto at = static_cast<std::size_t>(slot);
      const Real* row = rows.are_pointers ? rows.pointers.rows[at]
                                          : reinterpret_cast<const Real*>(matrix.row_begin(slot));
      expect_row(row, {matrix.num_columns, matrix.storage}, part.halo[at], round);
    }
  }
}

SlotCounts halves(SlotCounts counts) {
  for (LocalId& count : counts.halo)
    count = (count + 1) / 2;
  for (std::int64_t& count : counts.send)
    count = (count + 1) / 2;
  return counts;
}

RowFormat format_of(std::int64_t round) {
  return {1 + round * 7 % widest, round % 3 == 1 ? Storage::bf16 : Storage::real};
}

class SharedSlotsTest : public testing::TestWithParam<Sharing> {};

// A rank that is ahead writes while another still reads; odd ranks read slowly.
TEST_P(SharedSlotsTest, PointsToTheRowsOfThisRoundAndNoOther) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  const SlotCounts all = shared.slots.all_slots();
  for (std::int64_t round = 0; round < 300; ++round) {
    const SlotCounts counts = round % 2 == 0 ? all : halves(all);
    shared.begin(format_of(round), counts, round);
    const SlotRows rows = shared.slots.finish_in_place();
    EXPECT_EQ(rows.are_pointers, shared.memory.is_on());
    for (int look = 0; look < (world.rank() % 2 == 0 ? 1 : 10); ++look)
      expect_slots(rows, shared.part, counts, round);
    if (round % 5 == 0) shared.slots.release();
  }
}

// Rounds of either kind follow one another, so that a rank may be reading rows of one while another
// begins the next.
TEST_P(SharedSlotsTest, ReadsRowsOfTheMatrixItself) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  const SlotCounts all = shared.slots.all_slots();
  for (std::int64_t round = 0; round < 300; ++round) {
    const SlotCounts counts = round % 2 == 0 ? all : halves(all);
    const bool is_in_place = round % 7 < 4;
    if (is_in_place) {
      shared.begin_in_place(format_of(round), counts, round);
    } else {
      shared.begin(format_of(round), counts, round);
    }
    const SlotRows rows = shared.slots.finish_in_place();
    EXPECT_EQ(rows.are_pointers, shared.memory.is_on());
    for (int look = 0; look < (world.rank() % 2 == 0 ? 1 : 10); ++look)
      expect_slots(rows, shared.part, counts, round);
    shared.slots.release();  // or the next wait_until_read of a rank waits for ever
  }
}

TEST_P(SharedSlotsTest, PacksNothingForThoseWhoReadTheMatrix) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  shared.begin_in_place({5}, shared.slots.all_slots(), 0);
  expect_slots(shared.slots.finish_in_place(), shared.part, shared.slots.all_slots(), 0);
  shared.slots.release();
  EXPECT_EQ(shared.num_packed, shared.num_for_others());
}

// The last slot of one rank is a sum, so that all ranks pack.
TEST_P(SharedSlotsTest, PacksWhereASlotIsASum) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  std::vector<LocalId> copied = shared.part.plan.send_rows;
  if (world.rank() == 0 && !copied.empty()) copied.back() = no_copied_row;
  SharedMemory memory(
      world, SlotExchange::shared_room(shared.part.plan.peers, SharedPart::row_bytes, world.size()),
      memory_options(world, Sharing::all));
  shared.slots =
      SlotExchange(world, shared.part.plan.peers,
                   {.shared = &memory, .row_bytes = SharedPart::row_bytes, .copied_rows = copied});
  shared.begin_in_place({5}, shared.slots.all_slots(), 0);
  expect_slots(shared.slots.finish_in_place(), shared.part, shared.slots.all_slots(), 0);
  shared.slots.release();
  EXPECT_EQ(shared.num_packed, shared.slots.num_send());
  shared.slots.wait_until_read();  // before `memory` goes
}

TEST_P(SharedSlotsTest, CopiesForThoseWhoWantAMatrix) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  const SlotCounts all = shared.slots.all_slots();
  for (std::int64_t round = 0; round < 50; ++round) {
    shared.begin(format_of(round), all, round);
    expect_slots({shared.slots.finish(), {}, false}, shared.part, all, round);
  }
}

TEST_P(SharedSlotsTest, CountsWhatIsSentAndWhatIsReadInPlace) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  shared.begin({4}, shared.slots.all_slots(), 0);
  static_cast<void>(shared.slots.finish_in_place());
  std::int64_t sent = 0;
  std::int64_t in_place = 0;
  for (const partition::HaloPeer& peer : shared.part.plan.peers) {
    (shared.memory.is_shared_with(peer.part) ? in_place : sent) += peer.send_end - peer.send_begin;
  }
  EXPECT_EQ(shared.slots.traffic().bytes_sent, sent * 4 * std::int64_t{sizeof(Real)});
  EXPECT_EQ(shared.slots.traffic().bytes_in_place, in_place * 4 * std::int64_t{sizeof(Real)});
  if (GetParam() == Sharing::all) {
    EXPECT_EQ(sent, 0);
  }
  EXPECT_GE(shared.slots.traffic().wait_seconds, 0);
  shared.slots.reset_traffic();
  EXPECT_EQ(shared.slots.traffic().bytes_in_place, 0);
}

TEST_P(SharedSlotsTest, SendsRowsThatAreTooWide) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  const SlotCounts all = shared.slots.all_slots();
  for (std::int64_t round = 0; round < 20; ++round) {
    shared.begin({round % 2 == 0 ? widest + 1 : widest}, all, round);
    const SlotRows rows = shared.slots.finish_in_place();
    EXPECT_EQ(rows.are_pointers, shared.memory.is_on() && round % 2 == 1);
    expect_slots(rows, shared.part, all, round);
  }
}

// Any real numbers: only the same order of additions gives the same bits.
void write_gradients(kernels::MatrixView grad, const HandPart& part, std::uint32_t round) {
  for (std::int64_t h = 0; h < grad.num_rows; ++h) {
    for (std::int64_t c = 0; c < grad.num_columns; ++c) {
      const auto id = static_cast<std::uint64_t>(part.halo[static_cast<std::size_t>(h)]);
      const float uniform = random_uniform(random_key(9, purpose, 2 + round), id,
                                           static_cast<std::uint32_t>(c + 100 * grad.num_rows));
      grad.at(h, c) = static_cast<Real>(uniform) - Real{0.5};
    }
  }
}

void exchange_gradients(kernels::Context& ctx,
                        HaloExchange& halo,
                        const HandPart& part,
                        std::uint32_t round,
                        kernels::Matrix& grad) {
  write_gradients(halo.reverse_buffer(grad.num_columns()), part, round);
  halo.begin_reverse(ctx);
  halo.finish_reverse(ctx, grad.view());
}

TEST_P(SharedSlotsTest, AddsGradientsToTheBitsOfMessages) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  HaloExchange by_messages(world, shared.part.plan, shared.part.num_owned());
  kernels::Context ctx(1);
  for (std::uint32_t round = 0; round < 100; ++round) {
    kernels::Matrix grad(shared.part.num_owned(), 1 + round * 11 % widest);
    kernels::Matrix expected(grad.num_rows(), grad.num_columns());
    grad.fill(Real{0.1F});
    expected.fill(Real{0.1F});
    exchange_gradients(ctx, shared.halo, shared.part, round, grad);
    exchange_gradients(ctx, by_messages, shared.part, round, expected);
    ASSERT_TRUE(std::ranges::equal(grad.values(), expected.values())) << "round " << round;
  }
}

TEST_P(SharedSlotsTest, AllocatesNothingAfterTheFirstRound) {
  Communicator world = Communicator::world();
  SharedPart shared(world, GetParam());
  kernels::Matrix grad(shared.part.num_owned(), widest);
  kernels::Context ctx(1);
  grad.fill(0);
  std::int64_t allocations = 0;
  for (const std::int64_t dim : {widest, std::int64_t{3}, widest}) {
    shared.begin({dim}, shared.slots.all_slots(), 0);
    static_cast<void>(shared.slots.finish());
    exchange_gradients(ctx, shared.halo, shared.part, 0, grad);
    if (allocations == 0) allocations = kernels::num_matrix_allocations();
  }
  EXPECT_EQ(kernels::num_matrix_allocations(), allocations);
}

TEST_P(SharedSlotsTest, RefusesMemoryWithoutRoom) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world);
  const std::int64_t room = SlotExchange::shared_room(part.plan.peers, {64, 64}, world.size());
  SharedMemory memory(world, room, memory_options(world, GetParam()));
  const HaloOptions options{.shared = &memory, .row_bytes = {64 * 64, 64 * 64}};
  const std::int64_t is_on = memory.is_on() ? 1 : 0;
  std::vector<std::int64_t> num_on = {is_on};
  world.all_reduce_sum(std::span(num_on));
  if (num_on[0] > 0) {
    EXPECT_THROW(SlotExchange(world, part.plan.peers, options), RuntimeError);
  } else {
    EXPECT_NO_THROW(SlotExchange(world, part.plan.peers, options));
  }
}

std::string sharing_name(const testing::TestParamInfo<Sharing>& parameter) {
  if (parameter.param == Sharing::all) return "All";
  return parameter.param == Sharing::pairs ? "Pairs" : "None";
}

INSTANTIATE_TEST_SUITE_P(SlotExchange,
                         SharedSlotsTest,
                         testing::Values(Sharing::all, Sharing::pairs, Sharing::none),
                         sharing_name);

}  // namespace
}  // namespace weft::comm
