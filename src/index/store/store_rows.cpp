#include "store_rows.hpp"

#include "index/query/words.hpp"

#include <algorithm>

namespace leanbridge::index {

namespace {

enum Flag : std::int64_t { kGenerated = 1, kPrivate = 2, kDeprecated = 4, kApproximate = 8 };

// A line break cannot be in a name.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += '\n';
    text += name;
  }
  return text;
}

std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    names.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return names;
}

std::int64_t flags_of(const Declaration& declaration) {
  return (declaration.generated ? kGenerated : 0) | (declaration.is_private ? kPrivate : 0) |
         (declaration.deprecated ? kDeprecated : 0) | (declaration.approximate ? kApproximate : 0);
}

Terms terms_of_type(const Declaration& declaration) {
  Terms terms = type_terms(declaration.signature);
  for (const std::string& constant : declaration.constants) {
    const Terms more = all_terms_of_name(constant);
    terms.insert(terms.end(), more.begin(), more.end());
  }
  return terms;
}

}  // namespace

Row read_row(const sqlite::Statement& statement) {
  Row row;
  row.id = statement.integer(0);
  row.module = statement.integer(1);
  Declaration& declaration = row.declaration;
  declaration.name = statement.text(2);
  declaration.module = statement.text(3);
  declaration.kind = statement.text(4);
  declaration.line = static_cast<std::uint32_t>(statement.integer(6));
  if (declaration.line > 0) declaration.file = statement.text(5);
  declaration.column = static_cast<std::uint32_t>(statement.integer(7));
  declaration.signature = statement.text(8);
  declaration.docstring = statement.text(9);
  declaration.constants = cut(statement.text(10));
  declaration.conclusion = statement.text(11);
  const std::int64_t flags = statement.integer(12);
  declaration.generated = (flags & kGenerated) != 0;
  declaration.is_private = (flags & kPrivate) != 0;
  declaration.deprecated = (flags & kDeprecated) != 0;
  declaration.approximate = (flags & kApproximate) != 0;
  return row;
}

void insert_rows(sqlite::Database& database, std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
  sqlite::Statement declarations(
      database, "INSERT INTO declaration VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  sqlite::Statement words(database,
                          "INSERT INTO words(rowid, name, type, doc, consts) VALUES(?1, ?2, ?3, ?4, ?5)");
  for (const auto& [id, module, declaration] : rows) {
    declarations.bind(1, id).bind(2, declaration.name).bind(3, module).bind(4, declaration.kind);
    declarations.bind(5, std::int64_t{declaration.line}).bind(6, std::int64_t{declaration.column});
    declarations.bind(7, declaration.signature).bind(8, declaration.docstring);
    declarations.bind(9, joined(declaration.constants)).bind(10, declaration.conclusion);
    declarations.bind(11, flags_of(declaration)).run();
    words.bind(1, id).bind(2, joined_once(all_terms_of_name(declaration.name)));
    words.bind(3, joined_once(terms_of_type(declaration)))
        .bind(4, joined_once(prose_terms(declaration.docstring)));
    words.bind(5, joined_once(constant_terms(declaration.constants, declaration.conclusion))).run();
  }
}

}  // namespace leanbridge::index
