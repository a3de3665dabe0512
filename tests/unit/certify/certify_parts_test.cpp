#include "certify/untrusted/run.hpp"
#include "certify/verdict/certify.hpp"
#include "certify/verdict/foundations.hpp"
#include "core/base/sha256.hpp"
#include "core/lean/toolchain.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <thread>
#include <type_traits>

using namespace leanbridge;
using namespace leanbridge::certify;
using Catch::Matchers::Contains;

namespace {

std::string joined_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

}  // namespace

TEST_CASE("the command in bubblewrap") {
  const auto line = in_bubblewrap("/usr/bin/bwrap",
                                  {.readable = {"/p/src", "/opt/lean", "/p/src"}, .writable = "/tmp/x/out"},
                                  {"/opt/lean/bin/lean", "--version"});
  CHECK(line.front() == "/usr/bin/bwrap");
  const std::string text = joined_line(line);
  CHECK_THAT(text, Contains(" --unshare-all ") && Contains(" --die-with-parent ") &&
                       Contains(" --new-session ") && Contains(" --cap-drop ALL ") &&
                       Contains(" --tmpfs /tmp "));
  CHECK_THAT(
      text, Contains(" --ro-bind /opt/lean /opt/lean --ro-bind /p/src /p/src --bind /tmp/x/out /tmp/x/out "));
  CHECK_THAT(text, Catch::Matchers::EndsWith(" -- /opt/lean/bin/lean --version "));
  // Only the named folder is writable, and the home folder is not visible.
  CHECK(std::count(line.begin(), line.end(), "--bind") == 1);
  CHECK_THAT(text, !Contains("/home") && !Contains("--share-net"));
  CHECK(text.find("--tmpfs /tmp") < text.find("--bind /tmp/x/out"));
}

TEST_CASE("limits come before the command") {
  CHECK(joined_line(with_limits("/usr/bin/prlimit", {.memory_mb = 1, .file_mb = 2}, {"lean", "A.lean"})) ==
        "/usr/bin/prlimit --core=0 --data=4194304 --fsize=2097152 -- lean A.lean ");
}

TEST_CASE("of a toolchain Lean and the libraries of any system are hashed") {
  const test::TestFolder folder;
  const std::set<std::string> programs = {"bin/lean", "lib/lean/libInit_shared.dylib",
                                          "lib/lean/libleanshared.so", "lib/libc++.1.dylib",
                                          "lib/libgmp.so.10"};
  for (const std::string& name : programs) folder.write(name, "");
  for (const char* const other : {"lib/lean/Init.olean", "lib/lean/Init/a.so", "lib/libLeanmain.a"})
    folder.write(other, "");
  HashCache known;
  const auto hashes = hashes_of_programs(folder.path(), folder.path() / "bin/lean", known);
  REQUIRE(hashes);
  std::set<std::string> hashed;
  for (const auto& [name, hash] : *hashes) hashed.insert(name);
  CHECK(hashed == programs);
}

