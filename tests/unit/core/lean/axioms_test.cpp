#include "core/lean/axioms.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;

TEST_CASE("the worst axiom decides", "[axioms]") {
  CHECK(trust_of({}) == AxiomTrust::Standard);
  CHECK(trust_of({"propext", "Classical.choice", "Quot.sound"}) == AxiomTrust::Standard);
  CHECK(trust_of({"propext", "Lean.ofReduceBool", "Lean.trustCompiler"}) == AxiomTrust::Native);
  CHECK(trust_of({"f._native.native_decide.ax_1"}) == AxiomTrust::Native);
  CHECK(trust_of({"«f._native.g»"}) == AxiomTrust::Custom);
  CHECK(trust_of({"Lean.ofReduceBool", "choice"}) == AxiomTrust::Native);
  CHECK(trust_of({"choice", "f._native.native_decide.ax_1"}) == AxiomTrust::Native);
  CHECK(trust_of({"choice"}) == AxiomTrust::Custom);
  CHECK(trust_of({"mine", "sorryAx"}) == AxiomTrust::Incomplete);
}
