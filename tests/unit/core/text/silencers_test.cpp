#include "core/text/silencers.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using leanbridge::text::find_exit;
using leanbridge::text::find_silencers;
using leanbridge::text::is_harmless_option;
using leanbridge::text::is_unchecking_option;
using leanbridge::text::only_evaluates;
using leanbridge::text::scan_silencers;
using leanbridge::text::with_attributes;
using Found = std::optional<leanbridge::text::TrustFinding>;

namespace {

Found at(int line, const char* word) {
  return leanbridge::text::TrustFinding{line, word};
}

}  // namespace

TEST_CASE("options that may keep Lean silent are found, however they are written") {
  CHECK(find_silencers("set_option warn.sorry false").any == at(1, "set_option warn.sorry"));
  CHECK(find_silencers("theorem a : P := by\n  set_option warn.sorry false in sorry").any ==
        at(2, "set_option warn.sorry"));
  CHECK(find_silencers("set_option\n  debug.skipKernelTC true in").any ==
        at(1, "set_option debug.skipKernelTC"));
  CHECK(find_silencers("set_option «warn».sorry false").any == at(1, "set_option «warn».sorry"));
  CHECK(find_silencers("set_option /- -/ warn.sorry false").any == at(1, "set_option /-"));
  CHECK(find_silencers("set_option warn.sorry true\nset_option warn.sorry\n  true in").any == std::nullopt);
  CHECK(find_silencers("set_option warn.sorry true.x").any == at(1, "set_option warn.sorry"));
  CHECK(find_silencers("set_option warn.sorry /- -/ true").any == at(1, "set_option warn.sorry"));
  CHECK(find_silencers("set_option pp.all true\nset_option maxHeartbeats 0 in").any == std::nullopt);
  CHECK(find_silencers("set_option maxHeartbeatsOfMine 0 in").any == at(1, "set_option maxHeartbeatsOfMine"));
}