TEST_CASE("known defects of Lean") {
  CHECK(lean::known_defects("4.35.0").empty());
  CHECK(lean::known_defects("4.34.1").empty());
  CHECK(lean::known_defects("4.34.0").size() == 1);
  CHECK(lean::known_defects("4.33.1").size() == 1);
  CHECK_THAT(lean::known_defects("4.33.1").front(), Contains("lean4#15288"));
  CHECK(lean::known_defects("4.33.0").size() == 2);
  REQUIRE(lean::known_defects("4.33.0-rc2").size() == 3);
  for (const char* fixed : {"lean4#14607", "lean4#14609", "lean4#14613", "lean4#14616"})
    CHECK_THAT(lean::known_defects("4.33.0-rc2").front(), Contains(fixed));
  CHECK_THAT(lean::known_defects("4.33.0").front(), Contains("lean4#14807"));
  CHECK_THAT(lean::known_defects("4.32.1").front(), Contains("lean4#14577"));
  CHECK(lean::known_defects("4.34.1-rc1").size() == 1);  // before the release
  const auto old = lean::known_defects("4.32.0");
  REQUIRE(old.size() == 5);
  CHECK_THAT(old.front(), Contains("Lean 4.32.1") && Contains("lean4#14484") && Contains("https://"));
  for (const char* whole : {"4.29.1", "4.28.0-rc1", "4.9.0"}) CHECK(lean::lists_all_axioms(whole));
  for (const char* lacking : {"4.30.0-rc1", "4.30.0", "4.35.0", "5.0.0", "", "?"})
    CHECK_FALSE(lean::lists_all_axioms(lacking));
  CHECK(lean::ships_leanchecker("4.28.0-rc1"));
  CHECK(lean::ships_leanchecker("4.35.0"));
  CHECK_FALSE(lean::ships_leanchecker("4.27.1"));
  REQUIRE(lean::known_defects("?").size() == 1);
  CHECK_THAT(lean::known_defects("4.x").front(), Contains("not known"));
}

TEST_CASE("a verdict in brief has one sentence about the defects of its Lean") {
  CHECK(lean::defects_in_brief("4.34.1").empty());
  CHECK(lean::defects_in_brief("4.34.1-rc1") ==
        "Lean 4.34.1-rc1 has known defects; Lean 4.34.1 has none of them.");
  CHECK(lean::defects_in_brief("?") == lean::known_defects("?").front());
  Certificate certificate;
  certificate.toolchain.version = "4.28.0-pre";
  shorten(certificate);
  CHECK(certificate.toolchain.warnings.empty());
  certificate.toolchain.warnings = lean::known_defects("4.28.0-pre");
  REQUIRE(certificate.toolchain.warnings.size() == 5);
  shorten(certificate);
  CHECK(certificate.toolchain.warnings == std::vector{lean::defects_in_brief("4.28.0-pre")});
}

TEST_CASE("programs in a solution") {
  CHECK_FALSE(program_in("theorem a : 1 = 1 := by\n  simp\n").has_value());
  CHECK_FALSE(program_in("open Nat in\nlocal notation \"x\" => 1\ntheorem a : x = 1 := rfl\n").has_value());
  CHECK_FALSE(program_in("set_option maxHeartbeats 400000 in\ntheorem a : True := trivial\n").has_value());
  CHECK_FALSE(program_in("@[simp] theorem a : True := trivial\nattribute [local instance] b\n").has_value());
  CHECK_FALSE(
      program_in("import Lean\n/-- In Lean 4. -/\ntheorem a : True := trivial -- Lean\n").has_value());
  CHECK_FALSE(program_in("open Nat\ntheorem Leaning : IOf = LeanX := rfl\n").has_value());
  CHECK(program_in("theorem a : True := trivial\nrun_cmd evil\n") == "line 2 has `run_cmd`");
  for (const char* const text : {"elab \"x\" : command => pure ()",
                                 "#eval 1",
                                 "initialize x : IO Unit ← pure ()",
                                 "@[«term_elab» x] def e := 1",
                                 "set_option debug.skipKernelTC true",
                                 "def e : Lean.Elab.Command.CommandElab := x",
                                 "open Lean Meta\nexample : MetaM Unit := x",
                                 "unsafe def f := 1",
                                 "@[implemented_by g] def f := 1",
                                 "#guard_msgs in\ntheorem a : True := trivial",
                                 "macro_rules | `(term| x) => `(term| y)",
                                 "by run_tac f",
                                 "«run_cmd» f",
                                 "simproc s (x) := fun _ => f",
                                 "open IO\n@[delab x] def d := do FS.writeFile f s",
                                 "open A Lean.PrettyPrinter",
                                 "-- open\nnamespace\n  «Lean»",
                                 "example := Nat.Lean.x",
                                 "notation \"/-x\" => 1\n/-x open Lean -/",
                                 "@[aesop safe tactic] def t : Aesop.RuleTac := r"})
    CHECK_THAT(std::string(text) + " -> " + program_in(text).value_or("nothing"), !Contains("-> nothing"));
}

