// What doctor makes of what it reads.

#include "desk/doctor/findings.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

using test::TestFolder;
using Verdict = Finding::Verdict;

namespace {

constexpr const char* kManifest =
    R"({"version": "1.1.0", "packagesDir": ".lake/packages", "packages": [{"type": "git", "name": "mathlib"}]})";
constexpr const char* kCompiled = ".lake/packages/mathlib/.lake/build/lib/lean/Mathlib/Init.olean";
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

bool names(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the version of Lean in what lake and lean-toolchain say", "[doctor]") {
  CHECK(lean_version_in("Lake version 5.0.0-src+3b (Lean version 4.29.0)") == "4.29.0");
  CHECK(lean_version_in("Lean (version 4.30.0-rc1, x86_64, commit 1)") == "4.30.0-rc1");
  CHECK(lean_version_in("leanprover/lean4:v4.28.0") == "4.28.0");
  CHECK(lean_version_in("leanprover/lean4:nightly-2026-01-01") == "nightly-2026-01-01");
  CHECK(lean_version_in("stable").empty());
  CHECK(lean_version_in("").empty());
}

TEST_CASE("toolchains with known defects", "[doctor]") {
  const Finding old = soundness_finding("4.32.1");
  CHECK(old.verdict == Verdict::Warn);
  CHECK(old.text == "Lean 4.32.1 has known defects; Lean 4.34.1 has none of them");
  CHECK(names(old.advice, "lean-toolchain"));
  CHECK(soundness_finding("4.99.0").verdict == Verdict::Ok);
  CHECK(soundness_finding("nightly").verdict == Verdict::Warn);
  CHECK(names(soundness_finding("nightly").text, "is not known"));
}

TEST_CASE("a project that cannot be written", "[doctor]") {
  CHECK(build_finding(true, "").verdict == Verdict::Ok);
  CHECK(names(build_finding(false, "").advice, "lake build"));
  for (const bool is_built : {true, false}) {
    const Finding finding = build_finding(is_built, "Read-only file system");
    CHECK(finding.verdict == Verdict::Warn);
    CHECK(names(finding.text, "you cannot write there: Read-only file system"));
    CHECK_FALSE(names(finding.advice, "lake build"));
  }
}

TEST_CASE("a lean-toolchain, and a lake of another version", "[doctor]") {
  CHECK(toolchain_finding("", "4.35.0").verdict == Verdict::Warn);
  CHECK(toolchain_finding("leanprover/lean4:v4.35.0", "4.35.0").verdict == Verdict::Ok);
  const Finding two = toolchain_finding("leanprover/lean4:v4.29.0", "4.35.0");
  CHECK(two.verdict == Verdict::Warn);
  CHECK(two.text == "leanprover/lean4:v4.29.0, but this lake is of Lean 4.35.0");
  CHECK(toolchain_finding("leanprover/lean4:v4.35.0-rc1", "4.35.0").verdict == Verdict::Warn);
  for (const char* unknown : {"leanprover/lean4:nightly-2026-01-01", "stable"})
    CHECK(toolchain_finding(unknown, "4.36.0").verdict == Verdict::Ok);
  CHECK(toolchain_finding("leanprover/lean4:v4.29.0", "").verdict == Verdict::Ok);
}

TEST_CASE("whether Mathlib is compiled", "[doctor]") {
  const TestFolder folder;
  CHECK(mathlib_in(folder.path()) == Mathlib::NotUsed);
  folder.write("lake-manifest.json", kManifest);
  CHECK(mathlib_in(folder.path()) == Mathlib::NotFetched);
  folder.write(".lake/packages/mathlib/Mathlib.lean", "");
  CHECK(mathlib_in(folder.path()) == Mathlib::NotCompiled);
  folder.write(kCompiled, "");
  CHECK(mathlib_in(folder.path()) == Mathlib::Compiled);
  const TestFolder mathlib;  // itself
  mathlib.write("Mathlib.lean", "");
  mathlib.write("Mathlib/Init.lean", "");
  CHECK(mathlib_in(mathlib.path()) == Mathlib::NotCompiled);
  mathlib.write(".lake/build/lib/lean/Mathlib.olean", "");
  CHECK(mathlib_in(mathlib.path()) == Mathlib::Compiled);
}

TEST_CASE("the main checkout of a worktree", "[doctor]") {
  const TestFolder folder;
  folder.write("tree/sub/lakefile.toml", "");
  const auto main_of = [&](const char* git_file, const char* root = "tree") -> std::string {
    folder.write("tree/.git", git_file);
    const auto found = main_checkout_of(folder / root);
    return found ? found->lexically_relative(folder.path()).string() : "none";
  };
  CHECK(main_of(("gitdir: " + (folder / "main/.git/worktrees/tree").string() + "\n").c_str()) == "main");
  CHECK(main_of("gitdir: ../main/.git/worktrees/tree\n", "tree/sub") == "main/sub");
  CHECK(main_of("gitdir: ../.git/modules/tree\n") == "none");
  CHECK(main_of("nonsense") == "none");
  folder.write("clone/.git/HEAD", "");
  CHECK_FALSE(main_checkout_of(folder / "clone"));
}

TEST_CASE("what a build would compile that somebody has compiled", "[doctor]") {
  using Main = std::pair<std::filesystem::path, Mathlib>;
  CHECK_FALSE(mathlib_finding(Mathlib::NotUsed, std::nullopt));
  CHECK_FALSE(mathlib_finding(Mathlib::Compiled, std::nullopt));
  CHECK_FALSE(mathlib_finding(Mathlib::NotFetched, std::nullopt));
  const auto cache = mathlib_finding(Mathlib::NotCompiled, Main("/main", Mathlib::NotCompiled));
  REQUIRE(cache);
  CHECK(cache->what == "cache");
  CHECK(names(cache->text, "lake exe cache get"));
  for (const Mathlib here : {Mathlib::NotFetched, Mathlib::NotCompiled}) {
    const auto tree = mathlib_finding(here, Main("/main", Mathlib::Compiled));
    REQUIRE(tree);
    CHECK(tree->what == "worktree");
    CHECK(names(tree->advice, "/main/.lake"));
  }
}

TEST_CASE("memory for the workers that may run", "[doctor]") {
  const auto finding = [](std::int64_t gigabytes, Mathlib mathlib) {
    return memory_finding({4, gigabytes * kGiB}, 12, 3, mathlib);
  };
  CHECK(finding(0, Mathlib::NotUsed).verdict == Verdict::Warn);
  CHECK(finding(0, Mathlib::NotUsed).text == "how much memory is free is not known");
  CHECK(names(finding(0, Mathlib::NotUsed).advice, "--max-open-files and --max-scratch-workers"));
  CHECK(names(finding(1, Mathlib::NotUsed).text, "1.0 GB available"));
  CHECK(finding(1, Mathlib::NotUsed).verdict == Verdict::Warn);
  CHECK(finding(16, Mathlib::NotUsed).verdict == Verdict::Ok);
  const Finding tight = finding(16, Mathlib::Compiled);
  CHECK(tight.verdict == Verdict::Warn);
  CHECK(names(tight.text, "room for about 5 workers of 3 GB each"));
  CHECK(names(tight.advice, "--max-open-files 4 --max-scratch-workers 1"));
  CHECK(finding(64, Mathlib::Compiled).verdict == Verdict::Ok);
}

TEST_CASE("limits of files and of inotify", "[doctor]") {
  const auto only = [](SystemLimits limits) {
    const auto findings = limit_findings(limits);
    REQUIRE(findings.size() == 1);
    return findings.front();
  };
  CHECK(only({4096, {128, 10, 65536}}).verdict == Verdict::Ok);
  CHECK(only({~std::uint64_t{0}, {0, 0, 0}}).text == "any number of open files");
  CHECK(names(only({512, {128, 10, 65536}}).text, "only 512 files"));
  CHECK(names(only({4096, {128, 121, 65536}}).text, "121 of 128"));
  CHECK(names(only({4096, {128, 10, 1000}}).text, "only 1000 files"));
  CHECK(limit_findings({512, {128, 128, 1000}}).size() == 3);
}

TEST_CASE("hosts that start a server for Lean", "[doctor]") {
  const auto of = [](const char* word, const char* document) {
    return host_finding(*hosts::find_host(word), "FILE", nlohmann::json::parse(document), "/p");
  };
  CHECK_FALSE(of("cursor", "{}"));
  CHECK_FALSE(of("cursor", R"({"mcpServers": {"git": {"command": "git"}}})"));
  const auto good = of("cursor", R"({"mcpServers": {"lean": {"command": "leanbridge"}}})");
  REQUIRE(good);
  CHECK(good->verdict == Verdict::Ok);
  CHECK(good->text == "Cursor: FILE starts leanbridge as 'lean'");
  const auto peer = of("cursor", R"({"mcpServers": {"l": {"command": "uvx", "args": ["lean-lsp-mcp"]}}})");
  REQUIRE(peer);
  CHECK(peer->verdict == Verdict::Warn);
  CHECK(names(peer->advice, "setup --host cursor"));
  const auto both = of("claude-code", R"({"mcpServers": {"a": {"command": "leanbridge"}},
    "projects": {"/p": {"mcpServers": {"b": {"command": "lean-lsp-mcp"}}}}})");
  REQUIRE(both);
  CHECK(both->verdict == Verdict::Warn);
  CHECK(names(both->text, "twice"));
  const auto twice =
      of("zed", R"({"context_servers": {"a": {"command": "leanbridge"}, "b": {"command": "leanbridge"}}})");
  REQUIRE(twice);
  CHECK(names(twice->text, "2 times: 'a', 'b'"));
  const auto broken = host_finding(*hosts::find_host("zed"), "FILE",
                                   fail(ErrorKind::InvalidArgument, "FILE:1:2: this is not valid JSON."), "");
  REQUIRE(broken);
  CHECK(broken->text == "Zed: FILE:1:2: this is not valid JSON.");
}

