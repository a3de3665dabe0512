// Which imports a file needs, by a lake that compiles as the test says. What Lean itself needs of imports:
// tests/e2e/imports.test.mjs.

#include "core/ide/import_trials.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/olean/modules.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct ImportFixture : IdeFixture {
  Result<ImportReport> report(std::string_view text, io::CancelScope scope = patient(),
                              WriteImports write_imports = WriteImports::IfCompiled) {
    document::Workspace own{projects,
                            {.root = project.path(), .directory = project.path(), .lake = program.string()}};
    Lean with_lake{own, pool};
    write("A.lean", text);
    auto found =
        loop.run(try_imports(with_lake, operation(std::move(scope)), *own.locate("A.lean"), write_imports));
    for (const auto& [root, opened] : own.projects()) opened->server().kill();
    return found;
  }
  TestFolder folder;
  std::filesystem::path program = "/bin/false";
};

/// A lake whose compiler runs a script of the test, with the source as `$file`. The script may print
/// messages, `fail`, or set `module` to another one than `Plain`.
struct CompiledFixture : ImportFixture {
  CompiledFixture() {
    module("Plain", [](ModuleMaker& m) { m.theorem("fine", m.constant("True"), m.constant("True.intro")); });
    module("Other", [](ModuleMaker& m) { m.theorem("fine", m.constant("True"), m.constant("propext")); });
    for (const char* imported : {"Wide", "Narrow"})
      modules.write(imported, [imported](ModuleMaker& m) {
        m.imports = {"Base"};
        if (imported == std::string_view("Wide")) m.imports.emplace_back("Narrow");
      });
  }
  void module(std::string_view name, const leanbridge::test::MakeModule& make) {
    ModuleMaker maker;
    maker.imports = {"Base", "Wide", "Narrow"};
    make(maker);
    folder.write(std::string(name) + ".compiled", maker.bytes());
  }
  void compiler(const std::string& script) {
    const std::string own = folder.path().string();
    program = folder.write_program(
        "lake",
        "#!/bin/sh\nfail() { printf '%s\\n' \"$1\"; exit 1; }\nmodule=Plain\ncase \"$1 $2\" in\n"
        "'setup-file '*) echo '{}' ;;\n'env ') echo LEAN_PATH=" +
            modules.path().string() +
            " ;;\n"
            "'lean -d') " +
            objecting + " ;;\n'serve'*) exec " + lake.program() +
            " \"$@\" ;;\n"
            "'env lean')\n  while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; file=$1; shift; done\n"
            "  echo x >>" +
            own + "/runs\n" + script + "\n  cp " + own + "/$module.compiled \"$out\" ;;\nesac\n");
  }
  ImportReport trials(std::string_view text, WriteImports write_imports = WriteImports::No) {
    auto found = report(text, patient(), write_imports);
    if (!found) FAIL(found.error().message);
    return *found;
  }
  static std::vector<ImportStatus> statuses(const ImportReport& found) {
    std::vector<ImportStatus> all;
    for (const ImportVerdict& each : found.imports) all.push_back(each.status);
    return all;
  }
  std::string content() { return leanbridge::test::content_of(project / "A.lean"); }

  leanbridge::test::ModuleFolder modules;
  std::string objecting = "exit 0";
};

using leanbridge::test::ModuleMaker;

constexpr const char* kUnknownConstant =
    R"({"severity":"error","pos":{"line":1,"column":0},"data":"unknown constant\nmore","kind":""})";
constexpr const char* kTwoImports = "import Wide\nimport Narrow\ntheorem fine : True := trivial\n";

}  // namespace

TEST_CASE_METHOD(ImportFixture, "a file of imports alone needs them all", "[ide][imports]") {
  const auto found = report("import B\n-- a remark\n");
  REQUIRE(found.has_value());
  CHECK(*found->reason == "It has nothing but imports: others get them from it.");
  CHECK_FALSE(found->written);
}

TEST_CASE_METHOD(ImportFixture, "a file that is not compiled, or does not compile, is refused",
                 "[ide][imports]") {
  const auto unknown = report("import B\ntheorem a : 1 = 1 := rfl\n");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().kind == ErrorKind::NotSupported);
  CHECK_THAT(unknown.error().message, Catch::StartsWith("A.lean could not be compiled. Lake could not"));
}

