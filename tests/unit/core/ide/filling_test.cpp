// Filling sorries, with a scripted Lean for which a tactic closes a goal if the test says so.

#include "core/ide/filling.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kTwo = "theorem a : 1 = 1 := by\n  sorry\n\ntheorem b : 2 = 3 := by\n  sorry\n";

struct FillFixture : IdeFixture {
  FillFixture() {
    scripted.goals = {{"theorem a", {{"1 = 1"}}}, {"theorem b", {{"2 = 3"}}}};
    scripted.says = [this](const std::string& text) {
      if (contains(text, "(focus (first")) return about_probes(text);
      if (contains(text, "example : True := by first")) return about_missing(text);
      return of_filled;
    };
  }

  /// As Lean runs the alternatives of each probe: the first that closes says so, or that the goal is left.
  std::vector<ScriptedLean::Message> about_probes(const std::string& text) {
    constexpr std::string_view kCandidate = " | ((", kDone = "); done; ";
    std::vector<ScriptedLean::Message> said;
    scripts.push_back(text);
    for (std::size_t probe = 0; (probe = text.find("(focus (first", probe)) != text.npos; ++probe) {
      const std::size_t name = text.rfind("theorem ", probe) + 8;
      const std::string theorem = text.substr(name, text.find(' ', name) - name);
      const std::size_t end = text.find("; sorry)))", probe);
      std::size_t at = text.find(kCandidate, probe);
      while (at < end) {
        const std::size_t begin = at + kCandidate.size(), done = text.find(kDone, begin);
        at = text.find(kCandidate, done);
        if (closes(theorem, text.substr(begin, done - begin))) {
          said.push_back(traced(text, done));
          break;
        }
        if (at >= end) said.push_back(traced(text, text.rfind("(trace", end)));
      }
    }
    return said;
  }
  /// The message of the `trace` behind a place.
  static ScriptedLean::Message traced(const std::string& text, std::size_t from) {
    const std::size_t begin = text.find("trace \"", from), end = text.find('"', begin + 7);
    return {text.substr(begin, end + 1 - begin), text.substr(begin + 7, end - begin - 7), 3};
  }
  std::vector<ScriptedLean::Message> about_missing(const std::string& /*text*/) const {
    std::vector<ScriptedLean::Message> said;
    for (const std::string& tactic : missing) said.push_back({"(" + tactic + ")", "unknown tactic"});
    return said;
  }

  FillReport fill(const OpenFile& file) {
    auto places = places_to_fill(file, {}).value();
    Filling filling(environment, operation(), file, std::move(places), {.budget = std::chrono::minutes(10)},
                    counts);
    auto filled = loop.run(filling.run());
    REQUIRE(filled.has_value());
    return std::move(*filled);
  }

  std::function<bool(const std::string& theorem, const std::string& tactic)> closes =
      [](const std::string& theorem, const std::string& tactic) {
        return theorem == "a" && tactic == "omega";
      };
  std::vector<ScriptedLean::Message> of_filled;  ///< about the text with the proofs in place
  std::vector<std::string> missing;
  std::vector<std::string> scripts;
  std::filesystem::path counts;
};

}  // namespace

TEST_CASE_METHOD(FillFixture, "a place gets the tactic that closes it, or shows its goal", "[ide][fill]") {
  const OpenFile file = open("A.lean", kTwo);
  const FillReport filled = fill(file);
  CHECK(filled.text == "theorem a : 1 = 1 := by\n  omega\n\ntheorem b : 2 = 3 := by\n  sorry\n");
  CHECK(filled.closed == 1);
  CHECK(filled.left == 1);
  CHECK(filled.refuted == 0);
  REQUIRE(filled.places.size() == 2);
  CHECK(filled.places[0].closed_by == "omega");
  CHECK(filled.places[0].declaration == wire::Nullable<std::string>(std::string("a")));
  CHECK(filled.places[1].reason.value_or("") == "25 tactics failed.");
  CHECK(filled.places[1].line == 5);
  CHECK(filled.places[1].column == 3);
  CHECK_FALSE(filled.places[1].closed_by);
  REQUIRE(filled.places[1].goals);
  CHECK(contains(filled.places[1].goals->front(), "2 = 3"));
}

TEST_CASE_METHOD(FillFixture, "a goal that a counterexample closes by the axiom is refuted", "[ide][fill]") {
  closes = [](const std::string& theorem, const std::string& tactic) {
    return theorem == "b" && contains(tactic, "exact fun holds =>");
  };
  const OpenFile file = open("A.lean", kTwo);
  const FillReport filled = fill(file);
  CHECK(filled.refuted == 1);
  CHECK(filled.places[1].refuted == "false");
  CHECK_FALSE(filled.places[0].refuted);
  CHECK(filled.text == kTwo);
}

TEST_CASE_METHOD(FillFixture, "a proof with which the declaration still uses sorry is taken back",
                 "[ide][fill]") {
  of_filled = {{"theorem a", "declaration uses `sorry`", 2}};
  const OpenFile file = open("A.lean", kTwo);
  const FillReport filled = fill(file);
  CHECK(filled.closed == 0);
  CHECK(filled.places[0].reason == "omega: The declaration uses sorry all the same.");
  CHECK(filled.text == kTwo);
}

