#include "leanbridge/lean/source_folders.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

SourceFolders by_toml(const std::string& text) {
  const auto found = source_folders("/p", {std::nullopt, text});
  REQUIRE(found.has_value());
  return *found;
}
using Folders = std::vector<fs::path>;

}  // namespace

TEST_CASE("the source folders of a lakefile.toml are those that Lake reads", "[lean]") {
  CHECK(by_toml("").folders == Folders{"/p"});
  CHECK(by_toml("srcDir = \"src\"\n").folders == Folders{"/p/src"});
  CHECK(by_toml("[[lean_lib]]\nname = \"A\"\n").folders == Folders{"/p"});
  CHECK(by_toml("[[lean_lib]]\n\"srcDir\" = 'a'\n").folders == Folders{"/p/a"});
  CHECK(by_toml("[[lean_lib]]\nsrcDir = \"\"\"\\\n  a\"\"\"\n").folders == Folders{"/p/a"});
  CHECK(by_toml("srcDir = \"src/\"\nlean_lib = [{ srcDir = \"../a\" }, {}]\n[[lean_exe]]\nsrcDir = \"x\"\n")
            .folders == Folders{"/p/a", "/p/src", "/p/src/x"});
  CHECK(by_toml("# srcDir = \"a\"\n").folders == Folders{"/p"});
  CHECK(by_toml("").is_complete);
}

TEST_CASE("`..` behind a link leads where the link does", "[lean]") {
  const leanbridge::test::TestFolder folder;
  fs::create_directories(folder / "p");
  fs::create_directories(folder / "elsewhere/deep");
  fs::create_directory_symlink(folder / "elsewhere/deep", folder / "p/link");
  const auto found = source_folders(folder / "p", {std::nullopt, "srcDir = \"link/..\"\n"});
  REQUIRE(found.has_value());
  CHECK(found->folders == Folders{fs::canonical(folder / "elsewhere")});
}

TEST_CASE("a lakefile.lean is a program, and Lake prefers it", "[lean]") {
  const auto found = source_folders("/p", {"lean_lib A where\n  srcDir := \"a\"\n", "srcDir = \"b\""});
  REQUIRE(found.has_value());
  CHECK(found->folders == Folders{"/p", "/p/a"});
  CHECK_FALSE(found->is_complete);
}

TEST_CASE("without a lakefile the package is the folder; what is no TOML is an error", "[lean]") {
  CHECK(source_folders("/p/", {})->folders == Folders{"/p"});
  const auto broken = source_folders("/p", {std::nullopt, "name = \n"});
  REQUIRE_FALSE(broken.has_value());
  CHECK(broken.error().message.starts_with("/p/lakefile.toml:1 is no TOML"));
}

}  // namespace leanbridge::lean
