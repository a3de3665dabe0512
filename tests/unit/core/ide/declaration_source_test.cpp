// The source around a declaration, which a scripted Lean locates.

#include "core/ide/declaration_source.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct SourceFixture : IdeFixture {
  SourceFixture() {
    scripted.answers["textDocument/declaration"] = [this](const std::string& /*text*/, const json& params) {
      asked.emplace_back(params["position"]["line"].get<int>(), params["position"]["character"].get<int>());
      if (path.empty()) return json();
      const auto range = [](int from, int to) {
        return json(
            {{"start", {{"line", from}, {"character", 0}}}, {"end", {{"line", to}, {"character", 3}}}});
      };
      return json::array({{{"targetUri", "file://" + path.string()},
                           {"targetRange", range(first, last)},
                           {"targetSelectionRange", range(first, first)}}});
    };
    path = write("Far.lean", "-- 1\n-- 2\n/-- Of `far`. -/\ntheorem far : 1 = 1 :=\n  rfl\n-- 6\n-- 7\n");
    write("A.lean", "-- far\ndef p := 1\ntheorem x := p.far\ntheorem y := far\n");
  }

  Result<DeclarationSource> source(SourceQuestion question) {
    question.file.file_path = "A.lean";
    return loop.run(source_of_declaration(environment, operation(), std::move(question)));
  }

  std::filesystem::path path;
  int first = 3, last = 4;  ///< lines from 0
  std::vector<std::pair<int, int>> asked;
};

}  // namespace

TEST_CASE_METHOD(SourceFixture, "the lines around a declaration begin above its doc comment",
                 "[ide][source]") {
  const auto found = source({.symbol = "far", .context_lines = 1});
  REQUIRE(found.has_value());
  CHECK(found->file_path == path.string());
  CHECK(found->content == "-- 2\n/-- Of `far`. -/\ntheorem far : 1 = 1 :=\n  rfl\n-- 6");
  CHECK(found->start_line == 2);
  CHECK(found->end_line == 6);
  CHECK(found->line == 4);
  CHECK(source({.symbol = "far", .context_lines = 0})->start_line == 3);
  CHECK(source({.symbol = "far", .context_lines = 100})->start_line == 1);
  const auto whole = source({.symbol = "far", .full_file = true});
  CHECK(whole->start_line == 1);
  CHECK(whole->end_line == whole->total_lines);
}

TEST_CASE_METHOD(SourceFixture, "Lean is asked at the symbol's first use as a word, or at the given one",
                 "[ide][source]") {
  const auto place = [&](SourceQuestion question) {
    asked.clear();
    const auto found = source(std::move(question));
    REQUIRE(found.has_value());
    return asked.front();
  };
  CHECK(place({.symbol = "far"}) == std::pair(3, 13));
  CHECK(place({.symbol = "far", .line = 3}) == std::pair(2, 15));
  CHECK(place({.symbol = "far", .line = 4, .column = 1}) == std::pair(3, 0));
  write("A.lean", "theorem x := p.far\n");
  CHECK(place({.symbol = "far"}) == std::pair(0, 15));
}

TEST_CASE_METHOD(SourceFixture, "a declaration without a source is told from one that Lean does not know",
                 "[ide][source]") {
  CHECK(source({}).error().message == "symbol is empty.");
  const auto far = path;
  path = project / "Gone.lean";
  CHECK(source({.symbol = "far"}).error().kind == ErrorKind::NotSupported);
  path = "/etc/hostname";
  CHECK(source({.symbol = "far"}).error().kind == ErrorKind::OutsideProject);
  path.clear();
  CHECK(source({.symbol = "far"}).error().kind == ErrorKind::InvalidArgument);
  scripted.answers["textDocument/hover"] = [](const std::string& /*text*/, const json& /*params*/) {
    return json(
        {{"contents", {{"kind", "markdown"}, {"value", "```lean\nfar : Nat\n```\n***\n*import Far*"}}}});
  };
  const auto known = source({.symbol = "far"});
  CHECK(known.error().kind == ErrorKind::NotSupported);
  CHECK_THAT(known.error().message, Catch::Contains("from Far, but not its source"));
}

TEST_CASE_METHOD(SourceFixture, "a symbol that the file has not is asked for by its name", "[ide][source]") {
  scripted.messages = {{"#check @Nowhere", "Unknown constant `Nowhere`"}};
  CHECK_THAT(source({.symbol = "Nowhere"}).error().message,
             Catch::Equals("Symbol 'Nowhere' not found: Unknown constant `Nowhere`"));
  scripted.messages = {{"#check @Elsewhere", "Elsewhere : Nat", 3}};
  const auto found = source({.symbol = "Elsewhere"});
  REQUIRE(found.has_value());
  CHECK(found->file_path == path.string());
}

}  // namespace leanbridge::ide
