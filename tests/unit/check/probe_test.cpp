// The commands below an accepted text, and reading their answers.

#include "check/batch/probe.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::batch {

namespace {

lean::Diagnostic answered(std::uint32_t line, lean::Severity severity, std::string message) {
  lean::Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.range = {{line, 0}, {line, 6}};
  diagnostic.message = std::move(message);
  return diagnostic;
}

Item proving(std::string text, std::string theorem = {}, std::string statement = {}) {
  Item item;
  item.id = "a";
  item.text = std::move(text);
  item.theorem = std::move(theorem);
  item.statement = std::move(statement);
  return item;
}

}  // namespace

TEST_CASE("nothing is asked where nothing is wanted", "[batch]") {
  CHECK_FALSE(Probe(proving("theorem a : True := trivial"), false).asks_anything());
}

TEST_CASE("the statement of a theorem, by its full name", "[batch]") {
  const Probe probe(proving("namespace N\ntheorem a : 1 = 1 := rfl\nend N", "a", "1 =\n1"), false);
  CHECK(probe.text() == "namespace N\ntheorem a : 1 = 1 := rfl\nend N\n\nexample : (1 =\n  1\n  ) := @N.a\n");
  CHECK_FALSE(probe.objection({}));
  CHECK_FALSE(probe.objection({answered(1, lean::Severity::Error, "elsewhere")}));
  CHECK_FALSE(probe.objection({answered(4, lean::Severity::Warning, "unused")}));
  CHECK(probe.objection({answered(5, lean::Severity::Error, "mismatch")}) == "mismatch");
}

TEST_CASE("the axioms of all theorems, joined", "[batch]") {
  const Probe probe(
      proving("theorem a : True := trivial\nnamespace N\nlemma b : True := trivial\ndef c := 1\n"), true);
  CHECK(probe.text().ends_with("\n\n#print axioms a\n#print axioms N.b\n"));
  const auto info = lean::Severity::Information;
  const Axioms both = probe.axioms({answered(6, info, "'a' depends on axioms: [propext]"),
                                    answered(7, info, "'N.b' depends on axioms: [Quot.sound, propext]")});
  CHECK(both.names == std::vector<std::string>{"Quot.sound", "propext"});
  const Axioms one = probe.axioms({answered(6, info, "'a' does not depend on any axioms")});
  CHECK_FALSE(one.names);
  CHECK_FALSE(one.why_not.empty());
  const Axioms refused =
      probe.axioms({answered(6, info, "'a' does not depend on any axioms"),
                    answered(7, lean::Severity::Error, "cannot use `#print axioms` in a `module`")});
  CHECK_FALSE(refused.names);
  CHECK(refused.why_not == "cannot use `#print axioms` in a `module`");
}

TEST_CASE("no theorem, or too many, is said", "[batch]") {
  CHECK(Probe(proving("def c := 1\n"), true).axioms({}).why_not == "The text declares no theorem.");
  std::string many;
  for (int i = 0; i < 65; ++i) many += "theorem t" + std::to_string(i) + " : True := trivial\n";
  const Probe probe(proving(many), true);
  CHECK_FALSE(probe.asks_anything());
  CHECK(probe.axioms({}).why_not.find("more than 64") != std::string::npos);
}

TEST_CASE("whether a text declares its theorem", "[batch]") {
  CHECK(declares_theorem(proving("namespace N\ntheorem a : True := trivial\n", "N.a")));
  CHECK(declares_theorem(proving("theorem b : True := trivial\n")));
  CHECK_FALSE(declares_theorem(proving("theorem b : True := trivial\n", "a")));
  CHECK_FALSE(declares_theorem(proving("-- theorem a : True := trivial\n", "a")));
}

}  // namespace leanbridge::batch
