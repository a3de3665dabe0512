#include "leanbridge/text/silencers.hpp"

#include <catch2/catch.hpp>

using leanbridge::text::find_silencer;
using leanbridge::text::find_silencer_in_lakefile;
using Found = std::optional<leanbridge::text::TrustFinding>;

namespace {

Found at(int line, const char* word) {
  return leanbridge::text::TrustFinding{line, word};
}

}  // namespace

TEST_CASE("options that may keep Lean silent are found, however they are written") {
  CHECK(find_silencer("set_option warn.sorry false") == at(1, "set_option warn.sorry"));
  CHECK(find_silencer("theorem a : P := by\n  set_option warn.sorry false in sorry") ==
        at(2, "set_option warn.sorry"));
  CHECK(find_silencer("set_option\n  debug.skipKernelTC true in") == at(1, "set_option debug.skipKernelTC"));
  CHECK(find_silencer("set_option «warn».sorry false") == at(1, "set_option «warn».sorry"));
  CHECK(find_silencer("set_option /- -/ warn.sorry false") == at(1, "set_option /-"));
  CHECK(find_silencer("set_option pp.all true\nset_option maxHeartbeats 0 in") == std::nullopt);
  CHECK(find_silencer("set_option maxHeartbeatsOfMine 0 in") == at(1, "set_option maxHeartbeatsOfMine"));
}

TEST_CASE("programs that run while Lean elaborates are found") {
  // A macro cannot keep a message from being shown but by what it writes out.
  CHECK(find_silencer("macro \"x\" : tactic => `(tactic| skip)") == std::nullopt);
  CHECK(find_silencer("macro \"x\" : tactic => `(tactic| set_option warn.sorry false in sorry)") ==
        at(1, "set_option warn.sorry"));
  CHECK(find_silencer("macro_rules | `(x) => return .node .none k #[]") == at(1, "node"));
  CHECK(find_silencer("inductive Tree where | leaf | node (l r : Tree)") == std::nullopt);
  CHECK(find_silencer("def f := Syntax.node .none ``Lean.Parser.Tactic.set_option #[]") == at(1, "node"));
  CHECK(find_silencer("def k := ``Lean.Parser.Command.«set_option» ") == at(1, "set_option "));
  CHECK(find_silencer("\n\nlocal elab \"x\" : term => pure") == at(3, "elab"));
  CHECK(find_silencer("#eval 1") == at(1, "#eval"));
  CHECK(find_silencer("macro \"#print\" \"axioms\" n:ident : command => `(#check $n)") == at(1, "#print"));
  CHECK(find_silencer("macro_rules | `(#print axioms $n:ident) => `(#check $n)") == at(1, "#print"));
  CHECK(find_silencer("@[macro Lean.Parser.Command.printAxioms] def m : Macro := f") == at(1, "printAxioms"));
  CHECK(find_silencer("#guard_msgs (drop error) in") == at(1, "#guard_msgs"));
  CHECK(find_silencer("@[simp, tactic foo] def f := 1") == at(1, "tactic"));
  CHECK(find_silencer("attribute [local term_elab x] f") == at(1, "term_elab"));
  CHECK(find_silencer("@[implemented_by g] def f := 1") == at(1, "implemented_by"));
  // A lexer that errs about where a string ends hides nothing.
  CHECK(find_silencer("def a := \"run_cmd\"") == at(1, "run_cmd"));
}

TEST_CASE("words of everyday are none") {
  CHECK(find_silencer("") == std::nullopt);
  CHECK(find_silencer("-- this tactic, by init and elaboration of macros'\ntheorem a : P := by sorry") ==
        std::nullopt);
  CHECK(find_silencer("theorem macro_like (macro' elab? : Nat) : evaluate = 1 := rfl") == std::nullopt);
  CHECK(find_silencer("#check a\n#print axioms b") == std::nullopt);
}

TEST_CASE("a lakefile that may silence Lean") {
  CHECK(find_silencer_in_lakefile("name = \"a\"\n[leanOptions]\nautoImplicit = false\n") == std::nullopt);
  CHECK(find_silencer_in_lakefile("[leanOptions]\nwarn.sorry = false\n") == at(2, "sorry"));
  CHECK(find_silencer_in_lakefile("[leanOptions.warn]\n\"s\\u006frry\" = false\n") == at(2, "\\u"));
  CHECK(find_silencer_in_lakefile("leanOptions := #[⟨`debug.skipKernelTC, true⟩]") == at(1, "debug"));
}