TEST_CASE("programs that run while Lean elaborates are found") {
  // A macro that is one quotation can hide a message only by what it expands to.
  CHECK(find_silencers("macro \"x\" : tactic => `(tactic| skip)").any == std::nullopt);
  CHECK(find_silencers("macro \"x\" : tactic => `(tactic| set_option warn.sorry false in sorry)").any ==
        at(1, "set_option warn.sorry"));
  CHECK(find_silencers("macro_rules | `(x) => return .node .none k #[]").any == at(1, "macro_rules"));
  CHECK(find_silencers("def f : Macro := fun x => return .node .none k #[]\nsyntax \"macro\" : term").any ==
        at(1, "node"));
  CHECK(find_silencers("inductive Tree where | leaf | node (l r : Tree)").any == std::nullopt);
  CHECK(find_silencers("def f := Syntax.node .none ``Lean.Parser.Tactic.set_option #[]").any ==
        at(1, "node"));
  CHECK(find_silencers("def k := ``Lean.Parser.Command.«set_option» ").any == at(1, "set_option »"));
  CHECK(find_silencers("\n\nlocal elab \"x\" : term => pure").any == at(3, "elab"));
  CHECK(find_silencers("#eval 1").any == at(1, "#eval"));
  CHECK(find_silencers("macro \"#print\" \"axioms\" n:ident : command => `(#check $n)").any ==
        at(1, "#print"));
  CHECK(find_silencers("macro_rules | `(#print axioms $n:ident) => `(#check $n)").any == at(1, "#print"));
  CHECK(find_silencers("@[macro Lean.Parser.Command.printAxioms] def m : Macro := f").any ==
        at(1, "printAxioms"));
  CHECK(find_silencers("#guard_msgs (drop error) in").any == at(1, "#guard_msgs"));
  CHECK(find_silencers("@[simp, tactic foo] def f := 1").any == at(1, "tactic"));
  CHECK(find_silencers("attribute [local term_elab x] f").any == at(1, "term_elab"));
  CHECK(find_silencers("@[implemented_by g] def f := 1").any == at(1, "implemented_by"));
  CHECK(find_silencers("@[«tactic» foo] def f := 1").any == at(1, "tactic"));
  CHECK(find_silencers("@[/- -/ tactic foo] def f := 1").any == at(1, "tactic"));
  CHECK(find_silencers("@[-- x\n  local\n tactic foo] def f := 1").any == at(3, "tactic"));
  CHECK(find_silencers("attribute [simp, «term_elab» x] f").any == at(1, "term_elab"));
  CHECK(find_silencers("simproc_pattern% x => f").any == at(1, "simproc_pattern"));
  for (const char* const name : {"tactic",
                                 "init",
                                 "builtin_init",
                                 "term_parser",
                                 "tactic_parser",
                                 "command_parser",
                                 "norm_num",
                                 "positivity",
                                 "app_elab",
                                 "inductive_elab",
                                 "deriving_handler",
                                 "quot_precheck",
                                 "doElem_elab",
                                 "grind_tactic",
                                 "try_tactic",
                                 "sym_simproc",
                                 "cbvSimprocAttr",
                                 "doc_role",
                                 "delab",
                                 "macro",
                                 "term_elab",
                                 "command_elab",
                                 "env_linter",
                                 "category_parenthesizer",
                                 "code_action_provider"})
    CHECK(find_silencers("@[simp (high), " + std::string(name) + " x] private def f := 1").any.has_value());
  for (const char* const word : {"elab",
                                 "elab_rules",
                                 "command_elab",
                                 "term_elab",
                                 "by_elab",
                                 "declare_config_elab",
                                 "declare_command_config_elab",
                                 "declare_simp_like_tactic",
                                 "mkNode",
                                 "mkNullNode",
                                 "mkAtom",
                                 "TSyntax",
                                 "run_cmd",
                                 "run_meta",
                                 "run_elab",
                                 "run_tac",
                                 "#eval",
                                 "#eval!",
                                 "initialize",
                                 "builtin_initialize",
                                 "simproc",
                                 "dsimproc",
                                 "simproc_decl",
                                 "dsimproc_decl",
                                 "builtin_simproc",
                                 "builtin_dsimproc",
                                 "norm_num_ext",
                                 "unsafe",
                                 "implemented_by",
                                 "extern",
                                 "unsafeIO",
                                 "unsafeBaseIO",
                                 "unsafeEIO",
                                 "unsafeCast",
                                 "set_library_suggestions",
                                 "#guard_msgs",
                                 "#check_failure",
                                 "#guard_panic"})
    CHECK(find_silencers(std::string("x ") + word + " y").any == at(1, word));
  for (const char* const word :
       {"debug.skipKernelTC", "addDeclWithoutChecking", "addDeclCore", "lean_add_decl"})
    CHECK(find_silencers(std::string("x ") + word + " y").unchecked.has_value());
  // Even if the lexer is wrong about the end of a string, nothing is hidden.
  CHECK(find_silencers("def a := \"run_cmd\"").any == at(1, "run_cmd"));
}

TEST_CASE("a word begins and ends where a token of Lean's can") {
  for (const char* const source :
       {"⟨1, 2⟩elab \"x\" : term => y", "1elab \"x\"", "0b1elab", "1.5elab x", "∘elab«x»:term",
        "→relab \"x\"", "∑'elab x", "x#evaly", "#evalx", "#eval!x", "1initialize x", "₁run_cmd x"}) {
    CAPTURE(source);
    CHECK(find_silencers(source).program.has_value());
  }
  CHECK(find_silencers("1set_option pp.all true").option.has_value());
  CHECK(find_silencers("#guard_msgsx").option.has_value());
  for (const char* const source : {"theorem my_elab : αelab = xelab := (foo_elab)", "def ℕelab := x.my_elab",
                                   "[simp_elab, «a»] elaborate unsafely x₁elab"}) {
    CAPTURE(source);
    CHECK(find_silencers(source).any == std::nullopt);
  }
}

