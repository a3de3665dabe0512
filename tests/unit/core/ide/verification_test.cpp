// Verdicts on theorems and files: from compiled terms, and from the answers of a scripted Lean.

#include "core/ide/verification.hpp"

#include "core/ide/files_verification.hpp"
#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;
using lean::AxiomTrust;

namespace {

olean::Foundation theorem_on(std::vector<std::string> axioms) {
  return {.name = "a",
          .kind = "theorem",
          .axioms = std::move(axioms),
          .without_proof = {},
          .statement = ": 1 = 1"};
}

struct VerificationFixture : IdeFixture {
  /// Lean's answers to the commands about a theorem.
  void answers(const std::string& name, const std::string& kind, const std::string& axioms) {
    scripted.messages.push_back({"#check @_root_." + name, name + " : 1 = 1", 3});
    scripted.messages.push_back({"#print _root_." + name, kind + " " + name + " : 1 = 1", 3});
    scripted.messages.push_back({"#print axioms _root_." + name, "'" + name + "' " + axioms, 3});
  }
  Result<Verdict> verify(std::string name, bool compile = false) {
    Verification verification(environment, operation(), {"A.lean", std::move(name), compile});
    auto verdict = loop.run(verification.run());
    is_unknown = verification.is_unknown();
    return verdict;
  }
  /// A lake for which every file has this compiler output, and an exit code of 1.
  void compiles_to(const std::string& message) {
    program = folder.write_program("lake",
                                   "#!/bin/sh\ncase \"$1 $2\" in\n'setup-file '*) echo '{}' ;;\n"
                                   "'env lean') echo '" +
                                       message + "'; exit 1 ;;\nesac\n");
  }
  Verdict verify_all(NamedFiles named, std::optional<std::string> baseline = {}) {
    document::Workspace own{projects,
                            {.root = project.path(), .directory = project.path(), .lake = program.string()}};
    Lean with_lake{own, pool};
    auto verdict = loop.run(verify_files(with_lake, operation(), std::move(named), std::move(baseline)));
    if (!verdict) FAIL(verdict.error().message);
    return *verdict;
  }

  bool is_unknown = false;
  TestFolder folder;
  std::filesystem::path program = "/bin/false";
};

constexpr const char* kNone = "does not depend on any axioms";

olean::CompiledConstant constant(std::string name, std::uint32_t line, std::string kind = "theorem") {
  olean::CompiledConstant made;
  made.name = std::move(name);
  made.kind = std::move(kind);
  made.line = line;
  return made;
}

FileFindings findings(const std::string& source, const CompiledModule& module) {
  FileFindings found{"A.lean"};
  found.read(text::Text(source), module);
  return found;
}

}  // namespace

TEST_CASE("only the three axioms make a theorem trusted", "[ide][verify]") {
  const Verdict clean = verdict_on(theorem_on({"Classical.choice", "propext"}));
  CHECK(clean.trusted);
  CHECK(*clean.trust == AxiomTrust::Standard);
  CHECK(*clean.statement == "1 = 1");
  CHECK_FALSE(clean.reason);

  const Verdict open = verdict_on(theorem_on({"propext", "sorryAx"}));
  CHECK_FALSE(open.trusted);
  CHECK(*open.uses_sorry);
  CHECK(*open.trust == AxiomTrust::Incomplete);
  CHECK(*open.non_standard_axioms == std::vector<std::string>{"sorryAx"});
  CHECK(open.some_standard);

  const Verdict custom = verdict_on(theorem_on({"mine"}));
  CHECK_FALSE(custom.trusted);
  CHECK_FALSE(*custom.uses_sorry);
  CHECK(*custom.trust == AxiomTrust::Custom);

  const Verdict native = verdict_on(theorem_on({"a._native.native_decide.ax_1", "propext"}));
  CHECK_FALSE(native.trusted);
  CHECK(*native.trust == AxiomTrust::Native);

  olean::Foundation axiom = theorem_on({});
  axiom.kind = "axiom";
  CHECK_FALSE(verdict_on(axiom).trusted);
}

