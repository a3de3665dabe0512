#include "term_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace leanbridge::index {

namespace {

// Longer ones precede their prefixes. ASCII spellings and what they mean.
constexpr auto kTermSymbols = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"\\leftrightarrow", "↔"},
    {"\\forall", "∀"},
    {"\\exists", "∃"},
    {"\\lambda", "λ"},
    {"\\vdash", "⊢"},
    {"\\and", "∧"},
    {"\\not", "¬"},
    {"\\iff", "↔"},
    {"\\leq", "≤"},
    {"\\geq", "≥"},
    {"\\neq", "≠"},
    {"\\le", "≤"},
    {"\\ge", "≥"},
    {"\\ne", "≠"},
    {"\\to", "→"},
    {"\\or", "∨"},
    {"\\in", "∈"},
    {"<:+:", "<:+:"},
    {"<->", "↔"},
    {"<=>", "↔"},
    {"<:+", "<:+"},
    {"<+:", "<+:"},
    {"<$>", "<$>"},
    {"<|>", "<|>"},
    {">>=", ">>="},
    {"<<<", "<<<"},
    {">>>", ">>>"},
    {"&&&", "&&&"},
    {"|||", "|||"},
    {"^^^", "^^^"},
    {"~~~", "~~~"},
    {"->", "→"},
    {"=>", "↦"},
    {"<=", "≤"},
    {">=", "≥"},
    {"!=", "!="},
    {"==", "=="},
    {"/\\", "∧"},
    {"\\/", "∨"},
    {"|-", "⊢"},
    {"++", "++"},
    {"::", "::"},
    {":=", ":="},
    {"&&", "&&"},
    {"||", "||"},
    {"^^", "^^"},
    {"<+", "<+"},
    {"<|", "<|"},
    {"|>", "|>"},
    {"//", "//"},
    {"#[", "#["},
    {">>", ">>"},
    {"∃!", "∃!"},
    {"∀", "∀"},
    {"∃", "∃"},
    {"λ", "λ"},
    {"→", "→"},
    {"←", "←"},
    {"↔", "↔"},
    {"∧", "∧"},
    {"∨", "∨"},
    {"¬", "¬"},
    {"≤", "≤"},
    {"≥", "≥"},
    {"≠", "≠"},
    {"∈", "∈"},
    {"∉", "∉"},
    {"⊆", "⊆"},
    {"⊂", "⊂"},
    {"∪", "∪"},
    {"∩", "∩"},
    {"∅", "∅"},
    {"∘", "∘"},
    {"×", "×"},
    {"∣", "∣"},
    {"⟨", "⟨"},
    {"⟩", "⟩"},
    {"↦", "↦"},
    {"⊢", "⊢"},
    {"↑", "↑"},
    {"⇑", "↑"},
    {"⦃", "⦃"},
    {"⦄", "⦄"},
    {"•", "•"},
    {"≍", "≍"},
    {"≈", "≈"},
    {"∑", "∑"},
    {"∏", "∏"},
    {"⁻¹", "⁻¹"},
    {"·", "·"},
    {"⋅", "·"},
    {"−", "-"},
    {"⊕", "⊕"},
    {"∖", "\\"},
    {"‖₊", "‖₊"},
    {"‖", "‖"},
    {"√", "√"},
});

// Unlike in Lean, && and || bind more tightly than =: nobody means `a && (b = b) && a`.
constexpr auto kInfixNotations = std::to_array<InfixNotation>({
    {"↔", "Iff", 20, 21, 21},
    {"<|>", "HOrElse.hOrElse", 20, 21, 20},
    {"∨", "Or", 30, 31, 30},
    {"||", "Bool.or", 51, 51, 52},
    {"⊕", "Sum", 30, 31, 30},
    {"^^", "Bool.xor", 52, 52, 53},
    {"∧", "And", 35, 36, 35},
    {"×", "Prod", 35, 36, 35},
    {"&&", "Bool.and", 53, 53, 54},
    {"=", "Eq", 50, 51, 51},
    {"≠", "Ne", 50, 51, 51},
    {"≍", "HEq", 50, 51, 51},
    {"==", "BEq.beq", 54, 55, 55},
    {"!=", "bne", 54, 55, 55},
    {"<", "LT.lt", 50, 51, 51},
    {"≤", "LE.le", 50, 51, 51},
    {">", "GT.gt", 50, 51, 51},
    {"≥", "GE.ge", 50, 51, 51},
    {"∣", "Dvd.dvd", 50, 51, 51},
    {"∈", "Membership.mem", 50, 51, 51, true},
    {"⊆", "HasSubset.Subset", 50, 51, 51},
    {"⊂", "HasSSubset.SSubset", 50, 51, 51},
    {"~", "List.Perm", 50, 51, 51},
    {"<+", "List.Sublist", 50, 51, 51},
    {"<+:", "List.IsPrefix", 50, 51, 51},
    {"<:+", "List.IsSuffix", 50, 51, 51},
    {"<:+:", "List.IsInfix", 50, 51, 51},
    {"≈", "HasEquiv.Equiv", 50, 51, 51},
    {">>=", "Bind.bind", 55, 55, 56},
    {"|||", "HOr.hOr", 55, 55, 56},
    {"^^^", "HXor.hXor", 58, 58, 59},
    {"&&&", "HAnd.hAnd", 60, 60, 61},
    {">>", "HAndThen.hAndThen", 60, 60, 61},
    {"++", "HAppend.hAppend", 65, 65, 66},
    {"+", "HAdd.hAdd", 65, 65, 66},
    {"-", "HSub.hSub", 65, 65, 66},
    {"∪", "Union.union", 65, 65, 66},
    {"::", "List.cons", 67, 68, 67},
    {"∩", "Inter.inter", 70, 70, 71},
    {"*", "HMul.hMul", 70, 70, 71},
    {"·", "HMul.hMul", 70, 70, 71},
    {"/", "HDiv.hDiv", 70, 70, 71},
    {"%", "HMod.hMod", 70, 70, 71},
    {"\\", "SDiff.sdiff", 70, 70, 71},
    {"•", "HSMul.hSMul", 73, 74, 73},
    {"^", "HPow.hPow", 75, 76, 75},
    {"<<<", "HShiftLeft.hShiftLeft", 75, 75, 76},
    {">>>", "HShiftRight.hShiftRight", 75, 75, 76},
    {"∘", "Function.comp", 90, 91, 90},
    {"<$>", "Functor.map", 100, 101, 100},
});

