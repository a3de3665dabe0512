#include "signature.hpp"

#include "core/base/ascii.hpp"
#include "lean_lexer.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::text {

namespace {

using Kind = LeanTokenKind;

struct Bracket {
  std::string_view open, close;
};
constexpr auto kBrackets =
    std::to_array<Bracket>({{"(", ")"}, {"{", "}"}, {"[", "]"}, {"⦃", "⦄"}, {"⟨", "⟩"}, {"@[", "]"}});

bool opens(std::string_view symbol) {
  return std::ranges::any_of(kBrackets, [&](const Bracket& b) { return b.open == symbol; });
}
bool closes(std::string_view symbol) {
  return std::ranges::any_of(kBrackets, [&](const Bracket& b) { return b.close == symbol; });
}

class Reader {
 public:
  Reader(std::string_view source, std::size_t begin, std::size_t end) : source_(source) {
    LeanLexer lexer(source.substr(begin, end - begin));
    while (const auto token = lexer.next())
      if (!is_remark(token->kind)) tokens_.push_back({token->kind, token->begin + begin, token->end + begin});
  }

  Signature read(std::size_t end_of_source) {
    Signature signature;
    signature.end = end_of_source;
    std::size_t i = 1;  // the token after the keyword
    if (i < tokens_.size() && tokens_[i].kind == Kind::Word) ++i;
    while (i < tokens_.size() && text(i) != ":" && !ends_statement(i)) {
      const std::size_t close = opens(text(i)) ? matching(i) : i;
      // `.{u, v}` are universes. A bracket at the end of the text binds nothing.
      if (close > i && source_[tokens_[i].begin - 1] != '.') signature.binders.push_back(binder(i, close));
      i = close + 1;
    }
    for (int depth = 0; i < tokens_.size(); ++i) {
      if (depth == 0 && ends_statement(i)) {
        signature.end = tokens_[i].begin;
        break;
      }
      if (opens(text(i))) ++depth;
      if (closes(text(i))) --depth;
    }
    return signature;
  }

 private:
  std::string_view text(std::size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  bool ends_statement(std::size_t i) const {
    if (text(i) == ":=" || text(i) == "where") return true;
    if (text(i) != "|") return false;
    std::size_t at = tokens_[i].begin;
    while (at > 0 && (source_[at - 1] == ' ' || source_[at - 1] == '\t')) --at;
    return at == 0 || source_[at - 1] == '\n';
  }

  std::size_t matching(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (opens(text(i))) ++depth;
      if (closes(text(i)) && --depth == 0) return i;
    }
    return tokens_.size() - 1;
  }

  Binder binder(std::size_t open, std::size_t close) const {
    Binder binder;
    binder.begin = tokens_[open].begin;
    binder.end = tokens_[close].end;
    if (text(open) == "{") binder.kind = BinderKind::Implicit;
    if (text(open) == "⦃") binder.kind = BinderKind::StrictImplicit;
    if (text(open) == "[") binder.kind = BinderKind::Instance;
    std::size_t colon = open + 1;
    while (colon < close && text(colon) != ":") ++colon;
    if (colon == close) {
      if (binder.kind == BinderKind::Instance) {
        binder.type = trimmed(source_.substr(tokens_[open].end, tokens_[close].begin - tokens_[open].end));
        return binder;
      }
    } else {
      std::size_t end = colon + 1;
      while (end < close && text(end) != ":=") ++end;
      binder.type = trimmed(source_.substr(tokens_[colon].end, tokens_[end].begin - tokens_[colon].end));
    }
    for (std::size_t i = open + 1; i < colon; ++i)
      binder.names.push_back({std::string(text(i)), tokens_[i].begin, tokens_[i].end});
    return binder;
  }

  std::string_view source_;
  std::vector<LeanToken> tokens_;
};

}  // namespace

Signature signature_of(std::string_view source, const DeclarationSite& site) {
  return Reader(source, site.keyword_offset, site.end).read(site.end);
}

bool mentions(std::string_view source, std::size_t begin, std::size_t end, std::string_view name) {
  if (source.substr(begin, end - begin).find(name) == std::string_view::npos) return false;
  LeanLexer lexer(source.substr(begin, end - begin));
  while (const auto token = lexer.next()) {
    const std::string_view word = source.substr(begin + token->begin, token->end - token->begin);
    if (token->kind == Kind::Word && word.starts_with(name) &&
        (word.size() == name.size() || word[name.size()] == '.'))
      return true;
  }
  return false;
}

std::string without_name(std::string_view source, const Binder& binder, std::size_t name) {
  const bool only = binder.names.size() == 1;
  const std::size_t begin = only ? binder.begin : binder.names[name].begin;
  std::size_t end = only ? binder.end : binder.names[name].end;
  // Remove blanks after it, but keep line breaks, so that positions in messages stay valid.
  while (end < source.size() && source[end] == ' ') ++end;
  return std::string(source.substr(0, begin)) + std::string(source.substr(end));
}

std::string with_type(std::string_view source, const Binder& binder, std::size_t name,
                      std::string_view type) {
  const std::string bound = "(" + binder.names[name].name + " : " + std::string(type) + ")";
  if (binder.names.size() == 1)
    return std::string(source.substr(0, binder.begin)) + bound + std::string(source.substr(binder.end));
  return without_name(source, binder, name).insert(binder.begin, bound + " ");
}

}  // namespace leanbridge::text
