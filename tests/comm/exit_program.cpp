// SPDX-License-Identifier: MIT
// Ends a job in the ways there are; tests/comm/exit_test.sh looks at what mpiexec returns.
//   exit_program agreed STATUS   all ranks end with STATUS; they print after MPI has ended
//   exit_program alone STATUS    the last rank fails while the others wait for it
//   exit_program abort STATUS    the last rank kills the job
//   exit_program unread STATUS   the last rank fails while the others wait for its shared rows
//   exit_program killed STATUS   the same, by a signal that leaves no time to clean up
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/shared_rows.hpp"
#include "graph/support/error.hpp"

namespace {

using weft::comm::Communicator;

// 128 MiB a rank: memory that outlived the job would show.
int end_while_rows_are_awaited(Communicator& world, bool is_killed, int status) {
  weft::comm::SharedMemory memory(world, std::int64_t{128} << 20);
  const int last = world.size() - 1;
  std::vector<int> others(static_cast<std::size_t>(last));
  std::iota(others.begin(), others.end(), 0);
  const std::vector<int> source = {last};
  const bool is_last = world.rank() == last;
  const std::vector<int> nobody;
  weft::comm::SharedRows rows(world, memory, is_last ? others : nobody, is_last ? nobody : source);
  world.barrier();
  if (is_last && is_killed) raise(SIGKILL);
  if (!is_last && rows.read(last).rows.num_rows > 0) return 0;
  return status;
}

int end_as(weft::comm::Environment& environment, const std::string& how, int status) {
  Communicator world = Communicator::world();
  const bool is_last = world.rank() == world.size() - 1;
  if (how == "unread" || how == "killed") {
    const int returned = end_while_rows_are_awaited(world, how == "killed", status);
    environment.set_exit_status(returned);
    return returned;
  }
  world.barrier();
  if (how == "abort" && is_last) world.abort(status);
  const bool fails = how == "agreed" || (how == "alone" && is_last);
  if (!fails) world.barrier();
  environment.set_exit_status(fails ? status : 0);
  return fails ? status : 0;
}

int run(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  try {
    if (argc == 3) return end_as(environment, argv[1], std::atoi(argv[2]));
  } catch (const weft::Error& error) {
    std::cerr << error.what() << '\n';
    environment.set_exit_status(error.exit_status());
    return error.exit_status();
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const int status = run(argc, argv);
  std::cout << "came to the end\n";  // not flushed: the end must do it
  return status;
}
