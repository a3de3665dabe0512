#include "core/lean/project.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

namespace fs = std::filesystem;

TEST_CASE("a project's own files are not those of packages, of other projects or behind links", "[lean]") {
  const test::TestFolder folder;
  const fs::path root = fs::canonical(folder.path()) / "p";
  folder.write("outside/O.lean", "");
  folder.write("p/lakefile.toml", "");
  folder.write("p/lake-manifest.json", R"({"packagesDir": "deps", "packages": [
    {"type": "git", "name": "odd", "configFile": "odd.toml"}, {"type": "path", "name": "q", "dir": "q"},
    {"type": "path", "name": "around", "dir": ".."}]})");
  for (const char* own : {"A.lean", "Sub/B.lean", "Sub/C d.lean"}) folder.write("p/" + std::string(own), "");
  for (const char* other :
       {"deps/z/lakefile.toml", "deps/z/Z.lean", "core/lakefile.lean", "core/Sub/Core.lean",
        "other/lean-toolchain", "other/X.lean", ".lake/packages/y/Y.lean", ".hidden/H.lean", ".H.lean",
        "text.txt", "deps/odd/Odd.lean", "q/Q.lean"})
    folder.write("p/" + std::string(other), "");
  fs::create_symlink(folder / "outside/O.lean", root / "Link.lean");
  fs::create_symlink(root / "A.lean", root / "Same.lean");
  fs::create_symlink(folder / "outside", root / "linked");
  fs::create_symlink(root / ".lake/packages/y", root / "y");

  for (const std::string name : {"A.lean", "Sub/B.lean", "Sub/C d.lean"})
    CHECK(OwnFiles(root).find(name).value() == root / name);
  for (const std::string& name : {std::string("../outside/O.lean"),
                                  std::string("Sub/../A.lean"),
                                  std::string("./A.lean"),
                                  std::string(),
                                  std::string("Sub"),
                                  std::string("text.txt"),
                                  (root / "A.lean").string(),
                                  (folder / "outside/O.lean").string(),
                                  std::string("Link.lean"),
                                  std::string("Same.lean"),
                                  std::string("linked/O.lean"),
                                  std::string("y/Y.lean"),
                                  std::string("deps/z/Z.lean"),
                                  std::string("core/Sub/Core.lean"),
                                  std::string("other/X.lean"),
                                  std::string(".lake/packages/y/Y.lean"),
                                  std::string(".hidden/H.lean"),
                                  std::string(".H.lean"),
                                  std::string("deps/odd/Odd.lean"),
                                  std::string("q/Q.lean"),
                                  std::string("A.lean\0.lean", 12)}) {
    CAPTURE(name);
    const auto found = OwnFiles(root).find(name);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().kind == ErrorKind::OutsideProject);
  }
  CHECK(OwnFiles(root).find("None.lean").error().kind == ErrorKind::FileNotFound);
  CHECK(OwnFiles(root).find("../None.lean").error().kind == ErrorKind::OutsideProject);
}

}  // namespace leanbridge::lean
