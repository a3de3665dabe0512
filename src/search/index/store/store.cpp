#include "store.hpp"

#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "search/index/query/vocabulary.hpp"
#include "search/index/query/words.hpp"
#include "search/index/term/statement_terms.hpp"
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace leanbridge::index {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

namespace {

struct Row {
  std::int64_t id = 0;
  std::int64_t module = 0;
  std::string heading;  ///< the heading of the module
  Declaration declaration;
};

/// The columns that read_row() reads; `d` is the declaration and `m` its module.
constexpr const char* kColumns =
    "d.id, d.module, d.name, m.name, d.kind, m.file, d.line, d.column, d.signature, d.docstring, "
    "d.constants, d.conclusion, d.flags, m.heading";

/// The columns that read_brief() reads: enough to rank a declaration.
constexpr const char* kBriefColumns =
    "d.id, d.name, m.name, d.kind, substr(d.docstring, 1, 1), d.flags, phrase_hits(words), d.summary";

std::string select_declaration(const std::string& condition) {
  return std::string("SELECT ") + kColumns + " FROM declaration d JOIN module m ON d.module = m.id " +
         condition;
}

enum Flag : std::int64_t { kGenerated = 1, kPrivate = 2, kDeprecated = 4, kApproximate = 8 };

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

// The title of a theorem, which Mathlib's docstrings have in bold: `**Fermat's Little Theorem**`.
std::string title_of(const std::string& docstring) {
  std::string title;
  for (std::size_t end = 0;;) {
    const std::size_t begin = docstring.find("**", end);
    if (begin == std::string::npos) return title;
    end = docstring.find("**", begin + 2);
    if (end == std::string::npos) return title;
    title += docstring.substr(begin + 2, end - begin - 2) + " ";
    end += 2;
  }
}

Terms terms_of_first_sentence(std::string_view docstring) {
  std::size_t end = docstring.size();
  for (const std::string_view mark : {". ", ".\n", "\n\n", ": ", ":\n"})
    end = std::min(end, docstring.find(mark));
  return prose_terms(docstring.substr(0, end));
}

// The informative terms of the first sentence, as bits: the terms of a text begin with those of its first
// sentence.
std::int64_t summary_of(const std::string& docstring) {
  const Terms terms = terms_of_first_sentence(docstring);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(terms.size(), 64); ++i)
    if (is_informative(terms[i])) bits |= std::uint64_t{1} << i;
  return static_cast<std::int64_t>(bits);
}

Terms terms_of_type(const Declaration& declaration) {
  Terms terms = type_terms(declaration.signature);
  for (const std::string& constant : declaration.constants) {
    const Terms more = all_terms_of_name(constant);
    terms.insert(terms.end(), more.begin(), more.end());
  }
  return terms;
}

void read_flags(std::int64_t flags, Declaration& declaration) {
  declaration.generated = (flags & kGenerated) != 0;
  declaration.is_private = (flags & kPrivate) != 0;
  declaration.deprecated = (flags & kDeprecated) != 0;
  declaration.approximate = (flags & kApproximate) != 0;
}

/// The current row of a statement that begins with kColumns.
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
  read_flags(statement.integer(12), declaration);
  row.heading = statement.text(13);
  return row;
}

RankedDeclaration read_brief(const sqlite::Statement& statement) {
  RankedDeclaration ranked;
  ranked.id = statement.integer(0);
  ranked.declaration.name = statement.text(1);
  ranked.declaration.module = statement.text(2);
  ranked.declaration.kind = statement.text(3);
  ranked.declaration.docstring = statement.text(4);
  read_flags(statement.integer(5), ranked.declaration);
  ranked.hits = statement.hits(6);
  ranked.summary = static_cast<std::uint64_t>(statement.integer(7));
  return ranked;
}

constexpr std::size_t kMaxStatementText = 4000;

