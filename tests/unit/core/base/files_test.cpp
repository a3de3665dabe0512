// Files that somebody else made: read up to a bound, and only if they are regular files.

#include "core/base/files.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace leanbridge {

using FileFault = FileProblem::Kind;

namespace {

FileFault kind_of(const std::filesystem::path& path, std::size_t most = 100) {
  const auto read = read_regular_file(path, most);
  REQUIRE_FALSE(read.has_value());
  return read.error().kind;
}

}  // namespace

TEST_CASE("a regular file is read whole, up to the bound", "[base]") {
  const test::TestFolder folder;
  const std::string large(300'000, 'x');  // read in several pieces
  const auto file = folder.write("file", large);
  for (const std::size_t most : {large.size(), large.size() + 1, large.size() * 10})
    CHECK(read_regular_file(file, most).value() == large);
  CHECK(kind_of(file, large.size() - 1) == FileFault::TooLarge);
  CHECK(read_regular_file(folder.write("empty", ""), 0).value().empty());
  std::filesystem::create_symlink("file", folder / "link");
  CHECK(read_regular_file(folder / "link", large.size()).value() == large);
  // The system reports size 0 for these.
  CHECK(read_regular_file("/proc/self/status", 1u << 20).value().starts_with("Name:"));
  CHECK(kind_of("/proc/self/status", 10) == FileFault::TooLarge);
}

TEST_CASE("what would hold us, or feed us without end, is no file", "[base]") {
  const test::TestFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(kind_of(folder / "pipe") == FileFault::Special);
  std::filesystem::create_symlink("/dev/zero", folder / "zero");
  CHECK(kind_of(folder / "zero") == FileFault::Special);
  CHECK(kind_of("/dev/null") == FileFault::Special);
  CHECK(kind_of(folder.path()) == FileFault::Directory);
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(kind_of(folder / "loop") == FileFault::Unreadable);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(kind_of(folder / "socket") == FileFault::Special);
}

TEST_CASE("a file of a terabyte costs nothing", "[base]") {
  const test::TestFolder folder;
  std::filesystem::resize_file(folder.write("sparse", ""), std::uintmax_t{1} << 40);
  const auto read = read_regular_file(folder / "sparse", kMaxConfigurationSize);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().why == "it is larger than 1 MiB");
  const Error error = read.error().to_error("x.toml");
  CHECK(error.kind == ErrorKind::InvalidArgument);
  CHECK(error.message == "x.toml cannot be read: it is larger than 1 MiB.");
}

TEST_CASE("a file that is not there, and a link that is not to be followed", "[base]") {
  const test::TestFolder folder;
  CHECK(kind_of(folder / "none") == FileFault::Missing);
  CHECK(kind_of(folder.write("file", "x") / "below") == FileFault::Missing);
  std::filesystem::create_symlink("none", folder / "dangling");
  CHECK(kind_of(folder / "dangling") == FileFault::Missing);
  std::filesystem::create_symlink("file", folder / "link");
  const auto refused = RegularFile::open(folder / "link", RegularFile::Links::Refuse);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().why == "it is a symbolic link");
  CHECK(RegularFile::open(folder / "file", RegularFile::Links::Refuse)->read(1).value() == "x");
  CHECK(refused.error().to_error("f").kind == ErrorKind::InvalidArgument);
  CHECK(read_regular_file(folder / "none", 1).error().to_error("f").kind == ErrorKind::FileNotFound);
}

TEST_CASE("a file is read piece by piece, too", "[base]") {
  const test::TestFolder folder;
  const auto file = RegularFile::open(folder.write("file", "abcde")).value();
  CHECK(file.status().st_size == 5);
  std::string piece(3, '\0');
  CHECK(file.read_some(piece.data(), 3).value() == 3);
  CHECK(piece == "abc");
  CHECK(file.read(5).value() == "de");
  CHECK(file.read_some(piece.data(), 3).value() == 0);
}

TEST_CASE("one at a time has the lock of a file, and who does not get it may give up", "[base]") {
  const test::TestFolder folder;
  int looks = 0;
  const auto third_time = [&] { return ++looks == 3; };
  {
    const Descriptor held = lock_file(folder / "lock", third_time);
    REQUIRE(held);
    CHECK(looks == 0);
    CHECK_FALSE(lock_file(folder / "lock", third_time));
    CHECK(errno == EWOULDBLOCK);
    CHECK(looks == 3);
  }
  CHECK(lock_file(folder / "lock", third_time));
  std::filesystem::create_symlink("lock", folder / "link");
  CHECK_FALSE(lock_file(folder / "link", third_time));
  CHECK_FALSE(lock_file(folder / "none" / "lock", third_time));
  CHECK(looks == 3);
}

}  // namespace leanbridge
