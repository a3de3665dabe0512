#include "core/lean/source_folders.hpp"

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

TEST_CASE("the roots of libraries are those that Lake takes for their own modules", "[lean]") {
  using NameList = std::vector<std::string>;
  CHECK(by_toml("name = \"p\"\n[[lean_lib]]\nname = \"A\"\n[[lean_exe]]\nname = \"b\"\n").roots ==
        NameList{"A"});
  CHECK(by_toml("[[lean_lib]]\nname = \"A\"\nroots = [\"B.C\", \"D\"]\nglobs = [\"E.*\", \"F.+\", \"D\"]\n")
            .roots == NameList{"A", "B.C", "D", "E", "F"});
  CHECK(by_toml("[[lean_lib]]\nname = \"A\"\nglobs = \"B.*\"\n").roots == NameList{"A", "B"});
  const auto by_lean = [](const std::string& text) {
    return source_folders("/p", {text, std::nullopt})->roots;
  };
  CHECK(by_lean("-- lean_lib No\n@[default_target]\nlean_lib A where\n  roots := #[`B.C, `«d-e»]\n"
                "  globs := #[.submodules `F, .one `G]\nlean_lib «h-i» { srcDir := \"x\" }\nlean_lib \"J\"\n"
                "lean_exe k where\n  root := `K\n") == NameList{"A", "B.C", "«d-e»", "F", "G", "«h-i»", "J"});
}

TEST_CASE("without a lakefile the package is the folder; what is no TOML is an error", "[lean]") {
  CHECK(source_folders("/p/", {})->folders == Folders{"/p"});
  const auto broken = source_folders("/p", {std::nullopt, "name = \n"});
  REQUIRE_FALSE(broken.has_value());
  CHECK(broken.error().message.starts_with("/p/lakefile.toml:1 is no TOML"));
}

TEST_CASE("what Lake makes of a package is where its lakefile says", "[lean]") {
  const leanbridge::test::TestFolder folder;
  const auto of = [&](const char* name, const std::string& text) {
    folder.write(name, text);
    const ProductFolders found = product_folders(folder.path());
    return std::pair(found.modules.lexically_relative(folder.path()).string(),
                     found.programs.lexically_relative(folder.path()).string());
  };
  using Pair = std::pair<std::string, std::string>;
  CHECK(of("lakefile.toml", "name = \"p\"\n") == Pair{".lake/build/lib/lean", ".lake/build/bin"});
  CHECK(of("lakefile.toml", "buildDir = \"out\"\nleanLibDir = \"lib\"\n") == Pair{"out/lib", "out/bin"});
  CHECK(of("lakefile.toml", "buildDir = \"../out/p\"\n") == Pair{"../out/p/lib/lean", "../out/p/bin"});
  CHECK(of("lakefile.toml", "buildDir = ") == Pair{".lake/build/lib/lean", ".lake/build/bin"});
  CHECK(of("lakefile.lean", "package p where\n  buildDir := \"made\"\n  binDir := \"programs\"\n") ==
        Pair{"made/lib/lean", "made/programs"});
}

}  // namespace leanbridge::lean
