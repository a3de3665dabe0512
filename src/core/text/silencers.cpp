#include "silencers.hpp"

#include "attribute_scan.hpp"
#include "command_words.hpp"
#include "lean_declarations.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"
#include "lean_words.hpp"
#include "lines.hpp"
#include "macro_scan.hpp"
#include "utf8.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::text {

using namespace std::string_view_literals;

namespace {

/// Commands that compare or drop messages.
constexpr auto kSwallowingWords =
    std::to_array<std::string_view>({"#guard_msgs", "#check_failure", "#guard_panic"});

/// Words of programs that can change messages, besides the commands that are programs: those that elaborate
/// syntax, and syntax that no parser has read; those that run at once, or when the file is imported; those
/// that tactics run; ways for a program to do what its type does not permit. A macro that only quotes syntax
/// is not one (macro_scan.hpp).
constexpr auto kPrograms = std::to_array<std::string_view>({"command_elab",
                                                            "term_elab",
                                                            "by_elab",
                                                            "declare_config_elab",
                                                            "declare_command_config_elab",
                                                            "declare_simp_like_tactic",
                                                            "mkNode",
                                                            "mkNullNode",
                                                            "mkAtom",
                                                            "TSyntax",
                                                            "run_tac",
                                                            "#eval",
                                                            "#eval!",
                                                            "builtin_simproc",
                                                            "builtin_dsimproc",
                                                            "norm_num_ext",
                                                            "implemented_by",
                                                            "extern",
                                                            "unsafeIO",
                                                            "unsafeBaseIO",
                                                            "unsafeEIO",
                                                            "unsafeCast"});

/// Parts of words that bypass the kernel. No proof needs them.
constexpr auto kUnchecking =
    std::to_array<std::string_view>({"skipKernelTC", "WithoutChecking", "addDeclCore", "lean_add_decl"});

/// Minimum sizes of the words and parts to search for: most words of a file are shorter and can be skipped.
constexpr std::size_t kShortestWord = 4;
constexpr std::size_t kShortestPart = 7;
constexpr bool none_is_shorter(const auto& words, std::size_t size) {
  return std::ranges::all_of(words, [size](std::string_view word) { return word.size() >= size; });
}
static_assert(none_is_shorter(kPrograms, kShortestWord));
static_assert(none_is_shorter(kSwallowingWords, kShortestPart) &&
              none_is_shorter(kUnchecking, kShortestPart));

constexpr auto kSilencerBytes = [] {
  std::array<bool, 128> is_one{};
  for (std::size_t byte = 0; byte < is_one.size(); ++byte)
    is_one[byte] = ('a' <= byte && byte <= 'z') || ('A' <= byte && byte <= 'Z') ||
                   ('0' <= byte && byte <= '9') || byte == '_' || byte == '!' || byte == '\'' || byte == '?';
  return is_one;
}();

bool is_silencer_byte(char c) {
  return static_cast<unsigned char>(c) < 0x80 && kSilencerBytes[static_cast<unsigned char>(c)];
}

bool leads_past_the_kernel(std::string_view word) {
  return std::ranges::any_of(kUnchecking,
                             [&](std::string_view part) { return word.find(part) != word.npos; });
}

/// A name without `«»`, `$` and other means to obscure it.
bool is_plain_option(std::string_view option) {
  return !option.empty() &&
         std::ranges::all_of(option, [](char c) { return c == '.' || is_silencer_byte(c); });
}

bool comes_before(const std::optional<TrustFinding>& one, const std::optional<TrustFinding>& other) {
  return one && (!other || one->line < other->line);
}

class SilencerSearch {
 public:
  explicit SilencerSearch(std::string_view source)
      : source_(source),
        // `node` is a constructor of many kinds of trees; it can be Lean's syntax only in a file that
        // mentions syntax.
        makes_syntax_(source.find("macro") != std::string_view::npos ||
                      source.find("Syntax") != std::string_view::npos) {}