TEST_CASE("a constant that the kernel did not check, or that rests on the unknown, is not trusted",
          "[ide][verify]") {
  olean::Foundation unsafe = theorem_on({});
  unsafe.is_unsafe = true;
  CHECK(*verdict_on(unsafe).reason == "a is unsafe: the kernel did not check it.");
  CHECK_FALSE(verdict_on(unsafe).trusted);
  olean::Foundation partial = theorem_on({});
  partial.is_partial = true;
  CHECK(*verdict_on(partial).reason == "a is partial: it may not terminate.");
  CHECK_FALSE(verdict_on(partial).trusted);

  olean::Foundation unknown = theorem_on({});
  unknown.without_proof = {"b", "c"};
  const Verdict verdict = verdict_on(unknown);
  CHECK_FALSE(verdict.trusted);
  CHECK_FALSE(verdict.trust);
  CHECK(*verdict.without_proof == unknown.without_proof);
  CHECK_THAT(*verdict.reason, Catch::Contains("what b and 1 others depend on is unknown"));
}

TEST_CASE("a brief verdict has 20 axioms, Lean's own first, and their number", "[ide][verify]") {
  std::vector<std::string> axioms;
  for (int i = 0; i < 21; ++i) axioms.push_back("a" + std::to_string(i));
  axioms.emplace_back("propext");
  Verdict verdict = verdict_on(theorem_on(axioms));
  verdict.shorten(wire::Detail::Full);
  CHECK(*verdict.axioms == axioms);
  verdict.shorten(wire::Detail::Brief);
  CHECK(verdict.axioms->size() == 20);
  CHECK(verdict.axioms->front() == "propext");
  CHECK(*verdict.total == 22);
  CHECK(*verdict.truncated);
  CHECK_FALSE(verdict.some_standard);
}

TEST_CASE_METHOD(VerificationFixture, "Lean's answer about a theorem is its verdict", "[ide][verify]") {
  write("A.lean", "namespace N\ntheorem good : 1 = 1 := rfl\ntheorem bad : 1 = 1 := rfl\nend N\n");
  answers("N.good", "theorem", kNone);
  answers("N.bad", "theorem", "depends on axioms: [mine, propext]");
  const auto good = verify("good");
  REQUIRE(good.has_value());
  CHECK(good->trusted);
  CHECK_FALSE(good->compiled);
  CHECK(*good->theorem_name == "N.good");
  CHECK(good->completed_name);
  const auto bad = verify("_root_.N.bad");
  REQUIRE(bad.has_value());
  CHECK_FALSE(bad->trusted);
  CHECK(*bad->non_standard_axioms == std::vector<std::string>{"mine"});
  CHECK_THAT(*bad->reason, Catch::StartsWith("It rests on no sorry, but on 1 names"));
}

TEST_CASE_METHOD(VerificationFixture, "Lean's warning and error count more than the list of axioms",
                 "[ide][verify]") {
  write("A.lean", "theorem open_ : 1 = 1 := by\n  sorry\n\ntheorem wrong : 1 = 1 := by\n  omega\n");
  answers("open_", "theorem", kNone);
  answers("wrong", "theorem", kNone);
  scripted.messages.push_back({"open_", "declaration uses 'sorry'", 2});
  scripted.messages.push_back({"omega", "omega could not prove the goal", 1});
  const auto open = verify("open_");
  REQUIRE(open.has_value());
  CHECK(*open->uses_sorry);
  CHECK(*open->trust == AxiomTrust::Incomplete);
  CHECK(*open->reason == "Its own proof uses sorry, in line 2.");
  REQUIRE(open->warnings.size() == 1);
  CHECK(open->warnings.front().line == 2);
  const auto wrong = verify("wrong");
  REQUIRE(wrong.has_value());
  CHECK_FALSE(wrong->trusted);
  CHECK(*wrong->reason == "The theorem is not proved: line 5: omega could not prove the goal");
  CHECK(wrong->warnings.empty());
}

TEST_CASE_METHOD(VerificationFixture, "a macro's def, a partial function and a program are no proofs",
                 "[ide][verify]") {
  write("A.lean", "theorem made : 1 = 1 := rfl\npartial def loop : Nat := loop\n");
  answers("made", "def", kNone);
  answers("loop", "opaque", kNone);
  CHECK(*verify("made")->reason == "A macro has made this theorem something else: def.");
  CHECK(*verify("loop")->reason == "loop is partial or opaque: it may not terminate.");
  write("A.lean", "#eval 1\ntheorem run : 1 = 1 := rfl\n");
  answers("run", "theorem", kNone);
  const auto unknown = verify("run");
  CHECK_FALSE(unknown->trusted);
  CHECK_FALSE(unknown->axioms);
  CHECK_THAT(*unknown->reason, Catch::StartsWith("A.lean:1 has #eval") && Catch::Contains(" compile: true "));
}

