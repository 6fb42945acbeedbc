// SPDX-License-Identifier: MIT
// The calls of MPI that communication consists of, each started without blocking under the one
// lock and awaited politely. What is composed of them is in collectives.cpp.
#include "comm/communicator.hpp"

#include <mpi.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "comm/launcher.hpp"
#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft::comm {

struct Communicator::State {
  MPI_Comm handle = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  int local_size = 1;
  std::vector<RequestSet::State*> active;  // guarded by mpi_mutex()
  std::atomic<int> num_active = 0;         // lets poll leave without the lock
  std::size_t num_sets = 0;                // guarded by mpi_mutex()
  SumRegistry sums;
  std::unique_ptr<OrderedSums> blocking_sums;  // after the registry that it is in
};

struct RequestSet::State {
  Communicator::State* communicator = nullptr;
  std::vector<MPI_Request> requests;
  std::vector<std::int64_t> expected_bytes;  // unchecked_bytes for a send
  std::vector<int> finished;
  std::vector<MPI_Status> statuses;
  std::atomic<std::size_t> num_pending = 0;  // changed under the lock
  std::chrono::steady_clock::time_point completed_at;
  std::string error;
};

namespace {

constexpr std::int64_t unchecked_bytes = -1;

// One for the process, as MPI's thread level is.
std::mutex& mpi_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string mpi_error_text(int code, const char* call, int rank) {
  char message[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, message, &length);
  return text(call, ": failed on rank ", rank, ": ",
              std::string_view(message, static_cast<std::size_t>(length)),
              "; look for an earlier message of another rank, and restart from a checkpoint");
}

void check(int code, const char* call, int rank) {
  if (code != MPI_SUCCESS) throw RuntimeError(mpi_error_text(code, call, rank));
}

// Starts a non-blocking call by `start(&request)` and waits for it.
template <typename Start>
void run(const Communicator::State& state, const char* call, const Start& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const std::lock_guard lock(mpi_mutex());
    check(start(&request), call, state.rank);
  }
  PoliteWait wait;
  for (int done = 0;;) {
    {
      const std::lock_guard lock(mpi_mutex());
      check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call, state.rank);
    }
    if (done != 0) return;
    wait.pause();
  }
}

int count_of(std::int64_t begin, std::int64_t end) {
  return static_cast<int>(end - begin);
}

// Elements in pieces, so that neither counts nor bytes pass 2^31.
template <typename T>
void reduce_in_place(const Communicator::State& state,
                     std::span<T> values,
                     MPI_Datatype type,
                     MPI_Op op) {
  const auto limit = max_message_bytes / static_cast<std::int64_t>(sizeof(T));
  for_each_piece(std::ssize(values), limit, [&](std::int64_t begin, std::int64_t end) {
    run(state, "MPI_Iallreduce", [&](MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, values.data() + begin, count_of(begin, end), type, op,
                            state.handle, request);
    });
  });
}

// Not by MPI_Comm_split_type, which blocks: a third of a second for 7 ranks on two cores.
void find_local_ranks(Communicator& communicator) {
  Communicator::State& state = communicator.state();
  const std::uint64_t mine = host_key();
  const std::vector<std::uint64_t> keys = all_gather_of(communicator, mine);
  const auto is_here = [&](std::uint64_t key) { return key == mine; };
  const auto here = keys.begin() + state.rank;
  state.local_rank = static_cast<int>(std::count_if(keys.begin(), here, is_here));
  state.local_size = static_cast<int>(std::count_if(keys.begin(), keys.end(), is_here));
}

}  // namespace

Communicator::Communicator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;

Communicator::~Communicator() {
  if (!state_ || state_->handle == MPI_COMM_NULL) return;
  const std::lock_guard lock(mpi_mutex());
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&state_->handle);
}

Communicator Communicator::world() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) {
    throw RuntimeError("communicator: MPI is not started; make a comm::Environment in main first");
  }
  auto state = std::make_unique<State>();
  MPI_Comm_rank(MPI_COMM_WORLD, &state->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &state->size);
  check_launcher(state->size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  run(*state, "MPI_Comm_idup",
      [&](MPI_Request* request) { return MPI_Comm_idup(MPI_COMM_WORLD, &state->handle, request); });
  MPI_Comm_set_errhandler(state->handle, MPI_ERRORS_RETURN);
  Communicator communicator(std::move(state));
  find_local_ranks(communicator);
  return communicator;
}

Communicator Communicator::self() {
  auto state = std::make_unique<State>();
  state->local_size = 1;
  const std::lock_guard lock(mpi_mutex());
  check(MPI_Comm_dup(MPI_COMM_SELF, &state->handle), "MPI_Comm_dup", state->rank);
  MPI_Comm_set_errhandler(state->handle, MPI_ERRORS_RETURN);
  return Communicator(std::move(state));
}

int Communicator::rank() const {
  return state_->rank;
}
int Communicator::size() const {
  return state_->size;
}
int Communicator::local_size() const {
  return state_->local_size;
}
int Communicator::local_rank() const {
  return state_->local_rank;
}

