#pragma once
/// One database of declarations. Use it from one thread at a time; only a Store in memory may be read while
/// it is written. All functions throw sqlite::Failure.

#include "lexicon.hpp"
#include "search/index/local_index.hpp"
#include "search/index/sqlite.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::index {

/// Increment it when the tables, the terms, or the output of the readers change.
inline constexpr int kSchemaVersion = 8;

/// Identifies the files that a module was read from.
struct ModuleRecord {
  std::string stamp;  ///< paths, times and sizes of its files
  std::string hash;   ///< the hash of the contents
};

struct Module {
  std::string name;
  std::string file;  ///< source; "": none
  ModuleRecord record;
  std::vector<Declaration> declarations;
  std::string problem;  ///< the files that could not be read
  std::string heading;  ///< the title in its source, `Fermat's last theorem`; "": none
};

/// A condition on the declarations that a search may return.
struct Filter {
  std::string glob;
  std::vector<std::string> packages;
  std::vector<std::string> name_parts = {};  ///< the name contains all of these, in upper or lower case
};

/// A stored statement, in the format of index/term/statement.hpp.
struct StoredStatement {
  std::int64_t id = 0;  ///< of its declaration
  std::string text;
};

/// A result of a full-text expression. `bm25` is FTS5's over the columns of words: larger is better.
struct RankedId {
  std::int64_t id = 0;
  double bm25 = 0;
};
struct RankedDeclaration {
  std::int64_t id = 0;
  Declaration declaration;              ///< name, module, kind, flags, and the first letter of its docstring
  std::vector<sqlite::PhraseHit> hits;  ///< for each phrase of the expression
  /// The terms of the docstring's first sentence, as bits of PhraseHit::in_text.
  std::uint64_t summary = 0;
  double bm25 = 0;  ///< 0: it was not requested
};
/// The columns of words, as bits of PhraseHit::columns.
enum WordColumn : std::uint64_t { kInName = 1, kInWhole = 2, kInTitle = 4, kInDoc = 8, kInModule = 16 };

class Store {
 public:
  /// Creates the tables if they are missing. Throws Failure for an index of another version.
  Store(const std::filesystem::path& path, sqlite::Database::Mode mode,
        std::shared_ptr<std::atomic<bool>> stop);
  /// Whether the file has been replaced or removed since it was opened. Always false in memory.
  bool gone() const;
  /// Changes with every transaction of any process, and differs between Store objects.
  std::string generation() const;
  bool in_memory() const { return mode_ == sqlite::Database::Mode::Memory; }

  // --- writing, one transaction per call

  std::unordered_map<std::string, ModuleRecord> modules() const;
  /// Replaces these modules, and removes those in `gone`.
  void write(std::vector<Module> modules, const std::vector<std::string>& gone);
  /// Updates the stamps of modules whose content is unchanged.
  void touch(const std::map<std::string, std::string>& stamps);
  /// After a build: counts terms and users, learns meanings if much has changed, and marks the index
  /// complete.
  void finish();
  void learn(const std::vector<ElaboratedFact>& facts);

  std::string meta(std::string_view key) const;  ///< "": it is not set
  void set_meta(std::string_view key, std::string_view value);

  // --- reading

  bool complete() const { return meta("complete") == "1"; }
  /// Reads the whole file. Throws a Failure with SQLITE_CORRUPT if it is damaged.
  void check() const;
  std::size_t declarations() const;
  std::size_t module_count() const;
  std::vector<std::string> problems() const;  ///< "Module: problem", the first few

  /// For several questions in a row; null for a Store in memory, which may be written meanwhile.
  std::unique_ptr<sqlite::Transaction> reading() const;
  /// The number of declarations that have a term, at the end of the last build.
  std::size_t documents_with(const std::string& term) const;
  /// The meanings of a word of English in names and types, as learnt from the declarations here.
  std::vector<Meaning> meanings(const std::string& word) const;
  /// The terms of a declaration's name and of its type, separated by spaces.
  std::pair<std::string, std::string> terms_of(std::int64_t id) const;
  /// Terms of at least two declarations, the most frequent first, for correcting misspellings.
  std::vector<std::string> common_terms() const;
  /// The number of declarations that have the name in their type, at the end of the last build; 0 if there is
  /// just one.
  std::size_t users(const std::string& name) const;
  /// The matches of an FTS5 expression, best first by bm25.
  std::vector<RankedDeclaration> best(const std::string& expression, const Filter& filter,
                                      std::size_t limit) const;
  std::vector<RankedId> best_ids(const std::string& expression, const Filter& filter,
                                 std::size_t limit) const;
  /// The declarations among these ids that match an FTS5 expression, in the order of the ids, without bm25.
  std::vector<RankedDeclaration> described(const std::string& expression,
                                           const std::vector<std::int64_t>& ids) const;
  std::vector<Declaration> named(const std::vector<std::string>& names) const;
  /// The statements of declarations that match an FTS5 expression, ordered by rank_of().
  std::vector<StoredStatement> statements(const std::string& expression, const Filter& filter,
                                          std::size_t limit) const;
  /// The statement of a declaration; nullopt if there is none.
  std::optional<std::string> statement_of(const std::string& name) const;
  bool declares(const std::string& name) const;
  std::optional<Declaration> by_id(std::int64_t id) const;
  /// The declarations that contain the filter's parts of names, which may begin and end within words.
  std::vector<Declaration> containing(const Filter& filter, std::size_t limit) const;
  /// The declarations that match the filter's glob.
  std::vector<Declaration> globbed(const Filter& filter, std::size_t limit) const;
  /// Names with their numbers of declarations.
  using Counted = std::vector<std::pair<std::string, std::size_t>>;
  /// The public names in a namespace, including its own name, that people have written; each counts as one.
  Counted names_below(const std::string& prefix) const;
  /// All modules.
  Counted module_list() const;

 private:
  void create_tables();
  void count_users();
  void learn_meanings();
  void forget(const std::string& module);
  std::int64_t take_sequence(std::int64_t count);
  std::string statement_text(std::int64_t id) const;  ///< "": none

  std::filesystem::path path_;
  sqlite::Database::Mode mode_;
  std::uint64_t inode_ = 0;
  std::uint64_t serial_;  ///< of this object within this process
  mutable sqlite::Database database_;
  mutable std::unique_ptr<sqlite::Statement> select_users_, select_terms_;
};

/// The databases of one search.
using Stores = std::vector<std::shared_ptr<Store>>;
using Count = std::function<std::size_t(const std::string&)>;

/// How good an answer a declaration is, whatever the query: 0 (best) to 255.
int rank_of(const Declaration& declaration);

}  // namespace leanbridge::index
