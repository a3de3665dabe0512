#include "try_this.hpp"

#include "core/base/ascii.hpp"
#include "core/text/lean_lexer.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::lean {

namespace {

constexpr std::size_t kMaxSuggestions = 40;

bool takes(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line = trimmed(line.substr(prefix.size()));
  return true;
}

/// Mathlib's `hint` marks tactics that close the goal with a picture (U+1F389).
void drop_pictures(std::string_view& line) {
  constexpr std::string_view kPlane = "\xF0\x9F";
  while (line.starts_with(kPlane)) line = trimmed(line.substr(std::min<std::size_t>(4, line.size())));
}

/// The suggestions of a message, recognised by their form alone (Lean/Meta/TryThis.lean,
/// Lean/Meta/Hint.lean): `Try this: a`, or below such a header each behind a mark, which is `• a` before Lean
/// 4.25 and `[apply] a` since. Lines with more indentation belong to the suggestion above them, up to the
/// first remark. Other lines in the first column are another message, which Lean has joined to this one.
class SuggestionReader {
 public:
  std::vector<std::string> run(std::string_view message) {
    while (!message.empty() && tactics_.size() < kMaxSuggestions) {
      const std::size_t end = std::min(message.find('\n'), message.size());
      read(message.substr(0, end));
      message.remove_prefix(std::min(end + 1, message.size()));
    }
    return std::move(tactics_);
  }

 private:
  enum class Place { Outside, Header, Suggestion, Remark };

  void read(std::string_view raw) {
    std::string_view line = trimmed(raw);
    if (line.empty()) return;
    if (takes(line, "Try this:") || takes(line, "Try these:")) {
      place_ = Place::Header;
      if (!line.empty()) begin(line);
      return;
    }
    if (place_ == Place::Outside) return;
    drop_pictures(line);
    if (takes(line, "[apply]") || takes(line, "•")) return begin(line);
    if (line.starts_with("--") || line.starts_with("Remaining subgoals")) {
      place_ = Place::Remark;
      return;
    }
    const bool in_first_column = raw.front() != ' ';
    if (in_first_column && place_ != Place::Remark) place_ = Place::Outside;
    if (place_ == Place::Header) return begin(line);
    if (place_ == Place::Suggestion) tactics_.back().append(" ").append(line);
  }

  void begin(std::string_view line) {
    drop_pictures(line);
    if (line.empty()) return;
    tactics_.emplace_back(line);
    place_ = Place::Suggestion;
  }

  std::vector<std::string> tactics_;
  Place place_ = Place::Outside;
};

}  // namespace

Suggestions read_suggestions(std::string_view message) {
  Suggestions read;
  read.tactics = SuggestionReader().run(message);
  for (const std::string& tactic : read.tactics) {
    text::LeanLexer lexer(tactic);
    bool first = true;
    while (const auto token = lexer.next()) {
      if (token->kind != text::LeanTokenKind::Word) continue;
      std::string word = tactic.substr(token->begin, token->end - token->begin);
      if (word == "expose_names") continue;  // `(expose_names; exact h)`
      if (std::exchange(first, false)) continue;
      if (std::ranges::find(read.words, word) == read.words.end()) read.words.push_back(std::move(word));
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

}  // namespace leanbridge::lean
