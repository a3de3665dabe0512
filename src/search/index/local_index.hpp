#pragma once
/// Searches the declarations of a project, its packages and its toolchain, without a network and without
/// Lean. They are stored in SQLite databases, one per project and one per toolchain, shared by several
/// processes.

#include "core/base/enum_names.hpp"
#include "core/io/clock.hpp"
#include "core/io/condition.hpp"
#include "declaration.hpp"
#include "module_tree.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::index {

/// A query. Empty fields are ignored; every other field counts towards the score.
struct Lookup {
  std::string words;                   ///< prose, part of a name, or both; the index tokenizes it
  std::vector<std::string> constants;  ///< full names, or last parts of names, that the type mentions
  std::string conclusion;              ///< head of the conclusion: full or last name
  /// Terms (`?a + _ = ?b`), statements with binders, a goal, or single constants. The type must fit all of
  /// them. If no type does, or if none of them can be read, `constants` and `conclusion` find the nearest
  /// types.
  std::vector<std::string> patterns;
  std::vector<std::string> name_parts;  ///< texts that the name contains, in upper or lower case
  std::string glob;                     ///< a pattern that names must match: `Nat.*`, `*.add_comm`
  std::vector<std::string> packages;    ///< prefixes of modules: `Mathlib`, `Init.Data`; empty: all
  std::size_t limit = 20;
  std::filesystem::path project;  ///< the project's root; empty: only the default toolchain's library
};

/// A declaration, and how well it answers the query.
struct Match : Declaration {
  double score = 0;  ///< 0..1; 1 is an exact name
  double fit = 0;    ///< how well its type fits the patterns, 0..1; 0: it does not fit, or is unknown
  std::string why;   ///< the parts of the score, for people: "bm25 0.83, coverage 1, ..."
};

struct Matches {
  std::vector<Match> found;  ///< best first
  bool complete = true;      ///< false: the index is being built or has failed, so matches may be missing
  bool growing = false;      ///< the index is being built: the same query finds more later
  std::size_t total = 0;     ///< matches counted; `found` holds the best of them
  bool nearest = false;      ///< no type fits the patterns: the matches only mention the same constants
  bool bounded = false;      ///< so many statements might fit that only a part was compared
};

/// Keeps the matches whose names contain the text, in upper or lower case: a name that only resembles it
/// would be mistaken for a confirmation. If none does, returns the names of the best.
std::vector<std::string> keep_containing(Matches& matches, const std::string& text);

/// The state of the index.
struct IndexStatus {
  enum class State { Absent, Building, Ready, Failed };
  struct Part {
    std::string name;                ///< "project" or the toolchain's name
    std::filesystem::path database;  ///< empty: in memory
    State state = State::Absent;
    std::size_t declarations = 0;
    std::size_t modules = 0;
    std::size_t modules_total = 0;       ///< while building
    std::uint64_t bytes = 0;             ///< on disk
    std::optional<std::string> problem;  ///< the failure, or what was skipped and why

    /// The members that answers have.
    static wire::Fields fields() {
      return wire::fields<&Part::name, &Part::state, &Part::modules, &Part::modules_total, &Part::problem>();
    }
  };
  std::vector<Part> parts;
};

wire::Names<IndexStatus::State> names_of(IndexStatus::State);

/// Whether a search saw the whole index, in the words of lean-lsp-mcp: only Consulted makes an empty result
/// mean that there is no such name.
///
/// | state       | what the search saw                                                          |
/// |-------------|------------------------------------------------------------------------------|
/// | Consulted   | all of it                                                                    |
/// | Warming     | what there was of it: it is being built, or its files are being looked for   |
/// | Error       | what there was of it: a part could not be built                              |
/// | Unavailable | only the project, because there is no toolchain to index                     |
enum class IndexUse { Consulted, Warming, Unavailable, Error };
wire::Names<IndexUse> names_of(IndexUse);
IndexUse index_use(const Matches& matches, const std::vector<IndexStatus::Part>& unfinished);

