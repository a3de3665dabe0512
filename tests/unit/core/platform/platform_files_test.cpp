// Files, as each system has them.

#include "core/base/files.hpp"
#include "core/platform/files.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>

#include <chrono>

namespace leanbridge {

namespace fs = std::filesystem;

namespace {

struct stat stat_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status;
}

std::size_t entry_count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a file's content can be dated back, the time of its last change cannot", "[platform]") {
  const test::TestFolder folder;
  const fs::path file = folder.write("a", "text");
  const std::int64_t changed = platform::changed_ns(stat_of(file));
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  const struct stat status = stat_of(file);
  constexpr std::int64_t kHalfAnHour = 1800LL * 1'000'000'000;
  CHECK(platform::modified_ns(status) < changed - kHalfAnHour);
  CHECK(platform::changed_ns(status) >= changed);
  CHECK(platform::modified_ns(status) % 1'000'000'000 != 0);
}

TEST_CASE("a file without a name has one when it is given one", "[platform]") {
  const test::TestFolder folder;
  const Descriptor opened(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Descriptor file(platform::open_unnamed(opened.get(), S_IRUSR | S_IWUSR));
  CHECK(entry_count(folder.path()) == 0);
  if (!file) return;  // the system has none: callers take a named one
  REQUIRE(write_all(file.get(), "text"));
  REQUIRE(platform::link_unnamed(file.get(), opened.get(), "named"));
  CHECK(read_regular_file(folder.path() / "named", 100).value_or("") == "text");
  CHECK_FALSE(platform::link_unnamed(file.get(), opened.get(), "named"));  // it replaces nothing
}

TEST_CASE("the real path of an open file is not the one of a link to it", "[platform]") {
  const test::TestFolder folder;
  const fs::path file = fs::canonical(folder.write("a", "text"));
  const fs::path link = folder.path() / "link";
  fs::create_symlink(file, link);
  const Descriptor opened(::open(link.c_str(), O_RDONLY | O_CLOEXEC));
  CHECK(platform::real_path(opened.get(), link) == file);
  // Another file at the path by now: its path is not that of the open one.
  fs::remove(link);
  fs::create_symlink(folder.write("b", "other"), link);
  CHECK(platform::real_path(opened.get(), link) != fs::canonical(link));
}

TEST_CASE("a pipe that is opened again has flags of its own", "[platform]") {
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  const Descriptor read(ends[0]), write(ends[1]);
  const Descriptor again(platform::reopen(read.get(), O_RDONLY | O_NONBLOCK));
  CHECK((::fcntl(read.get(), F_GETFL) & O_NONBLOCK) == 0);
  if (!again) return;  // the system cannot: callers change the flags and put them back
  CHECK((::fcntl(again.get(), F_GETFL) & O_NONBLOCK) != 0);
  CHECK((::fcntl(again.get(), F_GETFD) & FD_CLOEXEC) != 0);
}

}  // namespace leanbridge
