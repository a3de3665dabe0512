#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

using test::TestFolder;

namespace {

std::vector<std::string> files(const ImportState& state, const std::filesystem::path& root) {
  std::vector<std::string> names;
  for (const auto& [path, identity] : state) names.push_back(path.lexically_relative(root).string());
  return names;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the files behind imports, directly or not", "[lean]") {
  const TestFolder project;
  project.write("lakefile.toml", "name = \"p\"\n");
  project.write("P/A.lean", "import P.B\nimport Mathlib\nimport Nowhere.At.All\n");
  project.write("P/B.lean", "import «P».C\n");
  project.write("P/C.lean", "def c := 1\n");
  project.write("P/Other.lean", "");
  ImportWatch watch(project.path());
  CHECK(files(watch.state_of({"P.A", "Init"}), project.path()) == Names{"P/A.lean", "P/B.lean", "P/C.lean"});
  CHECK(watch.state_of({}).empty());
  CHECK(watch.state_of({"", ".", "..", "/", "P", "P."}).empty());
}

TEST_CASE("a part of a module's name in guillemets is one file or folder", "[lean]") {
  const TestFolder project;
  project.write("lakefile.toml", "name = \"p\"\n");
  project.write("A.lean", "import Foo.«a.b»\nimport «b c».D\n");
  project.write("Foo/a.b.lean", "");
  project.write("Foo/a/b.lean", "");
  project.write("b c/D.lean", "");
  CHECK(files(ImportWatch(project.path()).state_of({"A"}), project.path()) ==
        Names{"A.lean", "Foo/a.b.lean", "b c/D.lean"});
}

TEST_CASE("a change far down shows, a touch elsewhere does not", "[lean]") {
  const TestFolder project;
  project.write("A.lean", "import B\n");
  project.write("B.lean", "import C\n");
  project.write("C.lean", "def c := 1\n");
  ImportWatch watch(project.path());
  const ImportState before = watch.state_of({"A"});
  CHECK(before.size() == 3);
  project.write("D.lean", "");
  CHECK(watch.state_of({"A"}) == before);

  project.write("C.lean", "def c := 100\n");
  const ImportState after = watch.state_of({"A"});
  CHECK(after != before);
  CHECK(changed_files(before, after) == Names{"C.lean"});

  SECTION("an import that is added to an import") {
    project.write("C.lean", "import D -- now\n");
    CHECK(changed_files(after, watch.state_of({"A"})) == Names{"C.lean", "D.lean"});
  }
  SECTION("a file that is removed") {
    std::filesystem::remove(project / "C.lean");
    CHECK(changed_files(after, watch.state_of({"A"})) == Names{"C.lean"});
  }
  SECTION("a file that appears") {
    project.write("C.lean", "import New\n");
    const ImportState without = watch.state_of({"A"});
    project.write("New.lean", "");
    CHECK(changed_files(without, watch.state_of({"A"})) == Names{"New.lean"});
  }
  SECTION("a file replaced by another of the same size and time") {
    test::age(project / "C.lean");
    const ImportState aged = watch.state_of({"A"});
    project.write("C2", "def c := 200\n");
    std::filesystem::last_write_time(project / "C2", std::filesystem::last_write_time(project / "C.lean"));
    std::filesystem::rename(project / "C2", project / "C.lean");
    CHECK(watch.state_of({"A"}) != aged);
  }
}

TEST_CASE("imports in a circle end", "[lean]") {
  const TestFolder project;
  project.write("A.lean", "import B\nimport A\n");
  project.write("B.lean", "import A\n");
  CHECK(ImportWatch(project.path()).state_of({"B"}).size() == 2);
}

TEST_CASE("source folders that the lakefile names are looked through", "[lean]") {
  const TestFolder project;
  project.write("src/A.lean", "import B\n");
  project.write("lib/deep/B.lean", "");
  ImportWatch watch(project.path());
  CHECK(watch.state_of({"A"}).empty());
  SECTION("toml") {
    project.write("lakefile.toml",
                  "[[lean_lib]]\nname = \"A\"\nsrcDir = \"src\"\n[[lean_lib]]\nsrcDir=\"lib/deep\"\n");
  }
  SECTION("toml, literal strings, where a library's folder is below the package's") {
    project.write(
        "lakefile.toml",
        "srcDir = 'src'\n[[lean_lib]]\nname = \"A\"\n[[lean_lib]]\nname = \"B\"\nsrcDir = '../lib/deep'\n");
  }
  SECTION("lean") {
    project.write("lakefile.lean",
                  "package p where\n  srcDir := \"src\"\nlean_lib B where srcDir := \"lib/deep\"\n");
  }
  CHECK(files(watch.state_of({"A"}), project.path()) == Names{"lib/deep/B.lean", "src/A.lean"});
}

TEST_CASE("a lakefile that makes no sense names no folders", "[lean]") {
  const TestFolder project;
  project.write("src/A.lean", "");
  project.write("lakefile.toml", "srcDir\nsrcDir = \nname = \"src\"\nsrcDir = \"unterminated");
  CHECK(ImportWatch(project.path()).state_of({"A"}).empty());
}

TEST_CASE("identities tell states of a file apart", "[lean]") {
  const TestFolder folder;
  CHECK_FALSE(identify(folder / "none").exists());
  const auto file = folder.write("f", "1");
  const FileIdentity first = identify(file);
  CHECK(first.exists());
  CHECK(first.size == 1);
  CHECK(identify(file) == first);
  std::filesystem::create_symlink("f", folder / "link");
  CHECK(identify(folder / "link") == first);
  folder.write("f", "22");
  CHECK(identify(file) != first);
}

TEST_CASE("the configuration of a project is what is there of four files", "[lean]") {
  const TestFolder project;
  CHECK(configuration_state(project.path()).empty());
  project.write("lakefile.lean", "");
  project.write("lean-toolchain", "x");
  const ImportState before = configuration_state(project.path());
  CHECK(before.size() == 2);
  project.write("lake-manifest.json", "{}");
  CHECK(changed_files(before, configuration_state(project.path())) == Names{"lake-manifest.json"});
}

TEST_CASE("packages that the manifest names by their folder", "[lean]") {
  const TestFolder folder;
  const auto root = folder / "app";
  std::filesystem::create_directories(root);
  CHECK(path_dependencies(root).empty());
  const auto manifest = [&](const std::string& packages) {
    folder.write("app/lake-manifest.json", "{\"version\": \"1.1.0\", \"packages\": " + packages + "}");
  };
  manifest(
      R"([{"type": "path", "dir": "../core"}, {"type": "git", "dir": "../no"}, {"type": "path", "dir": "sub/"},
               {"type": "path", "dir": "../app/../core/"}, {"type": "path", "dir": "."}, {"type": "path"},
               {"type": "path", "dir": 1}, 7, {"type": "path", "dir": ""}])");
  CHECK(path_dependencies(root) == std::vector<std::filesystem::path>{folder / "core", root / "sub"});
  for (const char* none : {"7", "{}", "[[]]"}) {
    manifest(none);
    CHECK(path_dependencies(root).empty());
  }
  folder.write("app/lake-manifest.json", "no JSON");
  CHECK(path_dependencies(root).empty());
}

