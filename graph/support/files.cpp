// SPDX-License-Identifier: MIT
// Mapping, and writing under a temporary name. A rename is atomic only inside one file system, so
// the temporary lies in the target's own folder; the folder is synced too, or the new name could
// be lost in a crash although the content is safe.
#include "graph/support/files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_capacity = std::size_t{1} << 16;
constexpr int max_name_tries = 10000;

std::string reason(int error_number) {
  return std::strerror(error_number);
}

[[noreturn]] void fail(const fs::path& path, const char* action, int error_number) {
  if (error_number == ENOMEM) {
    throw RuntimeError(text(path.string(), ": out of memory: cannot ", action,
                            " it; use a machine or a limit (ulimit -v) with more"));
  }
  throw RuntimeError(text(path.string(), ": cannot ", action, ": ", reason(error_number)));
}

/// Closes a descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path temporary_name(const fs::path& target, int attempt) {
  return parent_of(target) /
         text(".", target.filename().string(), ".", ::getpid(), "-", attempt, ".tmp");
}

void sync_path(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail(path, "open for syncing", errno);
  // Some file systems cannot sync a folder and say so with EINVAL; there is no other way then.
  if (::fsync(file.number()) != 0 && errno != EINVAL) fail(path, "sync", errno);
}

void write_all(int descriptor, std::string_view characters, const fs::path& target) {
  while (!characters.empty()) {
    const ssize_t written = ::write(descriptor, characters.data(), characters.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(target, "write", errno);
    characters.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Temporaries of this process that are not committed. It is never destroyed: a signal may come
/// while the process ends.
class Temporaries {
 public:
  static Temporaries& all() {
    static Temporaries& registry = *std::make_unique<Temporaries>().release();
    return registry;
  }
  void add(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    paths_.insert(path);
  }
  /// Gives a temporary its final name. Under the lock: what is being removed is never renamed.
  void commit(const fs::path& from, const fs::path& to) {
    const std::lock_guard lock(mutex_);
    if (std::rename(from.c_str(), to.c_str()) != 0) fail(to, "take its final name", errno);
    paths_.erase(from);
  }
  void forget(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    paths_.erase(path);
  }
  /// Keeps the lock: nothing is created any more in a process that is about to end.
  void remove_all_for_ever() {
    mutex_.lock();
    std::error_code ignored;
    for (const fs::path& path : paths_) {
      // Another thread may be writing into a folder meanwhile.
      for (int attempt = 0; attempt < 10 && fs::exists(path, ignored); ++attempt)
        fs::remove_all(path, ignored);
    }
  }

 private:
  std::mutex mutex_;
  std::set<fs::path> paths_;
};

/// The signals that end a process, but for those that this one was started to ignore (nohup, jobs
/// in the background of a script).
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    const bool is_ignored =
        sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) sigaddset(&signals, signal);
  }
  return signals;
}

std::atomic<bool> takes_requests = false;
std::atomic<int> requested_signal = 0;

/// One wish to stop may arrive twice: from a launcher, and from whoever signals the whole group.
constexpr double repeat_seconds = 2;

/// True where `signal` asks a process that takes requests to stop by itself.
bool is_request(int signal, const Stopwatch& since_request) {
  if (!takes_requests) return false;
  return requested_signal.exchange(signal) == 0 || since_request.seconds() < repeat_seconds;
}

[[noreturn]] void wait_for_signal() {
  const sigset_t signals = ending_signals();
  Stopwatch since_request;
  int signal = 0;
  for (;;) {
    if (sigwait(&signals, &signal) != 0) continue;
    const bool is_first = requested_signal == 0;
    if (!is_request(signal, since_request)) break;
    if (is_first) since_request.restart();
  }
  Temporaries::all().remove_all_for_ever();
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::raise(signal);
  for (;;)
    ::pause();
}

}  // namespace

void remove_temporaries_when_interrupted() {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread(wait_for_signal).detach();
  } catch (const std::system_error&) {
    // No memory for a thread: signals end the process at once, as they do by default.
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

StopRequest::StopRequest() {
  requested_signal = 0;
  takes_requests = true;
}

StopRequest::~StopRequest() {
  takes_requests = false;
}

int StopRequest::signal() const {
  return requested_signal;
}

MappedFile::MappedFile(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) {
    const char* remedy = errno == ENOENT ? "; check the path" : "";
    throw InputError(weft::text(path.string(), ": cannot open: ", reason(errno), remedy));
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail(path, "examine", errno);
  if (!S_ISREG(status.st_mode)) {
    throw InputError(weft::text(path.string(), ": is ",
                                S_ISDIR(status.st_mode) ? "a folder" : "a device",
                                ", expected a regular file"));
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;  // an empty range cannot be mapped
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (address == MAP_FAILED) fail(path, "map", errno);
  data_ = static_cast<const std::byte*>(address);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::string_view MappedFile::text() const {
  return {reinterpret_cast<const char*>(data_), size_};
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  for (int attempt = 0; attempt < max_name_tries; ++attempt) {
    temporary_ = temporary_name(target_, attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 || errno != EEXIST) break;
  }
  if (descriptor_ >= 0) {
    Temporaries::all().add(temporary_);
    return;
  }
  if (errno == ENOENT || errno == ENOTDIR) {
    throw InputError(text(target_.string(), ": cannot create: there is no folder ",
                          parent_of(target_).string(), "; create it first"));
  }
  fail(target_, "create", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  Temporaries::all().forget(temporary_);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view characters) {
  if (buffer_.size() + characters.size() > buffer_capacity) flush();
  if (characters.size() > buffer_capacity) {
    write_all(descriptor_, characters, target_);
  } else {
    buffer_.append(characters);
  }
}

void AtomicFile::flush() {
  write_all(descriptor_, buffer_, target_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0) fail(target_, "sync", errno);
  Temporaries::all().commit(temporary_, target_);
  sync_path(parent_of(target_));
  ::close(std::exchange(descriptor_, -1));
}

void write_file_atomically(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

AtomicFolder::AtomicFolder(fs::path target) {
  std::error_code ignored;
  target_ = fs::weakly_canonical(target, ignored);
  if (ignored) target_ = std::move(target);
  if (!target_.has_filename()) target_ = target_.parent_path();
  if (fs::exists(target_, ignored) &&
      !(fs::is_directory(target_, ignored) && fs::is_empty(target_, ignored))) {
    throw InputError(text(target_.string(), ": exists and is not an empty folder; ",
                          "choose another name or remove it"));
  }
  fs::create_directories(parent_of(target_), ignored);
  for (int attempt = 0; attempt < max_name_tries; ++attempt) {
    temporary_ = temporary_name(target_, attempt);
    if (::mkdir(temporary_.c_str(), 0777) == 0) {
      Temporaries::all().add(temporary_);
      return;
    }
    if (errno != EEXIST) break;
  }
  fail(target_, "create the folder", errno);
}

AtomicFolder::~AtomicFolder() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  Temporaries::all().forget(temporary_);
}

void AtomicFolder::commit() {
  for (const auto& entry : fs::recursive_directory_iterator(temporary_)) {
    if (entry.is_regular_file() || entry.is_directory()) sync_path(entry.path());
  }
  sync_path(temporary_);
  Temporaries::all().commit(temporary_, target_);
  committed_ = true;
  sync_path(parent_of(target_));
}

}  // namespace weft
