#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

namespace {

constexpr const char* kManifest =
    R"({"version":"1.1.0","packagesDir":".lake/packages","packages":[
{"type":"git","name":"batteries","url":"https://example.org/b","dir":null},
{"type":"path","name":"core","dir":"../core"},
{"type":"git"}, 7, {"name":["x"]}]})";

}  // namespace

TEST_CASE("packages as Lake wrote them down", "[lean]") {
  const test::TestFolder folder;
  folder.write("a/lake-manifest.json", kManifest);
  const auto packages = packages_of(folder / "a");
  REQUIRE(packages.size() == 2);
  CHECK(packages[0].name == "batteries");
  CHECK(packages[0].is_fetched);
  CHECK(packages[0].folder == folder / "a/.lake/packages/batteries");
  CHECK_FALSE(packages[1].is_fetched);
  for (const char* text : {"", "[]", "{", R"({"packages":{}})"}) {
    folder.write("a/lake-manifest.json", text);
    CHECK(packages_of(folder / "a").empty());
  }
  CHECK(packages_of(folder / "none").empty());
}

TEST_CASE("a package's folder has its plain name, and lies where in the repository it is", "[lean]") {
  const auto packages = packages_in("/p", R"({"packages":[
{"type":"git","name":"«doc-gen4»","subDir":null},
{"type":"git","name":"«a-b».c","subDir":"lean/lib"}]})");
  REQUIRE(packages.size() == 2);
  CHECK(packages[0].name == "doc-gen4");
  CHECK(packages[0].folder == "/p/.lake/packages/doc-gen4");
  CHECK(packages[1].name == "a-b.c");
  CHECK(packages[1].folder == "/p/.lake/packages/a-b.c/lean/lib");
}

TEST_CASE("a manifest that may hide a package, or its lakefile, is unclear", "[lean]") {
  const auto with = [](const std::string& package) {
    return why_unclear("{\"packages\":[" + package + "]}");
  };
  CHECK_FALSE(why_unclear("{}"));
  CHECK_FALSE(with(R"({"type":"path","name":"a","dir":"a","configFile":"lakefile"})"));
  CHECK_FALSE(with(R"({"type":"git","name":"b","configFile":"lakefile.lean"})"));
  CHECK(why_unclear("") == "is no JSON object");
  CHECK(with(R"({"type":"path","name":"\ud800","dir":"a"})") == "is no JSON object");
  CHECK(why_unclear(R"({"packages":{}})") == "has packages that are no list");
  CHECK(with(R"({"type":"path","name":"a","dir":"a","configFile":"quiet.toml"})") ==
        "takes the lakefile of a from another file");
  CHECK(with(R"({"type":"path","name":"a","dir":"a","configFile":7})") ==
        "takes the lakefile of a from another file");
  CHECK(with(R"({"type":"path","name":"a"})") == "lists a package of an unknown form");
  std::string many = R"({"type":"git","name":"b"})";
  for (int i = 0; i < 256; ++i) many += R"(,{"type":"git","name":"b"})";
  CHECK(with(many) == "lists more than 256 packages");
}

TEST_CASE("a build of two projects may write the package that they share", "[lean]") {
  const test::TestFolder folder;
  for (const char* name : {"a", "b"}) folder.write(std::string(name) + "/lake-manifest.json", kManifest);
  folder.write("core/lakefile.toml", "");
  // The same folder by another path.
  std::filesystem::create_directories(folder / "a/.lake/packages");
  std::filesystem::create_directories(folder / "b/.lake");
  std::filesystem::create_directory_symlink(folder / "a/.lake/packages", folder / "b/.lake/packages");
  using Folders = std::vector<std::filesystem::path>;
  CHECK(built_folders(folder / "a") ==
        Folders{folder / "a", folder / "a/.lake/packages/batteries", folder / "core"});
  CHECK(built_folders(folder / "b") ==
        Folders{folder / "a/.lake/packages/batteries", folder / "b", folder / "core"});
  CHECK(built_folders(folder / "core") == Folders{folder / "core"});
}

TEST_CASE("Lake's files may be anything: nothing holds us or is read without end", "[lean]") {
  const test::TestFolder folder;
  const std::string name = GENERATE("lean-toolchain", "lake-manifest.json", "lakefile.toml", "A.lean");
  const int how = GENERATE(0, 1, 2);
  const auto path = folder / name;
  if (how == 0)
    std::filesystem::create_symlink("/dev/zero", path);
  else if (how == 1)
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  else
    std::filesystem::resize_file(folder.write(name, ""), std::uintmax_t{1} << 40);
  CHECK(toolchain_of(folder.path()).empty());
  CHECK(packages_of(folder.path()).empty());
  ImportWatch watch(folder.path());
  const std::size_t found = name == "A.lean" && how == 2 ? 1 : 0;
  CHECK(watch.state_of({"A"}).size() == found);
}

TEST_CASE("the toolchain is what the first line says", "[lean]") {
  const test::TestFolder folder;
  folder.write("lean-toolchain", "leanprover/lean4:v4.28.0 \r\nmore\n");
  CHECK(toolchain_of(folder.path()) == "leanprover/lean4:v4.28.0");
}

}  // namespace leanbridge::lean