TEST_CASE_METHOD(VerificationFixture, "a name that is none, that is missing or that two declarations have",
                 "[ide][verify]") {
  write("A.lean", "theorem N.a : 1 = 1 := rfl\ntheorem M.a : 1 = 1 := rfl\n");
  CHECK(verify("a\n#eval 1").error().message == "theorem_name is not a valid name.");
  CHECK_FALSE(is_unknown);
  CHECK(verify("a").error().kind == ErrorKind::InvalidArgument);
  scripted.messages = {{"#check @_root_.c", "Unknown constant `c`", 1},
                       {"#print _root_.c", "Unknown constant `c`", 1},
                       {"#print axioms _root_.c", "Unknown constant `c`", 1}};
  CHECK(verify("c").error().message == "A.lean does not define or import c.");
  CHECK(is_unknown);
}

TEST_CASE_METHOD(VerificationFixture, "a theorem whose file is not compiled has no verdict",
                 "[ide][verify]") {
  write("A.lean", "theorem a : 1 = 1 := rfl\n");
  const auto verdict = verify("a", true);
  REQUIRE(verdict.has_value());
  CHECK_FALSE(verdict->trusted);
  CHECK_FALSE(verdict->axioms);
  CHECK(verdict->reason.has_value());
}

TEST_CASE_METHOD(VerificationFixture, "a cancelled verification is an error", "[ide][verify]") {
  write("A.lean", "theorem a : 1 = 1 := rfl\n");
  auto cancelled = operation();
  cancelled->scope.cancel->cancel();
  Verification verification(environment, cancelled, {"A.lean", "a"});
  CHECK(loop.run(verification.run()).error().kind == ErrorKind::Cancelled);
  CHECK(loop.run(verify_files(environment, cancelled, {{"A.lean"}, {}}, {})).error().kind ==
        ErrorKind::Cancelled);
}

// --- files

TEST_CASE("of a module, each declaration that rests on more than the three", "[ide][verify]") {
  CompiledModule module;
  module.constants = {constant("clean", 1), constant("open_", 2), constant("byMine", 3),
                      constant("fast", 4, "def")};
  module.constants[1].uses_sorry = true;
  module.constants[3].is_unsafe = true;
  module.beyond[1] = theorem_on({"propext", "sorryAx"});
  module.beyond[2] = theorem_on({"mine"});
  const FileFindings found = findings(
      "theorem clean : 1 = 1 := rfl\ntheorem open_ : 1 = 1 := sorry\ntheorem byMine : 1 = 1 := mine\n"
      "unsafe def fast := 1\nexample : 1 = 2 := sorry\n",
      module);
  CHECK(found.declarations == 5);
  REQUIRE(found.exceptions.size() == 4);
  CHECK(*found.exceptions[0].declaration == "open_");
  CHECK(found.exceptions[0].axioms == std::vector<std::string>{"sorryAx"});
  CHECK(found.exceptions[0].own_sorry);
  CHECK(found.exceptions[1].axioms == std::vector<std::string>{"mine"});
  CHECK_FALSE(found.exceptions[1].own_sorry);
  CHECK(*found.exceptions[2].reason == "It is unsafe: the kernel did not check it.");
  CHECK(*found.exceptions[3].reason == "An example has the word sorry.");
  CHECK(found.exceptions[3].line == 5);
}

TEST_CASE("a constant that Lean generates is told as the declaration that it is for", "[ide][verify]") {
  CompiledModule module;
  module.constants = {constant("N.loop", 1, "opaque"), constant("N.loop._unsafe_rec", 0, "def"),
                      constant("N.loop.match_1", 1, "def")};
  module.constants[0].is_partial = true;
  module.constants[1].is_unsafe = true;
  module.beyond[2] = theorem_on({"mine"});
  const FileFindings found = findings("partial def N.loop : Nat := N.loop\n", module);
  REQUIRE(found.exceptions.size() == 1);
  CHECK(*found.exceptions[0].declaration == "N.loop");
  CHECK(found.exceptions[0].axioms == std::vector<std::string>{"mine"});
  CHECK(*found.exceptions[0].reason == "It is partial: it may not terminate.");
}

