#include "core/olean/module_difference.hpp"

#include "modules.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::test {

namespace {

std::string difference(const MakeModule& before, const MakeModule& after) {
  const ModuleFolder folder;
  auto left = folder.open(before), right = folder.open(after);
  REQUIRE(left);
  REQUIRE(right);
  const auto found = olean::module_difference(*left, *right);
  REQUIRE(found);
  return found->value_or("");
}

void plain(ModuleMaker& m) {
  m.definition("size", m.constant("Nat"), m.w.natural(3));
  m.theorem("fine", m.constant("True"), m.constant("True.intro"));
}

}  // namespace

TEST_CASE("a module that is compiled twice declares the same", "[certify]") {
  CHECK(difference(plain, plain).empty());
  CHECK(difference(plain, [](ModuleMaker& m) {
          m.imports.emplace_back("Other");
          plain(m);
        }).empty());
}

TEST_CASE("what differs between two compilations of a file is named", "[certify]") {
  CHECK(difference(plain, [](ModuleMaker& m) { m.definition("size", m.constant("Nat"), m.w.natural(3)); }) ==
        "`fine` would not be declared");
  CHECK(difference(plain, [](ModuleMaker& m) {
          plain(m);
          m.axiom("more", m.constant("True"));
        }) == "`more` would be new");
  CHECK(difference(plain, [](ModuleMaker& m) {
          m.definition("size", m.constant("Nat"), m.w.natural(4));
          m.theorem("fine", m.constant("True"), m.constant("True.intro"));
        }) == "`size` would mean something else");
  CHECK(difference(plain, [](ModuleMaker& m) {
          m.definition("size", m.constant("Nat"), m.w.natural(3));
          m.theorem("fine", m.constant("Nat"), m.constant("True.intro"));
        }) == "`fine` would mean something else");
}

TEST_CASE("a proof that rests on another axiom is a difference", "[certify]") {
  CHECK(difference(plain, [](ModuleMaker& m) {
          m.definition("size", m.constant("Nat"), m.w.natural(3));
          m.theorem("fine", m.constant("True"), m.constant("sorryAx"));
        }) == "`fine` would rest on other axioms");
  // By way of a lemma that Lean has made up.
  const auto through = [](std::string_view axiom) {
    return [axiom](ModuleMaker& m) {
      m.theorem("fine._proof_1", m.constant("True"), m.constant(axiom));
      m.theorem("fine", m.constant("True"), m.constant("fine._proof_1"));
    };
  };
  CHECK(difference(through("True.intro"), through("propext")) == "`fine` would rest on other axioms");
}

}  // namespace leanbridge::test
