#include "lean_words.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace leanbridge::text {

namespace {

/// The effect of a name, or of a family of names: `pp.*` is every name that begins with `pp.`, `*_parser`
/// every name that ends with `_parser`. If several fit, the longest counts.
struct Judgement {
  std::string_view name;
  bool is_harmless = false;
  std::string_view harmless_value = {};  ///< of a harmful option: Lean then reports as by default
};

// In the tables, `+` begins a line of what is harmless, `-` of what is harmful, `#` of what they have in
// common;
// `=` is before a harmless value. To list the words of a Lean version that are missing here, run
// scripts/lib/lean-words.mjs, which reads these tables.

/// Options of Lean 4.22 to 4.35, Mathlib, Batteries, Aesop and the clients of search services. An option is
/// harmless if Lean still reports every wrong or unproved text as such when it is set:
/// tests/native-lean/words.test.mjs tries this with every option of its Lean.
constexpr std::string_view kOptions = R"(
# How terms and goals are printed, beside messages or in them.
+ pp.* format.* trace.* profiler profiler.* diagnostics diagnostics.* maxTraceChildren
+ showInferredTerminationBy showPartialSyntaxErrors showTacticDiff eval.* guard_msgs.* verbose
# Warnings about style and about experimental features. None is about a sorry.
+ linter.* warn.classDefReducibility warn.exposeOnPrivate warn.redundantExpose warning.simp.* mvcgen.warning
+ structureDiamondWarning experimental.intrinsic experimental.module experimental.vcgen
# How long Lean tries. Reaching a limit is an error.
+ maxHeartbeats maxRecDepth maxSynthPendingDepth maxUniverseOffset synthInstance.* exponentiation.*
+ match.maxCounterExamples max_memory timeout
# How a term is elaborated, and what is derived from a declaration. The kernel checks the result.
+ autoImplicit relaxedAutoImplicit autoLift smartUnfolding quotPrecheck quotPrecheck.* hygiene
+ checkBinderAnnotations genSizeOf genSizeOfSpec genInjectivity genCtorIdx bootstrap.genMatcherCode
+ bootstrap.inductiveCheckResultingUniverse deriving.* inductive.autoPromoteIndices
+ structure.strictResolutionOrder deprecated.oldSectionVars allowUnsafeReducibility match.ignoreUnusedAlts
+ cleanup.letToHave wf.preprocess backward.* Elab.async Elab.inServer
# How tactics search. The kernel checks the result; `autoTry` adds suggestions to the errors.
+ tactic.* simp.* simprocs sym.debug grind.* cbv.* bv.* autoTry.* aesop.* mathlib.* push_neg.* says.*
# How a definition is compiled. A proof that uses compiled code rests on an axiom.
+ compiler.* interpreter.prefer_native debugAssertions
# Harmful: Lean no longer reports a sorry, or reports it in words that we do not recognise.
- warn.sorry=true warningAsError=false
# Harmful: Lean leaves out errors, reports them late, or writes them to another place or in another form.
- maxErrors=0 stderrAsMessages=true server.* printMessageEndPos=false
# Harmful: the kernel is not asked, or receives sorry in place of a proof. Internal options may do the same.
- debug.* internal.* compiler.inLeanIR compiler.postponeCompile
# Harmful: Lean runs the program or writes the file that is named, or waits for a browser at its end.
- sat.solver trace.profiler.output trace.profiler.serve
# Harmful: Lean elaborates the text of documentation, including programs, which is not searched for words.
- doc.verso=false doc.verso.module=false
+ doc.verso.suggestions
)";

