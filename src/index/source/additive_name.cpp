#include "additive_name.hpp"

#include "leanbridge/base/ascii.hpp"

#include <algorithm>
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
});

// `add` comes before what says which monoid it is.
constexpr auto kOrder = std::to_array<Pair>({
    {"commAdd", "addComm"},
    {"leftCancelAdd", "addLeftCancel"},
    {"rightCancelAdd", "addRightCancel"},
    {"cancelAdd", "addCancel"},
});

bool is_capital(char c) {
  return 'A' <= c && c <= 'Z';
}

// With the first letter in upper case, if `like` begins so.
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

}  // namespace

std::string additive_name(std::string_view name) {
  std::string made;
  bool changed = false;
  for (std::size_t begin = 0; begin < name.size();) {
    // A word ends before an upper-case letter, and at whatever is no letter.
    std::size_t end = begin + 1;
    const auto is_letter = [&](std::size_t i) {
      return is_capital(name[i]) || ('a' <= name[i] && name[i] <= 'z');
    };
    if (is_letter(begin))
      while (end < name.size() && is_letter(end) && !is_capital(name[end])) ++end;
    const std::string_view word = name.substr(begin, end - begin);
    const std::string small = lower_case(word);
    const auto found =
        std::find_if(kWords.begin(), kWords.end(), [&](const Pair& pair) { return pair.first == small; });
    changed = changed || found != kWords.end();
    made += found == kWords.end() ? std::string(word) : capitalised(found->second, word[0]);
    begin = end;
  }
  if (!changed) return "";
  reorder(made);
  return made;
}

std::string additive_signature(std::string_view signature) {
  for (const std::string_view sign : {"^", "⁻¹", "•", "∑", "\"", "`", "ˣ", "ᵐᵒᵖ"})
    if (signature.find(sign) != std::string_view::npos) return "";
  std::string made;
  for (std::size_t at = 0; at < signature.size();) {
    const char c = signature[at];
    const auto is_part = [&](std::size_t i) {
      const char letter = signature[i];
      return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.' ||
             letter == '\'' || static_cast<unsigned char>(letter) >= 0x80;
    };
    if (!is_part(at)) {
      made += c == '*' ? '+' : c == '/' ? '-' : c;
      ++at;
      continue;
    }
    if (constexpr std::string_view kProduct = "∏"; signature.substr(at).starts_with(kProduct)) {
      made += "∑";
      at += kProduct.size();
      continue;
    }
    std::size_t end = at;
    while (end < signature.size() && is_part(end)) ++end;
    const std::string_view word = signature.substr(at, end - at);
    if (word == "1") {
      made += '0';
    } else {
      const std::string other = word.size() > 1 ? additive_name(word) : "";
      made += other.empty() ? std::string(word) : other;
    }
    at = end;
  }
  return made;
}

}  // namespace leanbridge::index
