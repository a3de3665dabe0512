#include "core/base/ascii.hpp"
#include "core/text/word_list.hpp"
#include "search/index/written_term.hpp"
#include "search/sources/theorem.hpp"

#include <algorithm>
#include <span>

namespace leanbridge::search {

namespace {

using index::TermWord;
using Words = std::span<const TermWord>;

bool begins_declaration(const TermWord& word) {
  constexpr std::string_view kDeclarations =
      " theorem lemma def abbrev instance axiom opaque structure inductive class private protected "
      "noncomputable ";
  return text::contains(kDeclarations, word.text);
}

// The index of the first word outside brackets, from `at` on, for which `holds` is true; the size if there is
// none.
template <class Holds>
std::size_t find_outside(Words words, std::size_t at, Holds holds) {
  int depth = 0;
  for (; at < words.size(); ++at) {
    if (depth == 0 && holds(words[at])) break;
    depth = std::max(0, depth + words[at].nesting());
  }
  return at;
}

bool may_be_binder(const TermWord& word) {
  constexpr std::string_view kKeywords = " fun let if match Type Prop Sort have show by do ";
  if (word.kind == TermWord::WordType::Name) return !text::contains(kKeywords, word.text);
  return word.is("(") || word.is("{") || word.is("[") || word.is("⦃");
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank || !line.ends_with(' ')) line += blank ? ' ' : c;
  }
  return line;
}

}  // namespace

std::string as_type(std::string_view written) {
  constexpr std::size_t kMaxBytes = 1u << 16;  // longer texts stay unchanged
  const std::string line = on_one_line(written);
  if (line.size() > kMaxBytes) return line;
  const auto all = index::term_words(line, line.size());
  // Drops the proof or value, and `theorem Nat.add_comm.{u}`.
  Words words = Words(all).first(find_outside(all, 0, [](const TermWord& word) { return word.is(":="); }));
  if (!words.empty() && begins_declaration(words.front())) {
    while (!words.empty() && begins_declaration(words.front())) words = words.subspan(1);
    if (!words.empty() && words.front().kind == TermWord::WordType::Name) words = words.subspan(1);
    if (words.size() > 1 && words[0].is(".") && words[1].is("{"))
      words = words.subspan(std::min(
          find_outside(words, 2, [](const TermWord& word) { return word.is("}"); }) + 1, words.size()));
  }
  if (words.empty()) return line;
  // The colon that ends the binders of a signature; a type has none.
  std::size_t colon = find_outside(words, 0, [](const TermWord& word) { return !may_be_binder(word); });
  if (colon == words.size() || !words[colon].is(":")) colon = words.size();
  // `#check` prints `Nat.add_comm (n m : Nat) : …`.
  if (colon < words.size() && index::looks_like_name(words.front().text)) {
    words = words.subspan(1);
    --colon;
  }
  const auto part = [&](std::size_t begin, std::size_t end) {
    return std::string(trimmed(std::string_view(line).substr(begin, end - begin)));
  };
  const std::size_t begin = words.front().begin, end = words.back().end;
  if (colon == words.size()) return part(begin, end);
  const std::string type = part(words[colon].end, end);
  return colon == 0 ? type : "∀ " + part(begin, words[colon].begin) + ", " + type;
}

}  // namespace leanbridge::search
