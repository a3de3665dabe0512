#include "core/lean/printed.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;

TEST_CASE("what #print axioms prints", "[printed]") {
  CHECK(read_printed_axioms("'A.foo' does not depend on any axioms") == PrintedAxioms{"A.foo", {}});
  CHECK(read_printed_axioms("'foo'' depends on axioms: [propext, Classical.choice]") ==
        PrintedAxioms{"foo'", {"Classical.choice", "propext"}});
  CHECK(
      read_printed_axioms("'foo' depends on axioms: [Classical.choice,\n propext,\n Quot.sound]\n")->axioms ==
      std::vector<std::string>{"Classical.choice", "Quot.sound", "propext"});
  CHECK(read_printed_axioms("'foo' depends on axioms:\n[mine]")->axioms == std::vector<std::string>{"mine"});
}

TEST_CASE("names that look like several, or like others", "[printed]") {
  const auto odd = read_printed_axioms("'«a, b».c' depends on axioms: [«propext, Quot».sound, X.propext]");
  REQUIRE(odd);
  CHECK(odd->name == "«a, b».c");
  CHECK(odd->axioms == std::vector<std::string>{"X.propext", "«propext, Quot».sound"});
  const auto secret = read_printed_axioms("'_private.M.N.0.A.foo' depends on axioms: [_private.M.0.propext]");
  REQUIRE(secret);
  CHECK(secret->name == "A.foo");
  CHECK(secret->axioms == std::vector<std::string>{"_private.M.0.propext"});
}

TEST_CASE("no name stands for the words around it", "[printed]") {
  const auto axioms = [](std::string_view message) { return read_printed_axioms(message).value().axioms; };
  using NameList = std::vector<std::string>;
  CHECK(axioms("'goal' depends on axioms: [«does not depend on any axioms»]") ==
        NameList{"«does not depend on any axioms»"});
  CHECK(axioms("'goal' depends on axioms: [sorryAx, «' does not depend on any axioms»]") ==
        NameList{"sorryAx", "«' does not depend on any axioms»"});
  CHECK(axioms("'«a' does not depend on any axioms»' depends on axioms: [sorryAx]") == NameList{"sorryAx"});
  CHECK(axioms("'«a' depends on axioms: [propext]»' depends on axioms: [sorryAx]") == NameList{"sorryAx"});
  CHECK(axioms("'«a' depends on axioms: [propext]»' does not depend on any axioms").empty());
}

TEST_CASE("other messages say nothing about axioms", "[printed]") {
  for (const char* message :
       {"", "'", "'foo'", "foo : 1 = 1", "'foo' depends on axioms: []", "'foo' depends on axioms: [propext",
        "cannot use `#print axioms` in a `module`; consider temporarily removing the `module` header"})
    CHECK_FALSE(read_printed_axioms(message));
}

TEST_CASE("the kind of what #print prints", "[printed]") {
  CHECK(read_printed_kind("theorem foo : 1 = 1 :=\nrfl") == PrintedKind{"theorem", false, false});
  CHECK(read_printed_kind("@[reducible, expose] private unsafe def f : Nat :=\n1") ==
        PrintedKind{"def", true, false});
  CHECK(read_printed_kind("partial def f : Nat :=\n1")->is_partial);
  CHECK(read_printed_kind("axiom mine : 1 = 2")->kind == "axiom");
  for (const char* message : {"", "@[", "@[simp]", "private", "Quotient primitive Quot : x", "x : 1 = 1"})
    CHECK_FALSE(read_printed_kind(message));
}
