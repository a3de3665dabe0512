// The lemma that a goal becomes, with a scripted Lean.

#include "core/ide/lemma_extraction.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kTwoTheorems =
    "open Nat in\ntheorem t (a : Nat) : a = a := by\n  sorry\n\ntheorem u : 1 = 1 := by\n  rfl\n";

struct ExtractionFixture : IdeFixture {
  ExtractionFixture() {
    scripted.goals = {{"theorem t (", {{"a = a"}}}, {"theorem u :", {{"1 = 1"}}}};
    scripted.says = [this](const std::string& text) {
      for (const char* printing : {"numericTypes", "explicit"})
        if (contains(text, printing)) scripted.goals.front().second = {{std::string("a = ") + printing}};
      std::vector<ScriptedLean::Message> said;
      if (contains(text, "\n  sorry")) said.push_back({"theorem t ", "declaration uses `sorry`", 2});
      const std::size_t lemma = text.find("_aux");
      if (lemma == text.npos) return said;
      if (said.empty()) said = said_of_lemma;
      tried.push_back(text);
      if (tried.size() <= refused) said.push_back({"_aux", "unknown identifier"});
      return said;
    };
  }
  Result<ExtractedLemma> extract(int line, std::optional<std::string> name = {},
                                 io::CancelScope scope = patient()) {
    const OpenFile file = open("A.lean", source);
    LemmaExtraction extraction(environment, operation(std::move(scope)), file, {"A.lean", line, {}},
                               std::move(name));
    return loop.run(extraction.run(false));
  }

  std::string source = kTwoTheorems;
  std::vector<std::string> tried;  ///< texts with a lemma
  std::size_t refused = 0;         ///< so many of them
  std::vector<ScriptedLean::Message> said_of_lemma;
};

}  // namespace

TEST_CASE_METHOD(ExtractionFixture, "a lemma stands above the whole command of its declaration",
                 "[ide][extract]") {
  const auto found = extract(3);
  REQUIRE(found.has_value());
  CHECK(found->lemma == "theorem t_aux :\n    a = a := by\n  sorry");
  CHECK(found->use == "exact t_aux");
  CHECK(found->uses_sorry);
  CHECK_FALSE(found->written);
  CHECK(found->start_line == 1);
  CHECK(found->end_line == 3);
  CHECK(found->new_text ==
        found->lemma + "\n\nopen Nat in\ntheorem t (a : Nat) : a = a := by\n  exact t_aux\n");
  CHECK(leanbridge::test::content_of(project / "A.lean") == source);
}

TEST_CASE_METHOD(ExtractionFixture, "what Lean does not read is printed in more detail, up to three times",
                 "[ide][extract]") {
  refused = 2;
  const auto third = extract(3);
  REQUIRE(third.has_value());
  CHECK(contains(third->lemma, "a = explicit"));
  CHECK(tried.size() == 3);
}

TEST_CASE_METHOD(ExtractionFixture, "a lemma that Lean reads in no printing is refused by its plainest",
                 "[ide][extract]") {
  refused = 3;
  const auto none = extract(3);
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == ErrorKind::NotSupported);
  CHECK(contains(none.error().message, "The file would have a new error. unknown identifier"));
  CHECK(contains(tried.front(), "a = a := by\n  sorry\n\nopen"));
}

TEST_CASE_METHOD(ExtractionFixture, "a place must be a sorry or a tactic, and have one goal",
                 "[ide][extract]") {
  CHECK(extract(4).error().message == "No tactic and no sorry begins here.");
  CHECK(extract(3, "a b").error().message == "name is no name of a declaration.");
  scripted.goals = {{"theorem t (", {{"a = a", "b"}}}};
  CHECK(extract(3).error().message == "There are 2 goals here.");
  scripted.goals = {{"theorem t (", {std::vector<std::string>()}}};
  CHECK(extract(3).error().message == "Lean has no goal here.");
  scripted.goals = {{"theorem t (", {{"?m = a"}}}};
  CHECK(extract(3).error().kind == ErrorKind::NotSupported);
  CHECK(tried.empty());
}

TEST_CASE_METHOD(ExtractionFixture, "a tactic and those below it move into the lemma, which gets no sorry",
                 "[ide][extract]") {
  source = "theorem u : 1 = 1 := by\n  skip\n  rfl\n";
  const auto found = extract(2, "mine");
  REQUIRE(found.has_value());
  CHECK(found->lemma == "theorem mine :\n    1 = 1 := by\n  skip\n  rfl");
  CHECK_FALSE(found->uses_sorry);
  said_of_lemma = {{"theorem u_aux", "declaration uses `sorry`", 2}};
  const auto refused = extract(2);
  REQUIRE_FALSE(refused.has_value());
  CHECK(contains(refused.error().message, "A declaration would use sorry"));
}

TEST_CASE_METHOD(ExtractionFixture, "a lemma's name is one that the file does not have", "[ide][extract]") {
  source = "theorem u_aux : True := trivial\n\ntheorem u : 1 = 1 := by\n  rfl\n";
  CHECK(extract(4)->use == "exact u_aux2");
}

TEST_CASE_METHOD(ExtractionFixture, "in a sorry that Lean does not report nothing is extracted",
                 "[ide][extract]") {
  scripted.says = [](const std::string& /*text*/) { return std::vector<ScriptedLean::Message>(); };
  CHECK(extract(3).error().message == "Lean does not say that the declaration uses sorry.");
}

}  // namespace leanbridge::ide
