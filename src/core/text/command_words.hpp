#pragma once
/// Words of Lean that cannot be names. Private to this module.

#include <array>
#include <string_view>

namespace leanbridge::text {

/// First words of commands that no term contains. The commands of libraries are unknown, but usually begin
/// with `#`.
inline constexpr auto kCommandWords = std::to_array<std::string_view>({"theorem",
                                                                       "lemma",
                                                                       "def",
                                                                       "abbrev",
                                                                       "instance",
                                                                       "example",
                                                                       "structure",
                                                                       "class",
                                                                       "inductive",
                                                                       "coinductive",
                                                                       "axiom",
                                                                       "opaque",
                                                                       "macro",
                                                                       "macro_rules",
                                                                       "syntax",
                                                                       "notation",
                                                                       "notation3",
                                                                       "infix",
                                                                       "infixl",
                                                                       "infixr",
                                                                       "prefix",
                                                                       "postfix",
                                                                       "elab",
                                                                       "elab_rules",
                                                                       "initialize",
                                                                       "simproc",
                                                                       "run_cmd",
                                                                       "run_meta",
                                                                       "run_elab",
                                                                       "namespace",
                                                                       "section",
                                                                       "end",
                                                                       "import",
                                                                       "export",
                                                                       "attribute",
                                                                       "universe",
                                                                       "variable",
                                                                       "mutual",
                                                                       "private",
                                                                       "protected",
                                                                       "noncomputable",
                                                                       "deriving",
                                                                       "irreducible_def",
                                                                       "builtin_initialize",
                                                                       "declare_syntax_cat",
                                                                       "register_option",
                                                                       "unif_hint",
                                                                       "alias",
                                                                       "add_decl_doc",
                                                                       "public",
                                                                       "meta",
                                                                       "module",
                                                                       "include",
                                                                       "omit",
                                                                       "init_quot",
                                                                       "seal",
                                                                       "unseal",
                                                                       "binder_predicate",
                                                                       "simproc_decl",
                                                                       "dsimproc",
                                                                       "dsimproc_decl",
                                                                       "grind_pattern",
                                                                       "register_simp_attr",
                                                                       "suppress_compilation"});

/// Words that pretend to be a proof.
inline constexpr auto kProofWords = std::to_array<std::string_view>({"sorry", "admit", "stop"});

}  // namespace leanbridge::text
