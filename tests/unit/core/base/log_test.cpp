#include "core/base/log.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace leanbridge {

TEST_CASE("A log file with a bound keeps its end, and one predecessor", "[base][log]") {
  const test::TestFolder folder;
  constexpr std::size_t kLimit = 1000, kLine = 100;
  const std::filesystem::path file = folder / "bridge.log", before = folder / "bridge.log.1";
  log::configure("info", file.string(), kLimit);
  for (int i = 0; i < 100; ++i) log::info("line {}", i);
  log::configure("off", "");
  CHECK(test::content_of(file).ends_with("line 99\n"));
  CHECK(std::filesystem::file_size(file) < kLimit + kLine);
  CHECK(std::filesystem::file_size(before) < kLimit + kLine);
  CHECK(std::filesystem::file_size(before) >= kLimit);
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  CHECK(files == 2);

  log::configure("info", file.string(), kLimit);  // the next process goes on where this one ended
  log::info("after");
  log::configure("off", "");
  CHECK(test::content_of(file).find("line 99") != std::string::npos);
  CHECK(test::content_of(file).ends_with("after\n"));
}

}  // namespace leanbridge
