#pragma once
/// Declarations as rows of the tables `declaration` and `words`.

#include "leanbridge/index/declaration.hpp"
#include "leanbridge/index/sqlite.hpp"

#include <vector>

namespace leanbridge::index {

struct Row {
  std::int64_t id = 0;
  std::int64_t module = 0;
  Declaration declaration;
};

/// To be followed by WHERE, with `d` for the declaration and `m` for its module.
inline constexpr const char* kSelectDeclaration =
    "SELECT d.id, d.module, d.name, m.name, d.kind, m.file, d.line, d.column, d.signature, d.docstring, "
    "d.constants, "
    "d.conclusion, d.flags FROM declaration d JOIN module m ON d.module = m.id";

/// The current row of a statement that begins with kSelectDeclaration.
Row read_row(const sqlite::Statement& statement);

/// Within a transaction. Sorts: FTS5 writes a segment whenever ids do not ascend.
void insert_rows(sqlite::Database& database, std::vector<Row> rows);

}  // namespace leanbridge::index
