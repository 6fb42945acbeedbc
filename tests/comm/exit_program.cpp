// SPDX-License-Identifier: MIT
// Ends a job in the ways there are; tests/comm/exit_test.sh looks at what mpiexec returns.
//   exit_program agreed STATUS   all ranks end with STATUS
//   exit_program alone STATUS    the last rank fails while the others wait for it
//   exit_program abort STATUS    the last rank kills the job
#include <cstdlib>
#include <iostream>
#include <string>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"

namespace {

int end_as(const std::string& how, int status) {
  weft::comm::Communicator world = weft::comm::Communicator::world();
  const bool is_last = world.rank() == world.size() - 1;
  world.barrier();
  if (how == "abort" && is_last) world.abort(status);
  if (how == "alone" && is_last) return status;
  if (how != "agreed") world.barrier();
  if (is_last) std::cout << "came to the end\n";  // not flushed: the end must do it
  return how == "agreed" ? status : 0;
}

}  // namespace

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  int status = 2;
  try {
    if (argc == 3) status = end_as(argv[1], std::atoi(argv[2]));
  } catch (const weft::Error& error) {
    std::cerr << error.what() << '\n';
    status = error.exit_status();
  }
  environment.set_exit_status(status);
  return status;
}
