#include "core/text/trust_scan.hpp"

#include "core/text/lean_quoting.hpp"
#include <catch2/catch.hpp>

using leanbridge::text::is_lean_name;
using leanbridge::text::scan_for_trust;

static std::string found(std::string_view source) {
  std::string all;
  for (const auto& [line, pattern] : scan_for_trust(source))
    all += (all.empty() ? "" : ", ") + std::to_string(line) + " " + pattern;
  return all;
}

TEST_CASE("what defeats trust is found at its line", "[trust_scan]") {
  CHECK(found("theorem a : 1 = 2 := by\n  sorry\n") == "2 sorry");
  CHECK(found("axiom bad : False\n@[simp] axiom worse : False") == "1 axiom, 2 axiom");
  CHECK(found("theorem a : P := by native_decide") == "1 native_decide");
  CHECK(found("theorem a : P := by decide +native") == "1 native");
  CHECK(found("example := Lean.ofReduceBool x y rfl") == "1 ofReduceBool");
  CHECK(found("@[implemented_by f, inline]\ndef g := 1") == "1 implemented_by");
  CHECK(found("attribute [csimp] foo") == "1 csimp");
  CHECK(found("set_option debug.skipKernelTC true in\ntheorem a : P := p") ==
        "1 set_option debug.skipKernelTC");
  CHECK(found("local notation \"ℕ\" => Int") == "1 notation");
  CHECK(found("attribute [local instance] foo\nlocal instance : Add Nat := x") ==
        "1 local instance, 2 local instance");
  CHECK(found("open Foo in macro \"x\" : term => `(1)") == "1 macro");
  CHECK(found("unsafe def f := 1") == "1 unsafe");
  CHECK(found("/- -/ axiom bad : False\ntheorem a : 1 = 1 := rfl axiom worse : False\n#eval 1 /- -/ macro "
              "\"x\" : term => `(1)") == "1 axiom, 2 axiom, 3 macro");
  CHECK(found("def s := s!\"a {(sorry : Nat)} b\"") == "1 sorry");
  CHECK(found("def s := s!\"{ {a} {\n(sorry : Nat)}}\"\naxiom bad : False") == "2 sorry, 3 axiom");
  CHECK(found("def s := s!\"{ sorry {\n{ sorry\" sorry") ==
        "1 sorry, 2 sorry, 2 unclear: a string does not end");
}

TEST_CASE("a word behind a number is found, and where the words are unclear", "[trust_scan]") {
  CHECK(found("def z : Nat := 1axiom cheat : ∀ p : Prop, p") == "1 axiom");
  CHECK(found("example : P := by\n  iterate 1sorry") == "2 sorry");
  CHECK(found("example : P := ⟨1, 2⟩elab \"x\"") == "1 elab");
  CHECK(found("example : P := «sorryAx» _") == "1 sorryAx");
  CHECK(found("def a := 1\ndef b := dbg_trace \"{\"/-\"}\"; 1\naxiom c : P -- -/") ==
        "2 unclear: what is in the braces of a string may be code");
}

TEST_CASE("comments, literals and other uses of the words are not", "[trust_scan]") {
  CHECK(found("-- sorry\n/- axiom /- sorry -/ sorry -/\n/-- sorry -/\ndef a := \"sorry\" ++ r#\"sorry\"#") ==
        "");
  CHECK(found("def extern := 1\ndef a := b.extern + prefix.sorry'") == "");
  CHECK(found("theorem «sorry» : 1 = 1 := rfl\nexample (axiom' : Nat) := notSorry") == "");
  CHECK(found("def a (x : List Nat) := x.prefix\ninstance : Add Foo := y\nset_option maxHeartbeats 0") == "");
}

TEST_CASE("a name is one identifier and nothing more", "[trust_scan]") {
  for (const char* name : {"a", "Nat.add_comm", "«a b»", "Foo.«x.y».z'", "α₁.β", "x!", "_root_.foo"}) {
    CAPTURE(name);
    CHECK(is_lean_name(name));
  }
  for (const char* name :
       {"",  "a b",   "a\n#eval 1", "a --", "a/-", "(a)", "a)",     "#eval", "«a", "a.",   ".a",
        "1", "\"a\"", "«a\nb»",     "a;b",  "a,b", "a «", "«a» b»", "«a»»",  "@a", "a.{u}"}) {
    CAPTURE(name);
    CHECK_FALSE(is_lean_name(name));
  }
}
