#include "macro_scan.hpp"

#include "command_words.hpp"
#include "lean_lexer.hpp"

#include <optional>

namespace leanbridge::text {

namespace {

using Kind = LeanTokenKind;

class MacroReader {
 public:
  MacroReader(std::string_view source, std::size_t at) : source_(source), lexer_(source, at) { advance(); }

  bool is_program() {
    if (!skip_to_arrow()) return lexer_.doubt().has_value();
    for (;;) {
      if (!skip_quotation() || lexer_.doubt()) return true;
      if (!is_symbol("|")) return !is_end();
      if (!skip_to_arrow()) return true;
    }
  }

 private:
  std::string_view text() const { return source_.substr(token_->begin, token_->end - token_->begin); }
  bool is_symbol(std::string_view symbol) const {
    return token_ && token_->kind == Kind::Symbol && text() == symbol;
  }
  bool is_command() const {
    return token_->kind == Kind::Word &&
           (is_command_word(text(), kAlone | kElsewhere) || text().front() == '#');
  }

  void advance() {
    do token_ = lexer_.next();
    while (token_ && is_comment(token_->kind));
  }

  /// Moves behind the next `=>` outside of brackets. False if the command ends before one.
  bool skip_to_arrow() {
    int depth = 0;
    for (; token_; advance()) {
      if (lexer_.doubt()) return false;
      if (is_symbol("(") || is_symbol("[") || is_symbol("{")) ++depth;
      if (is_symbol(")") || is_symbol("]") || is_symbol("}")) --depth;
      if (depth < 0 || token_->kind == Kind::DocComment) return false;
      if (depth == 0 && (is_symbol(":=") || (is_in_column_0() && is_command()))) return false;
      if (depth != 0 || !is_symbol("=>")) continue;
      advance();
      return true;
    }
    return false;
  }

  /// Moves behind a quotation that contains only syntax.
  bool skip_quotation() {
    if (!is_symbol("`") || token_->end >= source_.size() || source_[token_->end] != '(') return false;
    advance();
    int depth = 0;
    for (; token_; advance()) {
      if (is_symbol("`") && source_.substr(token_->end).starts_with('(')) return false;
      if (is_symbol("$") && source_.substr(token_->end).starts_with('(')) return false;
      if (is_symbol("(")) ++depth;
      if (!is_symbol(")") || --depth > 0) continue;
      advance();
      return true;
    }
    return false;
  }

  bool is_end() const {
    if (!token_ || token_->kind == Kind::DocComment || is_symbol("@[")) return true;
    return is_command();
  }
  bool is_in_column_0() const { return token_->begin == 0 || source_[token_->begin - 1] == '\n'; }

  std::string_view source_;
  LeanLexer lexer_;
  std::optional<LeanToken> token_;
};

}  // namespace

bool is_program_macro(std::string_view source, std::size_t at) {
  return MacroReader(source, at).is_program();
}

}  // namespace leanbridge::text