TEST_CASE("imports, with the one that is not written") {
  CHECK(imports_of("import A\nimport B.C\n") == std::vector<std::string>{"Init", "A", "B.C"});
  CHECK(imports_of("prelude\nimport A\n") == std::vector<std::string>{"A"});
}

TEST_CASE("folders of a project, without asking Lake") {
  const test::TestFolder project;
  project.write("lakefile.toml", "name = \"x\"\n[[lean_lib]]\nname = \"X\"\nsrcDir = \"src\"\n");
  project.write(
      "lake-manifest.json",
      R"({"version": "1.1.0", "packagesDir": ".lake/packages", "packages": [{"type": "git", "name": "m"},
                    {"type": "path", "name": "n", "dir": "near"}]})");
  project.write(".lake/packages/m/.lake/build/lib/lean/M.olean", "m");
  project.write("near/.lake/build/lib/lean/N.olean", "n");
  project.write(".lake/build/lib/lean/X.olean", "x");
  const auto& root = project.path();
  const std::vector<lean::Package> packages = lean::packages_of(root);
  CHECK(package_folders(packages) == std::vector{root / ".lake/packages/m/.lake/build/lib/lean"});
  CHECK(build_folders(root, packages) ==
        std::vector{root / ".lake/build/lib/lean", root / "near/.lake/build/lib/lean"});
}

TEST_CASE("a package cannot replace modules of the toolchain") {
  const test::TestFolder folder;
  folder.write("toolchain/Init.olean", "");
  folder.write("toolchain/Init/Core.olean", "");
  folder.write("good/Mathlib.olean", "");
  folder.write("bad/Init/Core.olean", "");
  ModulePlaces places{folder / "toolchain", {folder / "good"}};
  CHECK(no_shadows(places).has_value());
  places.packages.push_back(folder / "bad");
  CHECK_FALSE(no_shadows(places).has_value());
}

TEST_CASE("hashes of modules and the baseline") {
  const test::TestFolder folder;
  const auto olean = folder.write("lib/A/B.olean", "one");
  folder.write("lib/A/B.olean.private", "two");
  folder.write("lib/A/B.ilean", "not hashed");
  HashCache known;
  const auto module = hashes_of_module(folder / "lib", olean, known);
  REQUIRE(module.has_value());
  CHECK(module->size() == 2);
  CHECK(hashes_below(folder / "lib").value() == *module);
  FileHashes other = *module;
  other["A/B.olean"][0] = other["A/B.olean"][0] == '0' ? '1' : '0';
  CHECK(hash_of(other) != hash_of(*module));

  const Baseline baseline{{{"bin/lean", "1"}}, {{"Init.olean", "2"}}, *module, {{"lean4checker", "3"}}};
  const auto file = folder.write("baseline.json", baseline.to_json().dump());
  const auto read = Baseline::load(file);
  REQUIRE(read.has_value());
  CHECK(read->modules == *module);
  CHECK(read->programs == baseline.programs);
  CHECK(read->checkers == baseline.checkers);
  for (const char* const member : {"programs", "toolchain", "modules", "checkers", "packages"}) {
    nlohmann::json cut = baseline.to_json();
    cut.erase(member);
    CHECK_FALSE(Baseline::load(folder.write("cut.json", cut.dump())).has_value());
  }
  for (
      const char* const wrong :
      {"{}", "no json", R"({"leanbridge_baseline": 2})",
       R"({"leanbridge_baseline": 1, "programs": {}, "toolchain": {}, "modules": {}, "checkers": {}})",
       R"({"leanbridge_baseline": 2, "programs": {}, "toolchain": {}, "modules": {"a": 1}, "checkers": {}, "packages": {}})",
       R"({"leanbridge_baseline": 2, "programs": {}, "toolchain": {}, "modules": {}, "checkers": {}, "packages": {"a": {}}})"})
    CHECK_FALSE(Baseline::load(folder.write("wrong.json", wrong)).has_value());
  CHECK_FALSE(Baseline::load(folder / "missing.json").has_value());
}