void Communicator::barrier() {
  run(*state_, "MPI_Ibarrier",
      [&](MPI_Request* request) { return MPI_Ibarrier(state_->handle, request); });
}

void Communicator::all_reduce_sum(std::span<std::int64_t> values) {
  reduce_in_place(*state_, values, MPI_INT64_T, MPI_SUM);
}

void Communicator::all_reduce_max(std::span<std::int64_t> values) {
  reduce_in_place(*state_, values, MPI_INT64_T, MPI_MAX);
}

void Communicator::all_reduce_max(std::span<double> values) {
  reduce_in_place(*state_, values, MPI_DOUBLE, MPI_MAX);
}

void Communicator::broadcast(std::span<std::byte> bytes, int root) {
  const auto broadcast_piece = [&](std::int64_t begin, std::int64_t end) {
    run(*state_, "MPI_Ibcast", [&](MPI_Request* request) {
      return MPI_Ibcast(bytes.data() + begin, count_of(begin, end), MPI_BYTE, root, state_->handle,
                        request);
    });
  };
  for_each_piece(std::ssize(bytes), max_message_bytes, broadcast_piece);
}

void Communicator::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
}

std::vector<std::int64_t> all_to_all(Communicator& communicator,
                                     std::span<const std::int64_t> to_each) {
  const Communicator::State& state = communicator.state();
  WEFT_ASSERT(std::ssize(to_each) == state.size);
  std::vector<std::int64_t> from_each(to_each.size());
  run(state, "MPI_Ialltoall", [&](MPI_Request* request) {
    return MPI_Ialltoall(to_each.data(), 1, MPI_INT64_T, from_each.data(), 1, MPI_INT64_T,
                         state.handle, request);
  });
  return from_each;
}

void Communicator::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  WEFT_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(state_->size));
  const int num_bytes = count_of(0, std::ssize(mine));
  run(*state_, "MPI_Iallgather", [&](MPI_Request* request) {
    return MPI_Iallgather(mine.data(), num_bytes, MPI_BYTE, all.data(), num_bytes, MPI_BYTE,
                          state_->handle, request);
  });
}

SumRegistry& sum_registry(Communicator::State& communicator) {
  return communicator.sums;
}

OrderedSums& blocking_sums(Communicator& communicator) {
  std::unique_ptr<OrderedSums>& sums = communicator.state().blocking_sums;
  if (!sums) sums = std::make_unique<OrderedSums>(communicator, SumOptions{.is_blocking = true});
  return *sums;
}

void PoliteWait::pause() {
  constexpr int num_yields = 200;
  constexpr int max_sleep_us = 200;
  ++num_pauses_;
  if (num_pauses_ <= num_yields) {
    sched_yield();
    return;
  }
  const int sleep_us = std::min(num_pauses_ - num_yields, max_sleep_us);
  std::this_thread::sleep_for(std::chrono::microseconds(sleep_us));
}

namespace {

void record_finished(RequestSet::State& set, int num_finished, bool has_error) {
  for (int i = 0; i < num_finished; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const MPI_Status& status = set.statuses[at];
    if (has_error && status.MPI_ERROR != MPI_SUCCESS) {
      set.error = mpi_error_text(status.MPI_ERROR, "MPI_Testsome", set.communicator->rank);
      continue;
    }
    const std::int64_t expected = set.expected_bytes[static_cast<std::size_t>(set.finished[at])];
    if (expected == unchecked_bytes) continue;
    int found = 0;
    MPI_Get_count(&status, MPI_BYTE, &found);
    if (found == expected) continue;
    set.error =
        text("message from rank ", status.MPI_SOURCE, ": ", found, " bytes arrived, expected ",
             expected, "; the ranks follow different plans: partition the dataset again");
  }
  set.num_pending -= static_cast<std::size_t>(num_finished);
}

// Under the lock: nothing is under way any more, or it is given up.
void close_set(RequestSet::State& set) {
  std::erase(set.communicator->active, &set);
  set.communicator->num_active = static_cast<int>(set.communicator->active.size());
  set.num_pending = 0;
  set.requests.clear();
  set.expected_bytes.clear();
}

// Under the lock. An error is kept for `wait`: poll, on a worker thread, must not throw.
void progress(RequestSet::State& set) {
  if (set.num_pending == 0) return;
  int num_finished = 0;
  const int code = MPI_Testsome(static_cast<int>(set.requests.size()), set.requests.data(),
                                &num_finished, set.finished.data(), set.statuses.data());
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) {
    set.error = mpi_error_text(code, "MPI_Testsome", set.communicator->rank);
    close_set(set);
    return;
  }
  record_finished(set, num_finished, code == MPI_ERR_IN_STATUS);
  if (set.num_pending > 0) return;
  set.completed_at = std::chrono::steady_clock::now();
  close_set(set);
}

