#include "leanbridge/search/suggestions.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::search {

namespace {

constexpr std::size_t kMaxSuggestions = 40;

bool takes(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line = trimmed(line.substr(prefix.size()));
  return true;
}

bool begins_tactic(std::string_view line) {
  constexpr std::string_view kTactics = " exact rw refine apply simpa simp ";
  return line.find(' ') != line.npos && text::contains(kTactics, line.substr(0, line.find(' ')));
}

}  // namespace

Suggestions read_suggestions(std::string_view message) {
  Suggestions read;
  bool suggests = false;
  while (!message.empty() && read.tactics.size() < kMaxSuggestions) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = trimmed(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    suggests = takes(line, "Try this:") || takes(line, "Try these:") || suggests;
    takes(line, "[apply]");
    if (!suggests || line.empty() || line.starts_with("--")) continue;
    if (begins_tactic(line))
      read.tactics.emplace_back(line);
    else if (!read.tactics.empty())
      read.tactics.back().append(" ").append(line);
  }
  for (const std::string& tactic : read.tactics) {
    text::LeanLexer lexer(tactic);
    bool first = true;
    while (const auto token = lexer.next()) {
      if (token->kind != text::LeanTokenKind::Word || std::exchange(first, false)) continue;
      std::string word = tactic.substr(token->begin, token->end - token->begin);
      if (std::find(read.words.begin(), read.words.end(), word) == read.words.end())
        read.words.push_back(std::move(word));
    }
  }
  return read;
}

std::vector<std::string> possible_constants(std::string_view word) {
  std::vector<std::string> names;
  while (!word.empty()) {
    names.emplace_back(word);
    const std::size_t dot = word.rfind('.');
    word = dot == std::string_view::npos ? std::string_view() : word.substr(0, dot);
  }
  return names;
}

}  // namespace leanbridge::search
