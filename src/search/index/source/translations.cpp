#include "translations.hpp"

#include "core/base/ascii.hpp"

#include <array>
#include <cctype>
#include <utility>

namespace leanbridge::index {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr auto kWords = std::to_array<Pair>({
    {"mul", "add"},
    {"one", "zero"},
    {"inv", "neg"},
    {"div", "sub"},
    {"prod", "sum"},
    {"pow", "nsmul"},
    {"npow", "nsmul"},
    {"zpow", "zsmul"},
    {"smul", "vadd"},
    {"monoid", "addMonoid"},
    {"semigroup", "addSemigroup"},
    {"group", "addGroup"},
    {"submonoid", "addSubmonoid"},
    {"subsemigroup", "addSubsemigroup"},
    {"subgroup", "addSubgroup"},
    {"torsor", "addTorsor"},
    {"mabs", "abs"},
});

// Pairs of words that are each other's dual.
constexpr auto kDualWords = std::to_array<Pair>({
    {"top", "bot"},
    {"inf", "sup"},
    {"min", "max"},
    {"lower", "upper"},
    {"below", "above"},
    {"least", "greatest"},
    {"minimal", "maximal"},
    {"succ", "pred"},
    {"disjoint", "codisjoint"},
    {"himp", "sdiff"},
    {"ici", "iic"},
    {"ioi", "iio"},
});
constexpr auto kDualSigns = std::to_array<Pair>({
    {"≤", "≥"},
    {"<", ">"},
    {"⊓", "⊔"},
    {"⊤", "⊥"},
    {"⨅", "⨆"},
});

// `add` precedes the words that tell the kind of monoid.
constexpr auto kOrder = std::to_array<Pair>({
    {"commAdd", "addComm"},
    {"leftCancelAdd", "addLeftCancel"},
    {"rightCancelAdd", "addRightCancel"},
    {"cancelAdd", "addCancel"},
});

bool is_capital(char c) {
  return 'A' <= c && c <= 'Z';
}

// The word, with its first letter in upper case if `like` begins in upper case.
std::string capitalised(std::string_view word, char like) {
  std::string text(word);
  if (is_capital(like) && !text.empty() && 'a' <= text[0] && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void reorder(std::string& name) {
  for (const auto& [wrong, right] : kOrder)
    for (const bool upper : {true, false}) {
      const char like = upper ? 'A' : 'a';
      const std::string from = capitalised(wrong, like), to = capitalised(right, like);
      for (std::size_t at = name.find(from); at != std::string::npos; at = name.find(from, at + to.size()))
        name.replace(at, from.size(), to);
    }
}

/// Whether a table is read only from left to right, or both ways.
enum class Reading { OneWay, BothWays };

// The name with its words translated; "" if it has none of them.
template <std::size_t N>
std::string renamed(std::string_view name, const std::array<Pair, N>& words, Reading reading) {
  std::string made;
  bool changed = false;
  for (std::size_t begin = 0; begin < name.size();) {
    // A word ends before an upper-case letter, and before any character that is not a letter.
    std::size_t end = begin + 1;
    const auto is_letter = [&](std::size_t i) {
      return is_capital(name[i]) || ('a' <= name[i] && name[i] <= 'z');
    };
    if (is_letter(begin))
      while (end < name.size() && is_letter(end) && !is_capital(name[end])) ++end;
    const std::string_view word = name.substr(begin, end - begin);
    const std::string small = lower_case(word);
    std::string_view other;
    for (const auto& [one, two] : words) {
      if (small == one) other = two;
      if (small == two && reading == Reading::BothWays) other = one;
    }
    changed = changed || !other.empty();
    made += other.empty() ? std::string(word) : capitalised(other, word[0]);
    begin = end;
  }
  return changed ? made : "";
}

std::string additive_name(std::string_view name) {
  std::string made = renamed(name, kWords, Reading::OneWay);
  reorder(made);
  return made;
}

std::string dual_name(std::string_view name) {
  return renamed(name, kDualWords, Reading::BothWays);
}

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Turns `a⁻¹` into `(-a)`; "" if the inverted term is neither a word nor in parentheses.
std::string with_negations(std::string text) {
  constexpr std::string_view kInverse = "⁻¹";
  for (std::size_t at = text.find(kInverse); at != std::string::npos; at = text.find(kInverse)) {
    std::size_t begin = at;
    if (at > 0 && text[at - 1] == ')') {
      int depth = 0;
      do {
        if (begin == 0) return "";
        --begin;
        depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
      } while (depth > 0);
    } else {
      while (begin > 0 && is_part_of_word(text[begin - 1])) --begin;
    }
    if (begin == at) return "";
    text.replace(at, kInverse.size(), ")");
    text.insert(begin, "(-");
  }
  return text;
}

// Puts the bodies of `∏ x ∈ s, f x * g x` in parentheses: a sum binds more than `+` does.
std::string with_bodies_apart(std::string text) {
  constexpr std::string_view kProduct = "∏";
  for (std::size_t at = text.find(kProduct); at != std::string::npos; at = text.find(kProduct, at + 1)) {
    const std::size_t comma = text.find(", ", at);
    if (comma == std::string::npos) return text;
    int depth = 0;
    bool has_operator = false;
    std::size_t end = comma + 2;
    for (; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (depth < 0 || (depth == 0 && c == ',')) break;
      const std::string_view rest = std::string_view(text).substr(end);
      if (depth == 0 && c == ' ' &&
          (rest.starts_with(" = ") || rest.starts_with(" ≤ ") || rest.starts_with(" < ") ||
           rest.starts_with(" ↔ ") || rest.starts_with(" → ") || rest.starts_with(" ∣ ") ||
           rest.starts_with(" + ")))
        break;
      if (depth == 0 && (rest.starts_with(" * ") || rest.starts_with(" / "))) has_operator = true;
    }
    if (!has_operator) continue;
    text.insert(end, ")");
    text.insert(comma + 2, "(");
  }
  return text;
}

std::string additive_signature(std::string_view multiplicative) {
  for (const std::string_view sign : {"^", "•", "∑", "\"", "`", "ˣ", "ᵐᵒᵖ"})
    if (multiplicative.find(sign) != std::string_view::npos) return "";
  std::string signature = with_bodies_apart(with_negations(std::string(multiplicative)));
  for (std::size_t at; (at = signature.find("|ₘ")) != std::string::npos;) signature.erase(at + 1, 3);
  std::string made;
  for (std::size_t at = 0; at < signature.size();) {
    const char c = signature[at];
    const auto is_part = [&](std::size_t i) { return is_part_of_word(signature[i]); };
    if (!is_part(at)) {
      const bool any_universe = made.ends_with("Type") || made.ends_with("Sort");
      made += c == '*' && !any_universe ? '+' : c == '/' ? '-' : c;
      ++at;
      continue;
    }
    if (constexpr std::string_view kProduct = "∏"; signature.compare(at, kProduct.size(), kProduct) == 0) {
      made += "∑";
      at += kProduct.size();
      continue;
    }
    std::size_t end = at;
    while (end < signature.size() && is_part(end)) ++end;
    const std::string_view word = std::string_view(signature).substr(at, end - at);
    const bool is_number = word.find_first_not_of("0123456789") == std::string_view::npos;
    if (is_number && word != "0" && word != "1")
      return "";  // it is unclear what type it has, and what
                  // products it occurs in
    if (word == "1") {
      // The 1 in `n + 1` is a number, whatever the theorem is about.
      const std::string_view before = std::string_view(signature).substr(0, at);
      const bool is_summand = before.ends_with("+ ") || before.ends_with("- ");
      made += is_summand ? '1' : '0';
    } else {
      const std::string other = word.size() > 1 ? additive_name(word) : "";
      made += other.empty() ? std::string(word) : other;
    }
    at = end;
  }
  return made;
}

std::string dual_signature(std::string_view signature) {
  std::string made;
  for (std::size_t at = 0; at < signature.size();) {
    const std::string_view rest = signature.substr(at);
    std::size_t taken = 0;
    for (const auto& [one, other] : kDualSigns) {
      if (rest.starts_with(one)) made += other, taken = one.size();
      if (rest.starts_with(other)) made += one, taken = other.size();
      if (taken > 0) break;
    }
    if (taken == 0 && is_part_of_word(rest[0]) && static_cast<unsigned char>(rest[0]) < 0x80) {
      while (taken < rest.size() && is_part_of_word(rest[taken]) &&
             static_cast<unsigned char>(rest[taken]) < 0x80)
        ++taken;
      const std::string_view word = rest.substr(0, taken);
      const std::string other = word.size() > 1 ? dual_name(word) : "";
      made += other.empty() ? std::string(word) : other;
    }
    if (taken == 0) made += rest[0], taken = 1;
    at += taken;
  }
  return made;
}

constexpr auto kTranslations = std::to_array<Translation>(
    {{"to_additive", additive_name, additive_signature}, {"to_dual", dual_name, dual_signature}});

}  // namespace

std::span<const Translation> translations() {
  return kTranslations;
}

}  // namespace leanbridge::index
