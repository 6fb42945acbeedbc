// SPDX-License-Identifier: MIT
// The exchange on plans made by hand: unequal, empty and shared borders, pieces, delays, counters.
#include "comm/halo_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "tests/comm/plan_support.hpp"

namespace weft::comm {
namespace {

constexpr RandomPurpose purpose = RandomPurpose::test;

// A number of row and column that float holds exactly.
Real value_of(GlobalId vertex, std::int64_t column, int round = 0) {
  return static_cast<Real>(vertex * 16 + column % 16 + round * 65536);
}

void fill_rows(kernels::Matrix& x, const std::vector<GlobalId>& ids, std::int64_t dim, int round) {
  x.resize(std::ssize(ids), dim);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    for (std::int64_t c = 0; c < dim; ++c) {
      x.at(r, c) = value_of(ids[static_cast<std::size_t>(r)], c, round);
    }
  }
}

void expect_rows(kernels::ConstMatrixView rows, const std::vector<GlobalId>& ids, int round) {
  ASSERT_EQ(rows.num_rows, std::ssize(ids));
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    for (std::int64_t c = 0; c < rows.num_columns; ++c) {
      const Real expected = value_of(ids[static_cast<std::size_t>(r)], c, round);
      ASSERT_EQ(rows.at(r, c), expected) << "row " << r << " column " << c << " round " << round;
    }
  }
}

void expect_exchange(HaloExchange& halo, const HandPart& part, std::int64_t dim, int round = 0) {
  kernels::Context ctx(1);
  kernels::Matrix x;
  fill_rows(x, part.owned, dim, round);
  halo.begin(ctx, std::as_const(x).view());
  x.fill(-1);  // x may be changed once begin returns
  expect_rows(halo.finish(ctx), part.halo, round);
}

// Sends ones for each halo row; adds what arrives to grad.
void reverse_ones(kernels::Context& ctx, HaloExchange& halo, kernels::Matrix& grad) {
  const kernels::MatrixView y = halo.reverse_buffer(grad.num_columns());
  for (std::int64_t i = 0; i < y.num_rows * y.num_columns; ++i)
    y.data[i] = 1;
  halo.begin_reverse(ctx);
  halo.finish_reverse(ctx, grad.view());
}

void reverse_ones(HaloExchange& halo, kernels::Matrix& grad) {
  kernels::Context ctx(1);
  reverse_ones(ctx, halo, grad);
}

std::vector<std::set<GlobalId>> random_reads(const std::vector<int>& owner,
                                             int num_parts,
                                             std::uint32_t percent) {
  const RandomKey key = random_key(3, purpose);
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(num_parts));
  for (int part = 0; part < num_parts; ++part) {
    for (GlobalId v = 0; v < std::ssize(owner); ++v) {
      const bool is_read =
          random_word(key, static_cast<std::uint64_t>(v), static_cast<std::uint32_t>(part)) % 100 <
          percent;
      if (is_read && owner[static_cast<std::size_t>(v)] != part) {
        reads[static_cast<std::size_t>(part)].insert(v);
      }
    }
  }
  return reads;
}

// `num_vertices` vertices at random owners; each part reads a fifth of the others'.
HandPart random_part(const Communicator& world, GlobalId num_vertices) {
  const RandomKey key = random_key(2, purpose);
  std::vector<int> owner;
  for (GlobalId v = 0; v < num_vertices; ++v) {
    owner.push_back(static_cast<int>(random_word(key, static_cast<std::uint64_t>(v)) %
                                     static_cast<std::uint32_t>(world.size())));
  }
  return make_hand_part(owner, random_reads(owner, world.size(), 20), world.rank());
}

// Rank 0 reads 500 vertices of rank 1 and one is read of it; the last of three or more ranks has
// neither vertices nor neighbors.
HandPart unequal_part(const Communicator& world) {
  std::vector<int> owner(1000, 0);
  std::vector<std::set<GlobalId>> reads(static_cast<std::size_t>(world.size()));
  if (world.size() > 1) {
    for (GlobalId v = 400; v < 1000; ++v)
      owner[static_cast<std::size_t>(v)] = 1;
    for (GlobalId v = 450; v < 950; ++v)
      reads[0].insert(v);
    reads[1].insert(7);
  }
  return make_hand_part(owner, reads, world.rank());
}