  Silencers run() {
    Silencers first;
    for (std::size_t at = 0; at < source_.size();) {
      const bool is_ascii = static_cast<unsigned char>(source_[at]) < 0x80;
      if (is_ascii && !is_silencer_byte(source_[at]) && source_[at] != '#') {
        ++at;
        continue;
      }
      const std::size_t end = source_[at] == '#' ? end_of_word(at + 1) : end_of_word(at);
      if (end == at) {
        ++at;
        continue;
      }
      look_at(at, source_.substr(at, end - at), first);
      // Lean may end a token or a number anywhere in this word, and begin another word there.
      if (end - at > kShortestWord && may_be_split(at))
        for (std::size_t inner = at + 1; inner + kShortestWord <= end; ++inner)
          if (!is_continuation_byte(source_[inner]))
            look_at(inner, source_.substr(inner, end - inner), first);
      at = end;
    }
    first.any = first.program;
    first.answers = first.any ? first.any : command_macro();
    if (comes_before(first.option, first.any)) first.any = first.option;
    if (comes_before(first.option, first.beside_eval)) first.beside_eval = first.option;
    return first;
  }

 private:
  /// The end of the word at `at`; `at` itself if there is no word.
  std::size_t end_of_word(std::size_t at) const {
    for (;;) {
      while (at < source_.size() && is_silencer_byte(source_[at])) ++at;
      if (at == source_.size() || static_cast<unsigned char>(source_[at]) < 0x80) return at;
      const std::size_t size = size_of_name_character(source_, at);
      if (size == 0) return at;
      at += size;
    }
  }

  /// Whether a token that begins before the word, or the number in its first digits, may end within it. A
  /// token of Lean that ends in letters begins with a symbol other than these brackets and dots.
  bool may_be_split(std::size_t at) const {
    if (!begins_name(source_, at)) return true;
    if (at == 0 || is_white_space(source_[at - 1])) return false;
    return std::string_view("()[]{},.@\"#").find(source_[at - 1]) == std::string_view::npos;
  }

  void look_at(std::size_t at, std::string_view word, Silencers& first) const {
    if (word.size() < kShortestWord) return;
    if (is_program(at, word)) {
      if (!first.program) first.program = found(at, word);
      if (!first.beside_eval && !word.starts_with("#eval")) first.beside_eval = found(at, word);
    }
    if (word.size() < kShortestPart) return;
    if (!first.unchecked && leads_past_the_kernel(word)) first.unchecked = found(at, word);
    if (!first.option && is_listed(kSwallowingWords, word)) first.option = found(at, word);
    if (word.find("set_option"sv) != std::string_view::npos) look_at_option(at, word, first);
  }

  /// A command that begins with `#` ends where its own letters end, whatever follows.
  template <class Words>
  static bool is_listed(const Words& words, std::string_view word) {
    if (word.front() != '#') return contains(words, word);
    return std::ranges::any_of(
        words, [&](std::string_view each) { return each.front() == '#' && word.starts_with(each); });
  }

  void look_at_option(std::size_t at, std::string_view word, Silencers& first) const {
    const std::string_view option = text_behind(at + word.size());
    const std::string_view value = text_behind(static_cast<std::size_t>(option.end() - source_.begin()));
    if (word == "set_option" && is_harmless_option(option, value)) return;
    if (first.option && first.unchecked) return;
    constexpr std::size_t kMaxShown = 60;
    const TrustFinding finding = found(at, "set_option " + std::string(option.substr(0, kMaxShown)));
    if (!first.option) first.option = finding;
    if (!first.unchecked && (word != "set_option" || is_unchecking_option(option))) first.unchecked = finding;
  }

  TrustFinding found(std::size_t at, std::string_view what) const {
    return {line_number(source_, at), std::string(what)};
  }

