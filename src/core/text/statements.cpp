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

/// The declarations that have a name.
std::vector<ComparedDeclaration> named_in(std::string_view source) {
  std::vector<ComparedDeclaration> all;
  for (StatedDeclaration& declaration : stated_in(source))
    if (!declaration.name.empty()) all.push_back({std::move(declaration)});
  return all;
}

std::string cut(const std::string& statement) {
  return shortened(statement, kMaxStatementShown);
}

using ChangeKind = StatementChange::Kind;

// Pairs each of `old` with the declaration of the same name. Names are compared first, so that a theorem that
// was only moved does not count as renamed.
std::vector<const ComparedDeclaration*> pair_by_name(const std::vector<ComparedDeclaration>& old,
                                                     std::vector<ComparedDeclaration>& now) {
  std::vector<const ComparedDeclaration*> pairs(old.size());
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto same = std::ranges::find_if(
        now, [&](const ComparedDeclaration& each) { return !each.matched && each.name == old[i].name; });
    if (same == now.end()) continue;
    same->matched = true;
    pairs[i] = &*same;
  }
  return pairs;
}

std::optional<StatementChange> change_between(const ComparedDeclaration& old,
                                              const ComparedDeclaration& now) {
  if (old.is_theorem() && !now.is_theorem())
    return StatementChange{ChangeKind::Demoted, old.name, old.keyword, now.keyword};
  if (old.is_theorem() && now.is_private && !old.is_private)
    return StatementChange{ChangeKind::Hidden, old.name, old.keyword, {}};
  const bool is_comparable = old.is_theorem() || old.keyword == now.keyword;
  if (old.is_stated() && old.statement != now.statement && is_comparable)
    return StatementChange{ChangeKind::Changed, old.name, cut(old.shown), cut(now.shown)};
  return std::nullopt;
}

// The change of a declaration whose name is gone.
StatementChange without_name(const ComparedDeclaration& old, std::vector<ComparedDeclaration>& now) {
  const auto renamed = std::ranges::find_if(now, [&](const ComparedDeclaration& each) {
    return !each.matched && old.is_theorem() && each.is_theorem() && each.statement == old.statement;
  });
  if (renamed == now.end()) return {ChangeKind::Lost, old.name, old.keyword, {}};
  renamed->matched = true;
  return {ChangeKind::Renamed, old.name, old.keyword, renamed->name};
}

// Counts axioms that are not at the beginning of a line, and therefore are not among the declarations.
std::ptrdiff_t stray_axioms(std::string_view source) {
  std::ptrdiff_t count = 0;
  for (const TrustMark& mark : trust_marks(source)) count += mark.pattern == "axiom" ? 1 : 0;
  for (const StatedDeclaration& each : stated_in(source)) count -= each.keyword == "axiom" ? 1 : 0;
  return count;
}

}  // namespace

std::vector<StatementChange> statement_changes(std::string_view before, std::string_view after) {
  const std::vector<ComparedDeclaration> old = named_in(before);
  std::vector<ComparedDeclaration> now = named_in(after);
  const std::vector<const ComparedDeclaration*> pairs = pair_by_name(old, now);
  std::vector<StatementChange> changes;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (!pairs[i])
      changes.push_back(without_name(old[i], now));
    else if (auto change = change_between(old[i], *pairs[i]))
      changes.push_back(std::move(*change));
  }
  for (const ComparedDeclaration& each : now)
    if (!each.matched && each.keyword == "axiom")
      changes.push_back({ChangeKind::Assumed, each.name, each.keyword, {}});
  if (stray_axioms(after) > stray_axioms(before))
    changes.push_back({ChangeKind::Assumed, "behind other code", "axiom", {}});

  // If Lean may read other words, none of the other findings is reliable.
  if (const auto doubt = find_doubt(after); doubt && !find_doubt(before))
    changes.push_back({ChangeKind::Unclear, {}, {}, std::string(doubt->why)});
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
