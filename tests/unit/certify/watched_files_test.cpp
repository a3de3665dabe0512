// What a solution may not change while it is compiled.

#include "certify/watched_files.hpp"

#include "certify/hashes.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <filesystem>

using namespace leanbridge::certify;
using leanbridge::test::TestFolder;

namespace {

/// As if the files had been there for long.
constexpr std::int64_t kLater = 1'000'000'000;

}  // namespace

TEST_CASE("a file that is written is noticed, an old one is not", "[watched]") {
  const TestFolder folder;
  WatchedFiles files;
  files.add(folder.write("A.olean", "one"));
  files.add(folder / "missing");
  CHECK_FALSE(files.first_changed(system_time() + kLater).has_value());
  CHECK(files.first_changed(0) == folder / "A.olean");
}

TEST_CASE("another file in its place is noticed, however old it is", "[watched]") {
  const TestFolder folder;
  folder.write("package/A.olean", "one");
  folder.write("twin/A.olean", "two");
  WatchedFiles files;
  files.add_module(folder / "package/A.olean");
  const std::int64_t later = system_time() + kLater;
  REQUIRE_FALSE(files.first_changed(later).has_value());
  std::filesystem::rename(folder / "package", folder / "away");
  CHECK(files.first_changed(later) == folder / "package/A.olean");
  std::filesystem::rename(folder / "twin", folder / "package");
  CHECK(files.first_changed(later) == folder / "package/A.olean");
}

TEST_CASE("a part that a module did not have is noticed", "[watched]") {
  const TestFolder folder;
  WatchedFiles files;
  files.add_module(folder.write("A.olean", "one"));
  const std::int64_t later = system_time() + kLater;
  REQUIRE_FALSE(files.first_changed(later).has_value());
  folder.write("A.olean.private", "two");
  CHECK(files.first_changed(later) == folder / "A.olean.private");
}
