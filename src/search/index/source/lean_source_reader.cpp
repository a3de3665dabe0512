#include "core/base/ascii.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/signature.hpp"
#include "core/text/utf8.hpp"
#include "core/text/word_list.hpp"
#include "search/index/readers.hpp"
#include "translations.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace leanbridge::index {

namespace {

// --- tokens

using Kind = text::LeanTokenKind;

constexpr std::size_t kMaxMentioned = 40;
constexpr std::size_t kMaxLine = 4000;

constexpr auto kOpening = std::to_array<std::string_view>({"(", "{", "[", "⦃", "⟨", "@["});
constexpr auto kClosing = std::to_array<std::string_view>({")", "}", "]", "⦄", "⟩"});
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"fun",     "λ",        "forall", "exists", "Type",  "Prop", "Sort", "let", "have", "show",
     "in",      "if",       "then",   "else",   "match", "with", "do",   "by",  "at",   "from",
     "extends", "deriving", "where",  "max",    "imax",  "u",    "v",    "w",   "this", "_"});

std::string_view head_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

/// The tokens of a Lean text, without plain comments.
class SourceTokens {
 public:
  explicit SourceTokens(std::string_view source);

  std::size_t size() const { return tokens_.size(); }
  const text::LeanToken& operator[](std::size_t i) const { return tokens_[i]; }
  /// The first token at or after this byte.
  std::size_t at(std::size_t offset) const;

  std::string_view text(std::size_t i) const;
  /// "" if there is no such token or if it is not a word; the same holds for symbol().
  std::string_view word(std::size_t i) const;
  std::string_view symbol(std::size_t i) const;
  bool is_doc(std::size_t i) const;
  bool first_on_line(std::size_t i) const { return i < first_.size() && first_[i]; }
  /// Bytes since the start of its line; only for comparisons.
  std::size_t indent(std::size_t i) const { return indents_[i]; }
  /// The index after the bracket that matches the one at `i`; `end` if there is none before it.
  std::size_t skip_brackets(std::size_t i, std::size_t end) const;

  /// The tokens [begin, end) on one line, without comments; truncated if very long.
  std::string one_line(std::size_t begin, std::size_t end) const;

 private:
  std::string_view source_;
  std::vector<text::LeanToken> tokens_;
  std::vector<bool> first_;
  std::vector<std::size_t> indents_;
};

bool opens_bracket(std::string_view symbol) {
  return text::contains(kOpening, symbol);
}
bool closes_bracket(std::string_view symbol) {
  return text::contains(kClosing, symbol);
}

SourceTokens::SourceTokens(std::string_view source) : source_(source) {
  text::LeanLexer lexer(source);
  std::size_t line_start = 0;
  std::size_t scanned = 0;
  std::size_t last_line = std::string_view::npos;
  while (const auto token = lexer.next()) {
    // The last line break before the token.
    if (const std::size_t found = source.substr(scanned, token->begin - scanned).rfind('\n');
        found != std::string_view::npos)
      line_start = scanned + found + 1;
    scanned = token->begin;
    if (text::is_comment(token->kind)) continue;
    tokens_.push_back(*token);
    indents_.push_back(token->begin - line_start);
    const std::string_view before = source.substr(line_start, token->begin - line_start);
    first_.push_back(line_start != last_line && before.find_first_not_of(" \t") == std::string_view::npos);
    last_line = line_start;
  }
}

std::size_t SourceTokens::at(std::size_t offset) const {
  const auto found = std::ranges::lower_bound(tokens_, offset, {}, &text::LeanToken::begin);
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::string_view SourceTokens::text(std::size_t i) const {
  return i < tokens_.size() ? source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                            : std::string_view();
}
std::string_view SourceTokens::word(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::Word ? text(i) : std::string_view();
}
std::string_view SourceTokens::symbol(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::Symbol ? text(i) : std::string_view();
}
bool SourceTokens::is_doc(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::DocComment && !text(i).starts_with("/-!");
}
std::size_t SourceTokens::skip_brackets(std::size_t i, std::size_t end) const {
  for (int depth = 0; i < end; ++i) {
    if (opens_bracket(symbol(i))) ++depth;
    if (closes_bracket(symbol(i)) && --depth <= 0) return i + 1;
  }
  return end;
}

std::string SourceTokens::one_line(std::size_t begin, std::size_t end) const {
  std::string line;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].kind == Kind::DocComment) continue;
    if (line.size() > kMaxLine) return line + " …";
    const bool apart = i > 0 && tokens_[i].begin != tokens_[i - 1].end;
    if (apart && !line.empty()) line += ' ';
    if (text(i).size() > kMaxLine) return line + " …";
    for (const char c : text(i)) line += c == '\n' || c == '\r' ? ' ' : c;
  }
  return line;
}

