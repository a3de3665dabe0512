#include "trust_scan.hpp"

#include "command_words.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"
#include "lines.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace leanbridge::text {

namespace {

using Kind = LeanTokenKind;

/// Words that count anywhere, as separate words.
constexpr auto kWords = std::to_array<std::string_view>({
    "sorry", "admit",                        // stand for a missing proof
    "native_decide", "bv_decide", "native",  // use compiled code instead of the kernel (`decide +native`)
    "unsafe",                                // makes definitions that the kernel does not check
});

/// Constants that count as the last part of a name.
constexpr auto kConstants = std::to_array<std::string_view>({
    "sorryAx", "lcProof",                                                       // inhabit every type
    "ofReduceBool", "ofReduceNat", "reduceBool", "reduceNat", "trustCompiler",  // the axioms of native_decide
    "unsafeCast", "addDeclWithoutChecking",                                     // bypass the type checker
});

/// Words in `@[...]` and `attribute [...]`: the code that runs differs from the proved code, and
/// native_decide runs it.
constexpr auto kAttributes = std::to_array<std::string_view>({"implemented_by", "extern", "csimp", "export"});

class TrustScan {
 public:
  TrustScan(std::string_view source, std::vector<TrustMark>& found) : source_(source), found_(found) {}

  void run(std::size_t begin, std::size_t end, int depth = 0) {
    LeanLexer lexer(source_.substr(begin, end - begin));
    while (auto token = lexer.next()) {
      token->begin += begin;
      token->end += begin;
      if (is_comment(token->kind)) continue;
      look_at(*token, depth);
      last_ = *token;
    }
  }

 private:
  std::string_view text(const LeanToken& token) const {
    return source_.substr(token.begin, token.end - token.begin);
  }
  std::string_view last_text() const { return last_ ? text(*last_) : std::string_view(); }
  std::string_view last_word() const {
    return last_ && last_->kind == Kind::Word ? text(*last_) : std::string_view();
  }

  void look_at(const LeanToken& token, int depth) {
    const std::string_view word = text(token);
    if (token.kind == Kind::String) return look_into(token, depth);
    if (token.kind == Kind::Symbol) return count_brackets(word);
    if (token.kind != Kind::Word) return;
    if (contains(kWords, word) || is_command_word(word, kRuns)) add(token, word);
    if (const std::string_view last = unquoted(last_part(word)); contains(kConstants, last)) add(token, last);
    if (attribute_brackets_ > 0 && contains(kAttributes, word)) add(token, word);
    // `axiom` states without proof; syntax changes the meaning of the text below, including statements of
    // theorems. `opaque` does not count: its value is checked, and its attributes are above. No identifier is
    // one of these words, and a command may begin in the middle of a line.
    if ((word == "axiom" || is_command_word(word, kSyntax)) && last_text() != ".") add(token, word);
    if (word == "instance" && last_word() == "local") add(token, "local instance");
    if (last_word() == "set_option" && changes_checks(word)) add(token, "set_option " + std::string(word));
  }

  // Options that hide errors or bypass the kernel.
  static bool changes_checks(std::string_view option) {
    return option.starts_with("debug.") || option == "warn.sorry" || option == "warningAsError" ||
           option == "compiler.extract_closed";
  }

  // `s!"... {e} ..."` contains code.
  void look_into(const LeanToken& token, int depth) {
    constexpr int kMaxDepth = 8;
    const std::string_view literal = text(token);
    const bool interpolated =
        literal.find('!') < literal.find('"') || (token.begin > 0 && source_[token.begin - 1] == '!');
    if (depth == kMaxDepth || !interpolated) return;
    for (std::size_t at = literal.find('{'); at != std::string_view::npos;) {
      std::size_t end = at + 1;
      if (at == 0 || literal[at - 1] != '\\') {
        end = closing_brace(literal, at);
        run(token.begin + at + 1, token.begin + end, depth + 1);
      }
      at = literal.find('{', end);
    }
  }

  // The brace that closes the one at `open`; the end of the text if there is none.
  static std::size_t closing_brace(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
      if (text[at] == '{') ++depth;
      if (text[at] == '}' && --depth == 0) return at;
    }
    return text.size();
  }

  void count_brackets(std::string_view symbol) {
    if (attribute_brackets_ > 0) {
      if (symbol == "[" || symbol == "@[") ++attribute_brackets_;
      if (symbol == "]") --attribute_brackets_;
    } else if (symbol == "@[" || (symbol == "[" && last_word() == "attribute")) {
      attribute_brackets_ = 1;
    }
  }

  void add(const LeanToken& token, std::string_view pattern) {
    found_.push_back({token.begin, std::string(pattern)});
  }

  std::string_view source_;
  std::vector<TrustMark>& found_;
  std::optional<LeanToken> last_;
  int attribute_brackets_ = 0;
};

}  // namespace

std::vector<TrustMark> trust_marks(std::string_view source) {
  std::vector<TrustMark> found;
  TrustScan(source, found).run(0, source.size());
  return found;
}

std::vector<TrustFinding> scan_for_trust(std::string_view source) {
  std::vector<TrustFinding> found;
  int line = 1;
  std::size_t counted = 0;
  std::vector<TrustMark> marks = trust_marks(source);
  if (const auto doubt = find_doubt(source)) {
    const auto later =
        std::ranges::find_if(marks, [&](const TrustMark& mark) { return mark.offset > doubt->offset; });
    marks.insert(later, {doubt->offset, "unclear: " + std::string(doubt->why)});
  }
  for (TrustMark& mark : marks) {
    line += line_number(source.substr(counted), mark.offset - counted) - 1;
    counted = mark.offset;
    TrustFinding finding{line, std::move(mark.pattern)};
    if (found.empty() || found.back() != finding) found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace leanbridge::text
