// SPDX-License-Identifier: MIT
// Start and end of MPI. The end is the hard part: MPI_Finalize of MPICH 4.0 over TCP hangs in about
// half of the runs of four ranks, because ranks that wait in the process manager's barrier inside
// it no longer progress the connections that others still flush (pmodels/mpich, pull request 6596).
#include <mpi.h>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "comm/launcher.hpp"
#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft::comm {

namespace {

// A rank that failed waits this long for the others to fail as well.
constexpr double failed_patience_seconds = 5;
// Ranks are together when MPI_Finalize begins; it takes milliseconds.
constexpr unsigned finalize_patience_seconds = 60;

volatile sig_atomic_t status_at_alarm = 0;

// What the ranks find when all have come to the end.
struct Meeting {
  bool complete = false;
  bool several_hosts = false;
};

// Waits for all ranks; not complete if `patience_seconds` (if not negative) pass first.
Meeting meet_all_ranks(double patience_seconds) {
  const auto key = static_cast<std::int64_t>(host_key());
  std::array<std::int64_t, 2> extremes = {key, ~key};  // ~ turns the order round
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Iallreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD,
                            &request);
  const Stopwatch watch;
  PoliteWait wait;
  for (int done = 0; code == MPI_SUCCESS; wait.pause()) {
    code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0 && code == MPI_SUCCESS) return {true, extremes[0] != ~extremes[1]};
    if (patience_seconds >= 0 && watch.seconds() > patience_seconds) break;
  }
  return {};
}

// Only where hydra's barrier inside MPI_Finalize meets UCX connections over TCP.
bool finalize_can_hang(bool several_hosts) {
  const char* transports = std::getenv("UCX_TLS");
  const bool is_tcp =
      transports != nullptr && std::string_view(transports).find("tcp") != std::string_view::npos;
  return (is_tcp || several_hosts) && std::getenv("PMI_FD") != nullptr &&
         Environment::library_version().find("MPICH") != std::string::npos;
}

// One command of the PMI-1 protocol; progresses MPI until the answer is there, since a peer may
// still wait for bytes that only our progress sends.
bool ask_process_manager(int descriptor, std::string_view command) {
  if (write(descriptor, command.data(), command.size()) != std::ssize(command)) return false;
  char answer[256];
  for (;;) {
    pollfd ready = {descriptor, POLLIN, 0};
    if (::poll(&ready, 1, 1) > 0) return read(descriptor, answer, sizeof(answer)) > 0;
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  }
}

// Ends the process with the status that main returned, past the destructors of libraries that
// believe MPI is still at work.
void end_process(int status, void* /*unused*/) {
  std::cout.flush();
  std::fflush(nullptr);
  _exit(status);
}

// Leaves the job without MPI_Finalize, yet in order: all ranks have met, and hydra is told. The
// process goes on, for an error may still have to be printed.
void leave_by_process_manager(int status) {
  const int descriptor = std::atoi(std::getenv("PMI_FD"));
  const bool is_in_order = ask_process_manager(descriptor, "cmd=barrier_in\n") &&
                           ask_process_manager(descriptor, "cmd=finalize\n");
  if (!is_in_order) MPI_Abort(MPI_COMM_WORLD, std::max(status, 1));
  on_exit(end_process, nullptr);
}

void finalize_with_alarm(int status) {
  status_at_alarm = status;
  struct sigaction action = {};
  action.sa_handler = [](int) { _exit(status_at_alarm); };
  sigaction(SIGALRM, &action, nullptr);
  alarm(finalize_patience_seconds);
  MPI_Finalize();
  alarm(0);
}

}  // namespace

Environment::Environment(int* argc, char*** argv) {
  // Sleeps of a polite wait end within 1 us instead of 50; threads made later inherit it.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) {
    throw RuntimeError(
        "MPI: MPI_Init_thread failed; start the program with this library's mpiexec");
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    throw RuntimeError(text("MPI: thread level ", provided, " provided, level ",
                            MPI_THREAD_SERIALIZED,
                            " (serialized) needed; use an MPI library that "
                            "was built with threads"));
  }
}

Environment::~Environment() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const Meeting meeting = meet_all_ranks(exit_status_ == 0 ? -1 : failed_patience_seconds);
  if (!meeting.complete) MPI_Abort(MPI_COMM_WORLD, exit_status_ == 0 ? 1 : exit_status_);
  if (finalize_can_hang(meeting.several_hosts)) {
    leave_by_process_manager(exit_status_);
  } else {
    finalize_with_alarm(exit_status_);
  }
}

std::string Environment::library_version() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  // "MPICH Version:<tab>4.0.2<newline>..." or "Open MPI v4.1.4, package: ..."
  std::string name(version, static_cast<std::size_t>(length));
  name.resize(std::min(name.size(), name.find_first_of(",\n")));
  const std::string_view label = " Version:\t";
  const std::size_t at = name.find(label);
  if (at == std::string::npos) return name;
  return text(name.substr(0, at), ' ', name.substr(at + label.size()));
}

}  // namespace weft::comm
