// SPDX-License-Identifier: MIT
// Ends a job in the ways there are; tests/comm/exit_test.sh looks at what mpiexec returns.
//   exit_program agreed STATUS   all ranks end with STATUS; they print after MPI has ended
//   exit_program alone STATUS    the last rank fails while the others wait for it
//   exit_program abort STATUS    the last rank kills the job
#include <cstdlib>
#include <iostream>
#include <string>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"

namespace {

int end_as(weft::comm::Environment& environment, const std::string& how, int status) {
  weft::comm::Communicator world = weft::comm::Communicator::world();
  const bool is_last = world.rank() == world.size() - 1;
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