  bool is_program(std::size_t at, std::string_view word) const {
    // `unsafe` also marks rules of Aesop, where it is harmless; `tactic` makes a rule of Aesop a program.
    if (word == "unsafe" || word == "tactic") return is_in_aesop_rule(source_, at) == (word == "tactic");
    return is_listed(kPrograms, word) || is_command_word(word, kRuns | kProgram) ||
           (word == "node" && makes_syntax_) || word == "printAxioms" ||
           (word == "attr" && is_quotation(at + word.size())) ||
           (word.starts_with("#print") && is_quoted(at)) || word == "set_library_suggestions" ||
           ((word == "macro" || word == "macro_rules") && is_program_macro(source_, at + word.size())) ||
           (word.size() >= kShortestPart &&
            (word.starts_with("builtin_") || word.find("simproc"sv) != std::string_view::npos));
  }

  /// A macro in a file that mentions commands. The text that it matches or produces can be written in many
  /// ways (escapes, comments, guillemets), so this does not try to read it.
  std::optional<TrustFinding> command_macro() const {
    const bool mentions_commands = has("command") || has("printAxioms") || has("#print");
    if (!mentions_commands) return std::nullopt;
    std::size_t first = std::string_view::npos;
    std::string_view word;
    for (const std::string_view each : {"macro", "syntax", "Syntax"}) {
      const std::size_t at = source_.find(each);
      if (at >= first) continue;
      first = at;
      word = each;
    }
    if (word.empty()) return std::nullopt;
    return found(first, word);
  }

  bool has(std::string_view part) const { return source_.find(part) != std::string_view::npos; }

  /// Whether a macro matches or produces an attribute here, which may be one that makes programs: `(attr|
  /// simp)`.
  bool is_quotation(std::size_t end) const {
    while (end < source_.size() && is_white_space(source_[end])) ++end;
    return end < source_.size() && source_[end] == '|';
  }

  /// Whether a macro matches or produces a command here: `"#print"`, `(#print ...)`, `| #print`.
  bool is_quoted(std::size_t at) const {
    while (at > 0 && is_white_space(source_[at - 1])) --at;
    return at > 0 && std::string_view("\"(|`").find(source_[at - 1]) != std::string_view::npos;
  }

  /// The text behind `at` up to a blank. If it is a comment, it is no known option.
  std::string_view text_behind(std::size_t at) const {
    while (at < source_.size() && is_white_space(source_[at])) ++at;
    std::size_t end = at;
    while (end < source_.size() && !is_white_space(source_[end])) ++end;
    return source_.substr(at, end - at);
  }

  std::string_view source_;
  bool makes_syntax_;
};

}  // namespace

bool is_harmless_option(std::string_view name, std::string_view value) {
  return is_harmless_setting(name, value);
}

bool is_unchecking_option(std::string_view name) {
  return leads_past_the_kernel(name) || !is_plain_option(name);
}

Silencers with_attributes(Silencers found, const std::vector<TrustFinding>& attributes,
                          const std::set<std::string>& declared) {
  const auto first = std::ranges::find_if(
      attributes, [&](const TrustFinding& attribute) { return !declared.contains(attribute.pattern); });
  if (first == attributes.end()) return found;
  // An attribute makes a program, which is a surer reason than a macro.
  if (!found.program || comes_before(*first, found.answers)) found.answers = *first;
  for (auto* const finding : {&found.program, &found.any, &found.beside_eval})
    if (comes_before(*first, *finding)) *finding = *first;
  return found;
}

Silencers find_silencers(std::string_view source) {
  return with_attributes(SilencerSearch(source).run(), scan_attributes(source).programs, {});
}

