#include "statements.hpp"

#include "lean_lexer.hpp"
#include "source_reading.hpp"
#include "trust_scan.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::text {

namespace {

constexpr std::size_t kMaxStatementShown = 400;  // bytes

struct ComparedDeclaration : StatedDeclaration {
  bool matched = false;

  bool is_stated() const { return is_theorem() || keyword == "axiom"; }
};

/// Those that have a name.
std::vector<ComparedDeclaration> named_in(std::string_view source) {
  std::vector<ComparedDeclaration> all;
  for (StatedDeclaration& declaration : stated_in(source))
    if (!declaration.name.empty()) all.push_back({std::move(declaration)});
  return all;
}

std::string cut(const std::string& statement) {
  return shortened(statement, kMaxStatementShown);
}

}  // namespace

std::vector<StatementChange> statement_changes(std::string_view before, std::string_view after) {
  using Change = StatementChange::Kind;
  const std::vector<ComparedDeclaration> old = named_in(before);
  std::vector<ComparedDeclaration> now = named_in(after);
  // Names first: a theorem that is only moved was not renamed.
  std::vector<const ComparedDeclaration*> same_name(old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const ComparedDeclaration& each) {
      return !each.matched && each.name == old[i].name;
    });
    if (same == now.end()) continue;
    same->matched = true;
    same_name[i] = &*same;
  }
  std::vector<StatementChange> changes;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const ComparedDeclaration& one = old[i];
    if (const ComparedDeclaration* const same = same_name[i]) {
      if (one.is_theorem() && !same->is_theorem())
        changes.push_back({Change::Demoted, one.name, one.keyword, same->keyword});
      else if (one.is_theorem() && same->is_private && !one.is_private)
        changes.push_back({Change::Hidden, one.name, one.keyword, {}});
      else if (one.is_stated() && one.statement != same->statement &&
               (one.is_theorem() || one.keyword == same->keyword))
        changes.push_back({Change::Changed, one.name, cut(one.shown), cut(same->shown)});
      continue;
    }
    const auto renamed = std::find_if(now.begin(), now.end(), [&](const ComparedDeclaration& each) {
      return !each.matched && one.is_theorem() && each.is_theorem() && each.statement == one.statement;
    });
    if (renamed == now.end()) {
      changes.push_back({Change::Lost, one.name, one.keyword, {}});
    } else {
      renamed->matched = true;
      changes.push_back({Change::Renamed, one.name, one.keyword, renamed->name});
    }
  }
  for (const ComparedDeclaration& each : now)
    if (!each.matched && each.keyword == "axiom")
      changes.push_back({Change::Assumed, each.name, each.keyword, {}});

  // An axiom may begin anywhere, and where it does not begin a line it is none of the declarations.
  const auto stray_axioms = [](std::string_view source) {
    std::size_t count = 0;
    for (const TrustMark& mark : trust_marks(source)) count += mark.pattern == "axiom" ? 1 : 0;
    for (const StatedDeclaration& each : stated_in(source)) count -= each.keyword == "axiom" ? 1 : 0;
    return count;
  };
  if (stray_axioms(after) > stray_axioms(before))
    changes.push_back({Change::Assumed, "behind other code", "axiom", {}});

  // Where the words are other ones to Lean, nothing that is said about them holds.
  if (const auto doubt = find_doubt(after); doubt && !find_doubt(before))
    changes.push_back({Change::Unclear, {}, {}, std::string(doubt->why)});
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
    case StatementChange::Kind::Unclear:
      return "make it unclear where Lean's words begin and end, since " + change.after;
  }
  return {};
}

}  // namespace leanbridge::text
