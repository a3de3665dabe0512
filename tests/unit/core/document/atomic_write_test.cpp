#include "core/document/file.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <thread>

namespace fs = std::filesystem;
using leanbridge::ErrorKind;
using leanbridge::document::FileReplacement;
using leanbridge::document::PreparedReplacements;
using leanbridge::document::replace_file;
using leanbridge::test::TestFolder;

namespace {

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string read(const fs::path& path) {
  return leanbridge::document::load_bytes(path, path.filename().string()).value_or("unreadable");
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

FileReplacement replacement(const fs::path& path, std::string from, std::string to) {
  return {path, path.filename().string(), std::move(from), std::move(to)};
}

int exit_code_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("a file gets its new content and keeps its mode", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  ::chmod(path.c_str(), 0750);
  REQUIRE(replace_file(replacement(path, "old\n", "new\n")));
  CHECK(read(path) == "new\n");
  struct stat status {};
  ::stat(path.c_str(), &status);
  CHECK((status.st_mode & 07777) == 0750);
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("the owner is kept where we may give files away", "[atomic_write]") {
  if (::geteuid() != 0) return;
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  REQUIRE(::chown(path.c_str(), 1234, 2345) == 0);
  REQUIRE(replace_file(replacement(path, "old\n", "new\n")));
  struct stat status {};
  ::stat(path.c_str(), &status);
  CHECK(status.st_uid == 1234);
  CHECK(status.st_gid == 2345);
}

TEST_CASE("what is refused stays as it is", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  const auto refused = [&](const FileReplacement& what, ErrorKind kind, const std::string& word) {
    const auto result = replace_file(what);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == kind);
    CHECK_THAT(result.error().message, Catch::Contains(word));
    CHECK(read(path) == "old\n");
  };
  SECTION("changed since it was read") {
    refused(replacement(path, "older\n", "new\n"), ErrorKind::InvalidArgument, "changed on disk");
  }
  SECTION("read-only, for root too") {
    ::chmod(path.c_str(), 0444);
    refused(replacement(path, "old\n", "new\n"), ErrorKind::InvalidArgument, "read-only");
  }
  SECTION("a link") {
    fs::create_symlink(path, folder.path() / "Link.lean");
    refused(replacement(folder.path() / "Link.lean", "old\n", "new\n"), ErrorKind::InvalidArgument, "link");
    fs::remove(folder.path() / "Link.lean");
  }
  SECTION("locked by another writer") {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(::flock(fd, LOCK_EX) == 0);
    refused(replacement(path, "old\n", "new\n"), ErrorKind::InvalidArgument, "writing");
    ::close(fd);
  }
  SECTION("removed meanwhile") {
    const auto result = replace_file(replacement(folder.path() / "B.lean", "old\n", "new\n"));
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::FileNotFound);
  }
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a disk that takes no more leaves the old content and no temporary file", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8192, 8192};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto result = replace_file(replacement(path, "old\n", std::string(100'000, 'x')));
    ::_exit(!result && result.error().kind == ErrorKind::Internal ? 0 : 1);
  }
  CHECK(exit_code_of(child) == 0);
  CHECK(read(path) == "old\n");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a process killed at any moment leaves the old content or the new", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  const std::string one(200'000, 'a'), two(300'000, 'b');
  write(path, one);
  std::minstd_rand random(7);
  std::set<char> seen;
  // Repeat until both were seen, for longer each time: under a sanitizer a whole replacement takes a while.
  for (unsigned round = 0; round < 60 || (seen.size() < 2 && round < 600); ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      for (bool flip = read(path) == one;; flip = !flip)
        if (!replace_file(replacement(path, flip ? one : two, flip ? two : one))) ::_exit(1);
    ::usleep(500 + static_cast<useconds_t>(random() % (8000 + 500 * round)));
    ::kill(child, SIGKILL);
    CHECK(exit_code_of(child) == 128 + SIGKILL);
    const std::string content = read(path);
    REQUIRE((content == one || content == two));
    seen.insert(content[0]);
    CHECK(files_in(folder.path()) <= 2);  // the next write removes what the last one left
  }
  CHECK(seen.size() == 2);
  const std::string last = read(path);
  REQUIRE(replace_file(replacement(path, last, "end\n")));
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("of many writers that have read the same, one wins", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(replace_file(replacement(path, "old\n", std::to_string(i))) ? 0 : 1);
    children.push_back(child);
  }
  const auto winners =
      std::count_if(children.begin(), children.end(), [](pid_t child) { return exit_code_of(child) == 0; });
  CHECK(winners == 1);
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a writer waits until another one has ended", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  const int other = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  std::thread ends([other] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::close(other);
  });
  const auto done = replace_file(replacement(path, "old\n", "new\n"));
  ends.join();
  CHECK(done);
  CHECK(read(path) == "new\n");
}

