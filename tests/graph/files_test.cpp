// SPDX-License-Identifier: MIT
#include "graph/support/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using test_support::read_text;
using test_support::TemporaryFolder;

std::size_t num_entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

template <typename Kind, typename Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Kind& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(MappedFile, ShowsTheContent) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("a", "some text\n"));
  EXPECT_EQ(file.text(), "some text\n");
  EXPECT_EQ(file.bytes().size(), 10U);
}

TEST(MappedFile, AnEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("a", ""));
  EXPECT_TRUE(file.bytes().empty());
  EXPECT_EQ(file.text(), "");
}

TEST(MappedFile, MovesWithoutLosingTheMap) {
  const TemporaryFolder folder;
  MappedFile first(folder.write("a", "first"));
  MappedFile second = std::move(first);
  EXPECT_EQ(second.text(), "first");
  second = MappedFile(folder.write("b", "second"));
  EXPECT_EQ(second.text(), "second");
}

TEST(MappedFile, NamesThePathThatItCannotOpen) {
  const TemporaryFolder folder;
  const auto absent = folder / "absent";
  const std::string message = message_of<InputError>([&] { const MappedFile file(absent); });
  EXPECT_NE(message.find(absent.string()), std::string::npos) << message;
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
  const std::string other = message_of<InputError>([&] { const MappedFile file(folder.path()); });
  EXPECT_NE(other.find("folder"), std::string::npos) << other;
  EXPECT_NE(other.find("regular file"), std::string::npos) << other;
  EXPECT_THROW(MappedFile("/dev/null"), InputError);
}

TEST(AtomicFile, AppearsWholeOnCommit) {
  const TemporaryFolder folder;
  const auto target = folder / "out";
  AtomicFile file(target);
  file.write(std::string_view("abc"));
  EXPECT_FALSE(fs::exists(target));
  const std::string large(300000, 'x');
  file.write(std::string_view(large));
  file.write(std::as_bytes(std::span("de", 2)));
  file.commit();
  EXPECT_EQ(read_text(target), "abc" + large + "de");
  EXPECT_EQ(num_entries(folder.path()), 1U);
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  folder.write("out", "old");
  {
    AtomicFile file(folder / "out");
    file.write(std::string_view("new"));
  }
  EXPECT_EQ(read_text(folder / "out"), "old");
  EXPECT_EQ(num_entries(folder.path()), 1U);
}

TEST(AtomicFile, ReplacesAnOldFile) {
  const TemporaryFolder folder;
  folder.write("out", "old and long");
  write_file_atomically(folder / "out", "new");
  EXPECT_EQ(read_text(folder / "out"), "new");
}

TEST(AtomicFile, TwoWritersDoNotMix) {
  const TemporaryFolder folder;
  AtomicFile first(folder / "out");
  AtomicFile second(folder / "out");
  first.write(std::string_view("first"));
  second.write(std::string_view("second"));
  second.commit();
  first.commit();
  EXPECT_EQ(read_text(folder / "out"), "first");
  EXPECT_EQ(num_entries(folder.path()), 1U);
}

TEST(AtomicFile, NamesTheFolderThatIsAbsent) {
  const TemporaryFolder folder;
  const std::string message =
      message_of<InputError>([&] { AtomicFile file(folder / "absent" / "out"); });
  EXPECT_NE(message.find((folder / "absent").string()), std::string::npos) << message;
}

// A limit on file sizes stands in for a full disk.
TEST(AtomicFile, AFailedWriteNamesThePathAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto target = folder / "out";
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1000, old.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of<RuntimeError>([&] {
    AtomicFile file(target);
    file.write(std::string_view(std::string(200000, 'x')));
    file.commit();
  });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_NE(message.find(target.string()), std::string::npos) << message;
  EXPECT_EQ(num_entries(folder.path()), 0U);
}

TEST(AtomicFile, GoesRoundATemporaryNameThatIsTaken) {
  const TemporaryFolder folder;
  const std::string taken = ".out." + std::to_string(getpid()) + "-0.tmp";
  folder.write(taken, "left by a process of the same number on another host");
  write_file_atomically(folder / "out", "content");
  EXPECT_EQ(read_text(folder / "out"), "content");
  EXPECT_TRUE(fs::exists(folder / taken));
}

TEST(AtomicFolder, AppearsWholeOnCommit) {
  const TemporaryFolder folder;
  const auto target = folder / "data";
  AtomicFolder made(target);
  write_file_atomically(made.path() / "a", "1");
  fs::create_directory(made.path() / "deep");
  write_file_atomically(made.path() / "deep" / "b", "2");
  EXPECT_FALSE(fs::exists(target));
  made.commit();
  EXPECT_EQ(read_text(target / "deep" / "b"), "2");
  EXPECT_EQ(num_entries(folder.path()), 1U);
}

TEST(AtomicFolder, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  {
    AtomicFolder made(folder / "data");
    write_file_atomically(made.path() / "a", "1");
  }
  EXPECT_EQ(num_entries(folder.path()), 0U);
}

TEST(AtomicFolder, TakesAnEmptyFolderAndMakesParents) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  AtomicFolder made((folder / "empty").string() + "/");
  made.commit();
  EXPECT_TRUE(fs::is_directory(folder / "empty"));
  AtomicFolder deep(folder / "x" / "y");
  deep.commit();
  EXPECT_TRUE(fs::is_directory(folder / "x" / "y"));
}

TEST(AtomicFolder, RefusesWhatExists) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_THROW(AtomicFolder(folder / "file"), InputError);
  const std::string message = message_of<InputError>([&] { AtomicFolder made(folder.path()); });
  EXPECT_NE(message.find(folder.path().string()), std::string::npos) << message;
  EXPECT_EQ(num_entries(folder.path()), 1U);
}

}  // namespace
}  // namespace weft
