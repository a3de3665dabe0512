#pragma once
/// A small wrapper of SQLite. Reports errors as exceptions, because nearly every line can fail in the same
/// way; the callers of Store turn them into Errors. A connection may be used from several threads.

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index::sqlite {

class Failure : public std::runtime_error {
 public:
  Failure(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  int code() const { return code_ & 0xff; }  ///< primary: SQLITE_FULL, SQLITE_CORRUPT, ...
  bool damaged() const { return code() == SQLITE_CORRUPT || code() == SQLITE_NOTADB; }
  /// Whether the disk is full, or writing fails for another reason that an immediate retry will not fix.
  bool unwritable() const {
    return code() == SQLITE_FULL || code() == SQLITE_IOERR || code() == SQLITE_READONLY ||
           code() == SQLITE_CANTOPEN;
  }
  bool interrupted() const { return code() == SQLITE_INTERRUPT || code() == SQLITE_ABORT; }

 private:
  int code_;
};

class Database {
 public:
  enum class Mode { ReadWrite, ReadOnly, Immutable, Memory };

  /// ReadWrite creates the file. Setting `stop` aborts running statements. Throws Failure.
  Database(const std::filesystem::path& path, Mode mode, std::shared_ptr<std::atomic<bool>> stop);

  void run(const char* sql);  ///< any number of statements, without results
  sqlite3* handle() const { return handle_.get(); }
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  [[noreturn]] void fail(const std::string& doing) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::shared_ptr<std::atomic<bool>> stop_;
};

/// Where a row contains a phrase of the full-text expression that found it. The SQL function `phrase_hits`
/// returns these, in the order of the phrases in the expression.
struct PhraseHit {
  std::uint64_t columns = 0;  ///< a bit for each column of the table
  std::uint64_t places = 0;   ///< a bit for each of the first 64 terms of the first column,
  std::uint64_t in_text = 0;  ///< and a bit for each of the first 64 terms of the fourth
};

/// A prepared statement. Parameters are numbered from 1, columns from 0, as in SQLite.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::string_view value);  ///< copied
  bool step();                                             ///< true if there is a row
  void run();                                              ///< to its end, then reset()
  void reset() { sqlite3_reset(handle_.get()); }           ///< makes it reusable
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  std::string_view text(int column) const;  ///< until the next step
  std::vector<PhraseHit> hits(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// The stems of English words by FTS5's own stemmer, Porter's. One thread at a time.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;
  std::string operator()(const std::string& word);  ///< for one lower-case word

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Rolls back unless committed. One that only reads sees one state of the database, and locks its file once.
class Transaction {
 public:
  enum class Kind { Write, Read };
  explicit Transaction(Database& database, Kind kind = Kind::Write);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace leanbridge::index::sqlite