constexpr auto kKnownWords = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"ℕ", "Nat"},
     {"ℤ", "Int"},
     {"ℚ", "Rat"},
     {"ℝ", "Real"},
     {"ℂ", "Complex"},
     {"⊤", "Top.top"},
     {"⊥", "Bot.bot"},
     // Names that Lean's library exports from their namespaces.
     {"some", "Option.some"},
     {"none", "Option.none"},
     {"max", "Max.max"},
     {"min", "Min.min"},
     {"true", "Bool.true"},
     {"false", "Bool.false"}});

bool is_word_byte(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '\'')
    return true;
  return static_cast<unsigned char>(c) >= 0x80;
}

// The symbol at `at`: how many bytes, and what it means; 0 bytes: none.
std::pair<std::size_t, std::string_view> term_symbol_at(std::string_view text, std::size_t at) {
  for (const auto& [spelling, meaning] : kTermSymbols)
    if (text[at] == spelling[0] && text.substr(at).starts_with(spelling)) return {spelling.size(), meaning};
  return {0, {}};
}

std::size_t end_of_name_part(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("«")) {
    const std::size_t close = text.find("»", at);
    return close == std::string_view::npos ? text.size() : close + std::string_view("»").size();
  }
  while (at < text.size() && is_word_byte(text, at) && term_symbol_at(text, at).first == 0) ++at;
  // `get?` and `head!` are names; `a != b` is not one of `a!`.
  if (at < text.size() && (text[at] == '?' || text[at] == '!') && !text.substr(at).starts_with("!=")) ++at;
  return at;
}

}  // namespace

std::vector<TermWord> term_words(std::string_view text) {
  std::vector<TermWord> words;
  bool blank = false;
  const auto take = [&](TermWord::WordType kind, std::string_view token) {
    words.push_back({kind, std::string(token), blank});
    blank = false;
  };
  for (std::size_t at = 0; at < text.size() && words.size() <= kMaxTermWords;) {
    const char c = text[at];
    if (c == '\n') {
      // Only a line that is not indented begins something new: a hypothesis.
      const bool continues = at + 1 >= text.size() || text[at + 1] == ' ' || text[at + 1] == '\t';
      if (!continues) take(TermWord::WordType::LineEnd, "\n");
      blank = true;
      ++at;
    } else if (static_cast<unsigned char>(c) <= ' ') {
      blank = true;
      ++at;
    } else if (const auto [size, meaning] = term_symbol_at(text, at); size > 0) {
      take(TermWord::WordType::Symbol, meaning);
      at += size;
    } else if ('0' <= c && c <= '9') {
      std::size_t end = at;
      while (end < text.size() && '0' <= text[end] && text[end] <= '9') ++end;
      take(TermWord::WordType::Number, text.substr(at, end - at));
      at = end;
    } else if (c == '"') {
      const std::size_t close = std::min(text.find('"', at + 1), text.size() - 1);
      take(TermWord::WordType::Text, text.substr(at, close + 1 - at));
      at = close + 1;
    } else if (c == '?' && at + 1 < text.size() && is_word_byte(text, at + 1)) {
      const std::size_t end = end_of_name_part(text, at + 1);
      take(TermWord::WordType::Meta, text.substr(at, end - at));
      at = end;
    } else if (is_word_byte(text, at)) {
      std::size_t end = end_of_name_part(text, at);
      while (end + 1 < text.size() && text[end] == '.' && is_word_byte(text, end + 1) &&
             term_symbol_at(text, end + 1).first == 0)
        end = end_of_name_part(text, end + 1);
      const std::string_view name = text.substr(at, end - at);
      const bool open = name.find("«") != std::string_view::npos && name.find("»") == std::string_view::npos;
      take(open ? TermWord::WordType::Symbol : TermWord::WordType::Name, name);
      at = std::max(end, at + 1);
    } else {
      take(TermWord::WordType::Symbol, text.substr(at, 1));
      ++at;
    }
  }
  return words;
}

const InfixNotation* infix_notation(std::string_view symbol) {
  const auto found = std::find_if(kInfixNotations.begin(), kInfixNotations.end(),
                                  [&](const InfixNotation& each) { return each.symbol == symbol; });
  return found == kInfixNotations.end() ? nullptr : &*found;
}

std::string_view exported_constant(std::string_view word) {
  const auto found = std::find_if(kKnownWords.begin(), kKnownWords.end(),
                                  [&](const auto& each) { return each.first == word; });
  return found == kKnownWords.end() ? std::string_view() : found->second;
}

}  // namespace leanbridge::index
