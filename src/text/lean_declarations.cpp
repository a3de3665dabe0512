#include "leanbridge/text/lean_declarations.hpp"

#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::text {
namespace {

constexpr auto kDeclarationKeywords = std::to_array<std::string_view>(
    {"theorem", "lemma", "def", "abbrev", "instance", "example", "structure", "class", "inductive",
     "coinductive", "axiom", "opaque", "irreducible_def", "alias"});

constexpr auto kModifiers =
    std::to_array<std::string_view>({"private", "protected", "public", "noncomputable", "unsafe", "partial",
                                     "nonrec", "local", "scoped", "meta"});

/// Commands that declare nothing we name but end what stands before them. Words that begin with `#` do, too.
// clang-format off
constexpr auto kOtherCommands = std::to_array<std::string_view>({
    "namespace", "section", "end", "open", "export", "variable", "universe", "import", "set_option", "attribute",
    "notation", "notation3", "infix", "infixl", "infixr", "prefix", "postfix", "macro", "macro_rules", "syntax",
    "declare_syntax_cat", "elab", "elab_rules", "initialize", "builtin_initialize", "run_cmd", "run_meta",
    "omit", "include", "mutual", "library_note", "simproc", "unif_hint", "assert_not_exists", "add_decl_doc",
});
// clang-format on

constexpr std::size_t kMaxBracketTokens = 1000;  // no attribute is that long: the bracket is not closed

class DeclarationScan {
 public:
  explicit DeclarationScan(std::string_view source) : source_(source) {
    LeanLexer lexer(source);
    while (const auto token = lexer.next())
      if (!is_comment(token->kind)) tokens_.push_back(*token);
  }

  std::vector<DeclarationSite> run() {
    bool in_other_command = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool after_in = in_other_command && i > 0 && word(i - 1) == "in";
      if (!after_in && !is_first_on_line(tokens_[i].begin)) continue;
      if (const auto last = read_declaration(i)) {
        i = *last;
        in_other_command = false;
      } else if (is_command(i) && (after_in || is_in_column_0(tokens_[i].begin))) {
        close(tokens_[i].begin);
        in_other_command = true;
      }
    }
    close(source_.size());
    return std::move(sites_);
  }

 private:
  std::string_view text(std::size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  /// The word at `i`; empty when there is none or the token is no word.
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == LeanTokenKind::Word ? text(i) : std::string_view();
  }
  bool is_symbol(std::size_t i, std::string_view symbol) const {
    return i < tokens_.size() && tokens_[i].kind == LeanTokenKind::Symbol && text(i) == symbol;
  }
  bool is_in_column_0(std::size_t offset) const { return offset == 0 || source_[offset - 1] == '\n'; }
  bool is_first_on_line(std::size_t offset) const {
    while (offset > 0 && (source_[offset - 1] == ' ' || source_[offset - 1] == '\t')) --offset;
    return is_in_column_0(offset);
  }
  bool is_module_doc(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == LeanTokenKind::DocComment &&
           text(i).substr(0, 3) == "/-!";
  }
  bool is_command(std::size_t i) const {
    if (is_module_doc(i)) return true;
    const std::string_view keyword = word(skip_prefix(i));
    return !keyword.empty() && (keyword.front() == '#' || contains(kOtherCommands, keyword));
  }

  /// Past doc comment, attributes and modifiers: where the keyword of a command is.
  std::size_t skip_prefix(std::size_t i) const {
    for (;;) {
      if (i < tokens_.size() && tokens_[i].kind == LeanTokenKind::DocComment && !is_module_doc(i))
        ++i;
      else if (is_symbol(i, "@["))
        i = skip_brackets(i);
      else if (word(i) == "scoped" && is_symbol(i + 1, "["))
        i = skip_brackets(i + 1);
      else if (contains(kModifiers, word(i)))
        ++i;
      else
        return i;
    }
  }

  /// Past the bracket that matches the one at `i`.
  std::size_t skip_brackets(std::size_t i) const {
    int nesting = 0;
    const std::size_t limit = std::min(tokens_.size(), i + kMaxBracketTokens);
    for (; i < limit; ++i) {
      if (is_symbol(i, "(") || is_symbol(i, "[") || is_symbol(i, "@[")) ++nesting;
      if ((is_symbol(i, ")") || is_symbol(i, "]")) && --nesting == 0) return i + 1;
    }
    return i;
  }

  /// Past unknown words in column 0, such as a macro's own before a declaration (`silently theorem foo`); the
  /// number of tokens when no declaration's keyword follows in the line.
  std::size_t skip_macro_words(std::size_t i) const {
    // `deriving instance Repr for Foo` declares nothing that it names.
    if (!is_in_column_0(tokens_[i].begin) || word(i) == "deriving" || is_command(i)) return tokens_.size();
    const std::size_t line_end = source_.find('\n', tokens_[i].begin);
    while (!word(i).empty() && tokens_[i].begin < line_end && !contains(kDeclarationKeywords, word(i))) ++i;
    return i < tokens_.size() && tokens_[i].begin < line_end ? i : tokens_.size();
  }

  /// Reads prefix, keyword and name of the declaration that begins at `first`; the index of the last token of
  /// these, or nullopt when no declaration begins here.
  std::optional<std::size_t> read_declaration(std::size_t first) {
    std::size_t i = skip_prefix(first);
    if (!contains(kDeclarationKeywords, word(i))) i = skip_macro_words(first);
    if (!contains(kDeclarationKeywords, word(i))) return std::nullopt;
    DeclarationSite site;
    site.start = tokens_[first].begin;
    site.keyword_offset = tokens_[i].begin;
    site.keyword = word(i);
    if (site.keyword == "class" && (word(i + 1) == "inductive" || word(i + 1) == "abbrev")) {
      site.keyword.append(" ").append(word(++i));
    }
    std::size_t after = i + 1;
    if (site.keyword == "instance" && is_symbol(after, "(") && word(after + 1) == "priority")
      after = skip_brackets(after);
    if (site.keyword != "example" && !word(after).empty()) {
      site.name = word(after);
      i = after;
    }
    close(site.start);
    sites_.push_back(std::move(site));
    return i;
  }

  void close(std::size_t end) {
    if (!sites_.empty() && sites_.back().end == 0) sites_.back().end = end;
  }

  std::string_view source_;
  std::vector<LeanToken> tokens_;  // without plain comments
  std::vector<DeclarationSite> sites_;
};

}  // namespace

std::vector<DeclarationSite> declarations(std::string_view source) {
  return DeclarationScan(source).run();
}

std::optional<DeclarationSite> enclosing_declaration(std::string_view source, std::size_t offset) {
  for (DeclarationSite& site : declarations(source)) {
    if (offset >= site.start && (offset < site.end || (offset == site.end && offset == source.size())))
      return std::move(site);
  }
  return std::nullopt;
}

}  // namespace leanbridge::text