/// Lean's report about a name. The index keeps it until the module changes.
struct ElaboratedFact {
  std::string name;
  std::string signature;  ///< the text behind the name; empty: unknown
  std::string docstring;  ///< empty: unknown
};

struct IndexOptions {
  std::filesystem::path folder;  ///< the folder of the databases, created for this user only; empty: in
                                 ///< memory
  std::string lake;              ///< as for lean::find_lake
  /// Waits until `lake env` may run in the project. Empty: it may always run.
  std::function<asio::awaitable<void>(std::filesystem::path project, io::CancelScope scope)> before_lake = {};
  /// How long a search waits for Lake before it uses the usual folders.
  io::Clock::duration max_layout_wait = std::chrono::seconds(5);
  /// The pauses between attempts while Lake fails, see io::BackOff.
  io::Clock::duration first_retry = std::chrono::seconds(5), longest_retry = std::chrono::minutes(1);
};

/// Belongs to the loop's thread. It reads and writes on two threads of its own, and writes at the lowest
/// priority; the destructor stops and joins both. Written data stays, and the next build resumes there. Calls
/// still waiting when it is destroyed end as Cancelled.
class LocalIndex {
 public:
  LocalIndex(asio::io_context& context, IndexOptions options);
  ~LocalIndex();
  LocalIndex(const LocalIndex&) = delete;
  LocalIndex& operator=(const LocalIndex&) = delete;

  /// Searches everything that is indexed so far. The first call for a project starts its build; later calls
  /// look for changed files every few seconds. A missing or damaged index is not an error. Errors: Timeout,
  /// Cancelled.
  asio::awaitable<Result<Matches>> find(Lookup lookup, io::CancelScope scope);
  /// The same, but while the index is being built and `enough` does not hold, waits and searches again, until
  /// `patience` ends.
  asio::awaitable<Result<Matches>> find_when_built(Lookup lookup, bool (*enough)(const Matches&),
                                                   io::CancelScope patience, io::CancelScope scope);

  /// Identifies the state that find() reads: answers that are `complete` stay valid until it changes. Looks
  /// for changed files as find() does. Empty if there is no index or if its state is not known in time.
  asio::awaitable<std::string> generation(std::filesystem::path project, io::CancelScope scope);

  /// The declarations with these full names, in any order. Omits unknown names.
  asio::awaitable<Result<std::vector<Declaration>>> describe(std::filesystem::path project,
                                                             std::vector<std::string> names,
                                                             io::CancelScope scope);

  /// The modules or namespaces below `prefix`, down to `depth` levels. `prefix` is one of them or the
  /// beginning of one (empty: all). For namespaces, ModuleNode::modules counts declarations, too.
  asio::awaitable<Result<ModuleNode>> tree(TreeKind kind, std::filesystem::path project, std::string prefix,
                                           int depth, io::CancelScope scope);

  /// Stores Lean's reports in the background. Ignores names that are not in the index.
  void remember(std::filesystem::path project, std::vector<ElaboratedFact> facts);

  /// Updates the index of a project (empty: of the default toolchain) from disk and waits until this or
  /// another process has finished, at the priority of this process; all other builds give way to the rest of
  /// the machine. BackendError says why it is incomplete; after Timeout or Cancelled the
  /// build continues in the background.
  asio::awaitable<Result<void>> build(std::filesystem::path project, io::CancelScope scope);

  /// The state of the indexes used so far.
  IndexStatus status() const;
  /// The state of one project's index, read from disk if it has not been used yet. Builds nothing.
  asio::awaitable<Result<IndexStatus>> inspect(std::filesystem::path project, io::CancelScope scope);
  /// The parts that are not ready, including a toolchain that was not found; of those used so far, if the
  /// scope ends.
  asio::awaitable<std::vector<IndexStatus::Part>> unfinished(std::filesystem::path project,
                                                             io::CancelScope scope);

 private:
  struct State;
  std::shared_ptr<State> state_;

 public:
  /// Notified when status() changes, and on destruction.
  io::Condition& changed;
};

}  // namespace leanbridge::index
