// SPDX-License-Identifier: MIT
// A segment is a file without a name (memfd): its memory goes when the last process that maps it
// ends, however that ends, and no limit of /dev/shm applies. A rank of the same host opens it by
// /proc/PID/fd/FD and proves by a token that it sees the right one.
#include "comm/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "comm/launcher.hpp"
#include "comm/transport.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"

namespace weft::comm {
namespace {

constexpr std::int64_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr int no_file = -1;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::string system_error(const char* call, int code) {
  return text(call, ": ", std::strerror(code));
}

// An open file, closed with the object.
class File {
 public:
  explicit File(int descriptor = no_file) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, no_file)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ != no_file) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A file in memory from a 2 MiB boundary on, as huge pages want it; unmapped with the object.
class Mapping {
 public:
  Mapping() = default;
  Mapping(int file, std::int64_t num_bytes, int protection) {
    const auto size = static_cast<std::size_t>(num_bytes);
    void* room = mmap(nullptr, size + huge_page_bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return;
    reserved_ = {static_cast<std::byte*>(room), size + huge_page_bytes};
    const auto address = reinterpret_cast<std::uintptr_t>(room);
    std::byte* begin = reserved_.data() + (huge_page_bytes - address % huge_page_bytes);
    if (mmap(begin, size, protection, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) return;
    bytes_ = {begin, size};
  }
  Mapping(Mapping&& other) noexcept
      : reserved_(std::exchange(other.reserved_, {})), bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(reserved_, other.reserved_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping() {
    if (!reserved_.empty()) munmap(reserved_.data(), reserved_.size());
  }
  /// Empty if there is no mapping.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> reserved_;
  std::span<std::byte> bytes_;
};

// What a rank wants, before anything is allocated.
struct Wish {
  std::uint64_t host = 0;
  std::int64_t num_bytes = 0;
  std::int64_t is_wanted = 0;
};

// Where a rank's segment is to be found, and what stands behind its last byte.
struct Announcement {
  std::int64_t process = 0;
  std::int64_t file = no_file;
  std::uint64_t token = 0;
};

// The token has a cache line behind the rank's bytes.
std::int64_t file_bytes(std::int64_t num_bytes) {
  return round_up(num_bytes + cache_line_bytes, sysconf(_SC_PAGESIZE));
}

std::span<std::byte> token_of(const Mapping& mapping) {
  return mapping.bytes().last(sizeof(std::uint64_t));
}

std::uint64_t make_token(int rank) {
  const std::string text_of_run =
      text(getpid(), ' ', rank, ' ', std::chrono::steady_clock::now().time_since_epoch().count());
  return checksum(std::as_bytes(std::span(text_of_run)));
}

// Pages that are there already become huge ones even where the kernel's settings give shared memory
// none by itself (Linux 6.1, MADV_COLLAPSE = 25); all are mapped now (Linux 5.14,
// MADV_POPULATE_WRITE = 23), so that the process's resident memory tells what it has. Where the
// kernel knows neither, the first write maps them.
void use_huge_pages(std::span<std::byte> bytes) {
  constexpr int collapse = 25;
  constexpr int populate_write = 23;
  if (madvise(bytes.data(), bytes.size(), collapse) != 0) {
    advise_huge_pages(bytes.data(), bytes.size());
  }
  static_cast<void>(madvise(bytes.data(), bytes.size(), populate_write));
}

bool is_regular_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

std::string opened_as(const Announcement& announcement) {
  return text("/proc/", announcement.process, "/fd/", announcement.file);
}

}  // namespace

struct SharedMemory::State {
  int rank = 0;
  std::string reason;
  std::vector<int> local_ranks;
  std::int64_t num_bytes = 0;
  std::int64_t num_used = 0;
  std::vector<std::int64_t> bytes_of;  // of each rank of the job
  std::vector<Mapping> mappings;       // of each rank of the job; empty for other hosts

  [[nodiscard]] const Mapping& mapping(int of_rank) const {
    return mappings[static_cast<std::size_t>(of_rank)];
  }
  void group(std::span<const Wish> wishes);
  [[nodiscard]] std::string refusal(std::span<const Wish> wishes) const;
  [[nodiscard]] File make_segment(std::uint64_t token);
  void open_segments(std::span<const Announcement> announcements);
  void agree(Communicator& communicator);
};

void SharedMemory::State::group(std::span<const Wish> wishes) {
  for (int r = 0; r < static_cast<int>(wishes.size()); ++r) {
    const Wish& wish = wishes[static_cast<std::size_t>(r)];
    bytes_of.push_back(wish.num_bytes);
    if (wish.host == wishes[static_cast<std::size_t>(rank)].host) local_ranks.push_back(r);
  }
  mappings.resize(wishes.size());
}

// Why the host's ranks should not even try; empty if they may.
std::string SharedMemory::State::refusal(std::span<const Wish> wishes) const {
  if (local_ranks.size() == 1) return text("rank ", rank, " is alone on its host");
  double total_bytes = 0;  // of absurd wishes, too
  for (const int r : local_ranks) {
    const Wish& wish = wishes[static_cast<std::size_t>(r)];
    if (wish.is_wanted == 0) return text("switched off on rank ", r);
    total_bytes += static_cast<double>(wish.num_bytes);
  }
  const std::int64_t available = available_memory_bytes();
  if (total_bytes <= static_cast<double>(available)) return {};
  return text("the ", local_ranks.size(), " ranks of this host would share ",
              format_bytes(static_cast<std::int64_t>(std::min(total_bytes, 0x1p62))),
              ", but it has ", format_bytes(available), " of memory left");
}

// All pages are allocated at once: memory that is missing shows here, not as a signal later.
File SharedMemory::State::make_segment(std::uint64_t token) {
  File file(memfd_create("weft", MFD_CLOEXEC));
  if (file.descriptor() == no_file) {
    reason = system_error("memfd_create", errno);
    return file;
  }
  const std::int64_t size = file_bytes(num_bytes);
  if (ftruncate(file.descriptor(), size) != 0) {
    reason = system_error("ftruncate", errno);
  } else if (const int code = posix_fallocate(file.descriptor(), 0, size); code != 0) {
    reason = text(system_error("posix_fallocate", code), " (", format_bytes(size), ")");
  } else {
    Mapping mapping(file.descriptor(), size, PROT_READ | PROT_WRITE);
    if (mapping.bytes().empty()) {
      reason = system_error("mmap", errno);
    } else {
      use_huge_pages(mapping.bytes());
      std::memcpy(token_of(mapping).data(), &token, sizeof token);
    }
    mappings[static_cast<std::size_t>(rank)] = std::move(mapping);
  }
  return file;
}

void SharedMemory::State::open_segments(std::span<const Announcement> announcements) {
  for (const int r : local_ranks) {
    const Announcement& announcement = announcements[static_cast<std::size_t>(r)];
    if (r == rank || announcement.file == no_file) continue;  // that rank tells why
    const std::string path = opened_as(announcement);
    // What lies there may be anything, a pipe even, where the process is another one.
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.descriptor() == no_file) {
      reason = text(system_error(path.c_str(), errno), " (the memory of rank ", r,
                    "; containers and users of their own share none)");
      return;
    }
    const std::int64_t size = file_bytes(bytes_of[static_cast<std::size_t>(r)]);
    if (is_regular_file(file.descriptor()) && lseek(file.descriptor(), 0, SEEK_END) == size) {
      Mapping mapping(file.descriptor(), size, PROT_READ);
      if (!mapping.bytes().empty() && std::memcmp(token_of(mapping).data(), &announcement.token,
                                                  sizeof announcement.token) == 0) {
        mappings[static_cast<std::size_t>(r)] = std::move(mapping);
        continue;
      }
    }
    reason = text(path, " is not the memory of rank ", r, " here (another process namespace?)");
    return;
  }
}

// One rank's reason is that of its host.
void SharedMemory::State::agree(Communicator& communicator) {
  const std::vector<std::string> reasons = communicator.all_gather(reason);
  for (const int r : local_ranks) {
    reason = reasons[static_cast<std::size_t>(r)];
    if (!reason.empty()) break;
  }
  if (reason.empty()) return;
  mappings.clear();
  local_ranks.clear();
  num_bytes = 0;
}

SharedMemory::SharedMemory(Communicator& communicator,
                           std::int64_t num_bytes,
                           SharedMemoryOptions options)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.rank = communicator.rank();
  state.num_bytes = room_for(num_bytes);
  const std::vector<Wish> wishes =
      all_gather_of(communicator, Wish{options.host != 0 ? options.host : host_key(),
                                       state.num_bytes, options.is_wanted ? 1 : 0});
  state.group(wishes);
  state.reason = state.refusal(wishes);
  state.agree(communicator);
  const std::uint64_t token = make_token(state.rank);
  const File file = state.reason.empty() ? state.make_segment(token) : File();
  const bool is_made = state.reason.empty();
  const std::vector<Announcement> announcements = all_gather_of(
      communicator, Announcement{getpid(), is_made ? file.descriptor() : no_file, token});
  if (is_made) state.open_segments(announcements);
  state.agree(communicator);
}

SharedMemory::~SharedMemory() = default;

bool SharedMemory::is_on() const {
  return state_->reason.empty();
}
const std::string& SharedMemory::reason() const {
  return state_->reason;
}
std::span<const int> SharedMemory::local_ranks() const {
  return state_->local_ranks;
}

bool SharedMemory::is_shared_with(int rank) const {
  return rank != state_->rank && std::ranges::binary_search(state_->local_ranks, rank);
}

std::span<std::byte> SharedMemory::mine() const {
  if (!is_on()) return {};
  return state_->mapping(state_->rank).bytes().first(static_cast<std::size_t>(state_->num_bytes));
}

std::span<const std::byte> SharedMemory::of(int rank) const {
  WEFT_ASSERT(is_shared_with(rank));
  return state_->mapping(rank).bytes().first(
      static_cast<std::size_t>(state_->bytes_of[static_cast<std::size_t>(rank)]));
}

void* SharedMemory::allocate(std::int64_t num_bytes) {
  const std::int64_t room = room_for(num_bytes);
  if (room > state_->num_bytes - state_->num_used) return nullptr;
  return mine().data() + std::exchange(state_->num_used, state_->num_used + room);
}

std::int64_t SharedMemory::room_for(std::int64_t num_bytes) {
  return round_up(num_bytes, cache_line_bytes);
}

}  // namespace weft::comm