/// The text of a doc comment, without its delimiters.
std::string docstring(std::string_view comment) {
  comment.remove_prefix(std::min<std::size_t>(3, comment.size()));
  if (comment.ends_with("-/")) comment.remove_suffix(2);
  return std::string(trimmed(comment));
}

/// The identifiers among the tokens [begin, end) that look like constants: neither keywords, nor bound there
/// or in `bound`.
std::vector<std::string> mentioned(const SourceTokens& tokens, std::size_t begin, std::size_t end,
                                   std::vector<std::string> bound) {
  static constexpr auto kBinders = std::to_array<std::string_view>({"∀", "∃", "λ", "Σ", "Π", "∃!"});
  std::unordered_set<std::string_view> local(bound.begin(), bound.end());
  std::vector<std::string> found;
  bool binding = false;  // between a binder and the end of its names
  for (std::size_t i = begin; i < end && found.size() < kMaxMentioned; ++i) {
    const std::string_view symbol = tokens.symbol(i), word = tokens.word(i);
    if (text::contains(kBinders, symbol) || word == "fun" || word == "forall" || word == "exists") {
      binding = true;
    } else if (symbol == ":" || symbol == "," || symbol == "=>" || symbol == "↦" || symbol == "∈") {
      binding = false;
    } else if (!word.empty() && binding) {
      local.insert(word);
    } else if (!word.empty() && !text::contains(kKeywords, word) && word.front() != '#') {
      const bool named_argument = tokens.symbol(i + 1) == ":=" && i > 0 && tokens.symbol(i - 1) == "(";
      const bool projection = i > 0 && tokens.symbol(i - 1) == "." && tokens[i - 1].end == tokens[i].begin;
      if (named_argument || projection || local.contains(head_of(word))) continue;
      if (std::ranges::find(found, word) == found.end()) found.emplace_back(word);
    }
  }
  return found;
}

// --- fields and constructors

struct Member {
  std::string kind;  ///< "field" or "constructor"
  std::string name;  ///< as written
  std::string docstring;
  bool is_private = false;
  std::size_t token = 0;                     ///< index of the name's token
  std::size_t type_begin = 0, type_end = 0;  ///< the tokens behind the name, up to a default value or a
                                             ///< member
};

constexpr std::size_t kMaxFieldsPerType = 100;  // bounds the index's size, since each field has a copy of the
                                                // type

bool is_modifier(std::string_view word) {
  return word == "private" || word == "protected" || word == "public";
}

class MemberReader {
 public:
  MemberReader(const SourceTokens& tokens, std::size_t begin, std::size_t end)
      : tokens_(tokens), at_(begin), end_(end) {}

  std::vector<Member> constructors() {
    for (int depth = 0; at_ < end_; ++at_) {
      count(depth);
      if (depth != 0) continue;
      if (tokens_.word(at_) == "deriving") break;
      note(at_);
      if (tokens_.symbol(at_) != "|") continue;
      std::size_t name = at_ + 1;
      while (name < end_ && skippable(name)) note(name++);
      if (tokens_.word(name).empty()) continue;
      start(name, "constructor");
      at_ = name;
    }
    finish(at_);
    return std::move(members_);
  }

  /// Fields begin in one column; text further right continues the previous one.
  std::vector<Member> fields() {
    if (at_ < end_ && tokens_.word(at_ + 2).empty() && tokens_.symbol(at_ + 2) == ":" &&
        tokens_.symbol(at_ + 3) == ":")
      at_ += 3;  // skips `where mk ::`
    ++at_;
    std::size_t column = std::string_view::npos;
    while (at_ < end_ && tokens_.word(at_) != "deriving") {
      const bool in_column =
          column == std::string_view::npos || (tokens_.first_on_line(at_) && tokens_.indent(at_) == column);
      const bool next_bracket = after_bracket_ && opens_bracket(tokens_.symbol(at_));
      after_bracket_ = false;
      if (!in_column && !next_bracket) {
        ++at_;
        continue;
      }
      if (in_column) column = tokens_.indent(at_);
      finish(at_);
      field();
    }
    finish(at_);
    return std::move(members_);
  }