TEST_CASE("a macro that is more than one quotation is a program") {
  for (const char* const source :
       {"macro \"x\" : tactic => `(tactic| skip)",
        "macro \"x\" t:term : tactic => `(tactic| exact $t)\ntheorem a : P := b",
        "macro (name := foo) \"x\" : term =>\n  `(1)\n\n/-- doc -/\ndef b := 1", "macro_rules | `(x) => `(y)",
        "macro_rules (kind := x)\n  | `(x $a => $b) => `(y ($a) $b)\n  | `(z) => `(w)\n@[simp] theorem a : P "
        ":= b",
        "local macro \"x\" : command => `(theorem a : P := b) end Foo",
        "-- a macro\ntheorem a : P := fun x => y", "/- This macro does it. -/\ndef f := fun x => y",
        "macro \"x\" : term => `($[$a:term],*)\nopen Foo"}) {
    CAPTURE(source);
    CHECK(find_silencers(source).any == std::nullopt);
  }
  for (const char* const source :
       {"macro \"x\" : command => do\n  `(y)", "macro_rules | `(x) => do `(y)",
        "macro_rules | `(x) => return y", "macro \"x\" n:ident : command => let o := f n; `(command| $o)",
        "macro \"x\" : term => `($(f x))", "macro \"x\" : term => `(1) >>= f",
        "macro \"x\" : term => `(1)\n  |>.map f", "macro \"x\" : term => `(1)\nfoo",
        "macro_rules\n  | `(x) => `(y)\n  | `(z) => f", "macro \"x\" : term => (`(1))",
        "macro \"x\" : term => `(`(1))", "macro \"x\" : term => `(1) <|> f", "macro_rules | `(x) => f `(y)",
        "1macro \"x\" : term => f", "macro \"x\" : term => `(\"{\" + \"/-\") f /- -/"}) {
    CAPTURE(source);
    CHECK(find_silencers(source).program.has_value());
    CHECK(find_silencers(source).answers.has_value());
  }
}

TEST_CASE("comments and strings do not count where they are surely such") {
  const auto in_code = [](std::string_view source) { return scan_silencers(source).in_code.any; };
  CHECK(in_code("-- set_option warn.sorry false\n/- #eval -/ /-- an unsafe elab -/ def a := \"unsafe\"") ==
        std::nullopt);
  CHECK(in_code("-- x\n#eval \"#eval\"") == at(2, "#eval"));
  CHECK(in_code("def a := s!\"{by run_tac f}\"") == at(1, "run_tac"));
  // A macro's tokens are strings.
  CHECK(in_code("macro \"#print\" \"axioms\" n:ident : command => `(#check $n)") == at(1, "#print"));
  CHECK(scan_silencers("-- unsafe").anywhere.any == at(1, "unsafe"));
}

TEST_CASE("what may change where comments and strings end") {
  for (const char* source : {"def a := \"x {\"", "def a := dbg_trace \"{\" -- \"}\"; b",
                             "def q := x '\"{a}\"", "def a := \"{\\x}\"", "#eval!\"{\"", "def a := 1_x"})
    CHECK(scan_silencers(source).strings_unclear);
  // Such a string ends at the same place whatever is in the braces.
  for (const char* source : {"def a := \"x {b}\"", "def q := '\"'", "def a := s!\"'{x}'\"",
                             "def a := \"{x {y}}\"", "def a := \"{b'}\"", "def a := \"{-}\""})
    CHECK_FALSE(scan_silencers(source).strings_unclear);
  CHECK(scan_silencers("def a := dbg_trace \"{by run_tac x}\"; b").in_code.any == at(1, "run_tac"));
  CHECK_FALSE(scan_silencers("def a := s!\"{x}\" ++ \"y\"").strings_unclear);
  for (const char* source : {"\"a--b\"", "\"a/-\"", "\"-/\"", "\"a\\\"\"", "\"\\x2d-\"", "\"\\u{2d}\"",
                             "\"«\"", "\"»\"", "r\"a\""})
    CHECK(scan_silencers(source).has_marks);
  CHECK_FALSE(scan_silencers("-- a--b\ndef a := \"it's\" ++ s!\"--\"").has_marks);
  for (const char* source : {"notation", "notation3", "syntax", "macro", "infixl", "prefix", "postfix"})
    CHECK(scan_silencers(source).declares_tokens);
  CHECK_FALSE(scan_silencers("def a := 1").declares_tokens);
}