TEST_CASE("files of packages that are required by their folder are the project's own", "[lean]") {
  const TestFolder folder;
  folder.write("app/lakefile.toml", "name = \"app\"\n");
  folder.write("app/A.lean", "import Core.B\n");
  folder.write("core/lakefile.toml", "name = \"core\"\nsrcDir = \"src\"\n");
  folder.write("core/src/Core/B.lean", "import Core.C\n");
  folder.write("core/src/Core/C.lean", "");
  folder.write("core/.lake/build/lib/lean/Core/C.ilean", "{}");
  ImportWatch watch(folder / "app");
  const auto seen = [&] { return files(watch.state_of({"A"}), folder.path()); };
  CHECK(seen() == Names{"app/A.lean"});
  CHECK(built_references(folder / "app").empty());
  const ImportState before = configuration_state(folder / "app");
  folder.write("app/lake-manifest.json", R"({"packages": [{"type": "path", "dir": "../core"}]})");
  CHECK(seen() == Names{"app/A.lean", "core/src/Core/B.lean", "core/src/Core/C.lean"});
  CHECK(files(built_references(folder / "app"), folder.path()) ==
        Names{"core/.lake/build/lib/lean/Core/C.ilean"});

  const ImportState ready = configuration_state(folder / "app");
  CHECK(files(ready, folder.path()) ==
        Names{"app/lake-manifest.json", "app/lakefile.toml", "core/lakefile.toml"});
  // Lake has written the manifest itself, and has read what it names.
  CHECK(configuration_read(folder / "app", before, ready) == ready);
  CHECK(configuration_read(folder / "app", ready, before) == before);
  folder.write("core/lakefile.toml", "name = \"core\"\n# changed while lake started\nsrcDir = \"src\"\n");
  const ImportState later = configuration_state(folder / "app");
  CHECK(changed_files(configuration_read(folder / "app", ready, later), later) == Names{"lakefile.toml"});
}

}  // namespace leanbridge::lean