 private:
  void count(int& depth) const {
    if (opens_bracket(tokens_.symbol(at_))) ++depth;
    if (closes_bracket(tokens_.symbol(at_)) && depth > 0) --depth;
  }

  bool skippable(std::size_t i) const { return tokens_.is_doc(i) || is_modifier(tokens_.word(i)); }

  void note(std::size_t i) {
    if (tokens_.is_doc(i)) docstring_ = docstring(tokens_.text(i));
    if (tokens_.word(i) == "private") private_ = true;
  }

  /// Doc comment and modifiers, then `a b : T`, `f (x : A) : T`, or `(a : T)` in one of the brackets.
  void field() {
    while (at_ < end_ && (skippable(at_) || tokens_.symbol(at_) == "@[")) {
      note(at_);
      at_ = tokens_.symbol(at_) == "@[" ? tokens_.skip_brackets(at_, end_) : at_ + 1;
    }
    std::size_t limit = end_;
    if (opens_bracket(tokens_.symbol(at_))) limit = tokens_.skip_brackets(at_++, end_) - 1;
    const std::size_t first = members_.size();
    const std::string doc = docstring_;
    const bool hidden = private_;
    for (; at_ < limit && !tokens_.word(at_).empty() && tokens_.word(at_) != "deriving"; ++at_) {
      if (members_.size() - first >= kMaxFieldsPerType) continue;
      docstring_ = doc;
      private_ = hidden;
      start(at_, "field");
    }
    docstring_.clear();
    private_ = false;
    for (std::size_t i = first; i < members_.size(); ++i) members_[i].type_begin = at_;
    open_from_ = first;
    if (limit != end_) {
      finish(limit);
      at_ = limit + 1;
      after_bracket_ = true;
    } else if (members_.size() == first) {
      ++at_;
    }
  }

  void start(std::size_t name, std::string_view kind) {
    if (kind == "constructor") finish(bar_before(name));
    Member member;
    member.kind = kind;
    member.name = tokens_.word(name);
    member.docstring = std::move(docstring_);
    member.is_private = private_;
    member.token = name;
    member.type_begin = name + 1;
    docstring_.clear();
    private_ = false;
    members_.push_back(std::move(member));
  }

  std::size_t bar_before(std::size_t name) const {
    while (name > 0 && tokens_.symbol(name) != "|") --name;
    return name;
  }

  /// Ends the types of the open members here, or at their default value.
  void finish(std::size_t end) {
    for (; open_from_ < members_.size(); ++open_from_) {
      Member& member = members_[open_from_];
      member.type_end = std::max(member.type_begin, std::min(end, end_));
      int depth = 0;
      for (std::size_t i = member.type_begin; i < member.type_end; ++i) {
        if (opens_bracket(tokens_.symbol(i))) ++depth;
        if (closes_bracket(tokens_.symbol(i))) --depth;
        if (depth == 0 && tokens_.symbol(i) == ":=") member.type_end = i;
      }
    }
  }

  const SourceTokens& tokens_;
  std::size_t at_, end_;
  std::vector<Member> members_;
  std::size_t open_from_ = 0;
  std::string docstring_;
  bool private_ = false;
  bool after_bracket_ = false;
};

/// The end of a type's header: at `where`, `:=`, or the first constructor.
std::size_t header_end(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (opens_bracket(tokens.symbol(i))) ++depth;
    if (closes_bracket(tokens.symbol(i))) --depth;
    if (depth == 0 && (tokens.symbol(i) == "|" || tokens.word(i) == "deriving" || tokens.is_doc(i))) return i;
  }
  return end;
}

/// The members in the tokens [begin, end); `begin` comes from header_end().
std::vector<Member> members_of(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  bool alternatives = false;
  for (std::size_t i = begin; i < end && i < begin + 4; ++i) alternatives |= tokens.symbol(i) == "|";
  MemberReader reader(tokens, begin, end);
  if (alternatives) return reader.constructors();
  const bool has_fields = tokens.word(begin) == "where" || tokens.symbol(begin) == ":=";
  return has_fields ? reader.fields() : std::vector<Member>();
}

