// Which toolchain judges: that of the project, as elan finds it there.

#include "certify/verdict/lean_runner.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::test {

using namespace certify;
namespace fs = std::filesystem;

namespace {

/// `lake env` behind elan: ELAN_TOOLCHAIN, or the nearest lean-toolchain at or above the working directory;
/// so far as elan's find_override() decides by files. What it would find is the sysroot, and `-d` what the
/// project is.
constexpr const char* kElan = R"elan(#!/bin/sh
folder=$PWD
while [ "$folder" != / ] && [ ! -f "$folder/lean-toolchain" ]; do folder=$(dirname "$folder"); done
toolchain=${ELAN_TOOLCHAIN:-$(head -n 1 "$folder/lean-toolchain" 2>/dev/null)}
echo "LEAN_SYSROOT=/toolchains/${toolchain:-default}"
[ "$1 $2" = "env -d" ] && [ -d "$3" ] && [ ! -e "$3/lakefile.lean" ] || exit 1
)elan";

}  // namespace

TEST_CASE("a lean-toolchain above the folder for temporary files chooses nothing") {
  const TestFolder folder;
  Loop loop;
  const std::string lake = folder.write_program("bin/lake", kElan).string();
  folder.write("tmp/lean-toolchain", "planted\n");
  fs::create_directories(folder / "tmp/ours");
  fs::create_directories(folder / "home/p");
  folder.write("home/p/lakefile.lean", "");
  const auto sysroot = [&](ToolchainChoice choice) {
    auto found = loop.run(find_toolchain(io::ChildProcess::spawn, lake, lean::environment_for_lake(),
                                         folder / "tmp/ours", std::move(choice), patient()));
    return found ? found->sysroot.string() : found.error().message;
  };
  CHECK(sysroot(toolchain_choice(folder / "home/p", "")) == "/toolchains/default");
  folder.write("home/lean-toolchain", "parent\n");
  CHECK(sysroot(toolchain_choice(folder / "home/p", "")) == "/toolchains/parent");
  folder.write("home/p/lean-toolchain", "own\n");
  CHECK(sysroot(toolchain_choice(folder / "home/p", "own")) == "/toolchains/own");
  CHECK(sysroot(toolchain_choice(folder / "home/p", "of-a-revision")) == "/toolchains/of-a-revision");
  CHECK(sysroot(toolchain_choice(folder / "home/p", "")) == "/toolchains/parent");  // the revision has none
  CHECK_FALSE(fs::exists(folder / "tmp/ours/lean-toolchain"));
}

TEST_CASE("a revision's toolchain may be a folder, and its project be gone") {
  const TestFolder folder;
  folder.write("p/lean-toolchain", "own\n");
  CHECK(toolchain_choice(folder / "p", "../tc/other").named == (folder / "tc/other").string());
  const ToolchainChoice gone = toolchain_choice(folder / "p/deep/er", "named");
  CHECK(gone.project == folder / "p");
  CHECK(gone.named == "named");
}

}  // namespace leanbridge::test
