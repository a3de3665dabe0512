#include "advice.hpp"

#include "core/text/word_list.hpp"
#include "sorries.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::lean {

namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Lean reports style as warnings. The marks are those of lean-lsp-mcp 0.32, diagnostic_utils.py.
constexpr std::array<std::string_view, 3> kLinterMarks = {"his linter can be disabled", "nused variable",
                                                          "utomatically included section variable"};

struct Remedy {
  std::string_view message;  ///< a part of the message
  const char* hint;
};

// Source of the first four: lean-lsp-mcp 0.32, diagnostic_utils.py. The second is the wording before Lean
// 4.27.
constexpr auto kRemedies = std::to_array<Remedy>({
    {"failed to synthesize instance of type class\n  DecidableEq ",
     "Add `classical`, or supply the `DecidableEq` instance."},
    {"failed to synthesize\n  DecidableEq ", "Add `classical`, or supply the `DecidableEq` instance."},
    {"synthesized type class instance is not definitionally equal to expression inferred by typing rules",
     "Construct both expressions under the same local instance; if decidability is involved, begin with "
     "`classical`."},
    {"elaboration function for `Mathlib.Tactic.subscriptTerm` has not been implemented",
     "This notation is not active: open its namespace, or use the declaration's name."},
    {"invalid binder annotation, type is not a class instance\n  ?m.",
     "The binder's type is not known: check that its class is imported and in scope."},
    {"unknown module prefix 'Mathlib'",
     "This project does not require Mathlib, or has not fetched it. If the lakefile requires it, run `lake "
     "exe cache get`; if not, add it and run `lake update mathlib`, which leaves other packages as they are; "
     "or import only what the project has."},
    {"Failed to configure the Lake workspace.",
     "The file is not at fault: Lake could not load the project when Lean's server started. Call again: the "
     "server is started anew. If Lake says the same again, fix what it names."},
    {"Failed to load the Lake workspace.",
     "The file is not at fault: Lake could not load the project. Call again: Lake is asked anew. If it says "
     "the same again, fix what it names."},
    {"(kernel) ",
     "Every tactic succeeded, but the kernel refuses what they made. Replace the cases by sorry, one by one, "
     "until it accepts the rest: the last one replaced is the guilty one."},
});

// Tactics of Mathlib and of its dependencies that Lean itself lacks. Source: the `syntax` and `macro`
// declarations of category `tactic` in Mathlib/Tactic.
constexpr std::string_view kMathlibTactics =
    " abel abel! abel1 abel_nf aesop aesop_cat algebraize apply_fun apply_rw assumption' bicategory "
    "bound by_contra by_contra! by_contra' cases' cases_type casesm cat_disch choose choose! coherence "
    "compute_degree compute_degree! congr! congrm constructorm continuity contrapose contrapose! "
    "convert convert_to enat_to_nat existsi extract_goal field field_simp field_simp! filter_upwards "
    "fin_cases fin_omega finiteness finiteness! fun_prop gcongr generalize_proofs grewrite group grw "
    "hint induction' infer_param inhabit interval_cases itauto lift linarith linarith! "
    "linear_combination linear_combination' match_scalars measurability mfld_set_tac module monicity "
    "mono monoidal nlinarith nlinarith! noncomm_ring nontriviality norm_fin norm_num norm_num1 "
    "nth_grewrite nth_grw nth_rewrite nth_rw observe order peel plausible pnat_to_nat polyrith "
    "positivity pull push push_neg push_neg! qify rcongr recover reduce_mod_char rel rify ring ring! "
    "ring1 ring_nf ring_nf! rsuffices rw_search set set! simp_intro simp_rw slice_lhs slice_rhs "
    "split_ifs subsingleton substs swap swap_var tauto tauto_set tfae_finish tfae_have triv trunc_cases "
    "use use! wlog zify ";

bool is_part_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         c == '_' || c == '\'' || c == '!' || c == '?' || c == '.';
}

}  // namespace

wire::Names<MessageCategory> names_of(MessageCategory) {
  return {{MessageCategory::Diagnostic, "diagnostic"},
          {MessageCategory::Linter, "linter"},
          {MessageCategory::Sorry, "sorry"},
          {MessageCategory::Suggestion, "suggestion"}};
}

MessageCategory category_of(Severity severity, std::string_view message) {
  if (severity != Severity::Error && is_sorry_warning(message)) return MessageCategory::Sorry;
  if (contains(message, "Try this:") || contains(message, "Try these:")) return MessageCategory::Suggestion;
  if (severity == Severity::Warning)
    for (const std::string_view mark : kLinterMarks)
      if (contains(message, mark)) return MessageCategory::Linter;
  return MessageCategory::Diagnostic;
}

std::string_view word_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t start = offset, end = offset;
  while (start > 0 && is_part_of_word(text[start - 1])) --start;
  while (end < text.size() && is_part_of_word(text[end])) ++end;
  return text.substr(start, end - start);
}

std::string hint_for(Severity severity, std::string_view message, std::string_view word) {
  if (severity != Severity::Error) return {};
  for (const auto& [part, hint] : kRemedies)
    if (contains(message, part)) return hint;
  const bool unknown_tactic = contains(message, "nknown tactic");
  if (unknown_tactic && text::contains(kMathlibTactics, word))
    return "`" + std::string(word) +
           "` needs Mathlib: add `import Mathlib.Tactic` if the project depends on it; Lean itself has simp, "
           "omega, grind, decide.";
  return {};
}

std::optional<std::string> unknown_name(std::string_view message) {
  for (const std::string_view beginning :
       {"nknown identifier ", "nknown constant ", "The environment does not contain "}) {
    const std::size_t at = message.find(beginning);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = message.substr(at + beginning.size());
    if (rest.empty() || (rest[0] != '`' && rest[0] != '\'')) continue;
    // Many names contain an apostrophe, so the closing one is the last before the end of the word.
    std::size_t end = rest.find_first_of(rest[0] == '`' ? "`\n" : " \t\n", 1);
    if (end == std::string_view::npos) end = rest.size();
    if (rest[0] == '\'') {
      end = rest.rfind('\'', end - 1);
      if (end == 0) continue;
    }
    const std::string_view name = rest.substr(1, end - 1);
    if (!name.empty() && name.size() < 200) return std::string(name);
  }
  return std::nullopt;
}

}  // namespace leanbridge::lean
