// SPDX-License-Identifier: MIT
#include "comm/plan_check.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/transport.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::comm {

using partition::HaloPeer;
using partition::HaloPlan;

namespace {

std::int64_t num_send_rows(const HaloPeer& peer) {
  return peer.send_end - peer.send_begin;
}
std::int64_t num_halo_rows(const HaloPeer& peer) {
  return peer.halo_end - peer.halo_begin;
}

void check_own_plan(const HaloPlan& plan, LocalId num_owned, int rank, int num_ranks) {
  const auto refuse = [&](const auto&... found) {
    throw InputError(text("halo plan of part ", rank, ": ", found..., "; partition again"));
  };
  std::int64_t halo_rows = 0;
  std::int64_t rows = 0;
  int previous = -1;
  for (const HaloPeer& peer : plan.peers) {
    if (peer.part <= previous || peer.part >= num_ranks || peer.part == rank) {
      refuse("peer part ", peer.part, " after ", previous, ", expected rising parts below ",
             num_ranks, " other than its own (as many parts as ranks)");
    }
    const bool receives = num_halo_rows(peer) != 0;
    const bool sends = num_send_rows(peer) != 0;
    if ((receives && (peer.halo_begin != halo_rows || num_halo_rows(peer) < 0)) ||
        (sends && (peer.send_begin != rows || num_send_rows(peer) < 0))) {
      refuse("the rows of peer ", peer.part, " do not follow those of the peer before it");
    }
    previous = peer.part;
    halo_rows += num_halo_rows(peer);
    rows += num_send_rows(peer);
  }
  if (halo_rows != plan.num_halo || rows != std::ssize(plan.send_rows)) {
    refuse("peers cover ", halo_rows, " halo rows and ", rows, " send rows, expected ",
           plan.num_halo, " and ", plan.send_rows.size());
  }
  for (const LocalId row : plan.send_rows) {
    if (row < 0 || row >= num_owned) {
      refuse("send row ", row, ", expected 0..", num_owned - 1, " (owned rows)");
    }
  }
}

// What each rank is to send here, by its own plan, against what this plan expects.
void check_counts(const HaloPlan& plan, int rank, std::span<const std::int64_t> announced) {
  std::vector<std::int64_t> expected(announced.size(), 0);
  for (const HaloPeer& peer : plan.peers) {
    expected[static_cast<std::size_t>(peer.part)] = num_halo_rows(peer);
  }
  for (std::size_t p = 0; p < expected.size(); ++p) {
    if (announced[p] == expected[p]) continue;
    throw InputError(text("halo plan of part ", rank, ": expects ", expected[p], " rows of part ",
                          p, ", but that part sends ", announced[p],
                          "; the parts are of different partitions: partition again"));
  }
}

std::int64_t checksum_of_ids(const std::vector<GlobalId>& ids) {
  return static_cast<std::int64_t>(checksum_of(std::span<const GlobalId>(ids)));
}

std::int64_t checksum_of_sent(const HaloPlan& plan,
                              const HaloPeer& peer,
                              std::span<const GlobalId> global_ids) {
  std::vector<GlobalId> ids;
  for (std::int64_t i = peer.send_begin; i < peer.send_end; ++i) {
    const LocalId row = plan.send_rows[static_cast<std::size_t>(i)];
    ids.push_back(global_ids[static_cast<std::size_t>(row)]);
  }
  return checksum_of_ids(ids);
}

std::int64_t checksum_of_expected(const HaloPlan& plan,
                                  const HaloPeer& peer,
                                  std::span<const GlobalId> global_ids) {
  const auto halo = global_ids.last(static_cast<std::size_t>(plan.num_halo));
  return checksum_of_ids({halo.begin() + peer.halo_begin, halo.begin() + peer.halo_end});
}

}  // namespace

void check_plans(Communicator& communicator, const HaloPlan& plan, LocalId num_owned) {
  const int rank = communicator.rank();
  agree_on_errors(communicator,
                  [&] { check_own_plan(plan, num_owned, rank, communicator.size()); });
  std::vector<std::int64_t> to_each(static_cast<std::size_t>(communicator.size()), 0);
  for (const HaloPeer& peer : plan.peers) {
    to_each[static_cast<std::size_t>(peer.part)] = num_send_rows(peer);
  }
  const std::vector<std::int64_t> announced = all_to_all(communicator, to_each);
  agree_on_errors(communicator, [&] { check_counts(plan, rank, announced); });
}

void check_borders(Communicator& communicator,
                   const HaloPlan& plan,
                   std::span<const GlobalId> global_ids) {
  const std::int64_t of_nothing = checksum_of_ids({});
  std::vector<std::int64_t> sent(static_cast<std::size_t>(communicator.size()), of_nothing);
  std::vector<std::int64_t> expected = sent;
  for (const HaloPeer& peer : plan.peers) {
    sent[static_cast<std::size_t>(peer.part)] = checksum_of_sent(plan, peer, global_ids);
    expected[static_cast<std::size_t>(peer.part)] = checksum_of_expected(plan, peer, global_ids);
  }
  const std::vector<std::int64_t> announced = all_to_all(communicator, sent);
  agree_on_errors(communicator, [&] {
    for (std::size_t p = 0; p < expected.size(); ++p) {
      if (announced[p] == expected[p]) continue;
      throw InputError(text("halo plan of part ", communicator.rank(), ": part ", p,
                            " sends other vertices than those expected of it; the parts are of "
                            "different partitions: partition again"));
    }
  });
}

}  // namespace weft::comm