TEST_CASE("temporary files of the living are left alone", "[atomic_write]") {
  const TestFolder folder;
  const fs::path path = folder.path() / "A.lean";
  write(path, "old\n");
  const std::string living = ".A.lean.leanbridge-" + std::to_string(::getppid()) + "-1.tmp";
  write(folder.path() / living, "at work");
  write(folder.path() / ".A.lean.leanbridge-4194303-1.tmp",
        "dead");  // above the kernel's largest pid, as a rule
  write(folder.path() / ".A.lean.leanbridge-x.tmp", "not ours");
  REQUIRE(replace_file(replacement(path, "old\n", "new\n")));
  CHECK(fs::exists(folder.path() / living));
  CHECK(fs::exists(folder.path() / ".A.lean.leanbridge-x.tmp"));
  CHECK_FALSE(fs::exists(folder.path() / ".A.lean.leanbridge-4194303-1.tmp"));
}

TEST_CASE("of several files all are replaced, or none", "[atomic_write]") {
  const TestFolder folder;
  const auto path = [&](const char* name) { return folder.path() / name; };
  const auto prepare = [&] {
    for (const char* name : {"A.lean", "B.lean", "C.lean"}) write(path(name), "old\n");
    return PreparedReplacements::prepare({replacement(path("A.lean"), "old\n", "new\n"),
                                          replacement(path("B.lean"), "old\n", "new\n"),
                                          replacement(path("C.lean"), "old\n", "new\n")});
  };
  const auto contents = [&] { return read(path("A.lean")) + read(path("B.lean")) + read(path("C.lean")); };

  SECTION("all") {
    auto all = prepare();
    REQUIRE(all);
    CHECK(contents() == "old\nold\nold\n");
    REQUIRE(all->put_in_place());
    CHECK(contents() == "new\nnew\nnew\n");
    CHECK(files_in(folder.path()) == 3);
  }
  SECTION("one cannot be prepared, or nobody asks for more: no file is changed, and no other one left") {
    REQUIRE(prepare());
    fs::create_directory(path("D.lean"));
    CHECK_FALSE(PreparedReplacements::prepare(
        {replacement(path("A.lean"), "old\n", "new\n"), replacement(path("D.lean"), "old\n", "new\n")}));
    CHECK(contents() == "old\nold\nold\n");
    CHECK(files_in(folder.path()) == 4);
  }
  SECTION("the last one cannot be replaced: the others get their old content back") {
    auto all = prepare();
    REQUIRE(all);
    fs::remove(path("C.lean"));
    fs::create_directory(path("C.lean"));
    const auto done = all->put_in_place();
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Catch::Contains("C.lean was not written"));
    CHECK_THAT(done.error().message, !Catch::Contains("keeps"));
    CHECK(read(path("A.lean")) + read(path("B.lean")) == "old\nold\n");
  }
  SECTION("one of those cannot be put back: it is named, and the others are put back") {
    for (const bool first : {true, false}) {
      const std::string stays = first ? "A.lean" : "B.lean", back = first ? "B.lean" : "A.lean";
      for (const char* name : {"A.lean", "B.lean", "C.lean"}) write(path(name), "old\n");
      // What is no UTF-8 cannot be compared.
      auto all =
          PreparedReplacements::prepare({replacement(path("A.lean"), "old\n", first ? "\xff" : "new\n"),
                                         replacement(path("B.lean"), "old\n", first ? "new\n" : "\xff"),
                                         replacement(path("C.lean"), "old\n", "new\n")});
      REQUIRE(all);
      fs::remove(path("C.lean"));
      fs::create_directory(path("C.lean"));
      const auto done = all->put_in_place();
      REQUIRE_FALSE(done);
      CHECK_THAT(done.error().message,
                 Catch::Contains(stays + " keeps its new content") && !Catch::Contains(back + " keeps"));
      CHECK(read(path(back.c_str())) == "old\n");
      fs::remove(path("C.lean"));
    }
  }
}