TEST_CASE("a theorem that the module has not, or as something else, is an exception", "[ide][verify]") {
  CompiledModule module;
  module.constants = {constant("a", 1, "def"), constant("Opened.b", 2)};
  const FileFindings found =
      findings("theorem a : 1 = 1 := rfl\ntheorem b : 1 = 1 := rfl\ntheorem gone : 1 = 1 := rfl\n", module);
  REQUIRE(found.exceptions.size() == 2);
  CHECK(*found.exceptions[0].reason == "A macro has made this theorem something else: def.");
  CHECK(*found.exceptions[1].declaration == "gone");
  CHECK(*found.exceptions[1].reason == "The compiled file does not have it.");
}

TEST_CASE("one reason stands for all exceptions that have it, and sorries come first", "[ide][verify]") {
  std::vector<VerifyException> all;
  for (int i = 1; i <= 8; ++i)
    all.push_back({i < 8 ? "A.lean" : "B.lean", i, "p" + std::to_string(i), {}, false, "It is partial."});
  all.push_back({"A.lean", 9, std::string("byMine"), {"mine"}});
  all.push_back({"A.lean", 10, std::string("open_"), {"sorryAx"}, true});
  const auto ones = one_for_each_reason(all);
  REQUIRE(ones.size() == 3);
  CHECK(*ones[0].declaration == "open_");
  CHECK_FALSE(ones[0].count);
  CHECK(*ones[1].declaration == "byMine");
  CHECK(*ones[2].count == 8);
  CHECK(*ones[2].also == std::vector<std::string>{"2 p2", "3 p3", "4 p4", "5 p5", "6 p6"});
}

TEST_CASE_METHOD(VerificationFixture,
                 "a file that does not compile is an exception, whatever a baseline says", "[ide][verify]") {
  write("A.lean", "theorem a : 1 = 2 := rfl\n");
  compiles_to(R"({"severity":"error","pos":{"line":1,"column":20},"data":"Type mismatch","kind":""})");
  const Verdict verdict = verify_all({.paths = {"A.lean"}});
  CHECK_FALSE(verdict.trusted);
  CHECK(*verdict.reason == "1 exception, 0 by sorry in 1 file with 0 declarations.");
  REQUIRE(verdict.exceptions->size() == 1);
  CHECK_FALSE(verdict.exceptions->front().declaration);
  CHECK(*verdict.exceptions->front().reason == "Lean does not compile the file: line 1: Type mismatch");
  write("baseline.json", wire::write(verdict, wire::Detail::Full).dump());
  const Verdict still = verify_all({.paths = {"A.lean"}}, "baseline.json");
  CHECK(still.in_baseline == 0);
  CHECK_FALSE(*still.as_baseline);
}

TEST_CASE_METHOD(VerificationFixture, "what no verdict is known of is an exception", "[ide][verify]") {
  write("A.lean", "theorem a : 1 = 1 := rfl\n#exit\ntheorem b : 1 = 2 := rfl\n");
  NamedFiles named{.paths = {"A.lean", "No.lean"}, .left_out = {{"Link", "It is a link."}}, .several = true};
  const Verdict verdict = verify_all(named);
  CHECK_FALSE(verdict.trusted);
  std::vector<std::string> reasons;
  for (const VerifyException& each : *verdict.exceptions) reasons.push_back(*each.reason);
  CAPTURE(reasons);
  REQUIRE(reasons.size() == 4);
  CHECK_THAT(reasons[0], Catch::StartsWith("Lake could not"));
  CHECK_THAT(reasons[1], Catch::Contains("#exit"));
  CHECK_THAT(reasons[2], Catch::StartsWith("It was not verified: File not found: No.lean"));
  CHECK(reasons[3] == "It was not verified. It is a link.");
}

TEST_CASE_METHOD(VerificationFixture, "a baseline is an answer of lean_verify in the project",
                 "[ide][verify]") {
  const auto refused = [&](const std::string& baseline) {
    return loop.run(verify_files(environment, operation(), {}, baseline)).error();
  };
  write("b.json", "{}");
  CHECK_THAT(refused("b.json").message, Catch::Contains("is no answer of lean_verify"));
  write("b.json", R"({"exceptions":[{"file_path":"A.lean","declaration":"a","count":9,"also":["2 b"]}]})");
  CHECK_THAT(refused("b.json").message, Catch::Contains("only the first of its exceptions"));
  CHECK(refused("../b.json").kind == ErrorKind::OutsideProject);
}

}  // namespace leanbridge::ide
