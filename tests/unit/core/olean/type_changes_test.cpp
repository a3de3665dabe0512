#include "core/olean/type_changes.hpp"

#include "modules.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::test {

using olean::TypeChange;
using Change = TypeChange::Kind;

namespace {

bool never(std::uint32_t) {
  return false;
}
bool always(std::uint32_t) {
  return true;
}

std::vector<TypeChange> changes(const MakeModule& before, const MakeModule& after,
                                const olean::EditedLines& edited = {never, never, {}}) {
  const ModuleFolder folder;
  auto left = folder.open(before), right = folder.open(after);
  REQUIRE(left);
  REQUIRE(right);
  auto found = olean::type_changes(*left, *right, edited);
  REQUIRE(found);
  return std::move(*found);
}

MakeModule module(std::string_view type, unsigned value = 3, std::string_view name = "size") {
  return [=](ModuleMaker& m) {
    m.definition(std::string(name), m.constant("Nat"), m.w.natural(value));
    m.theorem("fine", m.constant(type), m.constant("True.intro"));
  };
}

}  // namespace

TEST_CASE("a type that is another one is a change, and both are told", "[certify]") {
  CHECK(changes(module("True"), module("True")).empty());
  const auto found = changes(module("True"), module("Nat"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Change::Changed);
  CHECK(found[0].name == "fine");
  CHECK(found[0].before == ": True");
  CHECK(found[0].after == ": Nat");
}

TEST_CASE("a definition that the edit does not touch keeps its value", "[certify]") {
  const auto found = changes(module("True"), module("True", 4));
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "size");
  CHECK(found[0].how.starts_with("has another value"));
  CHECK(changes(module("True"), module("True", 4), {always, never, {}}).empty());
  CHECK(changes(module("True"), module("True", 4), {never, always, {}}).empty());
}

TEST_CASE("a new axiom is assumed, and a theorem that is none proves nothing", "[certify]") {
  const auto assumed = changes(module("True"), [](ModuleMaker& m) {
    module("True")(m);
    m.axiom("cheat", m.constant("False"));
  });
  REQUIRE(assumed.size() == 1);
  CHECK(assumed[0].kind == Change::Assumed);
  CHECK(assumed[0].name == "cheat");
  const auto demoted = changes(module("True"), [](ModuleMaker& m) {
    m.definition("size", m.constant("Nat"), m.w.natural(3));
    m.definition("fine", m.constant("True"), m.constant("True.intro"));
  });
  REQUIRE(demoted.size() == 1);
  CHECK(demoted[0].kind == Change::Demoted);
}

TEST_CASE("what Lean has made up for a statement counts by what it is", "[certify]") {
  const auto with = [](std::string_view name, unsigned value) -> MakeModule {
    return [=](ModuleMaker& m) {
      m.definition(std::string(name), m.constant("Nat"), m.w.natural(value));
      m.theorem("fine", m.constant(name), m.constant("True.intro"));
    };
  };
  CHECK(changes(with("fine.match_1", 3), with("fine.match_2", 3)).empty());
  CHECK(changes(with("fine.match_1", 3), with("fine.match_1", 4)).size() == 1);
  CHECK(changes(with("limit", 3), with("bound", 3)).size() == 1);
}

TEST_CASE("a declaration that is renamed is the same wherever it is mentioned", "[certify]") {
  const olean::EditedLines renamed{never, never, {{olean::key_of("size"), olean::key_of("length")}}};
  CHECK(changes(module("size"), module("length", 3, "length"), renamed).empty());
  // Another constant has the name already, and now the statement is about that.
  const auto two = [](std::string_view named, std::string_view stated) -> MakeModule {
    return [=](ModuleMaker& m) {
      m.definition(std::string(named), m.constant("Nat"), m.w.natural(3));
      m.definition("other", m.constant("Nat"), m.w.natural(4));
      m.theorem("fine", m.constant(stated), m.constant("True.intro"));
    };
  };
  CHECK(changes(two("size", "size"), two("length", "other"), renamed).size() == 1);
  CHECK(changes(two("size", "other"), two("length", "length"), renamed).size() == 1);
}

}  // namespace leanbridge::test