TEST(HaloExchange, BringsEachRowToItsReaders) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 300);
  HaloExchange halo(world, part.plan, part.num_owned());
  EXPECT_EQ(halo.num_halo(), part.plan.num_halo);
  for (const std::int64_t dim : {1, 3, 16, 64})
    expect_exchange(halo, part, dim);
}

TEST(HaloExchange, HandlesUnequalAndEmptyBorders) {
  Communicator world = Communicator::world();
  const HandPart part = unequal_part(world);
  HaloExchange halo(world, part.plan, part.num_owned());
  for (const std::int64_t dim : {16, 4096})
    expect_exchange(halo, part, dim);
}

TEST(HaloExchange, WorksWithoutAnyVertex) {
  Communicator world = Communicator::world();
  const HandPart part = make_hand_part(
      {}, std::vector<std::set<GlobalId>>(static_cast<std::size_t>(world.size())), world.rank());
  HaloExchange halo(world, part.plan, 0);
  expect_exchange(halo, part, 8);
  kernels::Matrix grad(0, 8);
  reverse_ones(halo, grad);
  EXPECT_EQ(halo.traffic().bytes_sent, 0);
}

TEST(HaloExchange, GivesTheSameRowsForAnyMessageLimit) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 300);
  for (const std::int64_t limit : {1, 1000, 1 << 20}) {
    HaloOptions options;
    options.message_limit_bytes = limit;
    HaloExchange halo(world, part.plan, part.num_owned(), options);
    expect_exchange(halo, part, limit == 1 ? 2 : 33);
  }
}

TEST(HaloExchange, RefusesAMessageLimitThatMpiCannotKeep) {
  Communicator world = Communicator::world();
  for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{1} << 31}) {
    HaloOptions options;
    options.message_limit_bytes = limit;
    EXPECT_THROW(HaloExchange(world, {}, 0, options), InputError);
  }
}

// <gather x, y> = <x, scatter-add y>: small integers make both sides exact.
void expect_adjoint(Communicator& world, const HandPart& part, HaloOptions options) {
  HaloExchange halo(world, part.plan, part.num_owned(), options);
  kernels::Context ctx(1);
  constexpr std::int64_t dim = 5;
  const auto small_integer = [&](std::uint32_t layer, std::int64_t i) {
    const auto id = static_cast<std::uint64_t>(world.rank()) << 32 | static_cast<std::uint64_t>(i);
    return static_cast<Real>(random_word(random_key(5, purpose, layer), id) % 17) - 8;
  };
  kernels::Matrix x(part.num_owned(), dim);
  kernels::Matrix back(part.num_owned(), dim);
  back.fill(0);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.data()[i] = small_integer(0, i);

  halo.begin(ctx, std::as_const(x).view());
  const kernels::ConstMatrixView gathered = halo.finish(ctx);
  const kernels::MatrixView y = halo.reverse_buffer(dim);
  for (std::int64_t i = 0; i < y.num_rows * dim; ++i)
    y.data[i] = small_integer(1, i);
  double forward = 0;
  for (std::int64_t i = 0; i < y.num_rows * dim; ++i)
    forward += gathered.data[i] * y.data[i];
  halo.begin_reverse(ctx);
  halo.finish_reverse(ctx, back.view());

  double reverse = 0;
  for (std::int64_t i = 0; i < x.size(); ++i)
    reverse += x.data()[i] * back.data()[i];
  std::vector<double> sums = {forward, reverse};
  world.all_reduce_sum(std::span(sums));
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0] != 0, world.size() > 1);
}

TEST(HaloExchange, ReverseIsTheAdjoint) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 200);
  for (const std::int64_t limit :
       {HaloOptions{}.message_limit_bytes, std::int64_t{1000}, std::int64_t{4}}) {
    SCOPED_TRACE(limit);
    HaloOptions options;
    options.message_limit_bytes = limit;
    expect_adjoint(world, part, options);
  }
}