TEST_CASE_METHOD(FillFixture, "an error elsewhere in its declaration keeps a place open, and says why",
                 "[ide][fill]") {
  of_filled = {{"1 = 1", "unknown identifier 'nonsense'\nmore"}};
  const OpenFile file = open("A.lean", kTwo);
  const FillReport filled = fill(file);
  CHECK(filled.closed == 0);
  CHECK(filled.places[0].reason == "omega: unknown identifier 'nonsense'");
  CHECK(filled.text == kTwo);
}

TEST_CASE_METHOD(FillFixture, "nothing is proved by a theorem of the file that is refuted", "[ide][fill]") {
  closes = [](const std::string& theorem, const std::string& tactic) {
    return theorem == "b" ? contains(tactic, "exact fun holds =>") : tactic == "exact?";
  };
  const OpenFile file = open("A.lean", kTwo);
  const auto probes = scripted.says;
  scripted.says = [probes](const std::string& text) {
    auto said = probes(text);
    if (contains(text, "((exact?)") && !said.empty()) said.push_back({"exact?", "Try this: exact b", 3});
    return said;
  };
  const FillReport filled = fill(file);
  CHECK(filled.closed == 0);
  CHECK(filled.places[0].reason == "exact b: b is false.");
}

TEST_CASE_METHOD(FillFixture, "a tactic that the file does not have is not tried", "[ide][fill]") {
  missing = {"norm_num"};
  const OpenFile file = open("A.lean", kTwo);
  fill(file);
  REQUIRE_FALSE(scripts.empty());
  CHECK_FALSE(contains(scripts.front(), "((norm_num)"));
  CHECK(contains(scripts.front(), "((simp)"));
}

TEST_CASE_METHOD(FillFixture, "what has closed most is tried first, and counted where it names nothing",
                 "[ide][fill]") {
  counts = project / "counts.json";
  const OpenFile file = open("A.lean", kTwo);
  fill(file);
  CHECK(json::parse(leanbridge::test::content_of(counts)) == json({{"omega", 1}}));
  CHECK(contains(scripts.front(), "first | ((rfl)"));
  scripts.clear();
  fill(file);
  CHECK(contains(scripts.front(), "first | ((omega)"));
}

TEST_CASE_METHOD(FillFixture, "of many places the first 200 are tried, and the answer says so",
                 "[ide][fill]") {
  std::string text;
  for (int i = 0; i < 201; ++i) text += "theorem a : 1 = 1 := sorry\n";
  const OpenFile file = open("A.lean", text);
  const FillReport filled = fill(file);
  CHECK(filled.places.size() == 200);
  REQUIRE(filled.reason);
  CHECK(filled.reason->starts_with("Only the first 200 of 201 sorries were tried: pass a declaration"));
}

TEST_CASE_METHOD(FillFixture, "a place at which a tactic reaches a limit is tried again after the others",
                 "[ide][fill]") {
  const OpenFile file = open("A.lean", "def f := 1\n" + std::string(kTwo));
  scripted.goals = {{"theorem a", {{"f = 1"}}}, {"theorem b", {{"f = 3"}}}};
  closes = [](const std::string& theorem, const std::string& tactic) {
    return (theorem == "a" && tactic == "simp_all [f]") || (theorem == "b" && tactic == "tauto");
  };
  const auto probes = scripted.says;
  int limits = 0;
  scripted.says = [&, probes](const std::string& text) {
    auto said = probes(text);
    if (contains(text, "((simp [f])") && limits++ == 0)
      said = {{"simp [f]); done", "(deterministic) timeout at `whnf`"}, said.back()};
    return said;
  };
  const FillReport filled = fill(file);
  CHECK(filled.places[0].closed_by.value_or("") == "simp_all [f]");
  CHECK(filled.places[1].closed_by.value_or("") == "tauto");
  const auto first_with = [&](const char* tactic) {
    return std::find_if(scripts.begin(), scripts.end(), [&](auto& each) { return contains(each, tactic); });
  };
  const auto last_with = std::find_if(scripts.rbegin(), scripts.rend(), [&](auto& each) {
                           return contains(each, "((simp_all [f])");
                         }).base();
  CHECK(last_with > first_with("((tauto)"));
}

TEST_CASE_METHOD(FillFixture, "a tactic that Lean refuses does not cost its place the others",
                 "[ide][fill]") {
  const OpenFile file = open("A.lean", kTwo);
  const auto probes = scripted.says;
  scripted.says = [probes](const std::string& text) {
    if (contains(text, "((rfl)") && contains(text, "(focus (first"))
      return std::vector<ScriptedLean::Message>{{"rfl); done", "(kernel) deep recursion detected"}};
    return probes(text);
  };
  const FillReport filled = fill(file);
  CHECK(filled.places[0].closed_by == "omega");
}

TEST_CASE_METHOD(FillFixture, "places are the sorries and failures of the file, or of one declaration",
                 "[ide][fill]") {
  scripted.says = nullptr;
  scripted.messages = {{"exact nonsense", "unknown identifier"}};
  const OpenFile file =
      open("A.lean", "theorem a : 1 = 1 := by\n  exact nonsense\n\ntheorem b : 2 = 3 := by\n  sorry\n");
  REQUIRE(loop.run(file.wait_until_done(patient())).has_value());
  CHECK(places_to_fill(file, {})->size() == 2);
  CHECK(places_to_fill(file, "b")->size() == 1);
  CHECK(places_to_fill(file, "nonesuch").error().kind == ErrorKind::InvalidArgument);
}

}  // namespace leanbridge::ide
