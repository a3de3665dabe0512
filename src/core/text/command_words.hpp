#pragma once
/// The words of Lean by which readers of a text without Lean know its commands. Private to this module.

#include <algorithm>
#include <array>
#include <string_view>

namespace leanbridge::text {

/// The kinds of words; a word has several. Readers ask is_command_word() for one, or for either of several:
/// `kA | kB`.
enum CommandWordKind : unsigned {
  kAlone = 1U << 0U,      ///< begins a command or its modifiers, and no term contains it
  kElsewhere = 1U << 1U,  ///< the same, but terms, attributes or names may contain it, too
  kInTerms = 1U << 2U,    ///< terms may contain it, names may not
  kDeclares = 1U << 3U,   ///< the keyword of a declaration
  kIsType = 1U << 4U,     ///< of one whose statement is its whole text
  kNoProgram = 1U << 5U,  ///< of one that no attribute can turn into a program: it has no value that runs, or
                          ///< leaves nothing behind
  kMayBeAdded = 1U << 6U,  ///< of one that may be added below a proof
  kModifies = 1U << 7U,    ///< stands before a keyword
  kUnchecked = 1U << 8U,   ///< a modifier of definitions that are not checked as they run
  kEnds = 1U << 9U,      ///< a command that declares nothing with a name, but ends the declaration before it
  kOpens = 1U << 10U,    ///< opens a scope, wherever on a line it stands
  kGroups = 1U << 11U,   ///< only groups other commands: full names already show its effect
  kSyntax = 1U << 12U,   ///< changes how the text below is parsed or elaborated
  kReads = 1U << 13U,    ///< changes the meaning of the text below in another way
  kRuns = 1U << 14U,     ///< runs programs that can add anything to the environment, here or at an import
  kProgram = 1U << 15U,  ///< is a program that elaborates or that tactics run, and so can change messages
  kAttribute = 1U << 16U,  ///< declares an attribute for lemmas, which runs no program
  kLibrary = 1U << 17U,    ///< no token of Lean itself: a library's, an old one, or one of the header
  kAnyKind = ~0U,
};

struct CommandWord {
  std::string_view word;
  unsigned kinds;
};

/// In the order of the alphabet. Other commands of libraries are unknown, but usually begin with `#`.
/// tests/native-lean/command-words.test.mjs, which reads this table, compares it with the tokens of Lean.
inline constexpr auto kCommandWords = std::to_array<CommandWord>({
    {"abbrev", kAlone | kDeclares | kMayBeAdded},
    {"add_decl_doc", kAlone | kEnds},
    {"alias", kAlone | kDeclares | kLibrary},
    {"assert_not_exists", kEnds},
    {"attribute", kAlone | kEnds | kReads},
    {"axiom", kAlone | kDeclares | kIsType | kNoProgram},
    {"binder_predicate", kAlone | kReads},
    {"builtin_initialize", kAlone | kEnds | kRuns},
    {"class", kAlone | kDeclares | kIsType | kNoProgram | kMayBeAdded},
    {"coinductive", kAlone | kDeclares | kIsType},
    {"declare_syntax_cat", kAlone | kEnds | kSyntax},
    {"def", kAlone | kDeclares | kMayBeAdded},
    {"deriving", kAlone},
    {"dsimproc", kAlone | kProgram},
    {"dsimproc_decl", kAlone | kProgram},
    {"elab", kAlone | kEnds | kSyntax | kProgram},
    {"elab_rules", kAlone | kEnds | kSyntax | kProgram},
    {"end", kAlone | kEnds | kGroups},
    {"example", kAlone | kDeclares | kNoProgram | kMayBeAdded},
    {"export", kAlone | kEnds | kReads},
    {"grind_pattern", kAlone},
    {"import", kAlone | kEnds},
    {"include", kAlone | kEnds},
    {"inductive", kAlone | kDeclares | kIsType | kNoProgram | kMayBeAdded},
    {"infix", kAlone | kEnds | kSyntax},
    {"infixl", kAlone | kEnds | kSyntax},
    {"infixr", kAlone | kEnds | kSyntax},
    {"init_quot", kAlone},
    {"initialize", kAlone | kEnds | kRuns},
    {"instance", kAlone | kDeclares | kMayBeAdded | kReads},
    {"irreducible_def", kAlone | kDeclares | kLibrary},
    {"lemma", kAlone | kDeclares | kNoProgram | kMayBeAdded | kLibrary},
    {"library_note", kElsewhere | kEnds | kLibrary},
    {"local", kElsewhere | kModifies},
    {"macro", kAlone | kEnds | kSyntax},
    {"macro_rules", kAlone | kEnds | kSyntax},
    {"meta", kAlone | kModifies},
    {"module", kAlone | kLibrary},
    {"mutual", kAlone | kEnds | kGroups},
    {"namespace", kAlone | kEnds | kOpens | kGroups},
    {"noncomputable", kAlone | kModifies},
    {"nonrec", kElsewhere | kModifies},
    {"notation", kAlone | kEnds | kSyntax},
    {"notation3", kAlone | kEnds | kSyntax | kLibrary},
    {"omit", kAlone | kEnds},
    {"opaque", kAlone | kDeclares},
    {"open", kElsewhere | kInTerms | kEnds | kReads},
    {"partial", kElsewhere | kModifies | kUnchecked},
    {"postfix", kAlone | kEnds | kSyntax},
    {"prefix", kAlone | kEnds | kSyntax},
    {"private", kAlone | kModifies},
    {"protected", kAlone | kModifies},
    {"public", kAlone | kModifies},
    {"register_grind_attr", kAttribute},
    {"register_label_attr", kAttribute},
    {"register_option", kAlone},
    {"register_simp_attr", kAlone | kAttribute},
    {"run_cmd", kAlone | kEnds | kReads | kRuns},
    {"run_elab", kAlone | kReads | kRuns},
    {"run_meta", kAlone | kEnds | kReads | kRuns},
    {"scoped", kElsewhere | kModifies},
    {"seal", kAlone},
    {"section", kAlone | kEnds | kOpens | kGroups},
    {"set_option", kElsewhere | kInTerms | kEnds},
    {"simproc", kAlone | kEnds | kProgram},
    {"simproc_decl", kAlone | kProgram},
    {"structure", kAlone | kDeclares | kIsType | kNoProgram | kMayBeAdded},
    {"suppress_compilation", kAlone | kLibrary},
    {"syntax", kAlone | kEnds | kSyntax},
    {"theorem", kAlone | kDeclares | kNoProgram | kMayBeAdded},
    {"unif_hint", kAlone | kEnds | kReads},
    {"universe", kAlone | kEnds},
    {"unsafe", kElsewhere | kInTerms | kModifies | kUnchecked | kProgram},
    {"unseal", kAlone},
    {"variable", kAlone | kEnds | kReads},
    {"variables", kReads | kLibrary},
});
static_assert(std::ranges::is_sorted(kCommandWords, {}, &CommandWord::word));

/// Whether the word has one of these kinds.
constexpr bool is_command_word(std::string_view word, unsigned kinds) {
  const auto found = std::ranges::lower_bound(kCommandWords, word, {}, &CommandWord::word);
  return found != kCommandWords.end() && found->word == word && (found->kinds & kinds) != 0;
}

/// Words that pretend to be a proof.
inline constexpr auto kProofWords = std::to_array<std::string_view>({"sorry", "admit", "stop"});

}  // namespace leanbridge::text
