// The open work: what is read of sources and compiled modules, what waits for what, and how it fits into an
// answer.

#include "together/work/todo.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/olean/modules.hpp"

namespace leanbridge::together {

using ide::ProofState;
using namespace ide::test;

namespace {

using Names = std::vector<std::string>;

Declared declared(std::string name, ProofState state, std::set<std::string> uses = {}) {
  Declared one;
  one.name = std::move(name);
  one.file = "A.lean";
  one.state = state;
  one.uses = std::move(uses);
  return one;
}

Todo todo_in(std::vector<Declared> declarations, const std::vector<Claim>& claims = {}) {
  SurveyedFile file;
  file.name = "A.lean";
  file.declarations = std::move(declarations);
  return todo_of({file}, claims);
}

// "name" of a ready one, "name < needed, …" of another, with how many wait.
Names rows(const Todo& todo) {
  Names all;
  for (const TodoItem& item : todo.items) {
    std::string row = item.declaration + (item.ready ? "" : " <");
    for (const std::string& need : item.needs.value_or(Names())) row += " " + need;
    all.push_back(row + " " + std::to_string(item.waiting));
  }
  return all;
}

}  // namespace

TEST_CASE("ready ones come first, and of these the ones for which most wait", "[together]") {
  const Todo todo = todo_in({declared("main", ProofState::Sorry, {"proved", "helper"}),
                             declared("proved", ProofState::Proved, {"base", "base.match_1"}),
                             declared("alone", ProofState::Error), declared("base", ProofState::Sorry),
                             declared("helper", ProofState::Sorry, {"base.rec", "library"}),
                             declared("loop", ProofState::Sorry, {"loop"})});
  CHECK(rows(todo) == Names{"base 3", "alone 0", "loop 0", "helper < base 1", "main < base helper 0"});
  CHECK(todo.open == 5);
  CHECK(todo.ready == 3);
  CHECK_FALSE(todo.partial);
}

TEST_CASE("what was not looked at is named", "[together]") {
  SurveyedFile file;
  file.name = "B.lean";
  file.unread = "not compiled";
  const Todo todo = todo_of({file}, {});
  CHECK(todo.partial);
  CHECK(todo.not_looked_at == Names{"B.lean: not compiled"});
}

TEST_CASE("one reason of many files is said once, unless all is asked for", "[together]") {
  std::vector<SurveyedFile> files;
  for (const char* name : {"A.lean", "B.lean", "C.lean", "D.lean"}) {
    files.emplace_back().name = name;
    files.back().unread = *name == 'B' ? "too large" : "not compiled: line 2";
  }
  Todo todo = todo_of(files, {});
  CHECK(todo.not_looked_at.size() == 4);
  shorten(todo, 4000);
  CHECK(todo.not_looked_at == Names{"A.lean and 2 more: not compiled: line 2", "B.lean: too large"});
}

TEST_CASE("a claim is shown where it is held", "[together]") {
  Claim claim{"b", "A.lean", "by hand", {"prover", 1, 1, "7"}};
  Claim elsewhere = claim;
  elsewhere.file = "B.lean";
  elsewhere.declaration = "a";
  const Todo todo =
      todo_in({declared("a", ProofState::Sorry), declared("b", ProofState::Sorry)}, {claim, elsewhere});
  CHECK_FALSE(todo.items[0].held_by);
  CHECK(todo.items[1].held_by == "prover 7: by hand");
}

TEST_CASE("an approved statement that is another one now is named, and one that is not known", "[together]") {
  Todo todo = todo_in({declared("a", ProofState::Sorry), declared("b", ProofState::Sorry)});
  const Approvals approved = {{"a", "1", {}}, {"b", "2", {}}, {"c", "3", {}}};
  Statements now;
  now.emplace("a", ApprovedStatement{"a", "1", {}});
  now.emplace("b", ApprovedStatement{"b", "other", {}});
  todo.add_approved({approved, now});
  CHECK(todo.items[0].approved == true);
  CHECK(todo.items[1].approved == false);
  CHECK(todo.changed_statements == Names{"The statement of b, or what it means, is not the approved one."});
  CHECK(todo.not_looked_at == Names{"the approved statement of c: not compiled"});
  CHECK(todo.partial);
}

TEST_CASE("40 open places take at most 4,000 bytes, and no more than must is left out", "[together]") {
  std::vector<Declared> all;
  for (int i = 0; i < 40; ++i) {
    Declared one = declared("Project.Chapter.theorem_" + std::to_string(i), ProofState::Sorry);
    one.file = "Project/Chapter.lean";
    one.goal = "x : Nat\n⊢ " + std::string(200, 'x');
    all.push_back(std::move(one));
  }
  Todo todo = todo_in(all);
  const auto bytes = [&] { return wire::write(todo, wire::Detail::Brief).dump().size(); };
  CHECK(todo.items.front().goal->size() < 120);
  CHECK(bytes() > 4000);
  shorten(todo, 4000);
  CHECK(bytes() <= 4000);
  CHECK(todo.items.size() == 40);
  CHECK_FALSE(todo.truncated);
  CHECK(todo.items.front().goal);
  CHECK_FALSE(todo.items.back().goal);
  shorten(todo, 1000);
  CHECK(bytes() <= 1000);
  CHECK(todo.truncated);
  CHECK(todo.open == 40);
}

TEST_CASE("of a text: names, statements, sorries, and what words may mean", "[together]") {
  const auto found = declared_in(
      "namespace N\n/-- doc -/\ntheorem a (n : Nat) :\n    n = n := by\n  sorry\n\ntheorem b : True := "
      "M.c a\n-- sorry\nexample : True := sorry\nend N\n",
      "A.lean");
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "N.a");
  CHECK(found[0].line == 3);
  CHECK(found[0].statement == "a (n : Nat) : n = n");
  CHECK(found[0].has_sorry_word);
  CHECK_FALSE(found[1].has_sorry_word);
  CHECK(found[1].uses.contains("N.a"));
  CHECK(found[1].uses.contains("N.M.c"));
  CHECK(found[1].uses.contains("M.c"));
  CHECK(found[2].name.empty());
  CHECK(found[2].has_sorry_word);
}

