#include "lean_words.hpp"

#include <array>
#include <cstddef>

namespace leanbridge::text {

namespace {

enum class Effect { Harmless, Harmful };
constexpr Effect kHarmless = Effect::Harmless, kHarmful = Effect::Harmful;

/// The effect of a name, or of a family of names: `pp.*` is every name that begins with `pp.`, `*_parser`
/// every name that ends with `_parser`. If several fit, the longest counts. To list the words of a Lean
/// version that are missing here, run scripts/lib/lean-words.mjs, which reads these tables: one entry a line.
struct Judgement {
  std::string_view name;
  Effect effect;
  std::string_view harmless_value = {};  ///< of a harmful option: the value with which Lean reports as much
                                         ///< as by default
};

/// Options of Lean 4.22 to 4.35, Mathlib, Batteries, Aesop and the clients of search services. An option is
/// harmless if Lean still reports every wrong or unproved text as such when it is set:
/// tests/native-lean/words.test.mjs tries this with every option of its Lean.
constexpr auto kOptions = std::to_array<Judgement>({
    // How terms and goals are printed, beside messages or in them.
    {"pp.*", kHarmless},
    {"format.*", kHarmless},
    {"trace.*", kHarmless},
    {"profiler", kHarmless},
    {"profiler.*", kHarmless},
    {"diagnostics", kHarmless},
    {"diagnostics.*", kHarmless},
    {"maxTraceChildren", kHarmless},
    {"showInferredTerminationBy", kHarmless},
    {"showPartialSyntaxErrors", kHarmless},
    {"showTacticDiff", kHarmless},
    {"eval.*", kHarmless},
    {"guard_msgs.*", kHarmless},
    {"verbose", kHarmless},
    // Warnings about style and about experimental features. None is about a sorry.
    {"linter.*", kHarmless},
    {"warn.classDefReducibility", kHarmless},
    {"warn.exposeOnPrivate", kHarmless},
    {"warn.redundantExpose", kHarmless},
    {"warning.simp.*", kHarmless},
    {"mvcgen.warning", kHarmless},
    {"structureDiamondWarning", kHarmless},
    {"experimental.intrinsic", kHarmless},
    {"experimental.module", kHarmless},
    {"experimental.vcgen", kHarmless},
    // How long Lean tries. Reaching a limit is an error.
    {"maxHeartbeats", kHarmless},
    {"maxRecDepth", kHarmless},
    {"maxSynthPendingDepth", kHarmless},
    {"maxUniverseOffset", kHarmless},
    {"synthInstance.*", kHarmless},
    {"exponentiation.*", kHarmless},
    {"match.maxCounterExamples", kHarmless},
    {"max_memory", kHarmless},
    {"timeout", kHarmless},
    // How a term is elaborated, and what is derived from a declaration. The kernel checks the result.
    {"autoImplicit", kHarmless},
    {"relaxedAutoImplicit", kHarmless},
    {"autoLift", kHarmless},
    {"smartUnfolding", kHarmless},
    {"quotPrecheck", kHarmless},
    {"quotPrecheck.*", kHarmless},
    {"hygiene", kHarmless},
    {"checkBinderAnnotations", kHarmless},
    {"genSizeOf", kHarmless},
    {"genSizeOfSpec", kHarmless},
    {"genInjectivity", kHarmless},
    {"genCtorIdx", kHarmless},
    {"bootstrap.genMatcherCode", kHarmless},
    {"bootstrap.inductiveCheckResultingUniverse", kHarmless},
    {"deriving.*", kHarmless},
    {"inductive.autoPromoteIndices", kHarmless},
    {"structure.strictResolutionOrder", kHarmless},
    {"deprecated.oldSectionVars", kHarmless},
    {"allowUnsafeReducibility", kHarmless},
    {"match.ignoreUnusedAlts", kHarmless},
    {"cleanup.letToHave", kHarmless},
    {"wf.preprocess", kHarmless},
    {"backward.*", kHarmless},
    {"Elab.async", kHarmless},
    {"Elab.inServer", kHarmless},
    // How tactics search. The kernel checks the result; `autoTry` adds suggestions to the errors.
    {"tactic.*", kHarmless},
    {"simp.*", kHarmless},
    {"simprocs", kHarmless},
    {"sym.debug", kHarmless},
    {"grind.*", kHarmless},
    {"cbv.*", kHarmless},
    {"bv.*", kHarmless},
    {"autoTry.*", kHarmless},
    {"aesop.*", kHarmless},
    {"mathlib.*", kHarmless},
    {"push_neg.*", kHarmless},
    {"says.*", kHarmless},
    // How a definition is compiled. A proof that uses compiled code rests on an axiom.
    {"compiler.*", kHarmless},
    {"interpreter.prefer_native", kHarmless},
    {"debugAssertions", kHarmless},
    // Harmful: Lean no longer reports a sorry, or reports it in words that we do not recognise.
    {"warn.sorry", kHarmful, "true"},
    {"warningAsError", kHarmful, "false"},
    // Harmful: Lean leaves out errors, reports them late, or writes them to another place or in another form.
    {"maxErrors", kHarmful, "0"},
    {"stderrAsMessages", kHarmful, "true"},
    {"server.*", kHarmful},
    {"printMessageEndPos", kHarmful, "false"},
    // Harmful: the kernel is not asked, or receives sorry in place of a proof. Internal options may do the
    // same.
    {"debug.*", kHarmful},
    {"internal.*", kHarmful},
    {"compiler.inLeanIR", kHarmful},
    {"compiler.postponeCompile", kHarmful},
    // Harmful: Lean runs the program or writes the file that the option names, or waits for a browser at its
    // end.
    {"sat.solver", kHarmful},
    {"trace.profiler.output", kHarmful},
    {"trace.profiler.serve", kHarmful},
    // Harmful: Lean elaborates the text of documentation, including programs, which is not searched for
    // words.
    {"doc.verso", kHarmful, "false"},
    {"doc.verso.module", kHarmful, "false"},
    {"doc.verso.suggestions", kHarmless},
});

/// Attributes of the same libraries. An attribute is harmless if it runs no part of its declaration while a
/// later text is elaborated.
constexpr auto kAttributes = std::to_array<Judgement>({
    // Sets of lemmas that Lean's own tactics use.
    {"simp", kHarmless},
    {"seval", kHarmless},
    {"sym_simp", kHarmless},
    {"grind", kHarmless},
    {"lia", kHarmless},
    {"ext", kHarmless},
    {"refl", kHarmless},
    {"symm", kHarmless},
    {"trans", kHarmless},
    {"congr", kHarmless},
    {"norm_cast", kHarmless},
    {"push_cast", kHarmless},
    {"bool_to_prop", kHarmless},
    {"prop_to_bool", kHarmless},
    {"bv_normalize", kHarmless},
    {"bitvec_to_nat", kHarmless},
    {"int_toBitVec", kHarmless},
    {"int_toBitVec_meta", kHarmless},
    {"int_toBitVec_sym", kHarmless},
    {"Std.Internal.tree_tac", kHarmless},
    {"spec", kHarmless},
    {"spec_invariant_type", kHarmless},
    {"mvcgen_simp", kHarmless},
    {"mvcgen_invariant_type", kHarmless},
    {"mvcgen_witness_type", kHarmless},
    {"method_specs", kHarmless},
    {"method_specs_simp", kHarmless},
    {"wf_preprocess", kHarmless},
    {"partial_fixpoint_monotone", kHarmless},
    {"cbv_eval", kHarmless},
    {"cbv_opaque", kHarmless},
    {"defeq", kHarmless},
    {"backward_defeq", kHarmless},
    {"recursor", kHarmless},
    {"induction_eliminator", kHarmless},
    {"cases_eliminator", kHarmless},
    {"custom_eliminator", kHarmless},
    {"unification_hint", kHarmless},
    // Affect how a term that uses the declaration is elaborated.
    {"class", kHarmless},
    {"instance", kHarmless},
    {"default_instance", kHarmless},
    {"univ_out_params", kHarmless},
    {"coe", kHarmless},
    {"coe_decl", kHarmless},
    {"elab_as_elim", kHarmless},
    {"elab_as_eliminator", kHarmless},
    {"elab_without_expected_type", kHarmless},
    {"match_pattern", kHarmless},
    {"reducible", kHarmless},
    {"instance_reducible", kHarmless},
    {"implicit_reducible", kHarmless},
    {"semireducible", kHarmless},
    {"irreducible", kHarmless},
    {"gen_constructor_elims", kHarmless},
    {"no_fallback", kHarmless},
    {"deriving", kHarmless},
    {"decide", kHarmless},
    // Affect how it is compiled. `export` makes it visible to other languages; Lean's interpreter does not
    // look for that name.
    {"inline", kHarmless},
    {"inline_if_reduce", kHarmless},
    {"always_inline", kHarmless},
    {"macro_inline", kHarmless},
    {"noinline", kHarmless},
    {"specialize", kHarmless},
    {"weak_specialize", kHarmless},
    {"nospecialize", kHarmless},
    {"never_extract", kHarmless},
    {"computed_field", kHarmless},
    {"unbox", kHarmless},
    {"csimp", kHarmless},
    {"export", kHarmless},
    {"expose", kHarmless},
    {"no_expose", kHarmless},
    // Information for readers.
    {"deprecated", kHarmless},
    {"deprecated_arg", kHarmless},
    {"suggest_for", kHarmless},
    {"inherit_doc", kHarmless},
    {"pp_nodot", kHarmless},
    {"pp_using_anonymous_constructor", kHarmless},
    {"pp_with_univ", kHarmless},
    {"tactic_alt", kHarmless},
    {"tactic_name", kHarmless},
    {"tactic_tag", kHarmless},
    {"nolint", kHarmless},
    {"stacks", kHarmless},
    {"kerodon", kHarmless},
    {"wikidata", kHarmless},
    {"default_target", kHarmless},
    // Sets of lemmas that tactics of Mathlib and Aesop use (Mathlib/Tactic/Attr/Register.lean, and the
    // tactics' own files). attribute_scan.hpp finds `aesop` rules that are tactics.
    {"aesop", kHarmless},
    {"algebraize", kHarmless},
    {"bound", kHarmless},
    {"congr_simps", kHarmless},
    {"continuity", kHarmless},
    {"enat_to_nat_*", kHarmless},
    {"eqns", kHarmless},
    {"field_simps", kHarmless},
    {"fin_omega", kHarmless},
    {"finiteness", kHarmless},
    {"fun_prop", kHarmless},
    {"functor_norm", kHarmless},
    {"gcongr", kHarmless},
    {"ghost_simps", kHarmless},
    {"integral_simps", kHarmless},
    {"is_poly", kHarmless},
    {"measurability", kHarmless},
    {"mfld_simps", kHarmless},
    {"mon_tauto", kHarmless},
    {"monad_norm", kHarmless},
    {"mono", kHarmless},
    {"monotone", kHarmless},
    {"nontriviality", kHarmless},
    {"parity_simps", kHarmless},
    {"pnat_to_nat_coe", kHarmless},
    {"push", kHarmless},
    {"push_end", kHarmless},
    {"qify_simps", kHarmless},
    {"rclike_simps", kHarmless},
    {"reduce_mod_char", kHarmless},
    {"rify_simps", kHarmless},
    {"typevec", kHarmless},
    {"zify_simps", kHarmless},
    // Mathlib's own programs derive something from the declaration.
    {"elementwise", kHarmless},
    {"higher_order", kHarmless},
    {"mk_iff", kHarmless},
    {"notation_class", kHarmless},
    {"reassoc", kHarmless},
    {"simps", kHarmless},
    {"to_additive", kHarmless},
    {"to_additive_*", kHarmless},
    {"to_app", kHarmless},
    {"to_dual", kHarmless},
    {"to_dual_*", kHarmless},
    {"to_fun", kHarmless},
    // Harmful: the declaration elaborates, expands or parses syntax.
    {"tactic", kHarmful},
    {"macro", kHarmful},
    {"*_elab", kHarmful},
    {"*_parser", kHarmful},
    {"*_tactic", kHarmful},
    {"quot_precheck", kHarmful},
    {"doElem_control_info", kHarmful},
    {"incremental", kHarmful},
    {"run_parser_attribute_hooks", kHarmful},
    {"run_builtin_parser_attribute_hooks", kHarmful},
    {"builtin_*", kHarmful},
    {"doc_*", kHarmful},
    {"deferred_doc_check", kHarmful},
    // Harmful: a tactic runs the declaration.
    {"*simproc", kHarmful},
    {"*simprocAttr", kHarmful},
    {"*simprocBuiltinAttr", kHarmful},
    {"*procAttr", kHarmful},
    {"*procBuiltinAttr", kHarmful},
    {"*PropagatorBuiltinAttr", kHarmful},
    {"sym_discharger", kHarmful},
    {"frameproc", kHarmful},
    {"try_suggestion", kHarmful},
    {"library_suggestions", kHarmful},
    {"norm_num", kHarmful},
    {"positivity", kHarmful},
    {"gcongr_forward", kHarmful},
    // Harmful: the declaration prints, and so can print something else; or it judges style, answers editors,
    // or compiles.
    {"app_unexpander", kHarmful},
    {"app_delab", kHarmful},
    {"delab", kHarmful},
    {"*formatter", kHarmful},
    {"*parenthesizer", kHarmful},
    {"env_linter", kHarmful},
    {"package_code_quality_check", kHarmful},
    {"missing_docs_handler", kHarmful},
    {"unused_variables_ignore_fn", kHarmful},
    {"*code_action", kHarmful},
    {"code_action_provider", kHarmful},
    {"server_rpc_method", kHarmful},
    {"widget_module", kHarmful},
    {"cpass", kHarmful},
    // Harmful: other code runs in place of the declaration, or the declaration runs when the file is
    // imported.
    {"implemented_by", kHarmful},
    {"extern", kHarmful},
    {"tagged_return", kHarmful},
    {"init", kHarmful},
});

bool fits(std::string_view family, std::string_view name) {
  if (family.ends_with('*')) return name.starts_with(family.substr(0, family.size() - 1));
  if (family.starts_with('*')) return name.ends_with(family.substr(1));
  return family == name;
}

template <std::size_t N>
const Judgement* judgement_of(const std::array<Judgement, N>& table, std::string_view name) {
  const Judgement* best = nullptr;
  for (const Judgement& each : table)
    if (fits(each.name, name) && (!best || each.name.size() > best->name.size())) best = &each;
  return best;
}

}  // namespace

bool is_harmless_setting(std::string_view option, std::string_view value) {
  // Prefix of an option that Lake sets only if Lean knows it.
  constexpr std::string_view kWeak = "weak.";
  if (option.starts_with(kWeak)) option.remove_prefix(kWeak.size());
  const Judgement* const judgement = judgement_of(kOptions, option);
  if (!judgement) return false;
  return judgement->effect == Effect::Harmless || (!value.empty() && value == judgement->harmless_value);
}

bool is_harmless_attribute(std::string_view attribute) {
  const Judgement* const judgement = judgement_of(kAttributes, attribute);
  return judgement && judgement->effect == Effect::Harmless;
}

bool is_harmful_attribute(std::string_view attribute) {
  const Judgement* const judgement = judgement_of(kAttributes, attribute);
  return judgement && judgement->effect == Effect::Harmful;
}

}  // namespace leanbridge::text