/// The type as a term. Without a compiled type, reads the written one, whose names are as in the source.
std::optional<TypeTerm> statement_to_store(const Declaration& declaration) {
  if (!declaration.statement.empty()) return statement_from_text(declaration.statement);
  if (declaration.signature.empty()) return std::nullopt;
  auto written = parse_statement(declaration.signature);
  // The names of a binder share its type, which the text of the statement repeats for each.
  if (!written || to_text(written->statement).size() > kMaxStatementText) return std::nullopt;
  return completed(written->statement);
}

/// Call it within a transaction. Sorts, because FTS5 writes a segment whenever ids do not ascend.
void insert_rows(sqlite::Database& database, std::vector<Row> rows) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) { return a.id < b.id; });
  sqlite::Statement declarations(
      database, "INSERT INTO declaration VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
  sqlite::Statement words(database,
                          "INSERT INTO words(rowid, name, whole, title, doc, module, heading, type) "
                          "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  sqlite::Statement shapes(database, "INSERT INTO shapes(rowid, terms) VALUES(?1, ?2)");
  sqlite::Statement statements(database, "INSERT INTO statement VALUES(?1, ?2)");
  for (const auto& [id, module, heading, declaration] : rows) {
    declarations.bind(1, id).bind(2, declaration.name).bind(3, module).bind(4, declaration.kind);
    declarations.bind(5, std::int64_t{declaration.line}).bind(6, std::int64_t{declaration.column});
    declarations.bind(7, declaration.signature).bind(8, declaration.docstring);
    declarations
        .bind(9, joined(declaration.constants, "\n")  // names contain no line breaks
              )
        .bind(10, declaration.conclusion);
    declarations.bind(11, flags_of(declaration)).bind(12, summary_of(declaration.docstring)).run();
    NameTerms name = name_terms(declaration.name);
    name.joined.push_back(whole_term(declaration.name));
    Terms pieces = std::move(name.own);
    pieces.insert(pieces.end(), name.outer.begin(), name.outer.end());
    words.bind(1, id).bind(2, joined(pieces, " ")).bind(3, joined_once(name.joined));
    words.bind(4, joined_once(prose_terms(title_of(declaration.docstring))));
    words.bind(5, joined(prose_terms(declaration.docstring), " "));
    words.bind(6, joined_once(all_terms_of_name(declaration.module)));
    words.bind(7, joined_once(prose_terms(heading))).bind(8, joined_once(terms_of_type(declaration))).run();
    Terms of_type = constant_terms(declaration.constants, declaration.conclusion);
    if (const auto statement = statement_to_store(declaration)) {
      for (std::string& term : statement_terms(*statement)) of_type.push_back(std::move(term));
      statements.bind(1, id).bind(2, to_text(*statement)).run();
    }
    shapes.bind(1, id).bind(2, joined_once(of_type)).run();
  }
}

// A declaration's id is its rank, shifted, plus a sequence number: full-text search yields ids in order, so
// the first few of many matches are the better ones.
constexpr const char* kTables = R"sql(
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE module(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, stamp TEXT NOT NULL,
    hash TEXT NOT NULL, declarations INTEGER NOT NULL, problem TEXT NOT NULL, heading TEXT NOT NULL);
  CREATE TABLE declaration(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, module INTEGER NOT NULL, kind TEXT NOT NULL,
    line INTEGER NOT NULL, column INTEGER NOT NULL, signature TEXT NOT NULL, docstring TEXT NOT NULL,
    constants TEXT NOT NULL, conclusion TEXT NOT NULL, flags INTEGER NOT NULL,
    summary INTEGER NOT NULL);
  CREATE TABLE statement(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE INDEX declaration_by_name ON declaration(name);
  CREATE INDEX declaration_by_module ON declaration(module);
  CREATE VIRTUAL TABLE words USING fts5(name, whole, title, doc, module, heading, type, tokenize = 'spaces');
  INSERT INTO words(words, rank) VALUES('rank', 'bm25(8.0, 8.0, 10.0, 6.0, 2.0, 3.0, 0.5)');
  CREATE VIRTUAL TABLE word USING fts5vocab(words, row);
  CREATE VIRTUAL TABLE shapes USING fts5(terms, tokenize = 'spaces', detail = none);
  CREATE VIRTUAL TABLE shape USING fts5vocab(shapes, row);
  CREATE TABLE term(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE meaning(word TEXT, part TEXT, millionths INTEGER NOT NULL, PRIMARY KEY(word, part)) WITHOUT ROWID;
  CREATE TABLE usage(name TEXT PRIMARY KEY, users INTEGER NOT NULL) WITHOUT ROWID;
)sql";

std::uint64_t inode_of(const std::filesystem::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;  // two threads open stores
  return ++last;
}

// Storing a known fact again must not create a new generation.
bool tells_more(const ElaboratedFact& fact, const Declaration& known) {
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
    // A power cut may lose the last batches, which are then read again, but it cannot damage the file.
    database_.run(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216");
  }
  database_.run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384");
  Statement version(database_, "PRAGMA user_version");
  version.step();
  const std::int64_t found = version.integer(0);
  version.reset();
  // The version is part of the file's name: a file with another version inside is not ours.
  if (found != 0 && found != kSchemaVersion)
    throw sqlite::Failure(SQLITE_NOTADB, "the index has another version");
  if (found == 0 && !writable) throw sqlite::Failure(SQLITE_READONLY, "the index is empty and read-only");
  if (found == 0) create_tables();
  inode_ = inode_of(path);
}

bool Store::gone() const {
  return !in_memory() && inode_of(path_) != inode_;
}

std::string Store::generation() const {
  // data_version counts the commits of other connections, total_changes this connection's.
  Statement version(database_, "PRAGMA data_version");
  version.step();
  return std::to_string(serial_) + "." + std::to_string(version.integer(0)) + "." +
         std::to_string(sqlite3_total_changes64(database_.handle()));
}

void Store::create_tables() {
  Transaction transaction(database_);
  {
    Statement version(database_, "PRAGMA user_version");  // another process may have created them meanwhile
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
  for (const char* table : {"words", "shapes"}) {
    Statement terms(database_, std::string("DELETE FROM ") + table +
                                   " WHERE rowid IN (SELECT d.id FROM declaration d JOIN module m ON "
                                   "d.module = m.id WHERE m.name = ?1 ORDER BY d.id)");
    terms.bind(1, module).run();
  }
  Statement statements(database_,
                       "DELETE FROM statement WHERE id IN (SELECT d.id FROM declaration d JOIN module m ON "
                       "d.module = m.id WHERE m.name = ?1)");
  statements.bind(1, module).run();
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
  Statement insert(database_,
                   "INSERT INTO module(name, file, stamp, hash, declarations, problem, heading) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (Module& module : modules) {
    forget(module.name);
    insert.bind(1, module.name).bind(2, module.file).bind(3, module.record.stamp).bind(4, module.record.hash);
    insert.bind(5, static_cast<std::int64_t>(module.declarations.size())).bind(6, module.problem);
    insert.bind(7, module.heading).run();
    const std::int64_t id = sqlite3_last_insert_rowid(database_.handle());
    for (Declaration& declaration : module.declarations) {
      if (declaration.module.empty()) declaration.module = module.name;
      rows.push_back({0, id, module.heading, std::move(declaration)});
    }
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
  database_.run(
      "DELETE FROM term; INSERT INTO term SELECT term, doc FROM word; "
      "INSERT OR IGNORE INTO term SELECT term, doc FROM shape");
  count_users();
  learn_meanings();
  set_meta("complete", "1");
  transaction.commit();
}

void Store::count_users() {
  std::unordered_map<std::string, std::int64_t> users;
  {
    Statement rows(database_, "SELECT constants FROM declaration");
    while (rows.step())
      for (std::string& constant : cut(rows.text(0))) ++users[std::move(constant)];
  }
  database_.run("DELETE FROM usage");
  Statement insert(database_, "INSERT INTO usage VALUES(?1, ?2)");
  for (const auto& [name, count] : users)
    if (count > 1) insert.bind(1, name).bind(2, count).run();
}

// It takes seconds for a Mathlib, so the change must be of a tenth.
void Store::learn_meanings() {
  const auto now = static_cast<std::int64_t>(declarations());
  const std::string then = meta("learnt_from");
  if (!then.empty() && 10 * std::abs(now - std::stoll(then)) < now) return;
  Lexicon lexicon;
  Statement rows(database_,
                 "SELECT d.docstring, words.name, words.type FROM declaration d CROSS JOIN words ON "
                 "words.rowid = d.id WHERE d.docstring <> ''");
  while (rows.step()) {
    Terms words = terms_of_first_sentence(rows.text(0));
    std::erase_if(words, std::not_fn(is_informative));
    lexicon.add(words, rows.text(1), rows.text(2));
  }
  database_.run("DELETE FROM meaning");
  Statement insert(database_, "INSERT OR IGNORE INTO meaning VALUES(?1, ?2, ?3)");
  for (const auto& [word, part, likelihood] : lexicon.learn())
    insert.bind(1, word).bind(2, part).bind(3, static_cast<std::int64_t>(1e6 * likelihood)).run();
  set_meta("learnt_from", std::to_string(now));
}

void Store::learn(const std::vector<ElaboratedFact>& facts) {
  Transaction transaction(database_);
  for (const ElaboratedFact& fact : facts) {
    std::vector<Row> rows;
    {
      Statement select(database_, select_declaration("WHERE d.name = ?1 ORDER BY d.id"));
      select.bind(1, fact.name);
      while (select.step())
        if (Row row = read_row(select); tells_more(fact, row.declaration)) rows.push_back(std::move(row));
    }
    if (rows.empty()) continue;
    for (Row& row : rows) {
      Statement words(database_, "DELETE FROM words WHERE rowid = ?1");
      words.bind(1, row.id).run();
      Statement shapes(database_, "DELETE FROM shapes WHERE rowid = ?1");
      shapes.bind(1, row.id).run();
      Statement declaration(database_, "DELETE FROM declaration WHERE id = ?1");
      declaration.bind(1, row.id).run();
      row.declaration.statement = statement_text(row.id);
      Statement statement(database_, "DELETE FROM statement WHERE id = ?1");
      statement.bind(1, row.id).run();
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
    throw sqlite::Failure(SQLITE_CORRUPT, "quick_check reports: " + std::string(check.text(0)));
}

// --- reading

namespace {

// Escapes `?` and `[`, which occur in Lean's names but are special in SQLite's GLOB.
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
    for (const std::string& part : filter.name_parts) {
      values_.push_back(lower_case(part));
      sql_ += " AND instr(lower(d.name), " + parameter() + ") > 0";
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

std::unique_ptr<sqlite::Transaction> Store::reading() const {
  if (in_memory()) return nullptr;
  return std::make_unique<Transaction>(database_, Transaction::Kind::Read);
}

std::size_t Store::documents_with(const std::string& term) const {
  // The table `term` is missing during the first build, and lacks later changes until the next build: count
  // the words themselves then.
  for (const char* sql : {"SELECT documents FROM term WHERE term = ?1",
                          "SELECT doc FROM word WHERE term = ?1", "SELECT doc FROM shape WHERE term = ?1"}) {
    Statement row(database_, sql);
    row.bind(1, term);
    if (row.step()) return static_cast<std::size_t>(row.integer(0));
  }
  return 0;
}

std::vector<Meaning> Store::meanings(const std::string& word) const {
  std::vector<Meaning> found;
  Statement rows(database_, "SELECT part, millionths FROM meaning WHERE word = ?1");
  rows.bind(1, word);
  while (rows.step())
    found.push_back({word, std::string(rows.text(0)), 1e-6 * static_cast<double>(rows.integer(1))});
  return found;
}

std::pair<std::string, std::string> Store::terms_of(std::int64_t id) const {
  if (!select_terms_)  // called for each candidate of a search
    select_terms_ = std::make_unique<Statement>(database_, "SELECT name, type FROM words WHERE rowid = ?1");
  select_terms_->bind(1, id);
  std::pair<std::string, std::string> terms;
  if (select_terms_->step())
    terms = {std::string(select_terms_->text(0)), std::string(select_terms_->text(1))};
  select_terms_->reset();
  return terms;
}

std::vector<std::string> Store::common_terms() const {
  std::vector<std::string> terms;
  // Terms for shapes and for whole names begin with a sign.
  Statement rows(database_,
                 "SELECT term FROM term WHERE documents > 1 AND term >= 'a' AND term < '{' "
                 "ORDER BY documents DESC, term");
  while (rows.step()) terms.emplace_back(rows.text(0));
  return terms;
}

std::size_t Store::users(const std::string& name) const {
  if (!select_users_)  // called for each candidate of a search
    select_users_ = std::make_unique<Statement>(database_, "SELECT users FROM usage WHERE name = ?1");
  select_users_->bind(1, name);
  const std::size_t users = select_users_->step() ? static_cast<std::size_t>(select_users_->integer(0)) : 0;
  select_users_->reset();
  return users;
}

std::vector<RankedId> Store::best_ids(const std::string& expression, const Filter& filter,
                                      std::size_t limit) const {
  const Conditions conditions(filter, 3);
  // CROSS JOIN fixes the join order, here and below: words first, in the order of ranks.
  const std::string join = conditions.sql().empty() ? "" : "CROSS JOIN declaration d ON d.id = words.rowid ";
  Statement rows(database_, "SELECT words.rowid, words.rank FROM words " + join + "WHERE words MATCH ?1" +
                                conditions.sql() + " ORDER BY words.rank LIMIT ?2");
  rows.bind(1, expression).bind(2, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  std::vector<RankedId> found;
  while (rows.step()) found.push_back({rows.integer(0), -rows.real(1)});
  return found;
}

std::vector<RankedDeclaration> Store::best(const std::string& expression, const Filter& filter,
                                           std::size_t limit) const {
  const Conditions conditions(filter, 3);
  Statement rows(database_, std::string("SELECT ") + kBriefColumns +
                                ", words.rank FROM words CROSS JOIN declaration d ON d.id = words.rowid "
                                "CROSS JOIN module m ON m.id = d.module WHERE words MATCH ?1" +
                                conditions.sql() + " ORDER BY words.rank LIMIT ?2");
  rows.bind(1, expression).bind(2, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  std::vector<RankedDeclaration> found;
  while (rows.step()) {
    found.push_back(read_brief(rows));
    found.back().bm25 = -rows.real(8);
  }
  return found;
}

std::vector<RankedDeclaration> Store::described(const std::string& expression,
                                                const std::vector<std::int64_t>& ids) const {
  std::vector<RankedDeclaration> found;
  Statement row(database_, std::string("SELECT ") + kBriefColumns +
                               " FROM words CROSS JOIN declaration d ON d.id = words.rowid CROSS JOIN module "
                               "m ON m.id = d.module WHERE words MATCH ?1 AND words.rowid = ?2");
  for (const std::int64_t id : ids) {
    row.bind(1, expression).bind(2, id);
    if (row.step()) found.push_back(read_brief(row));
    row.reset();
  }
  return found;
}

std::vector<Declaration> Store::named(const std::vector<std::string>& names) const {
  std::vector<Declaration> found;
  Statement rows(database_, select_declaration("WHERE d.name = ?1 ORDER BY d.id LIMIT 20"));
  for (const std::string& name : names) {
    rows.bind(1, name);
    for (Declaration& declaration : declarations_of(rows)) found.push_back(std::move(declaration));
    rows.reset();
  }
  return found;
}

std::vector<StoredStatement> Store::statements(const std::string& expression, const Filter& filter,
                                               std::size_t limit) const {
  const Conditions conditions(filter, 3);
  const bool filtered = !conditions.sql().empty();
  Statement rows(
      database_,
      std::string("SELECT s.id, s.text FROM shapes CROSS JOIN statement s ON s.id = shapes.rowid ") +
          (filtered ? "CROSS JOIN declaration d ON d.id = s.id " : "") + "WHERE shapes MATCH ?1" +
          conditions.sql() + " ORDER BY shapes.rowid LIMIT ?2");
  rows.bind(1, expression).bind(2, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  std::vector<StoredStatement> found;
  while (rows.step()) found.push_back({rows.integer(0), std::string(rows.text(1))});
  return found;
}

std::string Store::statement_text(std::int64_t id) const {
  Statement row(database_, "SELECT text FROM statement WHERE id = ?1");
  row.bind(1, id);
  return row.step() ? std::string(row.text(0)) : std::string();
}

std::optional<std::string> Store::statement_of(const std::string& name) const {
  Statement row(
      database_,
      "SELECT s.text FROM declaration d JOIN statement s ON s.id = d.id WHERE d.name = ?1 ORDER BY d.id");
  row.bind(1, name);
  if (!row.step()) return std::nullopt;
  return std::string(row.text(0));
}

bool Store::declares(const std::string& name) const {
  Statement row(database_, "SELECT 1 FROM declaration WHERE name = ?1 LIMIT 1");
  row.bind(1, name);
  return row.step();
}

std::optional<Declaration> Store::by_id(std::int64_t id) const {
  Statement row(database_, select_declaration("WHERE d.id = ?1"));
  row.bind(1, id);
  if (!row.step()) return std::nullopt;
  return read_row(row).declaration;
}

std::vector<Declaration> Store::containing(const Filter& filter, std::size_t limit) const {
  if (filter.name_parts.empty()) return {};
  const Conditions conditions(filter, 3);
  // The names have an index of their own, which is much smaller than the table.
  Statement rows(
      database_,
      select_declaration("WHERE d.id IN (SELECT id FROM declaration WHERE instr(lower(name), ?1) > 0)" +
                         conditions.sql() + " ORDER BY d.id LIMIT ?2"));
  rows.bind(1, lower_case(filter.name_parts.front())).bind(2, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  return declarations_of(rows);
}

std::vector<Declaration> Store::globbed(const Filter& filter, std::size_t limit) const {
  const Conditions conditions(filter, 2);
  Statement rows(database_, select_declaration("WHERE 1" + conditions.sql() + " ORDER BY d.id LIMIT ?1"));
  rows.bind(1, static_cast<std::int64_t>(limit));
  conditions.bind(rows);
  return declarations_of(rows);
}

Store::Counted Store::names_below(const std::string& prefix) const {
  Counted names;
  // `/` follows `.` in ASCII.
  Statement rows(database_,
                 "SELECT DISTINCT name FROM declaration WHERE (name = ?1 OR (name >= ?1 || '.' AND name < ?1 "
                 "|| '/')) AND "
                 "flags & 3 = 0");
  rows.bind(1, prefix);
  while (rows.step()) names.emplace_back(rows.text(0), 1);
  return names;
}

Store::Counted Store::module_list() const {
  Counted modules;
  Statement rows(database_, "SELECT name, declarations FROM module ORDER BY name");
  while (rows.step()) modules.emplace_back(rows.text(0), static_cast<std::size_t>(rows.integer(1)));
  return modules;
}

}  // namespace leanbridge::index
