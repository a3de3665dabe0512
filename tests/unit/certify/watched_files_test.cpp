// What a solution may not change while it is compiled.

#include "certify/verdict/foundations.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <thread>

using namespace leanbridge;
using namespace leanbridge::certify;
using leanbridge::test::TestFolder;

namespace {

/// As if the files had been there for long.
constexpr std::int64_t kLater = 1'000'000'000;
/// More than what the times of files may lag behind the clock.
constexpr std::chrono::milliseconds kTick(20);

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
  certify::watch_module(files, folder / "package/A.olean");
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
  certify::watch_module(files, folder.write("A.olean", "one"));
  const std::int64_t later = system_time() + kLater;
  REQUIRE_FALSE(files.first_changed(later).has_value());
  folder.write("A.olean.private", "two");
  CHECK(files.first_changed(later) == folder / "A.olean.private");
}

TEST_CASE("everything below a verdict is watched", "[watched]") {
  const TestFolder folder;
  const auto sysroot = folder / "toolchain", own = folder / "own";
  Foundations foundations;
  foundations.sysroot = sysroot;
  foundations.own = own;
  folder.write("toolchain/lib/lean/libInit.so", "");
  foundations.programs = {"bin/lean"};
  folder.write("toolchain/bin/lean", "program");
  foundations.kernel = {folder.write("kernel/checker", "program")};
  foundations.modules = {folder.write("package/A.olean", "outside"), folder.write("own/B.olean", "own"), {}};

  const auto exchanged = [&](const std::filesystem::path& path, const WatchedFiles& files) {
    const std::int64_t later = system_time() + kLater;
    CHECK_FALSE(files.first_changed(later).has_value());
    const auto away = folder / "away";
    std::filesystem::rename(path, away);
    const auto changed = files.first_changed(later);
    std::filesystem::rename(away, path);
    return changed == path;
  };
  const WatchedFoundations watched = watch(foundations);
  CHECK(exchanged(sysroot / "bin/lean", watched.outside));
  CHECK(exchanged(sysroot / "lib/lean", watched.outside));
  CHECK(exchanged(foundations.kernel.front(), watched.outside));
  CHECK(exchanged(foundations.modules[0], watched.outside));
  CHECK(exchanged(foundations.modules[1], watched.own));

  // A library that is new in a folder of the toolchain changes the folder.
  for (const char* const name : {"bin", "lib", "lib/lean"}) {
    std::this_thread::sleep_for(kTick);
    const std::int64_t begun = system_time();
    CHECK_FALSE(watched.outside.first_changed(begun).has_value());
    std::this_thread::sleep_for(kTick);
    folder.write(std::string("toolchain/") + name + "/libnew.so", "");
    CHECK(watched.outside.first_changed(begun) == sysroot / name);
  }
}
