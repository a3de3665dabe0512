#include "tactic_words.hpp"

#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::text {
namespace {

// clang-format off
constexpr auto kPlain = std::to_array<std::string_view>({
    "exact", "exact_mod_cast", "refine", "refine'", "refine_lift", "apply", "apply_mod_cast", "have", "haveI", "let", "letI",
    "show", "suffices", "replace", "change", "calc", "rw", "rwa", "erw", "rewrite", "simp", "simpa", "simp_all", "dsimp",
    "simp_rw", "unfold", "specialize", "set", "generalize", "convert", "convert_to", "trans", "intros", "nlinarith",
    "linarith", "nofun", "nomatch", "contradiction", "exfalso", "decide", "omega", "rfl", "trivial", "assumption",
    "constructor", "by_cases", "by_contra", "contrapose", "gcongr", "positivity", "norm_num", "ring", "ring_nf", "aesop",
    "field_simp", "push_cast", "ext", "funext", "congr", "subst", "injection", "clear", "symm", "left", "right",
});
constexpr auto kPatterns = std::to_array<std::string_view>({
    "rcases", "obtain", "rintro", "cases'", "induction'"});
constexpr auto kCommas = std::to_array<std::string_view>({"use", "use!", "exists", "existsi"});
constexpr auto kAlternatives = std::to_array<std::string_view>({
    "cases", "induction", "match", "fun_cases", "fun_induction", "intro"});
constexpr auto kArrow = std::to_array<std::string_view>({
    "case", "case'", "next", "conv", "conv'", "conv_lhs", "conv_rhs", "on_goal"});
constexpr auto kChoices = std::to_array<std::string_view>({"first", "solve", "attempt_all", "first_par"});
constexpr auto kPrefix = std::to_array<std::string_view>({
    "try", "repeat", "repeat'", "repeat1", "repeat1'", "iterate", "all_goals", "any_goals", "focus", "work_on_goal",
    "fail_if_success", "success_if_fail", "with_reducible", "with_reducible_and_instances", "with_unfolding_all",
    "with_unfolding_none", "unhygienic", "show_term", "classical", "recover", "checkpoint", "as_aux_lemma"});
constexpr auto kContinuing = std::to_array<std::string_view>({
    "by", "then", "else", "with", "at", "using", "from", "in", "do", "where", "generalizing", "only", "termination_by",
    "decreasing_by", "deriving", "fun", "_"});
// clang-format on

}  // namespace

TacticHead tactic_head(std::string_view word) {
  if (contains(kPlain, word)) return TacticHead::Plain;
  if (contains(kPatterns, word)) return TacticHead::Patterns;
  if (contains(kCommas, word)) return TacticHead::Commas;
  if (contains(kAlternatives, word)) return TacticHead::Alternatives;
  if (contains(kArrow, word)) return TacticHead::Arrow;
  if (contains(kChoices, word)) return TacticHead::Choices;
  if (contains(kPrefix, word)) return TacticHead::Prefix;
  if (word == "if") return TacticHead::Conditional;
  if (word == "open" || word == "set_option") return TacticHead::CancelScope;
  return TacticHead::Unknown;
}

bool continues_tactic(std::string_view word) {
  return contains(kContinuing, word);
}

}  // namespace leanbridge::text
