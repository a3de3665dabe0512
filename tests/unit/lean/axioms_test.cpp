#include "leanbridge/lean/axioms.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;
using Axioms = std::vector<std::string>;

TEST_CASE("what #print axioms says", "[axioms]") {
  CHECK(read_axioms("'Nat.add_comm' does not depend on any axioms") == Axioms{});
  CHECK(read_axioms("'a' depends on axioms: [propext]") == Axioms{"propext"});
  CHECK(read_axioms("'em' depends on axioms: [propext, Classical.choice, Quot.sound]") ==
        Axioms{"propext", "Classical.choice", "Quot.sound"});
  CHECK(read_axioms("'open_end' depends on axioms: [sorryAx]") == Axioms{"sorryAx"});
  CHECK(read_axioms(
            "'long' depends on axioms: [propext,\n Classical.choice,\n Lean.ofReduceBool,\n Quot.sound]\n") ==
        Axioms{"propext", "Classical.choice", "Lean.ofReduceBool", "Quot.sound"});
}

TEST_CASE("axioms with any name", "[axioms]") {
  CHECK(read_axioms("'A.«not proved»' depends on axioms: [«an axiom», A.«b, c».d, x₁, «[»]") ==
        Axioms{"«an axiom»", "A.«b, c».d", "x₁", "«[»"});
  CHECK(read_axioms("'🙂.α'' depends on axioms: [𝔸.β, α']") == Axioms{"𝔸.β", "α'"});
  // Of a theorem that is named like an answer.
  CHECK(read_axioms("'«x' does not depend on any axioms»' depends on axioms: [sorryAx]") ==
        Axioms{"sorryAx"});
  CHECK(read_axioms("'«x' depends on axioms: [propext]»' does not depend on any axioms") == Axioms{});
  CHECK(read_axioms("'«x' depends on axioms: [propext]»' depends on axioms: [sorryAx]") == Axioms{"sorryAx"});
}

TEST_CASE("what is no list of axioms", "[axioms]") {
  for (const char* other :
       {"", "'a' depends on axioms: [", "'a' depends on axioms: []", "'a' depends on axioms: [b,]",
        "'a' depends on axioms: [b", "Unknown constant `a`", "'«a' depends on axioms: [b]",
        "cannot use `#print axioms` in a `module`; consider temporarily removing the `module` header"})
    CHECK_FALSE(read_axioms(other));
}

TEST_CASE("the worst axiom decides", "[axioms]") {
  CHECK(trust_of({}) == "standard");
  CHECK(trust_of({"propext", "Classical.choice", "Quot.sound"}) == "standard");
  CHECK(trust_of({"propext", "Lean.ofReduceBool", "Lean.trustCompiler"}) == "native");
  CHECK(trust_of({"f._native.native_decide.ax_1"}) == "native");
  CHECK(trust_of({"«f._native.g»"}) == "custom");
  CHECK(trust_of({"Lean.ofReduceBool", "choice"}) == "custom");
  CHECK(trust_of({"mine", "sorryAx"}) == "incomplete");
}
