// SPDX-License-Identifier: MIT
// MPI: a group of ranks, its collectives, and waiting that never spins.
//
// One process is an ordinary case: every call works on one rank. Blocking MPI calls spin, which
// costs whole time slices where ranks outnumber cores; every wait here tests, yields, and then
// sleeps for growing, bounded times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/support/error.hpp"

namespace weft::comm {

/// Starts MPI at construction and ends it at destruction; one per process, made by `main`.
/// Ends with a recipe that cannot hang where UCX runs over TCP (see comm/README.md).
class Environment {
 public:
  Environment(int* argc, char*** argv);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// What the process will return; used where ending it needs `_exit`.
  void set_exit_status(int status) { exit_status_ = status; }
  /// Name and version of the MPI library.
  [[nodiscard]] static std::string library_version();

 private:
  int exit_status_ = 0;
};

/// A group of ranks. Cheap to move, not to copy. Collective calls: every rank, same order.
class Communicator {
 public:
  /// All ranks of the job. Needs a live Environment.
  /// Errors   InputError if a launcher started several processes, each of which sees one rank
  static Communicator world();
  /// This rank alone: a job of one inside the job.
  static Communicator self();
  ~Communicator();
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// Ranks on this host, and this rank's number among them.
  [[nodiscard]] int local_size() const;
  [[nodiscard]] int local_rank() const;

  void barrier();
  /// In place: values[i] = sum over ranks, added in their order. The same bits on every rank, every
  /// run.
  void all_reduce_sum(std::span<float> values);
  void all_reduce_sum(std::span<double> values);
  void all_reduce_sum(std::span<std::int64_t> values);
  void all_reduce_max(std::span<std::int64_t> values);
  void all_reduce_max(std::span<double> values);
  /// bytes of rank `root` to all; any size (split above 2^31).
  void broadcast(std::span<std::byte> bytes, int root = 0);
  /// Gives every rank root's text.
  void broadcast_text(std::string& text, int root = 0);
  /// Every rank's bytes, by rank, on every rank; the same number from each.
  ///
  /// Shapes   mine [n bytes], all [size * n bytes]; size * n < 2^31
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all);
  /// Every rank's text, by rank, on every rank.
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine);
  /// Every rank's bytes, by rank, on `root`; empty elsewhere. Any size.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine,
                                                           int root = 0);
  /// True on every rank if `value` is equal on all.
  [[nodiscard]] bool is_same_on_all_ranks(std::uint64_t value);

  /// Lets MPI progress; callable from any thread, returns at once if another is in it.
  void poll();
  /// Ends the job of all ranks with `status`: the way out when one rank fails alone.
  [[noreturn]] void abort(int status);

  struct State;
  /// For the files of this folder.
  [[nodiscard]] State& state() const { return *state_; }

 private:
  explicit Communicator(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Errors that every rank of the job has met: agree_on_errors throws them. Any other error may have
/// met one rank alone, while the others wait for it.
class AgreedError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};
class AgreedInputError : public InputError {
 public:
  using InputError::InputError;
};

/// Runs `step` on every rank; if it throws on any, every rank throws the first failing rank's
/// error (same text, same kind, as an agreed one): ranks agree on a failure before anyone meets a
/// collective alone. Collective.
void agree_on_errors(Communicator& communicator, const std::function<void()>& step);

}  // namespace weft::comm
