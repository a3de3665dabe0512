#include "attempt_text.hpp"

#include "lean_declarations.hpp"
#include "lean_lexer.hpp"
#include "tactic_lines.hpp"
#include "text.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <vector>

namespace leanbridge::text {

namespace {

constexpr std::pair<std::string_view, std::string_view> kBracketPairs[] = {
    {"(", ")"}, {"[", "]"}, {"{", "}"}, {"⟨", "⟩"}, {"@[", "]"}, {"⟦", "⟧"}, {"‹", "›"}};

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_blank(std::string_view line) {
  return indentation(line) == line.size();
}

bool opens_block(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line.ends_with("by") || line.ends_with("=>") || line.ends_with("do") || line.ends_with("·");
}

}  // namespace

std::string closing_brackets(std::string_view source) {
  std::vector<std::string_view> open;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->kind != LeanTokenKind::Symbol) continue;
    const std::string_view symbol = source.substr(token->begin, token->end - token->begin);
    for (const auto& [opening, closing] : kBracketPairs) {
      if (symbol == opening)
        open.push_back(closing);
      else if (symbol == closing && !open.empty() && open.back() == closing) {
        open.pop_back();
        break;
      }
    }
  }
  std::string text;
  for (auto bracket = open.rbegin(); bracket != open.rend(); ++bracket) text += *bracket;
  return text;
}

AttemptText attempt_text(std::string_view source, std::size_t offset, std::string_view snippet,
                         std::string_view closing, std::string_view rest) {
  AttemptText attempt;
  const std::string_view before = source.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto declaration = enclosing_declaration(source, offset);
  attempt.declaration = declaration ? std::min(declaration->start, line_start) : line_start;
  attempt.snippet_start = offset;
  attempt.text = before;
  const std::size_t column = count_code_points(before.substr(line_start));
  attempt.text += moved_to(snippet, column);
  attempt.snippet_end = attempt.text.find_last_not_of(" \t\r\n") + 1;
  attempt.snippet_end = std::max(attempt.snippet_end, attempt.snippet_start);
  attempt.proof_goals = attempt.text.size() + 1;
  attempt.block_goals = attempt.proof_goals + column;
  attempt.text += '\n' + std::string(column, ' ') + '\n';
  attempt.own_end = attempt.text.size();
  attempt.text += closing.empty() ? closing_brackets(before.substr(attempt.declaration)) : closing;
  attempt.declaration_end = attempt.text.size();
  if (closing.empty()) attempt.own_end = attempt.declaration_end;
  attempt.text += rest;
  return attempt;
}

AttemptPlace attempt_place(const Text& text, int line) {
  const std::size_t index = static_cast<std::size_t>(line - 1);
  const std::string_view content = text.line(index);
  const std::size_t start = text.line_start(index);
  if (!is_blank(content)) return {start + indentation(content), 0};
  if (!content.empty()) return {start + content.size(), 0};
  for (std::size_t above = index; above-- > 0;) {
    const std::string_view previous = text.line(above);
    if (!is_blank(previous)) return {start, indentation(previous) + (opens_block(previous) ? 2 : 0)};
  }
  return {start, 0};
}

}  // namespace leanbridge::text
