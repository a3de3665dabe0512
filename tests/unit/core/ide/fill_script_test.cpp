// What lean_fill makes of a text, and reads in Lean's messages about it.

#include "core/ide/fill_script.hpp"

#include "core/ide/counterexamples.hpp"
#include "core/ide/fill_candidates.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::ide {

namespace {

lean::Diagnostic message_at(const text::Text& text, std::size_t offset, std::string message,
                            lean::Severity severity = lean::Severity::Information) {
  lean::Diagnostic diagnostic;
  diagnostic.range.start = diagnostic.range.end = text.lsp_range(offset, offset).start;
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}

constexpr const char* kSource =
    "theorem a : True := sorry\n"
    "theorem b : True ∧ True := by\n  constructor\n  all_goals sorry\n"
    "-- sorry\ndef s := \"sorry\"\n"
    "theorem c : True ∧ True := ⟨sorry, by admit⟩\n";

std::vector<std::string> values(std::string context, std::string goal) {
  StructuredGoal made;
  made.goal = std::move(goal);
  for (std::size_t begin = 0; begin < context.size();) {
    const std::size_t end = std::min(context.find(';', begin), context.size());
    const std::string each = context.substr(begin, end - begin);
    const std::size_t colon = each.find(" : ");
    made.context.push_back({each.substr(0, colon), each.substr(colon + 3), {}, {}, {}, {}});
    begin = end + 1;
  }
  std::vector<std::string> all;
  for (const Counterexample& each : counterexamples(made, {"decide"})) all.push_back(each.values);
  return all;
}

}  // namespace

TEST_CASE("places are the words in code, as tactics or terms", "[fill]") {
  const std::string source = kSource;
  const auto places = fill_places(source);
  REQUIRE(places.size() == 4);
  CHECK(places[0].after_assignment);
  CHECK_FALSE(places[0].is_tactic);
  CHECK(places[1].is_tactic);
  CHECK_FALSE(places[2].is_tactic);
  CHECK(places[3].is_tactic);
  std::vector<std::size_t> moved;
  const std::string text = filled(source, places, {"simp", "trivial", "rfl", ""}, &moved);
  CHECK(text.find("theorem a : True := by simp\n") == 0);
  CHECK(text.find("  all_goals trivial\n") != std::string::npos);
  CHECK(text.find("⟨(by rfl), by admit⟩") != std::string::npos);
  CHECK(text.substr(moved[2], 8) == "(by rfl)");
  CHECK(fill_places("-- sorry\n/- sorry -/ #eval 1 -- sorry").empty());
}

TEST_CASE("a script ends with its last declaration, and limits each", "[fill]") {
  const std::string source = kSource;
  const auto places = fill_places(source);
  const FillScript script = script_for(source, places, {{}, {"rfl"}, {"rfl"}, {}}, 700);
  const std::string limit = "set_option linter.all false in set_option maxHeartbeats 700 in theorem ";
  CHECK(script.text.find("theorem a : True := sorry\n" + limit + "b") == 0);
  CHECK(script.text.find(limit + "c") != std::string::npos);
  CHECK(script.text.ends_with("by admit⟩\n"));
  REQUIRE(script.probes.size() == 2);
  CHECK(script.text.substr(script.probes[1].candidates[0].begin, 3) == "rfl");
  const FillScript first = script_for(source, places, {{"rfl"}, {}, {}, {}});
  CHECK(first.text.find("theorem b") == std::string::npos);
  CHECK(first.text.find("maxHeartbeats") == std::string::npos);
  const std::string block = "mutual\n" + source + "end\n";
  const FillScript whole = script_for(block, fill_places(block), {{"rfl"}, {}, {}, {}}, 700);
  CHECK(whole.text.find("set_option") == std::string::npos);
  CHECK(whole.text.ends_with("end\n"));
}

