#include "statement_words.hpp"

#include "core/text/lean_names.hpp"
#include "core/text/word_list.hpp"

#include <array>

namespace leanbridge::olean {

namespace {

/// Words of Lean's terms that can be names only if they are quoted.
constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"at",       "by",      "calc",  "do",      "else",   "exists", "for",        "forall", "from",
     "fun",      "have",    "if",    "in",      "let",    "letI",   "haveI",      "match",  "max_prec",
     "mut",      "nat_lit", "nofun", "nomatch", "open",   "return", "set_option", "show",   "Sort",
     "suffices", "then",    "Type",  "Prop",    "unless", "where",  "while",      "with",   "break",
     "continue", "try",     "catch", "finally", "repeat", "λ",      "this"});

std::string in_guillemets(std::string_view component) {
  return std::string(text::kOpenQuote).append(component).append(text::kCloseQuote);
}

}  // namespace

std::string component_of(std::string_view component) {
  if (!text::has_quotes(component)) return text::as_component(component);
  std::string shown;
  while (!component.empty()) {
    const bool opens = component.starts_with(text::kOpenQuote),
               closes = component.starts_with(text::kCloseQuote);
    shown += opens                       ? "\\u{ab}"
             : closes                    ? "\\u{bb}"
             : component.front() == '\\' ? "\\\\"
                                         : std::string(component.substr(0, 1));
    component.remove_prefix(opens || closes ? text::kOpenQuote.size() : 1);
  }
  return "\\" + in_guillemets(shown);  // no name in a source looks like this
}

std::string word_of(std::string_view component) {
  return text::contains(kReservedWords, component) ? in_guillemets(component) : component_of(component);
}

bool has_word(std::string_view text, std::string_view word) {
  const auto ends_word = [&](std::size_t at) {
    return at >= text.size() || std::string_view(" ()[]{},:.⦃⦄").find(text[at]) != std::string_view::npos;
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || ends_word(at - 1)) && ends_word(at + word.size())) return true;
  return false;
}

}  // namespace leanbridge::olean
