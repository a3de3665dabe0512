// What is refused before an import is tried. The trials themselves need a compiler:
// tests/e2e/imports.test.mjs.

#include "core/ide/import_trials.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct ImportFixture : IdeFixture {
  Result<ImportReport> report(std::string_view text, io::CancelScope scope = patient()) {
    document::Workspace own{projects,
                            {.root = project.path(), .directory = project.path(), .lake = program.string()}};
    Environment with_lake{own, pool};
    write("A.lean", text);
    return loop.run(
        try_imports(with_lake, operation(std::move(scope)), *own.locate("A.lean"), WriteImports::IfCompiled));
  }
  TestFolder folder;
  std::filesystem::path program = "/bin/false";
};

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

}  // namespace leanbridge::ide
