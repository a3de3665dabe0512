#include "store.hpp"

#include "store_rows.hpp"
#include "words.hpp"
#include <sys/stat.h>

#include <algorithm>

namespace leanbridge::index {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

namespace {

// A declaration's id is its rank, shifted, plus a running number: full-text search yields ids in their order,
// so the first few of many matches are the better ones, without looking at the rest.
constexpr const char* kTables = R"sql(
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE module(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, stamp TEXT NOT NULL,
    hash TEXT NOT NULL, declarations INTEGER NOT NULL, problem TEXT NOT NULL);
  CREATE TABLE declaration(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, module INTEGER NOT NULL, kind TEXT NOT NULL,
    line INTEGER NOT NULL, column INTEGER NOT NULL, signature TEXT NOT NULL, docstring TEXT NOT NULL,
    constants TEXT NOT NULL, conclusion TEXT NOT NULL, flags INTEGER NOT NULL);
  CREATE INDEX declaration_by_name ON declaration(name);
  CREATE INDEX declaration_by_module ON declaration(module);
  CREATE VIRTUAL TABLE words USING fts5(name, type, doc, consts, tokenize = 'spaces', detail = column);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
  CREATE TABLE term(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
)sql";

std::uint64_t inode_of(const std::filesystem::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;  // stores are made on two threads
  return ++last;
}

// What is known already must not make a new generation.
bool tells_more(const Learned& fact, const Declaration& known) {
  const bool type = !fact.signature.empty() && (known.approximate || known.signature != fact.signature);
  return type || (!fact.docstring.empty() && known.docstring != fact.docstring);
}

}  // namespace

int rank_of(const Declaration& declaration) {
  const NameTerms terms = name_terms(declaration.name);
  int rank = static_cast<int>(std::min<std::size_t>(2 * (terms.own.size() + terms.outer.size()), 40));
  if (declaration.kind != "theorem" && declaration.kind != "axiom") rank += 3;
  if (declaration.kind == "instance" || declaration.kind == "recursor") rank += 4;
  if (declaration.generated) rank += 8;
  if (declaration.is_private) rank += 10;
  if (declaration.deprecated) rank += 6;
  return rank;
}

Store::Store(const std::filesystem::path& path, Database::Mode mode, std::shared_ptr<std::atomic<bool>> stop)
    : path_(path), mode_(mode), serial_(next_serial()), database_(path, mode, std::move(stop)) {
  const bool writable = mode == Database::Mode::ReadWrite || mode == Database::Mode::Memory;
  if (mode == Database::Mode::ReadWrite) {
    // A power cut may lose the last batches, which are then read again; it cannot damage the file.
    database_.run(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216");
  }
  database_.run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384");
  Statement version(database_, "PRAGMA user_version");
  version.step();
  const std::int64_t found = version.integer(0);
  version.reset();
  // The version is a part of the file's name: another one inside means that this is not what we wrote.
  if (found != 0 && found != kSchemaVersion)
    throw sqlite::Failure(SQLITE_NOTADB, "the index is of another version");
  if (found == 0 && !writable)
    throw sqlite::Failure(SQLITE_READONLY, "the index is empty and cannot be written");
  if (found == 0) create_tables();
  inode_ = inode_of(path);
}

bool Store::gone() const {
  return !in_memory() && inode_of(path_) != inode_;
}

std::string Store::generation() const {
  // SQLite counts what other connections have committed, and apart from that what this one has changed.
  Statement version(database_, "PRAGMA data_version");
  version.step();
  return std::to_string(serial_) + "." + std::to_string(version.integer(0)) + "." +
         std::to_string(sqlite3_total_changes64(database_.handle()));
}

void Store::create_tables() {
  Transaction transaction(database_);
  {
    Statement version(database_, "PRAGMA user_version");  // another process may have been faster
    version.step();
    if (version.integer(0) == kSchemaVersion) return;
  }
  database_.run(kTables);
  database_.run(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
  transaction.commit();
}

std::unordered_map<std::string, ModuleRecord> Store::modules() const {
  std::unordered_map<std::string, ModuleRecord> records;
  Statement rows(database_, "SELECT name, stamp, hash FROM module");
  while (rows.step())
    records.emplace(rows.text(0), ModuleRecord{std::string(rows.text(1)), std::string(rows.text(2))});
  return records;
}

std::int64_t Store::take_sequence(std::int64_t count) {
  const std::string last = meta("sequence");
  const std::int64_t first = last.empty() ? 1 : std::stoll(last);
  set_meta("sequence", std::to_string(first + count));
  return first;
}

void Store::forget(const std::string& module) {
  Statement words(
      database_,
      "DELETE FROM words WHERE rowid IN (SELECT d.id FROM declaration d JOIN module m ON d.module = m.id "
      "WHERE m.name = ?1 ORDER BY d.id)");
  words.bind(1, module).run();
  Statement declarations(database_,
                         "DELETE FROM declaration WHERE module = (SELECT id FROM module WHERE name = ?1)");
  declarations.bind(1, module).run();
  Statement row(database_, "DELETE FROM module WHERE name = ?1");
  row.bind(1, module).run();
}

void Store::write(std::vector<Module> modules, const std::vector<std::string>& gone) {
  Transaction transaction(database_);
  set_meta("complete", "0");
  for (const std::string& name : gone) forget(name);
  std::vector<Row> rows;
  Statement insert(
      database_,
      "INSERT INTO module(name, file, stamp, hash, declarations, problem) VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  for (Module& module : modules) {
    forget(module.name);
    insert.bind(1, module.name).bind(2, module.file).bind(3, module.record.stamp).bind(4, module.record.hash);
    insert.bind(5, static_cast<std::int64_t>(module.declarations.size())).bind(6, module.problem).run();
    const std::int64_t id = sqlite3_last_insert_rowid(database_.handle());
    for (Declaration& declaration : module.declarations) rows.push_back({0, id, std::move(declaration)});
  }
  std::int64_t sequence = take_sequence(static_cast<std::int64_t>(rows.size()));
  for (Row& row : rows) row.id = (static_cast<std::int64_t>(rank_of(row.declaration)) << 40) + sequence++;
  insert_rows(database_, std::move(rows));
  transaction.commit();
}

void Store::touch(const std::map<std::string, std::string>& stamps) {
  Transaction transaction(database_);
  Statement update(database_, "UPDATE module SET stamp = ?2 WHERE name = ?1");
  for (const auto& [name, stamp] : stamps) update.bind(1, name).bind(2, stamp).run();
  transaction.commit();
}

void Store::finish() {
  Transaction transaction(database_);
  database_.run("DELETE FROM term; INSERT INTO term SELECT term, doc FROM vocabulary");
  set_meta("complete", "1");
  transaction.commit();
}

void Store::learn(const std::vector<Learned>& learned) {
  Transaction transaction(database_);
  for (const Learned& fact : learned) {
    std::vector<Row> rows;
    {
      Statement select(database_, std::string(kSelectDeclaration) + " WHERE d.name = ?1 ORDER BY d.id");
      select.bind(1, fact.name);
      while (select.step())
        if (Row row = read_row(select); tells_more(fact, row.declaration)) rows.push_back(std::move(row));
    }
    if (rows.empty()) continue;
    for (Row& row : rows) {
      Statement words(database_, "DELETE FROM words WHERE rowid = ?1");
      words.bind(1, row.id).run();
      Statement declaration(database_, "DELETE FROM declaration WHERE id = ?1");
      declaration.bind(1, row.id).run();
      if (!fact.signature.empty()) {
        row.declaration.signature = fact.signature;
        row.declaration.approximate = false;
      }
      if (!fact.docstring.empty()) row.declaration.docstring = fact.docstring;
    }
    insert_rows(database_, std::move(rows));
  }
  transaction.commit();
}

std::string Store::meta(std::string_view key) const {
  Statement row(database_, "SELECT value FROM meta WHERE key = ?1");
  row.bind(1, key);
  return row.step() ? std::string(row.text(0)) : std::string();
}

void Store::set_meta(std::string_view key, std::string_view value) {
  Statement row(database_, "INSERT INTO meta VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2");
  row.bind(1, key).bind(2, value).run();
}

void Store::check() const {
  Statement check(database_, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok")
    throw sqlite::Failure(SQLITE_CORRUPT, "quick_check says: " + std::string(check.text(0)));
}

}  // namespace leanbridge::index