TEST_CASE("a baseline knows whose a module was, whether it is there or not") {
  const test::TestFolder folder;
  folder.write("dep/lakefile.toml", "name = \"dep\"\n[[lean_lib]]\nname = \"Dep\"\n");
  folder.write("dep/.lake/build/lib/lean/Other.olean", "one");
  const lean::Package dep{"dep", "", true, folder / "dep"};
  Baseline baseline;
  baseline.toolchain = {{"Init/Core.olean", "1"}};
  baseline.modules = {{"Dep/Mine.olean", "1"}};
  baseline.packages["dep"] = PackageRecord::of(dep).value();
  const auto file = folder.write("baseline.json", baseline.to_json().dump());
  const Baseline read = Baseline::load(file).value();
  CHECK(read.package_of("Dep") == "dep");
  CHECK(read.package_of("Dep/New") == "dep");
  CHECK(read.package_of("Other") == "dep");
  for (const char* const own : {"Dep/Mine", "Depth", "Mine", "Other/New"})
    CHECK_FALSE(read.package_of(own).has_value());
  CHECK(read.is_of_toolchain("Init/Core"));
  CHECK_FALSE(read.is_of_toolchain("Init/New"));

  const auto why = [&](const std::vector<lean::Package>& packages) {
    const auto checked = read.check_packages(packages);
    return checked ? std::string() : checked.error().message;
  };
  CHECK(why({dep, {"more", "", true, folder / "more"}}).empty());
  const std::string gone = "The manifest does not list the package dep of the baseline any more.";
  CHECK(why({}) == gone);
  CHECK(why({{"dep", "", false, folder / "dep"}}) == gone);
  folder.write("dep/lakefile.toml", "name = \"dep\"\n");
  CHECK(why({dep}) == (folder / "dep/lakefile.toml").string() + " is not the file of the baseline.");
}

TEST_CASE("a file that is written is noticed") {
  const test::TestFolder folder;
  const auto file = folder.write("A.olean", "one");
  CHECK(changed_since(file, 0));
  CHECK_FALSE(changed_since(file, system_time() + 1'000'000'000));
  CHECK(changed_since(folder / "missing", 0));
}

TEST_CASE("a known hash is that of the file as it is") {
  const test::TestFolder folder;
  const auto file = folder.write("A.olean", "one");
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<HashCache>);  // a batch has thousands, and shares them
  HashCache known;
  CHECK(known.of(file).value() == sha256_of("one"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the times of files lag behind the clock
  CHECK(known.of(file).value() == sha256_of("one"));
  folder.write("A.olean", "two");
  CHECK(known.of(file).value() == sha256_of("two"));
  CHECK_FALSE(known.of(folder / "missing").has_value());
}

TEST_CASE("several threads may ask for known hashes at once") {
  const test::TestFolder folder;
  const auto file = folder.write("A.olean", "one");
  const auto known = std::make_shared<HashCache>();
  std::vector<std::future<std::string>> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(std::async(std::launch::async, [known, file] { return known->of(file).value_or(""); }));
  for (auto& one : all) CHECK(one.get() == sha256_of("one"));
}

TEST_CASE("a record has the hash of what it records") {
  Certificate certificate;
  certificate.reason = "x";
  const nlohmann::json record = record_of(certificate);
  certificate.reason = "y";
  CHECK(record.at("certificate").at("reason") == "x");
  CHECK(record.at("sha256") != record_of(certificate).at("sha256"));
  CHECK(record.at("sha256").get<std::string>().size() == 64);
}