namespace {

bool may_hide_example(std::string_view source, bool is_doubtful) {
  constexpr std::string_view kWord = "example";
  const auto is_word = [&](std::size_t at) {
    const bool inside = at > 0 && (is_silencer_byte(source[at - 1]) || source[at - 1] == '.') &&
                        (source[at - 1] < '0' || source[at - 1] > '9');
    return !inside && size_of_name_character(source, at + kWord.size()) == 0;
  };
  if (source.find(kWord) == std::string_view::npos) return false;
  std::size_t count = 0;
  if (is_doubtful) {
    for (std::size_t at = source.find(kWord); at != std::string_view::npos; at = source.find(kWord, at + 1))
      if (is_word(at)) ++count;
  } else {
    LeanLexer lexer(source);
    while (const auto token = lexer.next()) {
      const std::string_view word = source.substr(token->begin, token->end - token->begin);
      const bool has_code = token->kind == LeanTokenKind::String && word.find('{') != word.npos;
      if ((token->kind == LeanTokenKind::Word && word == kWord) ||
          (has_code && word.find(kWord) != word.npos))
        ++count;
    }
  }
  for (const DeclarationSite& site : declarations(source))
    if (site.keyword == kWord && count > 0) --count;
  return count > 0;
}

}  // namespace

bool may_hide_example(std::string_view source) {
  return may_hide_example(source, find_doubt(source).has_value());
}

SilencerScan scan_silencers(std::string_view source) {
  constexpr auto kInterpolating = std::to_array<std::string_view>({"s!", "m!", "f!"});
  constexpr auto kMarks =
      std::to_array<std::string_view>({"--", "/-", "-/", "\\\"", "\\x", "\\u", kOpenQuote, kCloseQuote});
  const auto has_any = [](std::string_view text, const auto& parts) {
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
  };
  SilencerScan scan;
  // Programs that make parsers are found by their own words.
  scan.declares_tokens = may_declare_tokens(source);
  scan.strings_unclear = find_doubt(source).has_value();
  std::string code;  // `source` with parts blanked out; empty: nothing is
  const auto blank = [&](const LeanToken& token) {
    if (code.empty()) code = source;
    for (std::size_t i = token.begin; i < token.end; ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  std::string_view last_word;
  std::size_t word_end = 0;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    const std::string_view text = source.substr(token->begin, token->end - token->begin);
    if (is_remark(token->kind)) blank(*token);
    if (token->kind == LeanTokenKind::Word) {
      last_word = text;
      word_end = token->end;
    }
    if (token->kind != LeanTokenKind::String) continue;
    if (token->begin > 1 && token->begin == word_end && contains(kInterpolating, last_word)) continue;
    const bool may_have_holes = text.find('{') != std::string_view::npos;
    if (!text.starts_with('"') || has_any(text, kMarks)) scan.has_marks = true;
    // A macro for `#print` has the word in a string, so strings that may be tokens stay.
    if (!scan.declares_tokens && !may_have_holes) blank(*token);
  }
  scan.may_hide_example = may_hide_example(source, scan.strings_unclear);
  AttributeScan attributes = scan_attributes(source);
  scan.attributes = std::move(attributes.programs);
  scan.declared_attributes = std::move(attributes.declared);
  scan.anywhere = SilencerSearch(source).run();
  scan.in_code = code.empty() ? scan.anywhere : SilencerSearch(code).run();
  return scan;
}

bool only_evaluates(std::string_view source) {
  constexpr auto kOwn = std::to_array<std::string_view>({"Lean", "Elab", "Meta", "Tactic", "CoreM"});
  return std::ranges::none_of(kOwn, [&](std::string_view name) { return source.find(name) != source.npos; });
}

std::optional<int> find_exit(std::string_view source) {
  const std::size_t anywhere = source.find("#exit");
  if (anywhere == std::string_view::npos) return std::nullopt;
  if (find_doubt(source)) return line_number(source, anywhere);
  LeanLexer lexer(source);
  std::optional<std::size_t> exit;
  std::string_view command, last;  // the latest word in the first column, and the token before this one
  while (const auto token = lexer.next()) {
    if (is_remark(token->kind)) continue;
    if (exit) return line_number(source, *exit);
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    // If it is part of another command, as in `open Nat in #exit`, it only causes a warning.
    const bool is_part = last == "in" && (command == "open" || command == "set_option");
    if (word == "#exit" && !is_part) exit = token->begin;
    if (token->begin == 0 || source[token->begin - 1] == '\n') command = word;
    last = word;
  }
  return std::nullopt;
}

}  // namespace leanbridge::text
