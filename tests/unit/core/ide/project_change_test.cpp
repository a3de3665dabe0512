// Whether a project would still compile with a change, by a lake that compiles as the test says.

#include "core/ide/project_change.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

using Names = std::vector<std::string>;

struct ChangeFixture : IdeFixture {
  ChangedFile changed(const std::string& name, std::string new_bytes) {
    return {project / name, name, leanbridge::test::content_of(project / name), std::move(new_bytes)};
  }
  Names above(std::vector<ChangedFile> files) {
    const auto found = with_files_above(project.path(), std::move(files));
    if (!found) FAIL(found.error().message);
    Names names;
    for (const ChangedFile& each : *found) names.push_back(each.name);
    return names;
  }
  /// The script knows the folder that it compiles in as `$3` and the file as `$4`.
  void compiler(const std::string& script) {
    program = folder.write_program("lake", "#!/bin/sh\n" + script + "\n");
  }
  /// The project itself compiles.
  void compiler_of_copy(const std::string& script) {
    compiler("[ \"$3\" = " + project.path().string() + " ] && exit 0\n" + script);
  }
  Result<std::string> objection(std::vector<ChangedFile> files, io::CancelScope scope = patient()) {
    document::Workspace own{projects,
                            {.root = project.path(), .directory = project.path(), .lake = program.string()}};
    Lean with_lake{own, pool};
    const auto location = own.locate("A.lean");
    return loop.run(
        objection_to(with_lake, operation(std::move(scope)), location->project, std::move(files)));
  }
  TestFolder folder;
  std::filesystem::path program = "/bin/false";
};

}  // namespace

TEST_CASE_METHOD(ChangeFixture, "a change concerns the files above it, in the order of their imports",
                 "[ide][change]") {
  write("A.lean", "def a := 1\n");
  write("Sub/B.lean", "import A\r\n");
  write("C.lean", "import Sub.B");
  write("D.lean", "import Gone\n");
  CHECK(above({changed("A.lean", "")}) == Names{"A.lean", "Sub/B.lean", "C.lean"});
  CHECK(above({changed("C.lean", "")}) == Names{"C.lean"});
  CHECK(above({changed("C.lean", ""), changed("A.lean", "")}) == Names{"A.lean", "Sub/B.lean", "C.lean"});
}

TEST_CASE_METHOD(ChangeFixture, "the new text is compiled, in a copy, and the project stays as it is",
                 "[ide][change]") {
  write("A.lean", "def a := 1\n");
  write("data/values.txt", "kept");
  std::filesystem::create_symlink("A.lean", project / "Link.lean");
  compiler_of_copy(
      "grep -q \'def a := 2\' \"$4\" && grep -q kept \"$3/data/values.txt\" && [ -L \"$3/Link.lean\" ] "
      "&& echo more >>\"$4\"");
  CHECK(objection({changed("A.lean", "def a := 2\n")}).value().empty());
  CHECK(leanbridge::test::content_of(project / "A.lean") == "def a := 1\n");
}

TEST_CASE_METHOD(ChangeFixture, "the copy has no version control, and packages by their links",
                 "[ide][change]") {
  write("A.lean", "def a := 1\n");
  write(".git/config", "");
  write(".lake/packages/dep/Dep.lean", "");
  compiler_of_copy(
      "[ ! -e \"$3/.git\" ] && [ -L \"$3/.lake/packages\" ] && [ -f \"$3/.lake/packages/dep/Dep.lean\" ]");
  CHECK(objection({changed("A.lean", "def a := 2\n")}).value().empty());
}

TEST_CASE_METHOD(ChangeFixture,
                 "a file that would break is named with the compiler's words, of the project alone",
                 "[ide][change]") {
  write("A.lean", "def a := 1\n");
  write("B.lean", "import A\n");
  compiler(
      "case \"$4\" in */B.lean) grep -q 'a := 1' \"$3/A.lean\" || { echo \"$4:1:0: error: no a\"; exit 1; } "
      ";; esac");
  CHECK(objection({changed("A.lean", "def b := 1\n"), changed("B.lean", "import A\n")}).value() ==
        "B.lean would not compile: B.lean:1:0: error: no a\n");
}

TEST_CASE_METHOD(ChangeFixture, "a file that does not compile now either is no objection", "[ide][change]") {
  write("A.lean", "def a := bad\n");
  compiler("echo error; exit 1");
  CHECK(objection({changed("A.lean", "def a := worse\n")}).value().empty());
}

TEST_CASE_METHOD(ChangeFixture, "without an answer in time, or a lake, nothing is approved",
                 "[ide][change]") {
  write("A.lean", "def a := 1\n");
  compiler("exec sleep 600");
  const auto late =
      objection({changed("A.lean", "def a := 2\n")}, io::CancelScope(std::chrono::milliseconds(1500)));
  REQUIRE_FALSE(late.has_value());
  CHECK(late.error().kind == ErrorKind::Timeout);
  CHECK_THAT(late.error().message, Catch::StartsWith("Compiling A.lean had not finished"));
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  CHECK(objection({changed("A.lean", "def a := 2\n")}, scope).error().kind == ErrorKind::Cancelled);
  program = "/nowhere/lake";
  CHECK(objection({changed("A.lean", "def a := 2\n")}).error().kind == ErrorKind::LeanUnavailable);
}

}  // namespace leanbridge::ide
