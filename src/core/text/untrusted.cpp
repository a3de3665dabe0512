#include "untrusted.hpp"

#include "core/base/ascii.hpp"
#include "utf8.hpp"
#include <utf8.h>

#include <algorithm>
#include <cstdio>

namespace leanbridge::text {

using nlohmann::json;

namespace {

constexpr char32_t kEscape = 0x1B, kSequence = 0x9B;  // ESC; `ESC [` in one character

bool is_plain(char c) {
  return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

// The end of the terminal sequence whose first character ends at `at`.
std::size_t end_of(std::string_view text, std::size_t start, std::size_t at, char32_t first) {
  if (first == kEscape) return end_of_escape_sequence(text, start);
  while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
  return at < text.size() ? at + 1 : at;
}

// `keep` maps line ends and tabs to the characters that replace them.
template <class Keep>
std::string without_hidden(std::string_view given, Keep keep) {
  const std::string valid = replace_invalid(given);
  std::string clean;
  clean.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size();) {
    const char* next = valid.data() + i;
    const char32_t point = utf8::unchecked::next(next);
    auto end = static_cast<std::size_t>(next - valid.data());
    if (point == '\n' || point == '\t' || point == 0x2028 || point == 0x2029)
      clean += keep(point == '\t' ? '\t' : '\n');
    else if (point == kEscape || point == kSequence)
      end = end_of(valid, i, end, point);
    else if (!is_control(point) && !is_invisible(point))
      clean.append(valid, i, end - i);
    i = end;
  }
  return clean;
}

// Whether a character is invisible though scripts and emoji need it: joiners, variation selectors, fillers,
// and blanks other than the space. In a name or a string they make two texts look alike.
bool looks_like_nothing(char32_t c) {
  return c == 0xA0 || c == 0xAD || c == 0x34F || c == 0x115F || c == 0x1160 || c == 0x1680 || c == 0x17B4 ||
         c == 0x17B5 || (c >= 0x180B && c <= 0x180F) || (c >= 0x2000 && c <= 0x200D) || c == 0x202F ||
         c == 0x205F || c == 0x2800 || c == 0x3000 || c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) ||
         c == 0xFFA0 || (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0x1BCA0 && c <= 0x1BCA3) ||
         (c >= 0x1D173 && c <= 0x1D17A);
}

}  // namespace

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

bool is_invisible(char32_t c) {
  if (c < 0x61C) return false;
  return c == 0x61C || c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE0FFF);
}

bool is_clean(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; })) return true;
  if (first_invalid_byte(text)) return false;
  for (const char *at = text.data(), *end = at + text.size(); at != end;)
    if (const char32_t point = utf8::unchecked::next(at); is_control(point) || is_invisible(point))
      return false;
  return true;
}

std::string cleaned(std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  return without_hidden(text, [](char c) { return c; });
}

std::string cleaned_line(std::string_view text) {
  std::string line = without_hidden(text, [](char) { return ' '; });
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

json cleaned_json(json value) {
  if (value.is_string()) return cleaned(value.get_ref<const std::string&>());
  if (value.is_array())
    for (json& element : value) element = cleaned_json(std::move(element));
  if (!value.is_object()) return value;
  json object = json::object();
  for (auto& [name, member] : value.items()) object.emplace(cleaned(name), cleaned_json(std::move(member)));
  return object;
}

std::string escaped(std::string_view text) {
  const std::string valid = replace_invalid(text);
  std::string shown;
  for (const char *at = valid.data(), *end = at + valid.size(); at != end;) {
    const char* const start = at;
    const char32_t point = utf8::unchecked::next(at);
    if (!is_control(point) && !is_invisible(point) && !looks_like_nothing(point)) {
      shown.append(start, at);
      continue;
    }
    char code[16];
    std::snprintf(code, sizeof code, "\\u{%x}", static_cast<unsigned>(point));
    shown += code;
  }
  return shown;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kMarks = "_./:=@%+,-";
  const bool plain = !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace leanbridge::text