// --- declarations

std::string kind_of(const std::string& keyword) {
  if (keyword == "lemma") return "theorem";
  if (keyword == "irreducible_def") return "def";
  if (keyword == "coinductive") return "inductive";
  return keyword.starts_with("class") ? "class" : keyword;
}

class SourceReader {
 public:
  SourceReader(std::string_view source, std::string module, std::string file)
      : source_(source),
        tokens_(source),
        scopes_(source),
        module_(std::move(module)),
        file_(std::move(file)) {}

  std::vector<Declaration> read() {
    std::size_t seen = 0;
    for (const text::DeclarationSite& site : text::declarations(source_)) {
      const std::size_t first = tokens_.at(site.start);
      export_until(first, seen);
      here_ = site.keyword_offset;
      declaration(site, first);
    }
    export_until(tokens_.size(), seen);
    return std::move(found_);
  }

 private:
  void export_until(std::size_t end, std::size_t& seen) {
    for (; seen < end; ++seen) {
      if (!tokens_.first_on_line(seen) || tokens_.word(seen) != "export") continue;
      here_ = tokens_[seen].begin;
      exports(seen);
    }
  }

  /// "" if the name is longer than people write.
  std::string full_name(std::string_view written) {
    constexpr std::size_t kMaxName = 1024;
    return text::plain_name(scopes_.at(here_).full_name(written, kMaxName));
  }

  void declaration(const text::DeclarationSite& site, std::size_t first) {
    Declaration made;
    made.kind = kind_of(site.keyword);
    const std::size_t keyword = tokens_.at(site.keyword_offset);
    const std::size_t end = tokens_.at(site.end);
    prefix(first, keyword, made);
    if (site.keyword == "alias") return aliases(made, first, keyword, end);
    if (site.name.empty() || site.keyword == "example") return;
    made.name = full_name(site.name);
    if (made.name.empty()) return;
    std::size_t name = keyword + 1;
    while (name < end && tokens_.text(name) != site.name) ++name;
    place(name, made);
    const text::Signature signature = text::signature_of(source_, site);
    const bool has_members = made.kind == "inductive" || made.kind == "structure" || made.kind == "class";
    std::size_t statement_end = std::min(end, tokens_.at(signature.end));
    if (has_members) statement_end = header_end(tokens_, name + 1, statement_end);
    std::vector<std::string> bound;
    for (const text::Binder& binder : signature.binders)
      for (const text::BoundName& one : binder.names) bound.push_back(one.name);
    made.signature = tokens_.one_line(name + 1, statement_end);
    made.constants = mentioned(tokens_, name + 1, statement_end, bound);
    const Declaration type = made;
    add(std::move(made));
    translate(type, first, keyword);
    if (!has_members) return;
    for (Member& member : members_of(tokens_, statement_end, end)) {
      Declaration inner;
      inner.kind = member.kind;
      inner.name = type.name + "." + text::plain_name(member.name);
      inner.is_private = type.is_private || member.is_private;
      inner.docstring = std::move(member.docstring);
      inner.signature = tokens_.one_line(member.type_begin, member.type_end);
      inner.constants = mentioned(tokens_, member.type_begin, member.type_end, bound);
      place(member.token, inner);
      add(std::move(inner));
    }
  }

  /// Adds the second name that `@[to_additive]` and `@[to_dual]` declare. Its type is not written anywhere.
  void translate(const Declaration& written, std::size_t first, std::size_t keyword) {
    for (const Translation& by : translations()) translate(written, by, first, keyword);
  }
  void translate(const Declaration& written, const Translation& by, std::size_t first, std::size_t keyword) {
    std::size_t at = first;
    while (at < keyword && tokens_.word(at) != by.attribute) ++at;
    if (at == keyword) return;
    ++at;
    while (at < keyword && opens_bracket(tokens_.symbol(at))) at = tokens_.skip_brackets(at, keyword);
    const std::string_view given = at < keyword ? tokens_.word(at) : "";
    if (given == "existing" || given == "self" || given == "none") return;
    Declaration made = written;
    made.name = by.name(written.name);
    if (given.find('.') != std::string_view::npos) {
      made.name = text::plain_name(given);
    } else if (!given.empty()) {
      const std::size_t dot = written.name.rfind('.');
      const std::string space = written.name.substr(0, dot == std::string::npos ? 0 : dot + 1);
      const std::string other_space = by.name(space);
      made.name = (other_space.empty() ? space : other_space) + text::plain_name(given);
    }
    if (made.name.empty()) return;
    made.generated = true;
    made.signature = by.signature(written.signature);
    made.approximate = true;
    made.constants = {written.name};
    add(std::move(made));
  }