TEST_CASE("an example that is not seen to begin") {
  for (const char* const source :
       {"macro \"ex\" : command => `(example : 1 = 2 := by sorry)", "theorem a : P := b example : Q := c",
        "def a := 0b1example : 1 = 2 := by sorry",
        "def a := dbg_trace \"{\"/-\"}\"; 1\n/- example : P := b -/",
        "open Foo in example : P := b example : Q := c"}) {
    CAPTURE(source);
    CHECK(leanbridge::text::may_hide_example(source));
  }
  for (const char* const source :
       {"example : P := b", "theorem a : P := b\n\n/-- doc -/\nexample : Q := c\n  example : R := d",
        "-- for example\ndef a := \"example\"", "theorem example_two : P := Foo.example", ""}) {
    CAPTURE(source);
    CHECK_FALSE(leanbridge::text::may_hide_example(source));
  }
}

TEST_CASE("an evaluation that can only print") {
  CHECK(only_evaluates("#eval 1 + 1"));
  for (const char* source : {"open Lean in\n#eval 1", "#eval show Elab.x", "#eval (f : MetaM Unit)",
                             "#eval Tactic.f", "#eval (f : CoreM Unit)"})
    CHECK_FALSE(only_evaluates(source));
  CHECK(find_silencers("#eval 1").beside_eval == std::nullopt);
  CHECK(find_silencers("#eval 1\n\ninitialize x").beside_eval == at(3, "initialize"));
  CHECK(find_silencers("#eval 1\n@[tactic x] def f := 1").beside_eval == at(2, "tactic"));
  CHECK(find_silencers("#eval 1\nset_option warn.sorry false").beside_eval == at(2, "set_option warn.sorry"));
}

TEST_CASE("a program is found wherever the first option is") {
  const auto found = find_silencers("set_option warn.sorry false\n#eval 1");
  CHECK(found.any == at(1, "set_option warn.sorry"));
  CHECK(found.program == at(2, "#eval"));
  CHECK(find_silencers("#guard_msgs in example := 1").program == std::nullopt);
}

TEST_CASE("words of everyday are none") {
  CHECK(find_silencers("").any == std::nullopt);
  CHECK(find_silencers("-- this tactic, by init and elaboration of macros'\ntheorem a : P := by sorry").any ==
        std::nullopt);
  CHECK(find_silencers("theorem macro_like (macro' elab? : Nat) : evaluate = 1 := rfl").any == std::nullopt);
  CHECK(find_silencers("#check a\n#print axioms b").any == std::nullopt);
  CHECK(find_silencers("@[simp, ext (iff := false), simps! apply, to_additive (attr := simp) a]\ndef f := 1")
            .any == std::nullopt);
  CHECK(find_silencers("attribute [local instance 100] f\nattribute [-simp, grind =] g").any == std::nullopt);
  // A theorem is no program, whatever set of lemmas it belongs to.
  CHECK(
      find_silencers("@[my_simps] protected theorem a : P := b\n@[my_simps] private lemma c : P := b").any ==
      std::nullopt);
  CHECK(find_silencers("@[my_simps] protected def a := b").any == at(1, "my_simps"));
  // Lean forgets an example, with what its attributes did.
  CHECK(find_silencers("@[category test, AMS 11]\nexample : P := b").any == std::nullopt);
}

