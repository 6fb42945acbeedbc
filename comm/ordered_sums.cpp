// SPDX-License-Identifier: MIT
// Each sum walks through its stages on whatever thread polls:
//
//   up to 4 KiB   gathering    everybody has everything of all and adds
//   above         scattering   each rank gets one slice of all ranks, adds, and
//                 returning    sends the sum to all: what a ring would move, the order fixed
//
// Additions are made outside of the lock of MPI, so that other messages go on meanwhile.
#include "comm/ordered_sums.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft::comm {

namespace {

// Up to this, all ranks send everything to everybody: one round of messages.
constexpr std::size_t small_sum_bytes = 4096;

enum class Stage { gathering, scattering, returning, done };

// sum = table[0] + table[1] + ...; row r of the table comes from rank r.
template <typename T>
void add_rows(std::span<const std::byte> table_bytes, std::span<std::byte> sum_bytes) {
  const std::size_t width = sum_bytes.size() / sizeof(T);
  const std::size_t size = table_bytes.size() / sizeof(T);
  const T* table = reinterpret_cast<const T*>(table_bytes.data());
  T* sum = reinterpret_cast<T*>(sum_bytes.data());
  if (width == 0) return;
  std::copy_n(table, width, sum);
  for (std::size_t row = width; row < size; row += width) {
    for (std::size_t i = 0; i < width; ++i)
      sum[i] += table[row + i];
  }
}

/// Numbers of either type.
struct Numbers {
  std::span<std::byte> bytes;
  std::size_t element_bytes = 1;
  void (*add)(std::span<const std::byte> table, std::span<std::byte> sum) = nullptr;
};

template <typename T>
Numbers numbers_of(std::span<T> values) {
  return {std::as_writable_bytes(values), sizeof(T), &add_rows<T>};
}

struct Sum {
  explicit Sum(Communicator::State& communicator) : requests(communicator) {}

  Numbers values;
  Stage stage = Stage::done;
  std::vector<std::byte> table;  // a row from each rank, of all numbers or of this rank's slice
  RequestSet requests;           // of the stage
};

}  // namespace

struct OrderedSums::State {
  State(Communicator& owner, const SumOptions& wishes)
      : communicator(owner.state()),
        registry(sum_registry(owner.state())),
        rank(owner.rank()),
        size(owner.size()),
        options(wishes) {}

  Communicator::State& communicator;
  SumRegistry& registry;
  int rank;
  int size;
  SumOptions options;
  // Guarded by the registry's mutex.
  std::vector<std::unique_ptr<Sum>> sums;  // the first num_begun in the order of begin
  std::size_t num_begun = 0;
  std::string error;

  void begin(const Numbers& values);
  void start(Sum& sum);
  void scatter(Sum& sum);
  void give_back(Sum& sum);
  void step(Sum& sum);
  void advance();
  bool is_finished();
  [[nodiscard]] bool has_sums_in_flight() const;
  [[nodiscard]] std::span<std::byte> slice(const Sum& sum, int of_rank) const;
  [[nodiscard]] std::span<std::byte> table_row(Sum& sum, int of_rank) const;
  [[nodiscard]] std::span<std::byte> table(Sum& sum, std::size_t row_bytes) const;
  [[nodiscard]] int tag_of(Stage stage) const;
};

// Sums that are waited for at once have tags of their own: they pass those in flight.
int OrderedSums::State::tag_of(Stage stage) const {
  const bool is_first = stage == Stage::scattering;
  if (options.is_blocking) return static_cast<int>(is_first ? Tag::sum : Tag::sum_back);
  return static_cast<int>(is_first ? Tag::background_sum : Tag::background_sum_back);
}

// The numbers that `of_rank` adds.
std::span<std::byte> OrderedSums::State::slice(const Sum& sum, int of_rank) const {
  const std::size_t element = sum.values.element_bytes;
  const std::size_t count = sum.values.bytes.size() / element;
  const auto bound = [&](int r) {
    return count * static_cast<std::size_t>(r) / static_cast<std::size_t>(size) * element;
  };
  return sum.values.bytes.subspan(bound(of_rank), bound(of_rank + 1) - bound(of_rank));
}

std::span<std::byte> OrderedSums::State::table(Sum& sum, std::size_t row_bytes) const {
  return std::span(sum.table).first(row_bytes * static_cast<std::size_t>(size));
}

std::span<std::byte> OrderedSums::State::table_row(Sum& sum, int of_rank) const {
  const std::size_t row_bytes = slice(sum, rank).size();
  return std::span(sum.table).subspan(static_cast<std::size_t>(of_rank) * row_bytes, row_bytes);
}

void OrderedSums::State::begin(const Numbers& values) {
  if (size == 1 || values.bytes.empty()) return;
  const std::lock_guard lock(registry.mutex);
  WEFT_ASSERT(options.is_blocking || std::ranges::none_of(registry.members, [&](State* other) {
                return other != this && !other->options.is_blocking && other->has_sums_in_flight();
              }));
  if (num_begun == sums.size()) sums.push_back(std::make_unique<Sum>(communicator));
  Sum& sum = *sums[num_begun++];
  sum.values = values;
  ++registry.num_in_flight;  // first: what `start` throws leaves a sum that is not done
  start(sum);
}