TEST_CASE("an outcome is read from messages within the script", "[fill]") {
  const std::string source = kSource;
  const auto places = fill_places(source);
  const FillScript script = script_for(source, places, {{"rfl", "simp"}, {"rfl", "simp"}, {}, {"exact?"}});
  REQUIRE(script.probes.size() == 3);
  const text::Text text(script.text);
  const auto inside = [&](std::size_t probe, std::size_t candidate) {
    return script.probes[probe].candidates[candidate].begin;
  };
  CHECK(script.text.substr(inside(0, 1), 4) == "simp");
  const auto outcomes = [&](const std::vector<lean::Diagnostic>& diagnostics) {
    return outcomes_of(script, text, diagnostics);
  };
  SECTION("closed by one; by several; left") {
    const auto found = outcomes({message_at(text, inside(0, 1), "leanbridge fill 0 1"),
                                 message_at(text, inside(1, 0), "leanbridge fill 1 1\nleanbridge fill 1 0"),
                                 message_at(text, inside(2, 0), "leanbridge fill 3 left")});
    CHECK(found[0].is_closed());
    CHECK(found[0].closed == std::vector<std::size_t>{1});
    CHECK(found[1].closed == std::vector<std::size_t>{1, 0});
    CHECK_FALSE(found[2].is_closed());
    CHECK(found[2].place == 3);
  }
  SECTION("a goal that is left counts more than one that is closed") {
    const auto found =
        outcomes({message_at(text, inside(1, 0), "leanbridge fill 1 1\nleanbridge fill 1 left")});
    CHECK_FALSE(found[1].is_closed());
  }
  SECTION("the file's own messages, and those of other places, say nothing") {
    const auto found = outcomes({message_at(text, 0, "leanbridge fill 0 1"),
                                 message_at(text, inside(0, 0), "leanbridge fill 3 0"),
                                 message_at(text, inside(0, 0), "leanbridge fill 0 7"),
                                 message_at(text, inside(0, 0), "leanbridge fill 0")});
    CHECK_FALSE(found[0].is_closed());
    CHECK_FALSE(found[2].is_closed());
  }
  SECTION("a limit of Lean's ends one candidate; another error refuses it") {
    const auto found =
        outcomes({message_at(text, inside(0, 1), "(deterministic) timeout at `whnf`", lean::Severity::Error),
                  message_at(text, inside(1, 0), "unexpected token", lean::Severity::Error),
                  message_at(text, inside(1, 1), "leanbridge fill 1 1")});
    CHECK(found[0].ended == 1);
    CHECK(found[1].refused == std::set<std::size_t>{0});
    CHECK_FALSE(found[1].broken);
    CHECK_FALSE(found[1].is_closed());
  }
  SECTION("an error before all candidates is about the place, unless the kernel rejects what closed it") {
    const std::size_t head = script.probes[0].whole.begin, other = script.probes[1].whole.begin;
    const auto found =
        outcomes({message_at(text, head, "(kernel) deep recursion detected", lean::Severity::Error),
                  message_at(text, inside(0, 0), "leanbridge fill 0 0"),
                  message_at(text, other, "unexpected token", lean::Severity::Error)});
    CHECK_FALSE(found[0].broken);
    CHECK(found[0].refused == std::set<std::size_t>{0});
    CHECK(found[1].broken);
  }
  SECTION("what exact? has found") {
    const auto found = outcomes({message_at(text, inside(2, 0), "Try this:\n  [apply] exact trivial"),
                                 message_at(text, inside(2, 0), "leanbridge fill 3 0")});
    CHECK(found[2].suggestions == std::vector<std::string>{"exact trivial"});
  }
}

TEST_CASE("what a search has found stands in its place", "[fill]") {
  FillOutcome outcome;
  outcome.closed = {1};
  CHECK(proof_of({"rfl", "simp"}, outcome) == "simp");
  CHECK(proof_of({"rfl", "simp_all; exact?"}, outcome).empty());
  outcome.suggestions = {"exact foo a"};
  CHECK(proof_of({"rfl", "simp_all; exact?"}, outcome) == "simp_all; exact foo a");
  outcome.closed = {1, 0};
  CHECK(proof_of({"rfl", "simp"}, outcome) == "first | simp | rfl");
  CHECK(proof_of({"rfl", "exact?"}, outcome).empty());
}

TEST_CASE("the axiom for what is left stands below the imports", "[fill]") {
  const std::string source = "import A\ntheorem t : True := sorry\n";
  const WithAxiom made(source, fill_places(source));
  CHECK(made.source.starts_with("import A\naxiom leanbridge.left"));
  REQUIRE(made.places.size() == 1);
  CHECK(made.source.substr(made.places[0].begin, 5) == "sorry");
  CHECK(filled(made.source, made.places, {std::string(kLeftByAxiom)})
            .ends_with(":= by exact leanbridge.left\n"));
}

