// What a rename would change, by the answers of a scripted Lean.

#include "core/ide/renaming.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kBase = "theorem A.old : 1 = 1 := rfl\ntheorem use : 1 = 1 := A.old\n";

struct RenameFixture : IdeFixture {
  RenameFixture() {
    scripted.answers["$/lean/waitForILeans"] = [](const auto&, const auto&) { return json::object(); };
    scripted.answers["textDocument/prepareRename"] = [](const auto&, const auto&) {
      return json{{"range", range(0, 8, 13)}, {"placeholder", "A.old"}};
    };
    scripted.answers["textDocument/rename"] = [this](const auto&, const auto&) {
      return json{{"changes", changes}};
    };
  }
  static json range(int line, int start, int end) {
    return {{"start", {{"line", line}, {"character", start}}}, {"end", {{"line", line}, {"character", end}}}};
  }
  void renames(std::string_view name, int line, int start, int end) {
    changes[uri(name)].push_back({{"range", range(line, start, end)}, {"newText", "new"}});
  }
  Result<void> find(Renaming& renaming, const OpenFile& file, std::string new_name = "new") {
    return loop.run(renaming.find(file.anchor(8), std::move(new_name)));
  }

  json changes = json::object();
};

}  // namespace

TEST_CASE_METHOD(RenameFixture, "a name changes in all files, after its namespace and within brackets",
                 "[ide][rename]") {
  const OpenFile file = open("A.lean", kBase);
  write("B.lean", "import A\r\n#check ( A.old )\r\n");
  renames("A.lean", 0, 8, 13);
  renames("A.lean", 1, 23, 28);
  renames("A.lean", 1, 23, 28);  // Lean may list a place twice
  renames("B.lean", 1, 7, 16);
  Renaming renaming(environment, operation(), file);
  REQUIRE(find(renaming, file).has_value());
  CHECK(renaming.old_name() == "old");
  CHECK(renaming.uses() == 3);
  REQUIRE(renaming.files().size() == 2);
  CHECK(renaming.files()[0].file_path == "A.lean");
  CHECK(renaming.files()[0].lines == std::vector<int>{1, 2});
  CHECK(renaming.files()[1].lines == std::vector<int>{2});
  CHECK(renaming.index_complete());
}

TEST_CASE_METHOD(RenameFixture, "a range without the name means that Lean's index is old", "[ide][rename]") {
  const OpenFile file = open("A.lean", kBase);
  renames("A.lean", 1, 8, 11);
  Renaming renaming(environment, operation(), file);
  const auto found = find(renaming, file);
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().kind == ErrorKind::NotSupported);
  CHECK(found.error().message == "Lean's index of A.lean is older than the file.");
}

TEST_CASE_METHOD(RenameFixture, "what Lean does not rename is refused, and a name that it has",
                 "[ide][rename]") {
  const OpenFile file = open("A.lean", kBase);
  Renaming renaming(environment, operation(), file);
  CHECK(find(renaming, file, "old").error().message == "It has this name already.");
  CHECK(find(renaming, file).error().message == "Lean knows no name to change at this position.");
  scripted.answers["textDocument/prepareRename"] = [](const auto&, const auto&) { return json(); };
  CHECK(find(renaming, file).error().message == "Lean knows no name to change at this position.");
}

TEST_CASE_METHOD(RenameFixture, "files of packages are not renamed in", "[ide][rename]") {
  const OpenFile file = open("A.lean", kBase);
  write(".lake/packages/dep/B.lean", "#check A.old\n");
  renames("A.lean", 0, 8, 13);
  renames(".lake/packages/dep/B.lean", 0, 7, 12);
  Renaming renaming(environment, operation(), file);
  CHECK(find(renaming, file).error().kind == ErrorKind::OutsideProject);
}

}  // namespace leanbridge::ide
