#include "leanbridge/text/statements.hpp"

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/utf8.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::text {

namespace {

constexpr std::size_t kMaxStatementShown = 400;  // bytes

struct SourceStatement {
  std::string name, keyword;
  std::string statement;  ///< its words, separated by blanks
  std::string shown;      ///< as it is written, on one line
  std::size_t start = 0;  ///< byte offset
  bool is_private = false;
  bool matched = false;

  bool is_theorem() const { return keyword == "theorem" || keyword == "lemma"; }
};

// What is between the name and the proof.
void read_statement(std::string_view source, const DeclarationSite& site, SourceStatement& one) {
  const std::size_t end = signature_of(source, site).end;
  const std::string_view signature = source.substr(site.keyword_offset, end - site.keyword_offset);
  LeanLexer lexer(signature);
  std::size_t last = 0;
  for (std::size_t i = 0; const auto token = lexer.next();) {
    if (is_remark(token->kind) || i++ < 2) {  // the keyword and the name
      last = token->end;
      continue;
    }
    if (!one.statement.empty()) one.statement += ' ';
    if (!one.shown.empty() && token->begin > last) one.shown += ' ';
    const std::string_view word = signature.substr(token->begin, token->end - token->begin);
    one.statement += word;
    one.shown += word;
    last = token->end;
  }
}

bool has_word(std::string_view source, std::string_view wanted) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (source.substr(token->begin, token->end - token->begin) == wanted) return true;
  return false;
}

/// A command that may change what the words below it mean.
struct ReadingCommand {
  std::string text;  ///< its words, separated by blanks
  std::size_t start = 0;

  friend bool operator==(const ReadingCommand& a, const ReadingCommand& b) { return a.text == b.text; }
};

/// Wherever such a word stands: it counts to the next one, or to what begins in the first column.
std::vector<ReadingCommand> reading_commands(std::string_view source) {
  constexpr auto kWords = std::to_array<std::string_view>({"macro",     "macro_rules",
                                                           "notation",  "notation3",
                                                           "infix",     "infixl",
                                                           "infixr",    "prefix",
                                                           "postfix",   "syntax",
                                                           "elab",      "elab_rules",
                                                           "instance",  "attribute",
                                                           "open",      "export",
                                                           "variable",  "variables",
                                                           "unif_hint", "run_cmd",
                                                           "run_elab",  "declare_syntax_cat",
                                                           "run_meta",  "binder_predicate"});
  std::vector<ReadingCommand> found;
  bool within = false;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (is_remark(token->kind)) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (token->begin == 0 || source[token->begin - 1] == '\n') within = false;
    if (contains(kWords, word)) {
      found.push_back({std::string(word), token->begin});
      within = true;
    } else if (within && word == "in" && found.back().text.starts_with("open ")) {
      found.pop_back();  // for one command or term, where whoever reads that sees it
      within = false;
    } else if (within) {
      found.back().text.append(1, ' ').append(word);
    }
  }
  return found;
}

/// Those of `some` that `others` do not have.
std::vector<ReadingCommand> without(std::vector<ReadingCommand> some,
                                    const std::vector<ReadingCommand>& others) {
  for (const ReadingCommand& other : others)
    if (const auto same = std::find(some.begin(), some.end(), other); same != some.end()) some.erase(same);
  return some;
}

std::vector<SourceStatement> stated_in(std::string_view source) {
  std::vector<SourceStatement> all;
  for (const NamedDeclaration& declaration : named_declarations(source)) {
    if (declaration.full_name.empty()) continue;
    const DeclarationSite& site = declaration.site;
    SourceStatement one{.name = declaration.full_name, .keyword = site.keyword, .start = site.start};
    one.is_private = has_word(source.substr(site.start, site.keyword_offset - site.start), "private");
    if (one.is_theorem() || one.keyword == "axiom") read_statement(source, site, one);
    all.push_back(std::move(one));
  }
  return all;
}