  /// Reads doc comment, attributes and modifiers.
  void prefix(std::size_t first, std::size_t keyword, Declaration& made) {
    for (std::size_t i = first; i < keyword; ++i) {
      if (tokens_.is_doc(i)) made.docstring = docstring(tokens_.text(i));
      if (tokens_.word(i) == "private") made.is_private = true;
      if (tokens_.word(i) == "deprecated") made.deprecated = true;
    }
  }

  /// Reads `alias new := old` and `alias ⟨new, other⟩ := old`. Only the first new name has the old statement.
  void aliases(const Declaration& common, std::size_t first, std::size_t keyword, std::size_t end) {
    const std::size_t begin = keyword + 1;
    std::size_t assigned = begin;
    while (assigned < end && tokens_.symbol(assigned) != ":=") ++assigned;
    const std::string_view old = tokens_.word(assigned + 1);
    const bool is_list = tokens_.symbol(begin) == "⟨";
    const std::size_t names_end = is_list ? assigned : begin + 1;
    for (std::size_t i = begin; i < names_end; ++i) {
      if (tokens_.word(i).empty() || tokens_.word(i) == "_") continue;
      Declaration made = common;
      made.name = full_name(tokens_.word(i));
      if (!old.empty()) made.constants = {std::string(old)};
      if (!is_list) take_statement(old, made);
      place(i, made);
      add(made);
      translate(made, first, keyword);
    }
  }

  /// Reads `export Class (field other)`: further names for declarations of this file.
  void exports(std::size_t command) {
    const std::string_view space = tokens_.word(command + 1);
    if (space.empty() || tokens_.symbol(command + 2) != "(") return;
    for (std::size_t i = command + 3; i < tokens_.size() && !tokens_.word(i).empty(); ++i) {
      Declaration made;
      made.kind = "alias";
      made.name = full_name(tokens_.word(i));
      if (!take_statement(std::string(space) + "." + std::string(tokens_.word(i)), made)) continue;
      made.generated = true;
      place(i, made);
      add(std::move(made));
    }
  }

  /// Gives `made` the signature of a declaration of this file, whose name is as written here.
  bool take_statement(std::string_view written, Declaration& made) {
    const std::string full = full_name(written);
    const auto old = std::find_if(found_.rbegin(), found_.rend(), [&](const Declaration& each) {
      return each.name == full || each.name == written;
    });
    if (old == found_.rend()) return false;
    made.signature = old->signature;
    made.approximate = old->approximate;
    made.constants = {old->name};
    return true;
  }

  void place(std::size_t token, Declaration& made) {
    if (token >= tokens_.size()) return;
    const std::size_t begin = tokens_[token].begin;
    // Declarations come in the order of the text.
    line_ +=
        static_cast<std::uint32_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                              source_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted_ = begin;
    const std::string_view before = source_.substr(begin - tokens_.indent(token), tokens_.indent(token));
    made.line = line_;
    made.column = static_cast<std::uint32_t>(
        1 + std::ranges::count_if(before, [](char c) { return !text::is_continuation_byte(c); }));
  }

  void add(Declaration made) {
    made.module = module_;
    made.file = file_;
    found_.push_back(std::move(made));
  }

  std::string_view source_;
  SourceTokens tokens_;
  text::ScopeReader scopes_;
  std::size_t here_ = 0;  // of the declaration or `export`
  std::string module_, file_;
  std::vector<Declaration> found_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Declaration> read_source(std::string_view text, std::string module, std::string file) {
  return SourceReader(text, std::move(module), std::move(file)).read();
}

}  // namespace leanbridge::index
