// SPDX-License-Identifier: MIT
#include "tests/comm/plan_support.hpp"

#include <algorithm>

namespace weft::comm {

HandPart make_hand_part(const std::vector<int>& owner,
                        const std::vector<std::set<GlobalId>>& reads,
                        int part) {
  const auto owner_of = [&](GlobalId v) { return owner[static_cast<std::size_t>(v)]; };
  HandPart made;
  for (GlobalId v = 0; v < std::ssize(owner); ++v) {
    if (owner_of(v) == part) made.owned.push_back(v);
  }
  for (int other = 0; other < static_cast<int>(reads.size()); ++other) {
    if (other == part) continue;
    partition::HaloPeer peer;
    peer.part = other;
    peer.halo_begin = static_cast<LocalId>(made.halo.size());
    peer.send_begin = std::ssize(made.plan.send_rows);
    for (const GlobalId v : reads[static_cast<std::size_t>(part)]) {
      if (owner_of(v) == other) made.halo.push_back(v);
    }
    for (const GlobalId v : reads[static_cast<std::size_t>(other)]) {
      if (owner_of(v) != part) continue;
      const auto found = std::ranges::lower_bound(made.owned, v);
      made.plan.send_rows.push_back(static_cast<LocalId>(found - made.owned.begin()));
    }
    peer.halo_end = static_cast<LocalId>(made.halo.size());
    peer.send_end = std::ssize(made.plan.send_rows);
    const bool is_peer = peer.halo_end > peer.halo_begin || peer.send_end > peer.send_begin;
    if (is_peer) made.plan.peers.push_back(peer);
  }
  made.plan.num_halo = static_cast<LocalId>(made.halo.size());
  return made;
}

}  // namespace weft::comm