TEST_CASE("`unsafe` in a rule for Aesop is no silencer, and a rule that is a tactic is one") {
  for (const char* const rule :
       {"by\n  aesop (add unsafe 50% apply foo)", "aesop (add safe forward a, unsafe 10% b) (config := {})",
        "aesop (config := { terminal := true }) (add safe [a, b], unsafe 5% apply [c, d])",
        "aesop? (add 10% unsafe foo) (erase bar)", "aesop (add unsafe [foo 5%, unsafe bar])",
        "@[aesop unsafe 50% apply] theorem a : P := b",
        "@[simp, local aesop 50% unsafe apply]\ntheorem a : P",
        "attribute [aesop unsafe 80% (rule_sets := [Sets]), simp] foo",
        "attribute [aesop (rule_sets := [Sets]) unsafe 80%] foo",
        "@[to_additive (attr := simp, aesop unsafe 20% apply)] lemma a : P := b",
        "@[to_additive (attr := aesop unsafe 20% apply)] lemma a : P := b",
        "add_aesop_rules unsafe 10% (by simp)", "local add_aesop_rules 10% unsafe foo"})
    CHECK(find_silencers(rule).any == std::nullopt);
  for (const char* const other :
       {"unsafe def a := 1", "by aesop\n\nunsafe def a := 1", "@[aesop safe] unsafe def a := 1",
        "/- @[aesop -/ unsafe def a := 1", "-- @[aesop\nunsafe def a := 1",
        "-- aesop (add\nunsafe def a := 1", "-- add_aesop_rules\nunsafe def a := 1",
        "/- aesop (add -/ unsafe def a := 1", "def s := \"@[aesop \" ++ unsafe f", "f (add unsafe g)",
        "@[simp unsafe 5%] theorem a : P := b", "simp [aesop, unsafe f]",
        "@[aesop safe, simp unsafe f] theorem a : P := b"})
    CHECK(find_silencers(other).any.has_value());
  CHECK(find_silencers("@[aesop safe tactic] def f : TacticM Unit := g").any == at(1, "tactic"));
  CHECK(find_silencers("by aesop (add safe (by simp), unsafe 5% tactic f)").any == at(1, "tactic"));
  CHECK(find_silencers("macro \"x\" : tactic => `(tactic| aesop (add unsafe f))").any == std::nullopt);
}

TEST_CASE("attributes within an attribute are read, too") {
  CHECK(find_silencers("@[to_additive (attr := simp, tactic x) a] def f := 1").any == at(1, "tactic"));
  CHECK(find_silencers("@[to_additive (attr := simp, norm_cast) a, reassoc (attr := simp)] def f := 1").any ==
        std::nullopt);
  CHECK(find_silencers("macro_rules | `(attr| simp) => `(attr| x)").any == at(1, "attr"));
  CHECK(find_silencers("macro_rules | `(attr | simp) => `(y)").any == at(1, "attr"));
}

TEST_CASE("attributes that the project declares for lemmas make no programs") {
  const auto scan = scan_silencers(
      "/-- Mine. -/\nregister_simp_attr my_simps\n  register_label_attr my_label\n"
      "register_grind_attr my_grind");
  CHECK(scan.declared_attributes == std::vector<std::string>{"my_simps", "my_label", "my_grind"});
  for (const char* const other : {"-- register_simp_attr a", "/- x\nregister_simp_attr a -/",
                                  "macro \"x\" : command => `(register_simp_attr a)",
                                  "register_simp_attr tactic", "def s := \"\nregister_simp_attr a\""})
    CHECK(scan_silencers(other).declared_attributes.empty());
  const auto use = scan_silencers("@[my_simps, simp] def f := 1\n@[other, my_simps] def g := 1\n#eval 1");
  REQUIRE(use.attributes.size() == 2);
  CHECK(with_attributes(use.in_code, use.attributes, {}).any == at(1, "my_simps"));
  const auto rest = with_attributes(use.in_code, use.attributes, {"my_simps"});
  CHECK(rest.any == at(2, "other"));
  CHECK(rest.program == at(2, "other"));
  CHECK(rest.answers == at(2, "other"));
  CHECK(rest.beside_eval == at(2, "other"));
  CHECK(with_attributes(use.in_code, use.attributes, {"my_simps", "other"}).any == at(3, "#eval"));
}

