#include "core/olean/notation.hpp"
#include "core/text/lean_names.hpp"
#include "search/index/written_term.hpp"

#include <algorithm>

namespace leanbridge::index {

using olean::Fix;
using olean::Notation;
using olean::sign_at;
using olean::word_notation;

namespace {

bool is_word_byte(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '\'')
    return true;
  return static_cast<unsigned char>(c) >= 0x80;
}

std::size_t end_of_name_part(std::string_view text, std::size_t at) {
  if (const std::size_t end = text::end_of_quoted(text, at); end > at) return end;
  while (at < text.size() && is_word_byte(text, at) && sign_at(text, at).size == 0) ++at;
  // `get?` and `head!` are names; `a != b` does not contain `a!`.
  if (at < text.size() && (text[at] == '?' || text[at] == '!') && !text.substr(at).starts_with("!=")) ++at;
  return at;
}

}  // namespace

int TermWord::nesting() const {
  if (kind != WordType::Symbol) return 0;
  if (text.ends_with('[') || text.ends_with("MOD ")) return 1;
  for (const std::string_view open : {"(", "{", "⟨", "⦃", "⌊", "⌈", "⟪", "⁅"})
    if (text == open) return 1;
  for (const std::string_view close : {")", "]", "}", "⟩", "⦄", "⌋", "⌋₊", "⌉", "⌉₊", "⟫", "⁆"})
    if (text == close) return -1;
  return 0;
}

bool TermWord::is_operator() const {
  if (kind == WordType::Meta) return true;
  if (kind == WordType::Name) return text == "_" || text == "fun";
  // Other symbols may occur in prose.
  if (kind != WordType::Symbol || text == "!" || text == "~") return false;
  const Notation* notation = sign_at(text, 0).notation;
  return notation != nullptr && notation->fix != Fix::Bracket;
}

namespace {

class WordReader {
 public:
  WordReader(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  std::vector<TermWord> words() {
    while (at_ < text_.size() && words_.size() <= most_) read_one();
    return std::move(words_);
  }

 private:
  using Type = TermWord::WordType;

  void read_one() {
    const char c = text_[at_];
    if (static_cast<unsigned char>(c) <= ' ') return skip_blank();
    if (const auto [size, notation] = sign_at(text_, at_); size > 0) {
      const bool is_word = notation != nullptr && notation->fix == Fix::Compound;
      return take(is_word ? Type::Name : Type::Symbol, at_ + size,
                  notation ? notation->symbol : std::string_view());
    }
    if ('0' <= c && c <= '9')
      return take(Type::Number, std::min(text_.find_first_not_of("0123456789", at_), text_.size()));
    if (c == '"') return take(Type::Text, std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1);
    if (c == '?' && at_ + 1 < text_.size() && is_word_byte(text_, at_ + 1))
      return take(Type::Meta, end_of_name_part(text_, at_ + 1));
    if (is_word_byte(text_, at_)) return take_name();
    take(Type::Symbol, at_ + 1);
  }

  // A line without indentation begins a new hypothesis; other line breaks are blanks.
  void skip_blank() {
    const bool continues = at_ + 1 >= text_.size() || text_[at_ + 1] == ' ' || text_[at_ + 1] == '\t';
    if (text_[at_] == '\n' && !continues)
      take(Type::LineEnd, at_ + 1);
    else
      ++at_;
    after_blank_ = true;
  }

  void take_name() {
    std::size_t end = end_of_name_part(text_, at_);
    while (end + 1 < text_.size() && text_[end] == '.' && is_word_byte(text_, end + 1) &&
           sign_at(text_, end + 1).size == 0)
      end = end_of_name_part(text_, end + 1);
    const std::string_view name = text_.substr(at_, end - at_);
    const bool is_open = name.find(text::kOpenQuote) != std::string_view::npos &&
                         name.find(text::kCloseQuote) == std::string_view::npos;
    take(is_open ? Type::Symbol : Type::Name, std::max(end, at_ + 1));
  }

  void take(Type kind, std::size_t end, std::string_view as = {}) {
    words_.push_back(
        {kind, std::string(as.empty() ? text_.substr(at_, end - at_) : as), after_blank_, at_, end});
    after_blank_ = false;
    at_ = end;
  }

  std::string_view text_;
  std::size_t most_;
  std::vector<TermWord> words_;
  std::size_t at_ = 0;
  bool after_blank_ = false;
};

}  // namespace

std::vector<TermWord> term_words(std::string_view text, std::size_t most) {
  return WordReader(text, most).words();
}

bool looks_like_constant(std::string_view word) {
  const std::string_view root = word.substr(0, word.find('.'));
  if (root.empty()) return false;
  const bool small = 'a' <= root[0] && root[0] <= 'z';
  if (root.size() < word.size()) return !small;  // `l.length` is a field of l
  // One letter, not necessarily of ASCII, with digits, subscripts and primes; or two small letters, such as
  // `xs`.
  std::size_t letters = 0;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const auto byte = static_cast<unsigned char>(word[at]);
    const bool subscript = byte == 0xE2 && at + 2 < word.size();
    if (subscript)
      at += 2;
    else if ((byte < '0' || byte > '9') && byte != '\'' && byte != '_' && (byte < 0x80 || byte >= 0xC0))
      ++letters;
  }
  static constexpr std::string_view kShortConstants[] = {"id", "or", "le", "lt", "gt", "ge"};
  if (letters == 2 && small) return std::ranges::find(kShortConstants, word) != std::end(kShortConstants);
  return letters > 1;
}

bool looks_like_name(std::string_view word) {
  const bool has_mark = word.find_first_of("._") != std::string_view::npos || text::has_quotes(word);
  if (word.size() > 2 && has_mark && word.back() != '.') return true;
  return std::adjacent_find(word.begin(), word.end(), [](char a, char b) {
           return 'a' <= a && a <= 'z' && 'A' <= b && b <= 'Z';
         }) != word.end();
}

std::vector<std::string> constants_among(const std::vector<TermWord>& words) {
  std::vector<std::string> constants;
  for (const TermWord& word : words) {
    std::string_view constant;
    if (word.kind == TermWord::WordType::Name) {
      // A single expression for both cases would be a view of a copy.
      if (const Notation* known = word_notation(word.text))
        constant = known->constant;
      else if (looks_like_constant(word.text))
        constant = word.text;
    } else if (word.is_operator()) {
      if (const Notation* sign = sign_at(word.text, 0).notation) constant = sign->constant;
    }
    if (!constant.empty() && std::ranges::find(constants, constant) == constants.end())
      constants.emplace_back(constant);
  }
  return constants;
}

}  // namespace leanbridge::index