std::string shortened(const std::string& statement) {
  if (statement.size() <= kMaxStatementShown) return statement;
  return std::string(beginning_of(statement, kMaxStatementShown)) + " […]";
}

}  // namespace

std::vector<StatementChange> statement_changes(std::string_view before, std::string_view after) {
  using Change = StatementChange::Kind;
  const std::vector<SourceStatement> old = stated_in(before);
  std::vector<SourceStatement> now = stated_in(after);
  // Names first: a theorem that is only moved was not renamed.
  std::vector<const SourceStatement*> same_name(old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const SourceStatement& each) {
      return !each.matched && each.name == old[i].name;
    });
    if (same == now.end()) continue;
    same->matched = true;
    same_name[i] = &*same;
  }
  std::vector<StatementChange> changes;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const SourceStatement& one = old[i];
    if (const SourceStatement* const same = same_name[i]) {
      if (one.is_theorem() && !same->is_theorem())
        changes.push_back({Change::Demoted, one.name, one.keyword, same->keyword});
      else if (one.is_theorem() && same->is_private && !one.is_private)
        changes.push_back({Change::Hidden, one.name, one.keyword, {}});
      else if (one.statement != same->statement && (one.is_theorem() || one.keyword == same->keyword))
        changes.push_back({Change::Changed, one.name, shortened(one.shown), shortened(same->shown)});
      continue;
    }
    const auto renamed = std::find_if(now.begin(), now.end(), [&](const SourceStatement& each) {
      return !each.matched && one.is_theorem() && each.is_theorem() && each.statement == one.statement;
    });
    if (renamed == now.end()) {
      changes.push_back({Change::Lost, one.name, one.keyword, {}});
    } else {
      renamed->matched = true;
      changes.push_back({Change::Renamed, one.name, one.keyword, renamed->name});
    }
  }
  for (const SourceStatement& each : now)
    if (!each.matched && each.keyword == "axiom")
      changes.push_back({Change::Assumed, each.name, each.keyword, {}});

  // The first theorem that stands below a command which is new, or below the place of one that is gone.
  const auto commands_before = reading_commands(before), commands_after = reading_commands(after);
  const auto look_below = [&](const std::vector<ReadingCommand>& commands, const auto& start_of) {
    for (const ReadingCommand& command : commands)
      for (std::size_t i = 0; i < old.size(); ++i)
        if (old[i].is_theorem() && same_name[i] && start_of(i) > command.start) {
          changes.push_back({Change::Reread, old[i].name, old[i].keyword, shortened(command.text)});
          return;
        }
  };
  look_below(without(commands_after, commands_before), [&](std::size_t i) { return same_name[i]->start; });
  if (changes.empty() || changes.back().kind != Change::Reread)
    look_below(without(commands_before, commands_after), [&](std::size_t i) { return old[i].start; });
  return changes;
}

std::string describe(const StatementChange& change) {
  switch (change.kind) {
    case StatementChange::Kind::Lost:
      return "delete " + change.before + " " + change.name;
    case StatementChange::Kind::Renamed:
      return "rename " + change.before + " " + change.name + " to " + change.after;
    case StatementChange::Kind::Changed:
      return "change the statement of " + change.name + " from `" + change.before + "` to `" + change.after +
             "`";
    case StatementChange::Kind::Demoted:
      return "make " + change.before + " " + change.name + " " +
             (std::string_view("aeiou").find(change.after.front()) == std::string_view::npos ? "a " : "an ") +
             change.after;
    case StatementChange::Kind::Hidden:
      return "make " + change.before + " " + change.name + " private";
    case StatementChange::Kind::Assumed:
      return "assume the axiom " + change.name;
    case StatementChange::Kind::Reread:
      return "change what may be meant by the words of " + change.before + " " + change.name + ", by `" +
             change.after + "`";
  }
  return {};
}

}  // namespace leanbridge::text
