// The one place where tools write files of a project.

#include "core/ide/project_edit.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/lean/project.hpp"
#include <sys/stat.h>

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct EditFixture : IdeFixture {
  std::string read(const std::filesystem::path& path) { return leanbridge::test::content_of(path); }
  ChangedFile change(std::string_view name, const std::string& old_bytes, const std::string& new_bytes) {
    return {write(name, old_bytes), std::string(name), old_bytes, new_bytes};
  }
  PlannedWrite planned(std::vector<ChangedFile> files) {
    return planned_write(*store, *operation(), std::move(files));
  }
  Result<void> write_all(std::vector<ChangedFile> files) {
    return loop.run(write_files(environment, planned(std::move(files))));
  }
};

/// Objects to one file, and counts what is written.
struct OneFileGuard : WriteGuard {
  std::string objection(const PlannedWrite& write) override {
    for (const ChangedFile& file : write.files)
      if (file.name == held && file.changes()) return held + " is held.";
    return "";
  }
  void written(const PlannedWrite& write) override {
    by = write.caller;
    ++count;
  }

  std::string held, by;
  int count = 0;
};

}  // namespace

TEST_CASE_METHOD(EditFixture, "all files of an edit are written", "[ide][edit]") {
  const ChangedFile a = change("A.lean", "a\n", "b\n"), c = change("C.lean", "c\n", "c\n");
  CHECK(write_all({a, c}).has_value());
  CHECK(read(a.path) == "b\n");
  CHECK(read(c.path) == "c\n");
}

TEST_CASE_METHOD(EditFixture, "where one file was changed meanwhile nothing is written", "[ide][edit]") {
  const ChangedFile a = change("A.lean", "a\n", "b\n"), c = change("C.lean", "c\n", "c\n");
  write("C.lean", "c, and more\n");
  const auto written = write_all({a, c});
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().kind == ErrorKind::InvalidArgument);
  CHECK(written.error().message == "C.lean was changed meanwhile.");
  CHECK(read(a.path) == "a\n");
}

TEST_CASE_METHOD(EditFixture, "a new text gets the line endings that the file has, also mixed ones",
                 "[ide][edit]") {
  const auto dos = write("Dos.lean", "a\r\nb\r\n"), mixed = write("Mixed.lean", "a\r\nb\n\nc\r\nd\n");
  CHECK(loop.run(write_text(environment, planned({{dos, "Dos.lean", "a\nb\n", "a\nx\ny\n"}}))).has_value());
  CHECK(read(dos) == "a\r\nx\r\ny\r\n");
  CHECK(
      loop.run(write_text(environment, planned({{mixed, "Mixed.lean", "a\nb\n\nc\nd\n", "a\nB\n\nc\nD\n"}})))
          .has_value());
  CHECK(read(mixed) == "a\r\nB\n\nc\r\nD\n");
}

TEST_CASE_METHOD(EditFixture, "a text is put only in the place of the one that it was made of",
                 "[ide][edit]") {
  const auto path = write("A.lean", "a\r\n");
  const auto written = loop.run(write_text(environment, planned({{path, "A.lean", "before\n", "after\n"}})));
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().message == "A.lean was changed meanwhile.");
  CHECK(read(path) == "a\r\n");
}

TEST_CASE_METHOD(EditFixture, "what the guard objects to is not written, and what is written it is told",
                 "[ide][edit]") {
  const ChangedFile a = change("A.lean", "a\n", "b\n"), c = change("C.lean", "c\n", "d\n");
  const auto guard = std::make_shared<OneFileGuard>();
  environment.guard = guard;
  guard->held = "C.lean";
  const auto refused = write_all({a, c});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "C.lean is held.");
  CHECK(read(a.path) == "a\n");
  const auto held = write("Held.lean", "a\n");
  guard->held = "Held.lean";
  CHECK_FALSE(loop.run(write_text(environment, planned({{held, "Held.lean", "a\n", "b\n"}}))).has_value());
  CHECK(guard->count == 0);
  CHECK(write_all({a, c}).has_value());
  CHECK(guard->count == 1);
}

TEST_CASE_METHOD(EditFixture, "only the project's own files may be written", "[ide][edit]") {
  const auto own = write("A.lean", ""), fetched = write(".lake/packages/dep/B.lean", "");
  const leanbridge::test::TestFolder elsewhere;
  elsewhere.write("lakefile.toml", "name = \"q\"\n");
  const auto foreign = elsewhere.write("C.lean", "");
  CHECK(require_own_file(*store, own, own).has_value());
  CHECK(require_own_file(*store, fetched, fetched).error().kind == ErrorKind::OutsideProject);
  CHECK(require_own_file(*store, own, foreign).error().kind == ErrorKind::OutsideProject);
}

TEST_CASE_METHOD(EditFixture, "a package is none of the project's files, wherever packages are kept",
                 "[ide][edit]") {
  write("lake-manifest.json", R"({"version": "1.1.0", "packagesDir": "deps",
    "packages": [{"type": "git", "name": "odd", "configFile": "odd.toml"}]})");
  write("deps/dep/lakefile.toml", "name = \"dep\"\n");
  for (const auto& fetched : {write("deps/dep/Dep/B.lean", ""), write("deps/odd/Odd.lean", "")}) {
    REQUIRE(lean::find_project_root(fetched.parent_path()) == store->root());
    const auto refused = require_own_file(*store, fetched, fetched);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message == fetched.string() + " belongs to a dependency or a build.");
  }
  const auto beside = write("deps/Own.lean", "");
  CHECK(require_own_file(*store, beside, beside).has_value());
}

}  // namespace leanbridge::ide