TEST_CASE_METHOD(ImportFixture, "a cancelled trial is an error", "[ide][imports]") {
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  CHECK(report("import B\ntheorem a : 1 = 1 := rfl\n", scope).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(CompiledFixture, "an import is needed where the file does not compile without it",
                 "[ide][imports]") {
  compiler(std::string("grep -q 'import Narrow' $file || fail '") + kUnknownConstant + "'");
  const ImportReport found = trials(kTwoImports);
  REQUIRE(found.imports.size() == 2);
  CHECK(found.imports[0].module == "Wide");
  CHECK(found.imports[0].status == ImportStatus::Unneeded);
  CHECK(found.imports[1].status == ImportStatus::Needed);
  CHECK(found.imports[1].line == 2);
  CHECK(found.imports[1].reason == "line 3: unknown constant\nmore");
  CHECK_FALSE(found.written);
  CHECK(content() == kTwoImports);
}

TEST_CASE_METHOD(CompiledFixture, "of an import and a wider one that brings it, the wider one goes first",
                 "[ide][imports]") {
  compiler(std::string("grep -q 'import Wide\\|import Narrow' $file || fail '") + kUnknownConstant + "'");
  const std::string narrow_first = "import Narrow\nimport Wide\ntheorem fine : True := trivial\n";
  CHECK(statuses(trials(kTwoImports)) == std::vector{ImportStatus::Unneeded, ImportStatus::Needed});
  CHECK(statuses(trials(narrow_first)) == std::vector{ImportStatus::Needed, ImportStatus::Unneeded});
}

TEST_CASE_METHOD(CompiledFixture, "an import without which the file says or means something else is needed",
                 "[ide][imports]") {
  compiler(
      "grep -q 'import Wide' $file || echo "
      R"('{"severity":"warning","pos":{"line":2,"column":0},"data":"deprecated","kind":""}')"
      "\ngrep -q 'import Narrow' $file || module=Other");
  const ImportReport found = trials(kTwoImports);
  CHECK(statuses(found) == std::vector{ImportStatus::Needed, ImportStatus::Needed});
  CHECK(found.imports[0].reason == "Lean would say something else about the file");
  CHECK(found.imports[1].reason == "`fine` would rest on other axioms");
}

TEST_CASE_METHOD(CompiledFixture, "a message that only moves with the lines of the header is the same one",
                 "[ide][imports]") {
  compiler(
      "line=$(grep -n theorem $file | cut -d: -f1)\necho "
      R"("{\"severity\":\"warning\",\"pos\":{\"line\":$line,\"column\":0},\"data\":\"long\",\"kind\":\"\"}")");
  CHECK(statuses(trials(kTwoImports)) == std::vector{ImportStatus::Unneeded, ImportStatus::Unneeded});
}

TEST_CASE_METHOD(CompiledFixture, "an import that its line keeps is not tried", "[ide][imports]") {
  compiler("true");
  const ImportReport found =
      trials("import Wide -- shake: keep\nimport Narrow\ntheorem fine : True := trivial\n");
  CHECK(statuses(found) == std::vector{ImportStatus::Needed, ImportStatus::Unneeded});
  CHECK(found.imports[0].reason == "its line says `shake: keep`");
  CHECK(leanbridge::test::content_of(folder / "runs") == "x\nx\n");
}

TEST_CASE_METHOD(CompiledFixture, "the file is written without what it does not need, in its line endings",
                 "[ide][imports]") {
  compiler("true");
  write("User.lean", "import A\n");
  const ImportReport found =
      trials("import Wide\r\nimport Narrow\r\ntheorem fine : True := trivial", WriteImports::IfCompiled);
  CHECK(found.written);
  CHECK(found.importers_compiled);
  CHECK(found.importers == 1);
  CHECK(content() == "theorem fine : True := trivial");
}

TEST_CASE_METHOD(CompiledFixture, "nothing is written if a file that imports this one would not compile",
                 "[ide][imports]") {
  write("User.lean", "import A\n");
  objecting = "case \"$4\" in */tmp/*/tmp/*User.lean) echo 'error: it needs Wide'; exit 1 ;; esac";
  compiler("true");
  const ImportReport found = trials(kTwoImports, WriteImports::IfCompiled);
  CHECK_FALSE(found.written);
  REQUIRE(found.reason);
  CHECK_THAT(*found.reason, Catch::StartsWith("User.lean would not compile: error: it needs Wide"));
  CHECK(content() == kTwoImports);
}

TEST_CASE_METHOD(CompiledFixture, "of a file that does not compile nothing is said but its first error",
                 "[ide][imports]") {
  compiler(std::string("fail '") + kUnknownConstant + "'");
  const auto wrong = report(kTwoImports);
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().kind == ErrorKind::InvalidArgument);
  CHECK(wrong.error().message == "A.lean does not compile: line 1: unknown constant\nmore");
  compiler("kill -9 $$");
  CHECK(report(kTwoImports).error().kind == ErrorKind::NotSupported);
}

TEST_CASE_METHOD(CompiledFixture, "an import that ends the compiler stays unknown, and is kept",
                 "[ide][imports]") {
  compiler("grep -q 'import Wide' $file || kill -9 $$");
  const ImportReport found = trials(kTwoImports, WriteImports::IfCompiled);
  CHECK(statuses(found) == std::vector{ImportStatus::Unknown, ImportStatus::Unneeded});
  CHECK_THAT(found.imports[0].reason, Catch::StartsWith("Compiling the file failed: "));
  CHECK(content() == "import Wide\ntheorem fine : True := trivial\n");
}

TEST_CASE_METHOD(CompiledFixture,
                 "an import that Lean suggests and the file needs is missing, another is not told",
                 "[ide][imports]") {
  scripted.answers["$/lean/waitForILeans"] = [](const auto&, const auto&) { return json::object(); };
  scripted.answers["textDocument/codeAction"] = [](const auto&, const json& params) {
    REQUIRE(params["context"]["only"] == json::array({"source.organizeImports"}));
    const json at = {{"line", 0}, {"character", 0}};
    const json edit = {{"range", {{"start", at}, {"end", at}}}, {"newText", "import Wide\nimport Narrow\n"}};
    return json::array({{{"title", "Add imports"},
                         {"kind", "source.organizeImports"},
                         {"edit", {{"changes", {{"file", {edit}}}}}}}});
  };
  compiler(std::string("grep -q 'import Narrow' $file || fail '") + kUnknownConstant + "'");
  const ImportReport found = trials("theorem fine : True := trivial\n", WriteImports::IfCompiled);
  REQUIRE(found.imports.size() == 1);
  CHECK(found.imports[0].module == "Narrow");
  CHECK(found.imports[0].status == ImportStatus::Missing);
  CHECK(found.written);
  CHECK(content() == "import Narrow\ntheorem fine : True := trivial\n");
}

}  // namespace leanbridge::ide
