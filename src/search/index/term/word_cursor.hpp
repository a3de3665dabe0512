#pragma once
/// A position among the words of a term, for the parser.

#include "core/olean/notation.hpp"
#include "search/index/written_term.hpp"
#include "statement.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge::index {

class WordCursor {
 protected:
  using WordType = TermWord::WordType;

  explicit WordCursor(std::vector<TermWord> words) : words_(std::move(words)) {}

  bool at_end() const { return at_ >= words_.size(); }
  const TermWord& here() const {
    static const TermWord none{};
    return at_end() ? none : words_[at_];
  }
  bool is(std::string_view symbol) const { return !at_end() && words_[at_].is(symbol); }
  bool is_name(std::string_view name) const {
    return !at_end() && words_[at_].kind == WordType::Name && words_[at_].text == name;
  }
  bool is_line_end() const { return !at_end() && words_[at_].kind == WordType::LineEnd; }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_name(std::string_view name) {
    if (!is_name(name)) return false;
    ++at_;
    return true;
  }
  NodeId fail() {
    failed_ = true;
    return 0;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) failed_ = true;
  }

  // Whether the word here can begin an argument of a function before it.
  bool begins_argument() const {
    if (at_end()) return false;
    const TermWord& word = here();
    switch (word.kind) {
      case WordType::Name: {
        static constexpr std::string_view kEnds[] = {"then", "else", "with", "from", "at", "in", "by", "if"};
        return std::ranges::find(kEnds, word.text) == std::end(kEnds);
      }
      case WordType::Meta:
      case WordType::Number:
      case WordType::Text:
        return true;
      case WordType::Symbol:
        if (olean::infix_notation(word.text) != nullptr) return false;  // `=ᶠ[` opens a bracket
        if (word.text.ends_with("MOD ") || olean::postfix_notation(word.text) != nullptr) return false;
        return (word.nesting() > 0 && (word.text != "[" || word.after_blank)) || word.text == "∅" ||
               word.text == "↑" || word.text == "λ" || word.text == "@" || word.text == "#" ||
               (word.text == "." && word.after_blank);
      case WordType::LineEnd:
        return false;
    }
    return false;
  }

  // The index of the first of these symbols outside all brackets, from here on; the end if there is none.
  std::size_t find_symbol(std::initializer_list<std::string_view> wanted, bool in_line = false) const {
    int depth = 0;
    for (std::size_t i = at_; i < words_.size(); ++i) {
      const TermWord& word = words_[i];
      if (in_line && word.kind == WordType::LineEnd) return words_.size();
      if (word.kind != WordType::Symbol) continue;
      if (depth == 0 && std::ranges::find(wanted, word.text) != wanted.end()) return i;
      depth += word.nesting();
    }
    return words_.size();
  }

  // The index behind the bracket that closes the one here; the end if there is none.
  std::size_t find_close() const {
    int depth = 0;
    for (std::size_t i = at_; i < words_.size(); ++i) {
      depth += words_[i].nesting();
      if (depth == 0 && words_[i].kind == WordType::Symbol) return i + 1;
    }
    return words_.size();
  }

  // Skips `theorem foo`, and drops the value from `:=` on.
  void skip_keyword() {
    static constexpr std::string_view kKeywords[] = {"theorem", "lemma", "def", "example"};
    const bool keyword =
        here().kind == WordType::Name && std::ranges::find(kKeywords, here().text) != std::end(kKeywords);
    const std::size_t value = find_symbol({":="});
    const bool has_goal = std::ranges::any_of(words_, [](const TermWord& word) { return word.is("⊢"); });
    if (!has_goal) {
      if (value < words_.size()) words_.resize(value);
      std::erase_if(words_, [](const TermWord& word) { return word.kind == WordType::LineEnd; });
    }
    if (!keyword || at_end()) return;
    const bool named = here().text != "example";
    ++at_;
    if (named && here().kind == WordType::Name) ++at_;
  }

  // Takes one bar, also the first of `||`.
  bool take_bar() {
    if (!is("||")) return take("|");
    words_[at_].text = "|";
    return true;
  }

  // Whether the word names a universe level.
  static bool is_level(const TermWord& word) {
    return word.kind == WordType::Name && word.text.size() <= 3 &&
           (word.text[0] == 'u' || word.text[0] == 'v' || word.text[0] == 'w' || word.text == "_");
  }

  std::vector<TermWord> words_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace leanbridge::index