TEST_CASE("attributes of Lean and Mathlib that make no programs") {
  for (const char* const name : {"suggest_for",
                                 "cbv_opaque",
                                 "cbv_eval",
                                 "method_specs",
                                 "deprecated_arg",
                                 "defeq",
                                 "backward_defeq",
                                 "no_fallback",
                                 "weak_specialize",
                                 "inline_if_reduce",
                                 "mvcgen_simp",
                                 "bitvec_to_nat",
                                 "lia!?",
                                 "lia",
                                 "sym_simp",
                                 "push",
                                 "mk_iff",
                                 "pp_with_univ",
                                 "notation_class",
                                 "functor_norm",
                                 "parity_simps",
                                 "zify_simps",
                                 "integral_simps",
                                 "nontriviality",
                                 "to_additive_dont_translate"})
    CHECK(find_silencers("@[" + std::string(name) + " x] def f := 1").any == std::nullopt);
}

TEST_CASE("an option that is harmless only with one value") {
  CHECK(is_harmless_option("warn.sorry", "true"));
  CHECK(is_harmless_option("weak.warn.sorry", "true"));
  CHECK(is_harmless_option("warningAsError", "false"));
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"warn.sorry", "false"},
                                                        {"warn.sorry", ""},
                                                        {"warn.sorry", "tru"},
                                                        {"warningAsError", "true"},
                                                        {"debug.skipKernelTC", "false"},
                                                        {"my.own", "true"},
                                                        {"maxErrors", "100"}})
    CHECK_FALSE(is_harmless_option(name, value));
  CHECK(find_silencers("set_option warn.sorry true in\ntheorem a : P := b").any == std::nullopt);
  CHECK(find_silencers("set_option warn.sorry\n  true").any == std::nullopt);
  for (const char* const text :
       {"set_option warn.sorry $b", "set_option warn.sorry", "set_option warn.sorry -- true\n false",
        "set_option warn.sorry /- true -/ false", "set_option warn.sorry trueish"})
    CHECK(find_silencers(text).any == at(1, "set_option warn.sorry"));
}

TEST_CASE("options that only print, count or try are harmless; all others are not") {
  for (const char* const name :
       {"allowUnsafeReducibility", "genSizeOfSpec", "experimental.module", "simprocs", "eval.pp",
        "format.width", "match.ignoreUnusedAlts", "compiler.extract_closed", "autoTry.onSorry",
        "cbv.maxSteps", "deriving.ord.linear_construction_threshold", "wf.preprocess", "warn.exposeOnPrivate",
        "weak.linter.mathlibStandardSet"})
    CHECK(is_harmless_option(name));
  for (const char* const name :
       {"debug.byAsSorry", "maxErrors", "stderrAsMessages", "internal.cmdlineSnapshots", "compiler.inLeanIR",
        "sat.solver", "trace.profiler.output", "trace.profiler.serve", "doc.verso", "weak.", "weak.debug.x"})
    CHECK_FALSE(is_harmless_option(name));
  for (const char* const name : {"pp.all", "trace.Meta", "linter.all", "maxHeartbeats", "autoImplicit",
                                 "maxSynthPendingDepth", "profiler.threshold"})
    CHECK(is_harmless_option(name));
  for (const char* const name :
       {"", "warn.sorry", "debug.x", "warningAsError", "ppx", "maxHeartbeatsOf", "«pp».all", "Pp.all"})
    CHECK_FALSE(is_harmless_option(name));
  for (const char* const name : {"debug.skipKernelTC", "", "a b", "x.«skip»"})
    CHECK(is_unchecking_option(name));
  for (const char* const name : {"warn.sorry", "my.own"}) CHECK_FALSE(is_unchecking_option(name));
}

