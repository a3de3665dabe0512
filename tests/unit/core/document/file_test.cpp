#include "core/document/file.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace leanbridge::document {

using test::age;
using test::TestFolder;

namespace {

Error error_of(const std::filesystem::path& path) {
  const auto loaded = load_file(path, "F.lean", std::nullopt);
  REQUIRE_FALSE(loaded.has_value());
  CHECK_FALSE(loaded.error().hint.empty());
  return loaded.error();
}
bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a file is loaded with its identity", "[document]") {
  const TestFolder folder;
  const auto path = folder.write("F.lean", "theorem λ : 𝔸\nno newline");
  age(path);
  const auto loaded = load_file(path, "F.lean", std::nullopt);
  REQUIRE(loaded.has_value());
  CHECK(loaded->text->str() == "theorem λ : 𝔸\nno newline");
  CHECK(loaded->identity == lean::identify(path));
  CHECK(loaded->trusted);
  CHECK(load_file(folder.write("Empty.lean", ""), "Empty.lean", std::nullopt)->text->str().empty());
}

TEST_CASE("CRLF becomes LF", "[document]") {
  const TestFolder folder;
  const auto loaded = load_file(folder.write("F.lean", "a\r\nb\r\n"), "F.lean", std::nullopt);
  CHECK(loaded->text->str() == "a\nb\n");
}

TEST_CASE("a file that has not changed is not read again", "[document]") {
  const TestFolder folder;
  const auto path = folder.write("F.lean", "a");
  age(path);
  const auto first = load_file(path, "F.lean", std::nullopt);
  const auto again = load_file(path, "F.lean", first->identity);
  REQUIRE(again.has_value());
  CHECK_FALSE(again->text.has_value());
  CHECK(again->trusted);
  CHECK(again->identity == first->identity);

  SECTION("one of another time is") {
    age(path, 5);
  }
  SECTION("one of another size is") {
    folder.write("F.lean", "ab");
    age(path);
  }
  SECTION("another file of the same name, size and time is") {
    const auto time = std::filesystem::last_write_time(path);
    std::filesystem::last_write_time(folder.write("G.lean", "b"), time);
    std::filesystem::rename(folder / "G.lean", path);
  }
  CHECK(load_file(path, "F.lean", first->identity)->text.has_value());
}

TEST_CASE("a file written just now is not trusted: it may be written again within its time stamp",
          "[document]") {
  const TestFolder folder;
  const auto path = folder.write("F.lean", "a");
  CHECK_FALSE(load_file(path, "F.lean", std::nullopt)->trusted);
  age(path, 2 * 3600);  // in an hour
  CHECK_FALSE(load_file(path, "F.lean", std::nullopt)->trusted);
}

TEST_CASE("what is no file says what it is", "[document]") {
  const TestFolder folder;
  CHECK(error_of(folder / "none.lean").kind == ErrorKind::FileNotFound);
  CHECK(error_of(folder.write("file", "") / "below.lean").kind == ErrorKind::FileNotFound);
  std::filesystem::create_symlink("nowhere", folder / "dangling.lean");
  CHECK(error_of(folder / "dangling.lean").kind == ErrorKind::FileNotFound);

  CHECK(error_of(folder.path()).kind == ErrorKind::InvalidArgument);
  CHECK(has(error_of(folder.path()).message, "directory"));
  REQUIRE(::mkfifo((folder / "fifo.lean").c_str(), 0600) == 0);
  CHECK(has(error_of(folder / "fifo.lean").message, "not a regular file"));
  CHECK(has(error_of("/dev/zero").message, "not a regular file"));
  std::filesystem::create_symlink("loop.lean", folder / "loop.lean");
  CHECK(error_of(folder / "loop.lean").kind == ErrorKind::InvalidArgument);
  if (::geteuid() != 0) {  // root may read everything
    ::chmod(folder.write("secret.lean", "x").c_str(), 0);
    CHECK(has(error_of(folder / "secret.lean").message, "Permission denied"));
  }
}

TEST_CASE("a file that is gone is not what it was", "[document]") {
  const TestFolder folder;
  const auto loaded = load_file(folder / "none.lean", "none.lean", lean::FileIdentity{});
  REQUIRE_FALSE(loaded.has_value());
  CHECK(loaded.error().kind == ErrorKind::FileNotFound);
}

TEST_CASE("bytes that are no UTF-8 are refused with their place", "[document]") {
  const TestFolder folder;
  const Error error = error_of(folder.write("F.lean", "ok\nalso\nbad \xff here\n"));
  CHECK(error.kind == ErrorKind::InvalidArgument);
  CHECK(has(error.message, "byte 12, on line 3"));
}

TEST_CASE("a file that is too large is refused", "[document]") {
  const TestFolder folder;
  const auto path = folder.write("F.lean", "");
  std::filesystem::resize_file(path, leanbridge::lean::kMaxSourceSize + 1);
  CHECK(has(error_of(path).message, "64 MiB"));
}

}  // namespace leanbridge::document
