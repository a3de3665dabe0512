#pragma once
/// SQLite, as little of it as the index needs. Errors are exceptions here, since nearly every line can fail
/// in the same way; Store's callers turn them into Errors. A connection may be used from several threads.

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace leanbridge::index::sqlite {

class Failure : public std::runtime_error {
 public:
  Failure(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  int code() const { return code_ & 0xff; }  ///< primary: SQLITE_FULL, SQLITE_CORRUPT, ...
  bool damaged() const { return code() == SQLITE_CORRUPT || code() == SQLITE_NOTADB; }
  /// There is no room, or writing is not possible for another reason that trying again at once will not mend.
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

  /// ReadWrite creates the file. `stop` ends running statements once it is true. Throws Failure.
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

/// A prepared statement. Parameters and columns are numbered as SQLite does: parameters from 1, columns from
/// 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  Statement& bind(int place, std::int64_t value);
  Statement& bind(int place, std::string_view value);  ///< copied
  bool step();                                         ///< true: there is a row
  void run();                                          ///< to its end, and ready to be used again
  void reset() { sqlite3_reset(handle_.get()); }       ///< ready to be used again
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  std::string_view text(int column) const;  ///< until the next step

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// Rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace leanbridge::index::sqlite