TEST_CASE_METHOD(IdeFixture, "a compiled module tells what is proved, until a source is newer",
                 "[together]") {
  leanbridge::test::ModuleMaker maker;
  const auto type = maker.constant("True");
  maker.theorem("a", type, maker.constant("sorryAx"));
  maker.theorem("b", type, maker.constant("a"));
  maker.theorem("c.go", type, maker.constant("sorryAx"));
  maker.theorem("c", type, maker.constant("c.go"));
  maker.theorem("macros", type, maker.constant("sorryAx"));
  const auto source = write(
      "P.lean",
      "theorem a : True := sorry\ntheorem b : True := a\ntheorem c : True := go\ntheorem d : True := b\n");
  write(".lake/build/lib/lean/P.olean", maker.bytes());
  write("lakefile.toml", "name = \"p\"\n[[lean_lib]]\nname = \"P\"\n");
  leanbridge::test::age(project / "lakefile.toml");
  leanbridge::test::age(source);
  const auto states = [&] {
    std::map<std::string, ProofState> all;
    for (const SurveyedFile& file : survey(store->root()))
      for (const Declared& each : file.declarations) all[each.name] = each.state;
    return all;
  };
  const std::map<std::string, ProofState> expected = {{"a", ProofState::Sorry},
                                                      {"b", ProofState::Proved},
                                                      {"c", ProofState::Sorry},
                                                      {"d", ProofState::Unknown},
                                                      {"macros", ProofState::Sorry}};
  CHECK(states() == expected);
  leanbridge::test::age(source, 7200);  // in the future
  for (const auto& [name, state] : states()) CHECK(state == ProofState::Unknown);
}

TEST_CASE_METHOD(IdeFixture, "what is not compiled is asked of Lean", "[together]") {
  scripted.goals = {{"theorem a", {{"⊢ 1 = 1"}}}};
  scripted.says = [](const std::string&) {
    return std::vector<ScriptedLean::Message>{{"theorem a", "declaration uses `sorry`", 2},
                                              ScriptedLean::proved("theorem b")};
  };
  write("A.lean", "theorem a : 1 = 1 := by\n  sorry\n\ntheorem b : 1 = 1 := a\n");
  const auto files = loop.run(look_at_work(environment, operation(), store));
  REQUIRE(files);
  const Todo todo = todo_of(**files, {});
  REQUIRE(todo.items.size() == 1);
  CHECK(todo.items[0].declaration == "a");
  CHECK(todo.items[0].at == "A.lean:2");
  CHECK(todo.items[0].ready);
  CHECK(todo.items[0].waiting == 1);
  CHECK_FALSE(todo.partial);
}

}  // namespace leanbridge::together
