#include "source_reading.hpp"

#include "command_words.hpp"
#include "lean_declarations.hpp"
#include "lean_lexer.hpp"
#include "signature.hpp"
#include "utf8.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::text {

namespace {

struct Words {
  std::string joined;  ///< separated by blanks
  std::string shown;   ///< as written, on one line
};

/// The words in [begin, end), without the first `skipped` ones and without the first that equals `name`.
Words words_in(std::string_view source, std::size_t begin, std::size_t end, std::size_t skipped = 0,
               std::string_view name = {}) {
  Words words;
  const std::string_view part = source.substr(begin, end - begin);
  LeanLexer lexer(part);
  std::size_t last = 0;
  while (const auto token = lexer.next()) {
    const std::string_view word = part.substr(token->begin, token->end - token->begin);
    const bool is_name = skipped == 0 && !name.empty() && word == name;
    if (is_name) name = {};
    if (is_remark(token->kind) || skipped > 0 || is_name) {
      if (!is_remark(token->kind) && skipped > 0) --skipped;
      last = token->end;
      continue;
    }
    if (!words.joined.empty()) words.joined += ' ';
    if (!words.shown.empty() && token->begin > last) words.shown += ' ';
    words.joined += word;
    words.shown += word;
    last = token->end;
  }
  return words;
}

bool has_word(std::string_view source, std::string_view wanted) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (source.substr(token->begin, token->end - token->begin) == wanted) return true;
  return false;
}

/// Where a word in the first column of [begin, end) begins an unknown command; `end` if none does.
std::size_t next_command(std::string_view source, std::size_t begin, std::size_t end) {
  constexpr auto kContinuing =
      std::to_array<std::string_view>({"where", "termination_by", "decreasing_by", "by", "with", "extends"});
  LeanLexer lexer(source.substr(begin, end - begin));
  while (const auto token = lexer.next()) {
    const std::size_t at = begin + token->begin;
    if (token->kind != LeanTokenKind::Word || at == 0 || source[at - 1] != '\n') continue;
    if (!contains(kContinuing, source.substr(at, token->end - token->begin))) return at;
  }
  return end;
}

}  // namespace

std::vector<StatedDeclaration> stated_in(std::string_view source) {
  std::vector<StatedDeclaration> all;
  for (const NamedDeclaration& declaration : named_declarations(source)) {
    const DeclarationSite& site = declaration.site;
    StatedDeclaration one{.name = declaration.full_name, .keyword = site.keyword};
    one.start = site.start;
    one.keyword_offset = site.keyword_offset;
    one.end = site.end;
    one.marks = words_in(source, site.start, site.keyword_offset).joined;
    one.is_private = has_word(one.marks, "private");
    const bool is_type = is_command_word(site.keyword, kIsType) || site.keyword == "class inductive";
    const std::size_t header = site.keyword_offset + site.keyword.size();
    const std::size_t signature = std::min(site.end, signature_of(source, site).end);
    if (site.keyword != "axiom") one.end = next_command(source, is_type ? header : signature, site.end);
    const std::size_t end = is_type ? one.end : signature;
    const auto keywords = 1 + static_cast<std::size_t>(std::ranges::count(site.keyword, ' '));
    Words statement = words_in(source, site.keyword_offset, end, keywords, site.name);
    one.statement = std::move(statement.joined);
    one.shown = std::move(statement.shown);
    one.body = words_in(source, end, one.end).joined;
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<ReadingCommand> reading_commands(std::string_view source) {
  std::vector<ReadingCommand> found;
  bool within = false;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (is_remark(token->kind)) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (token->begin == 0 || source[token->begin - 1] == '\n') within = false;
    if (is_command_word(word, kSyntax | kReads)) {
      found.push_back({std::string(word), token->begin});
      within = true;
    } else if (within && word == "in" && found.back().text.starts_with("open ")) {
      found.pop_back();  // it is valid for one command or term, whose reader sees it
      within = false;
    } else if (within) {
      found.back().text.append(1, ' ').append(word);
    }
  }
  return found;
}

std::string shortened(const std::string& statement, std::size_t limit) {
  if (statement.size() <= limit) return statement;
  return std::string(beginning_of(statement, limit)) + " […]";
}

}  // namespace leanbridge::text