// Vertex 0 of rank 0 is read by all others; floats of very different sizes betray another order.
TEST(HaloExchange, AddsContributionsOfAllReadersInRankOrder) {
  Communicator world = Communicator::world();
  std::vector<int> owner;
  for (int rank = 0; rank < world.size(); ++rank)
    owner.push_back(rank);
  std::vector<std::set<GlobalId>> reads(owner.size(), std::set<GlobalId>{0});
  reads[0].clear();
  const HandPart part = make_hand_part(owner, reads, world.rank());
  HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(2);
  const auto contribution = [](int rank) {
    return static_cast<Real>((rank % 2 == 0 ? 1.0 : -1.0) * (1 << 22) * (rank + 1) + 0.3 * rank);
  };
  const kernels::MatrixView sent = halo.reverse_buffer(1);
  if (world.rank() > 0) sent.at(0, 0) = contribution(world.rank());
  kernels::Matrix grad(1, 1);
  grad.fill(Real{0.1F});

  halo.begin_reverse(ctx);
  halo.finish_reverse(ctx, grad.view());

  Real expected = Real{0.1F};
  if (world.rank() == 0) {
    for (int rank = 1; rank < world.size(); ++rank)
      expected += contribution(rank);
  }
  EXPECT_EQ(grad.at(0, 0), expected);
}

std::uint32_t draw(const Communicator& world, int round) {
  return random_word(random_key(4, purpose), static_cast<std::uint64_t>(world.rank()),
                     static_cast<std::uint32_t>(round));
}

void sleep_at_random(const Communicator& world, int round, std::uint32_t longest_us) {
  std::this_thread::sleep_for(std::chrono::microseconds(draw(world, round) % longest_us));
}

// Ranks drift apart by random delays: a message of one round must not fill a row of another.
TEST(HaloExchange, KeepsRoundsApartUnderRandomDelays) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 60);
  HaloExchange first(world, part.plan, part.num_owned());
  HaloExchange second(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  kernels::Matrix x;
  kernels::Matrix z;
  kernels::Matrix grad(part.num_owned(), 2);
  grad.fill(0);
  for (int round = 0; round < 200; ++round) {
    if (draw(world, round) % 4 == 0) sleep_at_random(world, round, 2000);
    fill_rows(x, part.owned, 1 + round % 7, round);
    fill_rows(z, part.owned, 3, -round);
    first.begin(ctx, std::as_const(x).view());
    second.begin(ctx, std::as_const(z).view());  // both are under way
    expect_rows(second.finish(ctx), part.halo, -round);
    expect_rows(first.finish(ctx), part.halo, round);
    reverse_ones(second, grad);
  }
  for (LocalId row = 0; row < part.num_owned(); ++row) {
    const auto num_readers = std::ranges::count(part.plan.send_rows, row);
    EXPECT_EQ(grad.at(row, 0), static_cast<Real>(200 * num_readers));
  }
}

// 500 rows one way, one the other, narrow and wide rows in turn.
TEST(HaloExchange, KeepsUnequalBordersApartUnderRandomDelays) {
  Communicator world = Communicator::world();
  const HandPart part = unequal_part(world);
  HaloExchange halo(world, part.plan, part.num_owned());
  for (int round = 0; round < 50; ++round) {
    sleep_at_random(world, round, 50000);
    expect_exchange(halo, part, round % 2 == 0 ? 16 : 4096, round);
  }
}

TEST(HaloExchange, ProgressesInsideComputeOfManyThreads) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 2000);
  HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(3);
  ctx.set_poll([&] { world.poll(); });
  kernels::Matrix x;
  std::vector<double> results(500);
  for (int round = 0; round < 10; ++round) {
    fill_rows(x, part.owned, 64, round);
    halo.begin(ctx, std::as_const(x).view());
    const auto task = [&](std::int64_t i) { results[static_cast<std::size_t>(i)] = round + 0.5; };
    ctx.parallel_for(std::ssize(results), task);
    expect_rows(halo.finish(ctx), part.halo, round);
  }
  EXPECT_EQ(results, std::vector<double>(500, 9.5));
}

