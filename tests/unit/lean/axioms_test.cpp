#include "leanbridge/lean/axioms.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;

TEST_CASE("the worst axiom decides", "[axioms]") {
  CHECK(trust_of({}) == "standard");
  CHECK(trust_of({"propext", "Classical.choice", "Quot.sound"}) == "standard");
  CHECK(trust_of({"propext", "Lean.ofReduceBool", "Lean.trustCompiler"}) == "native");
  CHECK(trust_of({"f._native.native_decide.ax_1"}) == "native");
  CHECK(trust_of({"«f._native.g»"}) == "custom");
  CHECK(trust_of({"Lean.ofReduceBool", "choice"}) == "custom");
  CHECK(trust_of({"mine", "sorryAx"}) == "incomplete");
}
