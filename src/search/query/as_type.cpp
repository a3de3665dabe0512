#include "leanbridge/base/ascii.hpp"
#include "leanbridge/search/theorem.hpp"

#include "lean_terms.hpp"
#include "type_pattern.hpp"

#include <algorithm>

namespace leanbridge::search {

namespace {

constexpr std::string_view kDeclarations[] = {"theorem", "lemma",     "def",          "abbrev",    "instance",
                                              "axiom",   "opaque",    "structure",    "inductive", "class",
                                              "private", "protected", "noncomputable"};

bool begins_declaration(const TermToken& token) {
  return token.kind == TermToken::Kind::Word &&
         std::find(std::begin(kDeclarations), std::end(kDeclarations), token.text) != std::end(kDeclarations);
}

bool opens_binder(const TermToken& token) {
  return token.is("(") || token.is("{") || token.is("[") || token.is("⦃");
}

// The colon that ends the binders of a signature; the size if the text has none, which is then a type.
std::size_t end_of_binders(Tokens tokens) {
  std::size_t at = 0;
  while (at < tokens.size()) {
    const bool is_name = tokens[at].kind == TermToken::Kind::Word || tokens[at].kind == TermToken::Kind::Hole;
    if (opens_binder(tokens[at]))
      at = after_bracket(tokens, at);
    else if (is_name && !is_lean_keyword(tokens[at].text))
      ++at;
    else
      break;
  }
  return at < tokens.size() && tokens[at].is(":") ? at : tokens.size();
}

// Without the proof or value of a declaration.
Tokens without_value(Tokens tokens) {
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TermToken& token = tokens[i];
    if (depth == 0 && token.is(":=")) return tokens.first(i);
    if (token.is("(") || token.is("{") || token.is("[") || token.is("⦃")) ++depth;
    if (token.is(")") || token.is("}") || token.is("]") || token.is("⦄")) --depth;
  }
  return tokens;
}

// `theorem Nat.add_comm.{u}`.
Tokens without_declaration(Tokens tokens) {
  if (tokens.empty() || !begins_declaration(tokens.front())) return tokens;
  while (!tokens.empty() && begins_declaration(tokens.front())) tokens = tokens.subspan(1);
  if (!tokens.empty() && tokens.front().kind == TermToken::Kind::Word) tokens = tokens.subspan(1);
  if (tokens.size() > 1 && tokens[0].is(".") && tokens[1].is("{"))
    tokens = tokens.subspan(after_bracket(tokens, 1));
  return tokens;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.ends_with(' '))
      line += ' ';
  }
  return line;
}

}  // namespace

std::string as_type(std::string_view written) {
  constexpr std::size_t kMaxBytes = 1u << 16;  // longer ones stay as they are
  const std::string text = on_one_line(written);
  if (text.size() > kMaxBytes) return text;
  const std::vector<TermToken> all = term_tokens(text);
  Tokens tokens = without_declaration(without_value(all));
  if (tokens.empty()) return text;
  std::size_t colon = end_of_binders(tokens);
  // `#check` prints `Nat.add_comm (n m : Nat) : …`.
  if (colon < tokens.size() && tokens.front().kind == TermToken::Kind::Word &&
      looks_like_name(tokens.front().text)) {
    tokens = tokens.subspan(1);
    --colon;
  }
  const auto part = [&](std::size_t first, std::size_t end) {
    return std::string(trimmed(std::string_view(text).substr(first, end - first)));
  };
  const std::size_t begin = tokens.front().begin, end = tokens.back().end;
  if (colon == tokens.size()) return part(begin, end);
  const std::string type = part(tokens[colon].end, end);
  return colon == 0 ? type : "∀ " + part(begin, tokens[colon].begin) + ", " + type;
}

}  // namespace leanbridge::search