/// Attributes of the same libraries. An attribute is harmless if it runs no part of its declaration while a
/// later text is elaborated.
constexpr std::string_view kAttributes = R"(
# Sets of lemmas that Lean's own tactics use.
+ simp seval sym_simp grind lia ext refl symm trans congr norm_cast push_cast bool_to_prop prop_to_bool
+ bv_normalize bitvec_to_nat int_toBitVec int_toBitVec_meta int_toBitVec_sym Std.Internal.tree_tac spec
+ spec_invariant_type mvcgen_simp mvcgen_invariant_type mvcgen_witness_type method_specs method_specs_simp
+ wf_preprocess partial_fixpoint_monotone cbv_eval cbv_opaque defeq backward_defeq recursor
+ induction_eliminator cases_eliminator custom_eliminator unification_hint
# Affect how a term that uses the declaration is elaborated.
+ class instance default_instance univ_out_params coe coe_decl elab_as_elim elab_as_eliminator
+ elab_without_expected_type match_pattern reducible instance_reducible implicit_reducible semireducible
+ irreducible gen_constructor_elims no_fallback deriving decide
# Affect how it is compiled. `export` makes it visible to other languages, not to Lean's interpreter.
+ inline inline_if_reduce always_inline macro_inline noinline specialize weak_specialize nospecialize
+ never_extract computed_field unbox csimp export expose no_expose
# Information for readers.
+ deprecated deprecated_arg suggest_for inherit_doc pp_nodot pp_using_anonymous_constructor pp_with_univ
+ tactic_alt tactic_name tactic_tag nolint stacks kerodon wikidata default_target
# Sets of lemmas that tactics of Mathlib and Aesop use. attribute_scan.hpp finds `aesop` rules that are tactics.
+ aesop algebraize bound congr_simps continuity enat_to_nat_* eqns field_simps fin_omega finiteness fun_prop
+ functor_norm gcongr ghost_simps integral_simps is_poly measurability mfld_simps mon_tauto monad_norm mono
+ monotone nontriviality parity_simps pnat_to_nat_coe push push_end qify_simps rclike_simps reduce_mod_char
+ rify_simps typevec zify_simps
# Mathlib's own programs derive something from the declaration.
+ elementwise higher_order mk_iff notation_class reassoc simps to_additive to_additive_* to_app to_dual
+ to_dual_* to_fun
# Harmful: the declaration elaborates, expands or parses syntax.
- tactic macro *_elab *_parser *_tactic quot_precheck doElem_control_info incremental
- run_parser_attribute_hooks run_builtin_parser_attribute_hooks builtin_* doc_* deferred_doc_check
# Harmful: a tactic runs the declaration.
- *simproc *simprocAttr *simprocBuiltinAttr *procAttr *procBuiltinAttr *PropagatorBuiltinAttr sym_discharger
- frameproc try_suggestion library_suggestions norm_num positivity gcongr_forward
# Harmful: the declaration prints, and so can print something else; or it judges style, or answers editors.
- app_unexpander app_delab delab *formatter *parenthesizer env_linter package_code_quality_check
- missing_docs_handler unused_variables_ignore_fn *code_action code_action_provider server_rpc_method
- widget_module cpass
# Harmful: other code runs in place of the declaration, or the declaration runs when the file is imported.
- implemented_by extern tagged_return init
)";

bool fits(std::string_view family, std::string_view name) {
  if (family.ends_with('*')) return name.starts_with(family.substr(0, family.size() - 1));
  if (family.starts_with('*')) return name.ends_with(family.substr(1));
  return family == name;
}

std::vector<Judgement> read(std::string_view table) {
  std::vector<Judgement> judgements;
  for (std::size_t begin = 0, end; begin < table.size(); begin = end + 1) {
    end = std::min(table.find('\n', begin), table.size());
    const std::string_view line = table.substr(begin, end - begin);
    if (line.empty() || line[0] == '#') continue;
    for (std::size_t at = 2, stop; at < line.size(); at = stop + 1) {
      stop = std::min(line.find(' ', at), line.size());
      const std::string_view word = line.substr(at, stop - at);
      const std::size_t name = std::min(word.find('='), word.size());
      judgements.push_back(
          {word.substr(0, name), line[0] == '+', word.substr(std::min(name + 1, word.size()))});
    }
  }
  return judgements;
}

const Judgement* judgement_of(const std::vector<Judgement>& table, std::string_view name) {
  const Judgement* best = nullptr;
  for (const Judgement& each : table)
    if (fits(each.name, name) && (!best || each.name.size() > best->name.size())) best = &each;
  return best;
}

const Judgement* judgement_of_attribute(std::string_view attribute) {
  static const std::vector<Judgement> table = read(kAttributes);
  return judgement_of(table, attribute);
}

}  // namespace

bool is_harmless_setting(std::string_view option, std::string_view value) {
  // Prefix of an option that Lake sets only if Lean knows it.
  constexpr std::string_view kWeak = "weak.";
  if (option.starts_with(kWeak)) option.remove_prefix(kWeak.size());
  static const std::vector<Judgement> table = read(kOptions);
  const Judgement* const judgement = judgement_of(table, option);
  if (!judgement) return false;
  return judgement->is_harmless || (!value.empty() && value == judgement->harmless_value);
}

bool is_harmless_attribute(std::string_view attribute) {
  const Judgement* const judgement = judgement_of_attribute(attribute);
  return judgement && judgement->is_harmless;
}

bool is_harmful_attribute(std::string_view attribute) {
  const Judgement* const judgement = judgement_of_attribute(attribute);
  return judgement && !judgement->is_harmless;
}

}  // namespace leanbridge::text