TEST_CASE("small values for the variables of a goal", "[fill]") {
  using List = std::vector<std::string>;
  CHECK(values("b : Bool", "b = true") == List{"b = true", "b = false"});
  CHECK(values("", "2 = 3") == List{""});
  CHECK(values("a : Nat;h : a < 1", "a = 1").size() == 4);
  CHECK(values("a : Nat;h : a < 1", "a = 1").front() == "a = 0");
  CHECK(values("", "∀ (a b : Bool), a = b").size() == 4);
  CHECK(values("α : Type;x y : α", "x = y").empty() == false);
  CHECK(values("xs : List Nat", "xs = []").at(1) == "xs = [0]");
  CHECK(values("f : Nat → Nat", "f 0 = 0").back() == "f = (fun x => x)");
  CHECK(values("o : Option Bool;p : Nat × Bool", "o = none").front() == "o = none, p = (0, true)");
  CHECK(values("a✝ : Nat", "True").empty());
  CHECK(values("a : Nat;b : Nat;c : Nat", "a = b").size() == 48);
}

TEST_CASE("candidates follow from what a goal mentions", "[fill]") {
  StructuredGoal goal;
  goal.context = {
      {"t", "Tree", {}, {}, {}, {}}, {"h", "Tree = Tree", {}, {}, {}, {}}, {"x✝", "Nat", {}, {}, {}, {}}};
  goal.goal = "∃ n, t.size = n";
  goal.pretty = "t : Tree\n⊢ ∃ n, t.size = n";
  TacticSet tactics;
  CHECK(tactics.has("ring"));
  tactics.remove({"ring", "grind"});
  CHECK_FALSE(tactics.has("ring"));
  CHECK(tactics.all().front() == "rfl");

  const std::string source =
      "def Tree.size := 1\ntheorem A.other : Tree.size = 1 := rfl\ndef unused := 2\n"
      "inductive Tree.Full : Tree → Prop\n";
  ProjectNames names;
  names.add(source);
  CHECK(names.definitions == std::vector<std::string>{"Tree.size", "unused"});
  CHECK(names.predicates == std::vector<std::string>{"Tree.Full"});
  const auto of_stage = [&](std::size_t stage) {
    return candidates_of(stage, goal, names, {"A.other"}, tactics);
  };
  const auto of_all = [&] {
    Candidates all;
    for (std::size_t stage = 0; stage < kFillStages; ++stage)
      for (const std::string& each : of_stage(stage)) all.push_back(each);
    return all;
  };
  const auto has = [](const Candidates& all, const std::string& one) {
    return std::count(all.begin(), all.end(), one) == 1;
  };
  CHECK(of_stage(0).front() == "simp [Tree.size]");
  for (const std::string& each : of_all()) {
    INFO(each);
    for (const char* word : {"unused", "grind", "%", "cases h"}) CHECK(each.find(word) == each.npos);
  }
  CHECK(has(of_all(), "unfold Tree.size; (repeat' split) <;> (try simp_all) <;> omega"));
  CHECK(has(of_all(), "fun_induction Tree.size <;> (try simp_all [Tree.size, A.other]) <;> omega"));
  CHECK(has(of_all(), "apply A.other <;> assumption"));
  CHECK(has(of_all(), "induction t <;> simp_all [Tree.size]"));
  CHECK(of_stage(2).front() == "exists 0");

  tactics.remove({"ring", "grind", "fun_induction id"});
  for (const std::string& each : of_all()) CHECK(each.find("fun_induction") == each.npos);
  goal.context.push_back({"full", "t.Full", {}, {}, {}, {}});
  goal.context.push_back({"both", "t = t ∧ t = t", {}, {}, {}, {}});
  CHECK(has(of_all(), "induction full <;> constructor <;> simp_all [Tree.size]"));
  CHECK(has(of_all(), "cases both <;> simp_all [Tree.size]"));
  goal.pretty = "⊢ A.unused x = unusedx";
  CHECK(of_stage(0).front() == "simp [A.unused]");
  goal.pretty = "⊢ 1 = 1";
  CHECK(of_stage(0).empty());
}

}  // namespace leanbridge::ide
