// Which installation of a local Loogle is used, in lean-lsp-mcp's folders.

#include "search/sources/installed_loogle.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <chrono>
#include <map>

namespace leanbridge::search {

namespace fs = std::filesystem;

namespace {

const std::string kToolchain = "leanprover/lean4:v4.28.0";

EnvironmentLookup environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

fs::path program_in(const leanbridge::test::TestFolder& folder, const std::string& repository) {
  return folder.path() / repository / ".lake/build/bin/loogle";
}

}  // namespace

TEST_CASE("The folder of installed Loogles is lean-lsp-mcp's", "[search][loogle]") {
  CHECK(loogle_folder("", environment_of({{"HOME", "/home/a"}})) == "/home/a/.cache/lean-lsp-mcp/loogle");
  CHECK(loogle_folder("", environment_of({{"HOME", "/home/a"}, {"XDG_CACHE_HOME", "/cache"}})) ==
        "/cache/lean-lsp-mcp/loogle");
  CHECK(loogle_folder("/chosen", environment_of({{"HOME", "/home/a"}})) == "/chosen");
  CHECK(loogle_folder("", environment_of({})).empty());
}

TEST_CASE("Only a Loogle of the project's toolchain is used, the newest first", "[search][loogle]") {
  // As computed by Python's hashlib.sha256.
  CHECK(loogle_key(kToolchain) == "26df5f74b79a");
  const leanbridge::test::TestFolder folder;
  CHECK_FALSE(find_installed_loogle(folder.path(), "/p", kToolchain));
  CHECK_FALSE(find_installed_loogle(folder.path() / "missing", "/p", kToolchain));
  const std::string key = "-26df5f74b79a";
  folder.write("repo-other-000000000000/.lake/build/bin/loogle", "");
  folder.write("repo-unbuilt" + key + "/README.md", "");
  CHECK_FALSE(find_installed_loogle(folder.path(), "/p", kToolchain));

  folder.write("repo-old" + key + "/.lake/build/bin/loogle", "");
  folder.write("repo-new" + key + "/.lake/build/bin/loogle", "");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(program_in(folder, "repo-new" + key), now);
  fs::last_write_time(program_in(folder, "repo-old" + key), now - std::chrono::hours(1));
  const auto found = find_installed_loogle(folder.path(), "/p", kToolchain);
  REQUIRE(found);
  CHECK(found->program == program_in(folder, "repo-new" + key));
  CHECK(found->index == folder.path() / "index/mathlib-00d74baf14ea.idx");
  CHECK_FALSE(find_installed_loogle(folder.path(), "/p", ""));
  CHECK_FALSE(find_installed_loogle(folder.path(), "", kToolchain));
}

}  // namespace leanbridge::search
