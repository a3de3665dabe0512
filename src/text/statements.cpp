#include "leanbridge/text/statements.hpp"

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/utf8.hpp"

#include <algorithm>

namespace leanbridge::text {

namespace {

constexpr std::size_t kMaxStatementShown = 400;  // bytes

struct Stated {
  std::string name, keyword;
  std::string statement;  ///< its words, separated by blanks
  std::string shown;      ///< as it is written, on one line
  bool matched = false;

  bool is_theorem() const { return keyword == "theorem" || keyword == "lemma"; }
};

// What is between the name and the proof.
void read_statement(std::string_view source, const DeclarationSite& site, Stated& one) {
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

std::vector<Stated> stated_in(std::string_view source) {
  std::vector<Stated> all;
  for (const NamedDeclaration& declaration : named_declarations(source)) {
    if (declaration.full_name.empty()) continue;
    Stated one{declaration.full_name, declaration.site.keyword, {}, {}};
    if (one.is_theorem() || one.keyword == "axiom") read_statement(source, declaration.site, one);
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
  const std::vector<Stated> old = stated_in(before);
  std::vector<Stated> now = stated_in(after);
  // Names first: a theorem that is only moved was not renamed.
  std::vector<const Stated*> same_name(old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const Stated& each) {
      return !each.matched && each.name == old[i].name;
    });
    if (same == now.end()) continue;
    same->matched = true;
    same_name[i] = &*same;
  }
  std::vector<StatementChange> changes;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const Stated& one = old[i];
    if (const Stated* const same = same_name[i]) {
      if (one.is_theorem() && !same->is_theorem())
        changes.push_back({Change::Demoted, one.name, one.keyword, same->keyword});
      else if (one.statement != same->statement && (one.is_theorem() || one.keyword == same->keyword))
        changes.push_back({Change::Changed, one.name, shortened(one.shown), shortened(same->shown)});
      continue;
    }
    const auto renamed = std::find_if(now.begin(), now.end(), [&](const Stated& each) {
      return !each.matched && one.is_theorem() && each.is_theorem() && each.statement == one.statement;
    });
    if (renamed == now.end()) {
      changes.push_back({Change::Lost, one.name, one.keyword, {}});
    } else {
      renamed->matched = true;
      changes.push_back({Change::Renamed, one.name, one.keyword, renamed->name});
    }
  }
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
  }
  return {};
}

}  // namespace leanbridge::text
