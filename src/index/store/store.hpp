#pragma once
/// One database of declarations. Used from one thread at a time, except that a Store in memory is read while
/// it is written. Everything throws sqlite::Failure.

#include "leanbridge/index/local_index.hpp"
#include "leanbridge/index/sqlite.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::index {

/// Of the tables, of how terms are made, and of what the readers give.
inline constexpr int kSchemaVersion = 1;

/// What a module was read from.
struct ModuleRecord {
  std::string stamp;  ///< paths, times and sizes of its files
  std::string hash;   ///< of their contents
};

struct Module {
  std::string name;
  std::string file;  ///< source; "" where there is none
  ModuleRecord record;
  std::vector<Declaration> declarations;
  std::string problem;  ///< what could not be read of it
};

/// Which declarations a search may answer.
struct Filter {
  std::string glob;
  std::vector<std::string> packages;
};

class Store {
 public:
  /// Creates the tables where they are missing, and drops those of another version. Throws Failure.
  Store(const std::filesystem::path& path, sqlite::Database::Mode mode,
        std::shared_ptr<std::atomic<bool>> stop);
  /// Has the file been replaced or removed since it was opened? Never in memory.
  bool gone() const;
  /// Changes with every transaction, whoever makes it, and is never the same for two of these objects.
  std::string generation() const;
  bool in_memory() const { return mode_ == sqlite::Database::Mode::Memory; }

  // --- writing, in batches that are one transaction each

  std::unordered_map<std::string, ModuleRecord> modules() const;
  /// Replaces what the index knows of these modules, and forgets those of `gone`.
  void write(std::vector<Module> modules, const std::vector<std::string>& gone);
  /// The contents are the same, only the times are not.
  void touch(const std::map<std::string, std::string>& stamps);
  void finish();  ///< after a build: counts terms, marks it complete
  void learn(const std::vector<ElaboratedFact>& facts);

  std::string meta(std::string_view key) const;  ///< "" where it is not set
  void set_meta(std::string_view key, std::string_view value);

  // --- reading

  bool complete() const { return meta("complete") == "1"; }
  /// Throws a Failure with SQLITE_CORRUPT where the file is damaged. Reads all of it.
  void check() const;
  std::size_t declarations() const;
  std::size_t module_count() const;
  std::vector<std::string> problems() const;  ///< "Module: what was wrong", the first few

  /// In how many declarations does a term stand? As of the last finished build.
  std::size_t documents_with(const std::string& term) const;
  /// All terms that stand in at least two declarations, for mistyped words.
  std::vector<std::string> common_terms() const;
  /// Declarations that match an FTS5 expression, those first that are better answers whatever the question.
  std::vector<Declaration> matching(const std::string& expression, const Filter& filter,
                                    std::size_t limit) const;
  std::vector<Declaration> named(const std::vector<std::string>& names) const;
  /// By a glob alone.
  std::vector<Declaration> globbed(const Filter& filter, std::size_t limit) const;
  /// Full names in a namespace, the namespace itself included, as far as they are public and written by
  /// people.
  std::vector<std::string> names_below(const std::string& prefix) const;
  /// Name and number of declarations of every module.
  std::vector<std::pair<std::string, std::size_t>> module_list() const;

 private:
  void create_tables();
  void forget(const std::string& module);
  std::int64_t take_sequence(std::int64_t count);

  std::filesystem::path path_;
  sqlite::Database::Mode mode_;
  std::uint64_t inode_ = 0;
  std::uint64_t serial_;  ///< of this object, in this process
  mutable sqlite::Database database_;
};

/// How good an answer a declaration is before anything is known of the question: 0 (best) to 255.
int rank_of(const Declaration& declaration);

}  // namespace leanbridge::index
