// SPDX-License-Identifier: MIT
// An error that one rank meets becomes an error of all: nobody waits in a collective for a rank
// that will not come, and one message tells what happened.
#include <array>
#include <exception>
#include <new>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"

namespace weft::comm {

namespace {

// What `step` threw; status 0 if nothing.
struct Failure {
  std::int64_t status = 0;
  std::string text;
};

Failure run_step(const std::function<void()>& step) {
  try {
    step();
    return {};
  } catch (const Error& error) {
    return {error.exit_status(), error.what()};
  } catch (const std::bad_alloc&) {
    return {1, "memory: an allocation failed; use more ranks, or a host with more memory"};
  } catch (const std::exception& error) {
    return {1, error.what()};
  } catch (...) {
    return {1, "an exception of an unknown type was thrown"};
  }
}

[[noreturn]] void throw_failure(const Failure& failure) {
  if (failure.status == InputError({}).exit_status()) throw AgreedInputError(failure.text);
  if (failure.status == RuntimeError({}).exit_status()) throw AgreedError(failure.text);
  throw Error(failure.text, static_cast<int>(failure.status));
}

Failure broadcast_failure(Communicator& communicator, Failure failure, int root) {
  std::array<std::int64_t, 2> header = {failure.status, std::ssize(failure.text)};
  communicator.broadcast(std::as_writable_bytes(std::span(header)), root);
  failure.status = header[0];
  failure.text.resize(static_cast<std::size_t>(header[1]));
  communicator.broadcast(std::as_writable_bytes(std::span(failure.text)), root);
  return failure;
}

}  // namespace

void agree_on_errors(Communicator& communicator, const std::function<void()>& step) {
  const Failure mine = run_step(step);
  const std::int64_t size = communicator.size();
  // The maximum over ranks belongs to the lowest rank that failed; 0 if none did.
  std::int64_t first = mine.status == 0 ? 0 : size - communicator.rank();
  communicator.all_reduce_max(std::span(&first, 1));
  if (first == 0) return;
  throw_failure(broadcast_failure(communicator, mine, static_cast<int>(size - first)));
}

}  // namespace weft::comm