TEST_CASE("a host that starts leanbridge by two files", "[doctor]") {
  const hosts::Host& host = *hosts::find_host("claude-code");
  const auto file = [](const char* name, const char* command = "leanbridge") {
    return nlohmann::json{{"mcpServers", {{name, {{"command", command}}}}}};
  };
  const auto twice = twice_finding(host, file("leanbridge"), file("lean"));
  REQUIRE(twice);
  CHECK(twice->verdict == Verdict::Warn);
  CHECK(names(twice->text, "as 'leanbridge' of the user's file and as 'lean' of the project's"));
  CHECK_FALSE(twice_finding(host, file("lean"), file("lean")));
  CHECK_FALSE(twice_finding(host, file("git", "git-mcp"), file("lean")));
  CHECK_FALSE(twice_finding(host, nlohmann::json(), file("lean")));
}

TEST_CASE("indexes in an older form than another one are left over", "[app][doctor]") {
  CHECK(outdated_indexes({"project-05f2-v4.18eb.db", "project-05f2-v5.18eb.db", "toolchain-a954-v4.lock",
                          "toolchain-a954-v5.1.db-wal", "search-v1.db", "project-v.db", "project-1-v5x.db",
                          "other"}) ==
        std::vector<std::string>{"project-05f2-v4.18eb.db", "toolchain-a954-v4.lock", "search-v1.db"});
  CHECK(outdated_indexes({"project-05f2-v4.18eb.db"}).empty());
}

}  // namespace leanbridge::app
