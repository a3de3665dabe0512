// What a Store answers.

#include "store.hpp"
#include "store_rows.hpp"
#include "words.hpp"

#include <algorithm>

namespace leanbridge::index {

using sqlite::Statement;

namespace {

// In GLOB of SQLite also `?` and `[` have a meaning, which are letters of Lean's names.
std::string glob_for_sqlite(const std::string& glob) {
  std::string result;
  for (const char c : glob) {
    if (c == '?' || c == '[')
      result += std::string("[") + c + "]";
    else
      result += c;
  }
  return result;
}

/// The conditions of a filter as SQL, with parameters from `first` on.
class Conditions {
 public:
  Conditions(const Filter& filter, int first) : first_(first) {
    if (!filter.glob.empty()) {
      values_.push_back(glob_for_sqlite(filter.glob));
      sql_ = " AND d.name GLOB " + parameter();
    }
    if (filter.packages.empty()) return;
    std::string any;
    for (const std::string& package : filter.packages) {
      values_.push_back(package);
      any += (any.empty() ? "name = " : " OR name = ") + parameter();
      values_.push_back(glob_for_sqlite(package) + ".*");
      any += " OR name GLOB " + parameter();
    }
    sql_ += " AND d.module IN (SELECT id FROM module WHERE " + any + ")";
  }
  const std::string& sql() const { return sql_; }
  void bind(Statement& statement) const {
    int place = first_;
    for (const std::string& value : values_) statement.bind(place++, value);
  }

 private:
  std::string parameter() const {
    return "?" + std::to_string(first_ + static_cast<int>(values_.size()) - 1);
  }
  int first_;
  std::string sql_;
  std::vector<std::string> values_;
};

std::vector<Declaration> declarations_of(Statement& statement) {
  std::vector<Declaration> found;
  while (statement.step()) found.push_back(read_row(statement).declaration);
  return found;
}

}  // namespace

std::size_t Store::declarations() const {
  Statement count(database_, "SELECT coalesce(sum(declarations), 0) FROM module");
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

std::size_t Store::module_count() const {
  Statement count(database_, "SELECT count(*) FROM module");
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

std::vector<std::string> Store::problems() const {
  std::vector<std::string> all;
  Statement rows(database_, "SELECT name, problem FROM module WHERE problem <> '' ORDER BY name LIMIT 5");
  while (rows.step()) all.push_back(std::string(rows.text(0)) + ": " + std::string(rows.text(1)));
  return all;
}

std::size_t Store::documents_with(const std::string& term) const {
  // While the first build is under way, and for what came since the last, the words themselves are asked.
  for (const char* sql :
       {"SELECT documents FROM term WHERE term = ?1", "SELECT doc FROM vocabulary WHERE term = ?1"}) {
    Statement row(database_, sql);
    row.bind(1, term);
    if (row.step()) return static_cast<std::size_t>(row.integer(0));
  }
  return 0;
}

std::vector<std::string> Store::common_terms() const {
  std::vector<std::string> terms;
  // Those of constants begin with a sign.
  Statement rows(database_, "SELECT term FROM term WHERE documents > 1 AND term >= 'a' AND term < '{'");
  while (rows.step()) terms.emplace_back(rows.text(0));
  return terms;
}

std::vector<Declaration> Store::matching(const std::string& expression, const Filter& filter,
                                         std::size_t limit) const {
  const Conditions conditions(filter, 3);
  // CROSS JOIN fixes the order: the words first, by id.
  Statement rows(
      database_,
      "SELECT d.id, d.module, d.name, m.name, d.kind, m.file, d.line, d.column, d.signature, d.docstring, "
      "d.constants, d.conclusion, d.flags FROM words CROSS JOIN declaration d ON d.id = words.rowid "
      "CROSS JOIN module m ON m.id = d.module WHERE words MATCH ?1" +
          conditions.sql() + " ORDER BY words.rowid LIMIT ?2");
  rows.bind(1, expression).bind(2, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  return declarations_of(rows);
}

std::vector<Declaration> Store::named(const std::vector<std::string>& names) const {
  std::vector<Declaration> found;
  Statement rows(database_, std::string(kSelectDeclaration) + " WHERE d.name = ?1 ORDER BY d.id LIMIT 20");
  for (const std::string& name : names) {
    rows.bind(1, name);
    for (Declaration& declaration : declarations_of(rows)) found.push_back(std::move(declaration));
    rows.reset();
  }
  return found;
}

std::vector<Declaration> Store::globbed(const Filter& filter, std::size_t limit) const {
  const Conditions conditions(filter, 2);
  Statement rows(database_,
                 std::string(kSelectDeclaration) + " WHERE 1" + conditions.sql() + " ORDER BY d.id LIMIT ?1");
  rows.bind(1, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  return declarations_of(rows);
}

std::vector<std::string> Store::names_below(const std::string& prefix) const {
  std::vector<std::string> names;
  // `/` follows `.` in ASCII.
  Statement rows(database_,
                 "SELECT DISTINCT name FROM declaration WHERE (name = ?1 OR (name >= ?1 || '.' AND name < ?1 "
                 "|| '/')) AND "
                 "flags & 3 = 0");
  rows.bind(1, prefix);
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

std::vector<std::pair<std::string, std::size_t>> Store::module_list() const {
  std::vector<std::pair<std::string, std::size_t>> modules;
  Statement rows(database_, "SELECT name, declarations FROM module ORDER BY name");
  while (rows.step()) modules.emplace_back(rows.text(0), static_cast<std::size_t>(rows.integer(1)));
  return modules;
}

}  // namespace leanbridge::index