TEST(HaloExchange, AllocatesNothingAfterTheWidestExchange) {
  Communicator world = Communicator::world();
  const HandPart part = random_part(world, 300);
  HaloExchange halo(world, part.plan, part.num_owned());
  kernels::Context ctx(1);
  kernels::Matrix x(part.num_owned(), 64);
  x.fill(1);
  std::int64_t allocations = 0;
  for (const std::int64_t dim : {64, 16, 64, 1}) {
    x.resize(part.num_owned(), dim);
    halo.begin(ctx, std::as_const(x).view());
    EXPECT_EQ(halo.finish(ctx).num_columns, dim);
    reverse_ones(ctx, halo, x);
    if (allocations == 0) allocations = kernels::num_matrix_allocations();
  }
  EXPECT_EQ(kernels::num_matrix_allocations(), allocations);
}

TEST(HaloExchange, CountsWhatItSends) {
  Communicator world = Communicator::world();
  const HandPart part = unequal_part(world);
  HaloOptions options;
  options.message_limit_bytes = 1000;
  HaloExchange halo(world, part.plan, part.num_owned(), options);
  expect_exchange(halo, part, 25);
  const std::int64_t bytes = std::ssize(part.plan.send_rows) * 25 * std::int64_t{sizeof(Real)};
  EXPECT_EQ(halo.traffic().bytes_sent, bytes);
  EXPECT_EQ(halo.traffic().messages_sent, (bytes + 999) / 1000);
  EXPECT_GE(halo.traffic().wait_seconds, 0);
  EXPECT_GE(halo.traffic().exposed_seconds, 0);
  EXPECT_GE(halo.traffic().exchange_seconds, halo.traffic().exposed_seconds);
  halo.reset_traffic();
  EXPECT_EQ(halo.traffic().bytes_sent, 0);

  HaloExchange moved(std::move(halo));
  kernels::Matrix grad(part.num_owned(), 2);
  grad.fill(0);
  reverse_ones(moved, grad);
  EXPECT_EQ(moved.traffic().bytes_sent, part.plan.num_halo * 2 * std::int64_t{sizeof(Real)});
}

std::string refusal_of(Communicator& world, const partition::HaloPlan& plan, LocalId num_owned) {
  try {
    const HaloExchange halo(world, plan, num_owned);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(HaloExchange, RefusesPlansThatDoNotMatchOnAllRanks) {
  Communicator world = Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "needs two ranks";
  HandPart part = unequal_part(world);
  if (world.rank() == 0) {
    part.plan.peers.back().halo_end -= 1;
    part.plan.num_halo -= 1;
  }
  const std::string refusal = refusal_of(world, part.plan, part.num_owned());
  EXPECT_NE(refusal.find("part 0: expects 499 rows of part 1, but that part sends 500"),
            std::string::npos)
      << refusal;
}

TEST(HaloExchange, RefusesABrokenPlanOnAllRanks) {
  Communicator world = Communicator::world();
  HandPart part = unequal_part(world);
  const bool is_last = world.rank() == world.size() - 1;
  partition::HaloPlan outside = part.plan;
  if (is_last) {
    outside.peers = {{world.size(), 0, 0, 0, 0}};
    outside.send_rows.clear();
    outside.num_halo = 0;
  }
  const std::string peer = refusal_of(world, outside, part.num_owned());
  EXPECT_NE(peer.find("peer part"), std::string::npos) << peer;
  partition::HaloPlan incomplete = part.plan;
  if (is_last) incomplete.num_halo += 1;
  EXPECT_NE(refusal_of(world, incomplete, part.num_owned()), "");
  if (world.size() == 1) return;
  const std::string row = refusal_of(world, part.plan, world.rank() == 1 ? 50 : part.num_owned());
  EXPECT_NE(row.find("send row 50, expected 0..49"), std::string::npos) << row;
}

}  // namespace
}  // namespace weft::comm
