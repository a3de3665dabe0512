// read_declarations(): the lists that source_changes() compares.

#include "command_words.hpp"
#include "lean_lexer.hpp"
#include "lines.hpp"
#include "missing_proofs.hpp"
#include "source_changes.hpp"
#include "source_reading.hpp"
#include "trust_scan.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace leanbridge::text {

namespace {

constexpr std::size_t kMaxShown = 2000;  // bytes of a statement or command

/// Tactics that close a goal by a sorry of their own and warn about it; they are in Lean, Plausible and
/// Mathlib.
constexpr auto kSorryTactics =
    std::to_array<std::string_view>({"stop", "apply?", "rw?", "plausible", "slim_check"});
/// Tokens that may precede a tactic on its line; tokens behind the word that make it a name.
constexpr auto kBeforeTactic = std::to_array<std::string_view>(
    {"by",    ";",    "<;>",     "·",     ".",    "=>",     "(",         "{",
     "|",     "try",  "repeat",  "first", "then", "else",   "any_goals", "all_goals",
     "focus", "case", "on_goal", "next",  "do",   "iterate"});
constexpr auto kBehindName =
    std::to_array<std::string_view>({":", ":=", ",", ")", ".", "]", "+", "-", "=", "<", ">", "≤", "→"});

/// The offsets of such tactics.
std::vector<std::size_t> sorry_tactics(std::string_view source) {
  std::vector<std::size_t> found;
  std::optional<std::size_t> candidate;
  std::string_view before;
  std::size_t end_before = 0;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (is_remark(token->kind)) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (candidate && !contains(kBehindName, word)) found.push_back(*candidate);
    candidate.reset();
    const bool is_first = source.substr(end_before, token->begin - end_before).find('\n') != source.npos;
    if (contains(kSorryTactics, word) && (is_first || contains(kBeforeTactic, before)))
      candidate = token->begin;
    before = word;
    end_before = token->end;
  }
  if (candidate) found.push_back(*candidate);
  return found;
}

class LineCounter {
 public:
  explicit LineCounter(std::string_view source) {
    for (std::size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1))
      ends_.push_back(at);
  }
  int line_of(std::size_t offset) const {
    return 1 + static_cast<int>(std::ranges::lower_bound(ends_, offset) - ends_.begin());
  }

 private:
  std::vector<std::size_t> ends_;
};

/// The commands in the first column that are no declarations, and every `set_option` with its value.
std::vector<ReadingCommand> other_commands(std::string_view source,
                                           const std::vector<StatedDeclaration>& declarations) {
  std::vector<ReadingCommand> found;
  std::size_t next = 0, option_words = 0;
  bool within = false;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (is_remark(token->kind)) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    while (next < declarations.size() && declarations[next].end <= token->begin) ++next;
    const bool declared = next < declarations.size() && declarations[next].start <= token->begin;
    const bool first = token->begin == 0 || source[token->begin - 1] == '\n';
    if (word == "set_option" || (first && !declared)) {
      found.push_back({std::string(word), token->begin});
      within = !declared;
      option_words = declared ? 2 : 0;
    } else if ((within && !declared) || option_words > 0) {
      found.back().text.append(1, ' ').append(word);
      if (option_words > 0) --option_words;
    } else {
      within = false;
    }
  }
  std::erase_if(found, [](const ReadingCommand& command) {
    const std::string_view text = command.text;
    return is_command_word(text.substr(0, text.find(' ')), kGroups) || text.ends_with(" section") ||
           text.find(" section ") != text.npos;
  });
  return found;
}

// Counts the marks of a text by the declaration that contains them.
class MarkCount {
 public:
  MarkCount(const std::vector<StatedDeclaration>& stated, SourceReading& reading)
      : stated_(stated), reading_(reading), sorries_(stated.size()) {}

  std::size_t sorries(std::size_t declaration) const { return sorries_[declaration]; }

  // Returns true if the mark is a command to be listed on its own.
  bool take(const TrustMark& mark) {
    const auto beyond = std::ranges::upper_bound(stated_, mark.offset, {}, &StatedDeclaration::start);
    const bool declared = beyond != stated_.begin() && mark.offset < std::prev(beyond)->end;
    if (is_missing_proof(mark.pattern)) {
      ++(declared ? sorries_[static_cast<std::size_t>(std::prev(beyond) - stated_.begin())]
                  : reading_.other_sorries);
      return false;
    }
    if (mark.pattern != "axiom") return true;
    if (declared && std::prev(beyond)->keyword_offset == mark.offset) return false;
    ++reading_.other_axioms;
    return true;
  }

 private:
  const std::vector<StatedDeclaration>& stated_;
  SourceReading& reading_;
  std::vector<std::size_t> sorries_;
};

// The commands that are no declarations, in order.
std::vector<ReadingCommand> commands_in(std::string_view source, const std::vector<StatedDeclaration>& stated,
                                        MarkCount& count) {
  std::vector<ReadingCommand> commands = other_commands(source, stated);
  std::set<std::size_t> told;  // the starts of commands
  for (const ReadingCommand& command : commands) told.insert(command.start);
  for (ReadingCommand& command : reading_commands(source)) {
    // An instance is a declaration already.
    if (command.text.starts_with("instance") || !told.insert(command.start).second) continue;
    commands.push_back(std::move(command));
  }
  std::vector<TrustMark> marks = trust_marks(source);
  for (const std::size_t offset : sorry_tactics(source)) marks.push_back({offset, "sorry"});
  for (TrustMark& mark : marks)
    if (count.take(mark) && told.insert(mark.offset).second)
      commands.push_back({std::move(mark.pattern), mark.offset});
  std::ranges::sort(commands, {}, &ReadingCommand::start);
  return commands;
}

ReadDeclaration declaration_of(StatedDeclaration each, std::string file, int line) {
  ReadDeclaration made;
  made.file = std::move(file);
  made.kind = each.is_theorem() ? "theorem" : each.keyword;
  made.is_named = !each.name.empty();
  made.name = made.is_named ? std::move(each.name) : made.kind + " " + shortened(each.shown, kMaxShown);
  made.marks = std::move(each.marks);
  made.statement = std::move(each.statement);
  made.shown = shortened(each.shown, kMaxShown);
  made.body = std::move(each.body);
  made.line = line;
  made.is_private = each.is_private;
  return made;
}

}  // namespace

SourceReading read_declarations(std::string file, std::string text) {
  const std::string source = normalise_newlines(std::move(text)).text;
  const LineCounter lines(source);
  const std::vector<StatedDeclaration> stated = stated_in(source);
  SourceReading reading;
  reading.file = std::move(file);
  if (const auto doubt = find_doubt(source))
    reading.doubt = "From line " + std::to_string(lines.line_of(doubt->offset)) +
                    " on, Lean may read other words: " + std::string(doubt->why) + ".";
  MarkCount count(stated, reading);
  for (const ReadingCommand& command : commands_in(source, stated, count))
    reading.commands.push_back({command.text, lines.line_of(command.start)});
  for (std::size_t i = 0; i < stated.size(); ++i) {
    reading.declarations.push_back(
        declaration_of(stated[i], reading.file, lines.line_of(stated[i].keyword_offset)));
    reading.declarations.back().sorries = count.sorries(i);
  }
  return reading;
}

}  // namespace leanbridge::text