// Starts a message by `start(&request)` and keeps its request.
template <typename Start>
void post(RequestSet::State& set,
          std::int64_t expected_bytes,
          const char* call,
          const Start& start) {
  const std::lock_guard lock(mpi_mutex());
  MPI_Request request = MPI_REQUEST_NULL;
  check(start(&request), call, set.communicator->rank);
  if (set.num_pending == 0) {
    set.communicator->active.push_back(&set);
    set.communicator->num_active = static_cast<int>(set.communicator->active.size());
  }
  set.requests.push_back(request);
  set.expected_bytes.push_back(expected_bytes);
  if (set.finished.size() < set.requests.size()) {
    set.finished.resize(set.requests.size());
    set.statuses.resize(set.requests.size());
  }
  ++set.num_pending;
}

// An exception has left a set with messages under way: their memory is about to go.
void abandon(RequestSet::State& set) {
  constexpr double patience_seconds = 1.0;
  const Stopwatch watch;
  PoliteWait wait;
  {
    const std::lock_guard lock(mpi_mutex());
    for (std::size_t i = 0; i < set.requests.size(); ++i) {
      const bool is_receive = set.expected_bytes[i] != unchecked_bytes;
      set.expected_bytes[i] = unchecked_bytes;
      if (is_receive && set.requests[i] != MPI_REQUEST_NULL) MPI_Cancel(&set.requests[i]);
    }
  }
  while (set.num_pending > 0 && watch.seconds() < patience_seconds) {
    {
      const std::lock_guard lock(mpi_mutex());
      progress(set);
    }
    wait.pause();
  }
  const std::lock_guard lock(mpi_mutex());
  close_set(set);
}

}  // namespace

RequestSet::RequestSet(Communicator& communicator) : RequestSet(communicator.state()) {}

// Room in the list of active sets for this one, too: how many are active at a time is up to the
// network.
RequestSet::RequestSet(Communicator::State& communicator) : state_(std::make_unique<State>()) {
  state_->communicator = &communicator;
  const std::lock_guard lock(mpi_mutex());
  communicator.active.reserve(++communicator.num_sets);
}

RequestSet::~RequestSet() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && !test()) abandon(*state_);
  const std::lock_guard lock(mpi_mutex());
  --state_->communicator->num_sets;
}

int RequestSet::receive(std::span<std::byte> bytes, int source, int tag, std::int64_t limit_bytes) {
  int num_pieces = 0;
  for_each_piece(std::ssize(bytes), limit_bytes, [&](std::int64_t begin, std::int64_t end) {
    post(*state_, end - begin, "MPI_Irecv", [&](MPI_Request* request) {
      return MPI_Irecv(bytes.data() + begin, count_of(begin, end), MPI_BYTE, source, tag,
                       state_->communicator->handle, request);
    });
    ++num_pieces;
  });
  return num_pieces;
}

int RequestSet::send(std::span<const std::byte> bytes,
                     int destination,
                     int tag,
                     std::int64_t limit_bytes) {
  int num_pieces = 0;
  for_each_piece(std::ssize(bytes), limit_bytes, [&](std::int64_t begin, std::int64_t end) {
    post(*state_, unchecked_bytes, "MPI_Isend", [&](MPI_Request* request) {
      return MPI_Isend(bytes.data() + begin, count_of(begin, end), MPI_BYTE, destination, tag,
                       state_->communicator->handle, request);
    });
    ++num_pieces;
  });
  return num_pieces;
}

void RequestSet::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const Communicator::State& communicator = *state_->communicator;
  WEFT_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(communicator.size));
  const int num_bytes = count_of(0, std::ssize(mine));
  post(*state_, unchecked_bytes, "MPI_Iallgather", [&](MPI_Request* request) {
    return MPI_Iallgather(mine.data(), num_bytes, MPI_BYTE, all.data(), num_bytes, MPI_BYTE,
                          communicator.handle, request);
  });
}

void RequestSet::reserve(std::int64_t num_messages) {
  const std::lock_guard lock(mpi_mutex());
  const auto count = static_cast<std::size_t>(num_messages);
  state_->requests.reserve(count);
  state_->expected_bytes.reserve(count);
  state_->finished.reserve(count);
  state_->statuses.reserve(count);
}

bool RequestSet::test() {
  const std::lock_guard lock(mpi_mutex());
  progress(*state_);
  return state_->num_pending == 0;
}

bool RequestSet::is_complete() const {
  return state_->num_pending == 0;
}

void RequestSet::check() {
  const std::lock_guard lock(mpi_mutex());
  if (!state_->error.empty()) throw RuntimeError(std::exchange(state_->error, {}));
}

std::chrono::steady_clock::time_point RequestSet::completed_at() const {
  return state_->completed_at;
}

double RequestSet::wait() {
  const Stopwatch watch;
  PoliteWait pause;
  while (!test()) {
    poll(*state_->communicator);
    pause.pause();
  }
  check();
  return watch.seconds();
}

void poll(Communicator::State& communicator) {
  if (communicator.num_active > 0) {
    const std::unique_lock lock(mpi_mutex(), std::try_to_lock);
    if (!lock.owns_lock()) return;
    // Backwards: a set that is done leaves the list.
    for (std::size_t i = communicator.active.size(); i-- > 0;)
      progress(*communicator.active[i]);
  }
  advance_sums(communicator.sums);
}

void Communicator::poll() {
  comm::poll(*state_);
}

}  // namespace weft::comm
