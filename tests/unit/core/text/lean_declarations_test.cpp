#include "core/text/lean_declarations.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::text {
namespace {

constexpr std::string_view kFile = R"(import Mathlib.Topology.Basic

/-! # Module doc: theorem not_this : True -/

open Topology Filter

variable {α : Type*} [TopologicalSpace α]

/-- A doc comment.
theorem nor_this : False
-/
@[simp, to_additive (attr := simp) "def nor_that"]
protected theorem Foo.bar' {u : α} (h : u = u) : u = u := by
  -- theorem commented : True
  have «def x» := "
theorem in_string : True"
  exact h

/- lemma in_comment : True := trivial -/
noncomputable def «my def».g (n : ℕ) : ℕ
  | 0 => 1
  | n + 1 => n
termination_by n => n

instance (priority := low) instFoo : Inhabited ℕ := ⟨0⟩
instance : Inhabited ℕ := ⟨0⟩

#check Foo.bar'

example : 1 = 1 := rfl

structure Point where
  /-- The abscissa -/
  x : ℕ
  private y : ℕ
deriving Repr

namespace Inner
  class inductive Foo.Ind : Type
end Inner

set_option maxHeartbeats 400000 in
open Nat in theorem last.{v} : True :=
  trivial
)";

std::string names(std::string_view source) {
  std::string result;
  for (const DeclarationSite& site : declarations(source)) result += site.keyword + " " + site.name + "\n";
  return result;
}

std::string enclosing(std::string_view needle) {
  const std::size_t offset = kFile.find(needle);
  REQUIRE(offset != std::string_view::npos);
  const auto site = enclosing_declaration(kFile, offset);
  return site ? site->keyword + " " + site->name : "none";
}

}  // namespace

TEST_CASE("the declarations of a file", "[text]") {
  CHECK(names(kFile) ==
        "theorem Foo.bar'\ndef «my def».g\ninstance instFoo\ninstance \nexample \nstructure Point\n"
        "class inductive Foo.Ind\ntheorem last\n");
  CHECK(names("").empty());
  CHECK(names("theorem") == "theorem \n");
  CHECK(names("mutual\n  def a := b\n  def b := a\nend") == "def a\ndef b\n");
  CHECK(names("@[simp\ntheorem x : True") == "theorem x\n");
  CHECK(names("/-- doc").empty());
}

TEST_CASE("a comment in front of a declaration does not hide it", "[text]") {
  CHECK(names("/- x -/ theorem a : True := trivial\n") == "theorem a\n");
  CHECK(names("theorem a : True := trivial\n  /- x\n  y -/ private theorem b : True := trivial\n") ==
        "theorem a\ntheorem b\n");
  CHECK(names("#check theorem a").empty());
}

TEST_CASE("the declaration around a place", "[text]") {
  CHECK(enclosing("import") == "none");
  CHECK(enclosing("theorem not_this") == "none");
  CHECK(enclosing("variable") == "none");
  CHECK(enclosing("/-- A doc") == "theorem Foo.bar'");
  CHECK(enclosing("theorem nor_this") == "theorem Foo.bar'");
  CHECK(enclosing("theorem commented") == "theorem Foo.bar'");
  CHECK(enclosing("theorem in_string") == "theorem Foo.bar'");
  CHECK(enclosing("exact h") == "theorem Foo.bar'");
  CHECK(enclosing("termination_by") == "def «my def».g");
  CHECK(enclosing("#check") == "none");
  CHECK(enclosing("rfl") == "example ");
  CHECK(enclosing("private y") == "structure Point");
  CHECK(enclosing("deriving") == "structure Point");
  CHECK(enclosing("namespace") == "none");
  CHECK(enclosing("Foo.Ind") == "class inductive Foo.Ind");
  CHECK(enclosing("maxHeartbeats") == "none");
  CHECK(enclosing("  trivial\n") == "theorem last");
  CHECK(enclosing_declaration(kFile, kFile.size())->name == "last");
  CHECK_FALSE(enclosing_declaration(kFile, kFile.size() + 1).has_value());
}

TEST_CASE("a site begins at its doc comment and ends where the next command begins", "[text]") {
  const auto sites = declarations(kFile);
  CHECK(sites[0].start == kFile.find("/-- A doc"));
  CHECK(sites[0].keyword_offset == kFile.find("theorem Foo.bar'"));
  CHECK(sites[0].end == kFile.find("noncomputable"));
  CHECK(sites[3].end == kFile.find("#check"));
  CHECK(sites[5].end == kFile.find("namespace"));
  CHECK(sites.back().end == kFile.size());
}

TEST_CASE("local and scoped commands end a declaration", "[text]") {
  const std::string_view source =
      "def a := 1\nlocal notation \"x\" => 1\nscoped[Foo] infixl:65 \"+\" => f\n@[simp] lemma b : c := d";
  const auto sites = declarations(source);
  REQUIRE(sites.size() == 2);
  CHECK(sites[0].end == source.find("local"));
  CHECK(sites[1].name == "b");
}

TEST_CASE("a declaration begins with the macro that it is given to", "[text]") {
  const std::string_view source =
      "theorem a : p := f\nsilently theorem b\n\nchecked by_hand def c := 1\nunseal c in theorem d : q := "
      "g\n";
  CHECK(names(source) == "theorem a\ntheorem b\ndef c\ntheorem d\n");
  const auto sites = declarations(source);
  CHECK(sites[0].end == source.find("silently"));
  CHECK(sites[1].start == source.find("silently"));
  CHECK(sites[2].start == source.find("checked"));
  CHECK(names("structure S\nderiving Repr\nderiving instance BEq for S\n") == "structure S\n");
  CHECK(names("theorem a : p :=\n  f theorem\n") == "theorem a\n");
  CHECK(names("def a :=\nf\ntheorem b : p := g\n") == "def a\ntheorem b\n");
}

}  // namespace leanbridge::text