TEST_CASE("what can keep the kernel from checking is found, however it is written") {
  CHECK(find_silencers("set_option debug.skipKernelTC true in").unchecked ==
        at(1, "set_option debug.skipKernelTC"));
  CHECK(find_silencers("set_option «debug».skipKernelTC true").unchecked ==
        at(1, "set_option «debug».skipKernelTC"));
  CHECK(find_silencers("\nset_option /- -/ debug.skipKernelTC true").unchecked == at(2, "set_option /-"));
  CHECK(find_silencers("macro \"x\" o:ident : command => `(command| set_option $o true)").unchecked ==
        at(1, "set_option $o"));
  CHECK(find_silencers("set_option warn.sorry false\nset_option debug.skipKernelTC true").unchecked ==
        at(2, "set_option debug.skipKernelTC"));
  CHECK(find_silencers("#eval f (debug.skipKernelTC.set {} true)").unchecked == at(1, "skipKernelTC"));
  CHECK(find_silencers("run_cmd setEnv ((← getEnv).addDeclWithoutChecking d)").unchecked ==
        at(1, "addDeclWithoutChecking"));
  CHECK(find_silencers("set_option warn.sorry false\nset_option maxHeartbeats 0 in").unchecked ==
        std::nullopt);
  CHECK(find_silencers("set_option my.own.option 3").unchecked == std::nullopt);
}

TEST_CASE("below #exit Lean looks at nothing") {
  CHECK(find_exit("theorem a : P := p\n#exit\ntheorem b : Q := q") == 2);
  CHECK(find_exit("theorem a : P := p\n#exit\n-- nothing\n/- more -/\n") == std::nullopt);
  CHECK(find_exit("-- #exit\ndef s := \"#exit\"\n/- #exit -/\ntheorem b : Q := q") == std::nullopt);
  CHECK(find_exit("") == std::nullopt);
  // As a part of another command Lean only warns of it.
  CHECK(find_exit("open Nat in\n#exit\ntheorem b : Q := q") == std::nullopt);
  CHECK(find_exit("set_option a false in open Nat in #exit\ntheorem b : Q := q") == std::nullopt);
  CHECK(find_exit("open Nat\n#exit\ntheorem b : Q := q") == 2);
  CHECK(find_exit("theorem a : P := by x in\n#exit\ntheorem b : Q := q") == 2);
}

TEST_CASE("what could answer #print axioms in place of Lean") {
  CHECK(find_silencers("set_option warn.sorry false\n#guard_msgs in\n#eval 1\n").answers == at(3, "#eval"));
  CHECK(find_silencers("#eval 1\nmacro \"a\" : command => b").answers == at(1, "#eval"));
  for (const char* harmless :
       {"set_option warn.sorry false in\ntheorem a : P := sorry", "#guard_msgs in\n#print axioms a",
        "macro \"quick\" : tactic => `(tactic| rfl)", "notation \"command\" => 1"})
    CHECK(find_silencers(harmless).answers == std::nullopt);
  // However it is written.
  for (const char* answering :
       {"macro \"#print\" \"axioms\" n:ident : command => `(command| #check $n)",
        "macro \"\\x23print\" \"axioms\" ident : command => `(command| /- -/ #print \"nothing\")",
        "macro_rules | `(/- -/ #print axioms $n) => `(#check $n)",
        "macro_rules (kind := «printAxioms») | _ => `(#check 1)",
        "@[macro Lean.Parser.Command.printAxioms] def m : Lean.Macro := f",
        "syntax \"\\x23print\" \"axioms\" ident : «command»"})
    CHECK(find_silencers(answering).answers.has_value());
}