void OrderedSums::State::start(Sum& sum) {
  const bool is_small = sum.values.bytes.size() <= small_sum_bytes;
  sum.stage = is_small ? Stage::gathering : Stage::scattering;
  const std::size_t row_bytes = is_small ? sum.values.bytes.size() : slice(sum, rank).size();
  const std::size_t table_bytes = row_bytes * static_cast<std::size_t>(size);
  if (sum.table.size() < table_bytes) sum.table.resize(table_bytes);
  if (is_small) {
    sum.requests.all_gather(sum.values.bytes, table(sum, row_bytes));
  } else {
    scatter(sum);
  }
}

void OrderedSums::State::scatter(Sum& sum) {
  const int tag = tag_of(Stage::scattering);
  const std::int64_t limit = options.message_limit_bytes;
  const auto largest_slice = std::ssize(sum.values.bytes) / size + std::int64_t{sizeof(double)};
  // Reserved, because how many messages are pending at a time is up to the network.
  sum.requests.reserve(2 * (size - 1) * (largest_slice / limit + 1));
  for (int step = 1; step < size; ++step) {
    const int source = (rank - step + size) % size;
    sum.requests.receive(table_row(sum, source), source, tag, limit);
  }
  for (int step = 1; step < size; ++step) {
    const int destination = (rank + step) % size;
    sum.requests.send(slice(sum, destination), destination, tag, limit);
  }
  std::ranges::copy(slice(sum, rank), table_row(sum, rank).begin());
}

// All sends of the stage before are complete, so slices may be received where they were sent from.
void OrderedSums::State::give_back(Sum& sum) {
  const int tag = tag_of(Stage::returning);
  const std::int64_t limit = options.message_limit_bytes;
  for (int step = 1; step < size; ++step) {
    const int source = (rank - step + size) % size;
    sum.requests.receive(slice(sum, source), source, tag, limit);
  }
  for (int step = 1; step < size; ++step)
    sum.requests.send(slice(sum, rank), (rank + step) % size, tag, limit);
}

// The messages of the stage have arrived.
void OrderedSums::State::step(Sum& sum) {
  sum.requests.check();
  if (sum.stage == Stage::scattering) {
    const std::span<std::byte> mine = slice(sum, rank);
    sum.values.add(table(sum, mine.size()), mine);
    sum.stage = Stage::returning;
    give_back(sum);
    return;
  }
  if (sum.stage == Stage::gathering) {
    sum.values.add(table(sum, sum.values.bytes.size()), sum.values.bytes);
  }
  sum.stage = Stage::done;
  --registry.num_in_flight;
}

// Under the registry's mutex. An error is kept for `finish`: poll, on a worker thread, must not
// throw.
void OrderedSums::State::advance() {
  if (!error.empty()) return;
  try {
    for (std::size_t i = 0; i < num_begun; ++i) {
      Sum& sum = *sums[i];
      if (sum.stage != Stage::done && sum.requests.is_complete()) step(sum);
      // Messages are told apart by their order alone, so slices return in the order of begin.
      if (sum.stage == Stage::scattering) return;
    }
  } catch (const std::exception& caught) {
    error = caught.what();
  }
}

bool OrderedSums::State::has_sums_in_flight() const {
  return std::any_of(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(num_begun),
                     [](const auto& sum) { return sum->stage != Stage::done; });
}

bool OrderedSums::State::is_finished() {
  const std::lock_guard lock(registry.mutex);
  if (!error.empty()) throw RuntimeError(error);
  if (has_sums_in_flight()) return false;
  num_begun = 0;
  return true;
}

OrderedSums::OrderedSums(Communicator& communicator, SumOptions options)
    : state_(std::make_unique<State>(communicator, options)) {
  if (options.message_limit_bytes < 1 || options.message_limit_bytes > max_message_bytes) {
    throw InputError(text("message limit: ", options.message_limit_bytes, " bytes, expected 1..",
                          max_message_bytes));
  }
  const std::lock_guard lock(state_->registry.mutex);
  state_->registry.members.push_back(state_.get());
}

OrderedSums::~OrderedSums() {
  const std::lock_guard lock(state_->registry.mutex);
  std::erase(state_->registry.members, state_.get());
  for (std::size_t i = 0; i < state_->num_begun; ++i) {
    if (state_->sums[i]->stage != Stage::done) --state_->registry.num_in_flight;
  }
}

void OrderedSums::begin(std::span<float> values) {
  state_->begin(numbers_of(values));
}

void OrderedSums::begin(std::span<double> values) {
  state_->begin(numbers_of(values));
}

double OrderedSums::finish() {
  const Stopwatch watch;
  PoliteWait wait;
  for (;;) {
    poll(state_->communicator);
    if (state_->is_finished()) return watch.seconds();
    wait.pause();
  }
}

void advance_sums(SumRegistry& registry) {
  if (registry.num_in_flight == 0) return;
  const std::unique_lock lock(registry.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (OrderedSums::State* sums : registry.members)
    sums->advance();
}

}  // namespace weft::comm
