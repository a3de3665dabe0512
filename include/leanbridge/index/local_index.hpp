#pragma once
/// The declarations of a project, its packages and its toolchain, searched without a network and without
/// Lean. They are kept in SQLite databases, one per project and one per toolchain, which several processes
/// share.

#include "leanbridge/index/declaration.hpp"
#include "leanbridge/io/condition.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::index {

/// What is looked for. Parts that are empty do not matter; all that are given count towards the score.
struct Lookup {
  std::string words;                   ///< prose, a part of a name, or both: cut and translated by the index
  std::vector<std::string> constants;  ///< names (full, or their last parts) that the type mentions
  std::string conclusion;              ///< the head of the conclusion, full or last part
  std::string glob;                    ///< `Nat.*`, `*.add_comm`: names must match it
  std::vector<std::string>
      packages;  ///< first components or prefixes of modules (`Mathlib`, `Init.Data`); empty: all
  std::size_t limit = 20;
  std::filesystem::path project;  ///< its root; empty: no project, the library of the default toolchain alone
};

struct Found {
  Declaration declaration;
  double score = 0;  ///< 0..1 within this answer: 1 is an exact name
};

struct Matches {
  std::vector<Found> found;  ///< best first
  bool complete =
      true;  ///< false while the index is still being built, or where it failed: there may be more
  bool growing = false;   ///< being built: the same question finds more later
  std::size_t total = 0;  ///< that matched, as far as was counted: `found` holds the best of them
};

/// How far the index is.
struct IndexStatus {
  enum class State { Absent, Building, Ready, Failed };
  struct Part {
    std::string name;                ///< "project" or the toolchain's name
    std::filesystem::path database;  ///< empty: in memory
    State state = State::Absent;
    std::size_t declarations = 0;
    std::size_t modules = 0;
    std::size_t modules_total = 0;  ///< while building
    std::uint64_t bytes = 0;        ///< on disk
    std::string problem;            ///< what failed, or was skipped and why
  };
  std::vector<Part> parts;
};

/// What Lean said of a name, for the index to keep until the module changes.
struct Learned {
  std::string name;
  std::string signature;  ///< what stands after the name; empty: not known
  std::string docstring;  ///< empty: not known
};

/// A level of the tree of modules, and the names of the declarations in them.
struct ModuleNode {
  std::string name;                  ///< full: `Init.Data`
  std::size_t modules = 0;           ///< it and all below
  std::size_t declarations = 0;      ///< in it and all below
  std::vector<ModuleNode> children;  ///< by name
};

struct IndexOptions {
  std::filesystem::path
      folder;        ///< of the databases; made, for this user alone, where it is missing; empty: in memory
  std::string lake;  ///< as for lean::find_lake
};

/// Belongs to the loop's thread. Reading and writing is done on two threads of its own, the writing at the
/// lowest priority; both stop at once when it is destroyed. What is written so far stays, and the next build
/// goes on there.
class LocalIndex {
 public:
  LocalIndex(asio::io_context& context, IndexOptions options);
  ~LocalIndex();
  LocalIndex(const LocalIndex&) = delete;
  LocalIndex& operator=(const LocalIndex&) = delete;

  /// Answers from what there is. The first call for a project starts its build; later ones look for changed
  /// files every few seconds. Never fails because an index is missing or damaged; Timeout, Cancelled.
  asio::awaitable<Result<Matches>> find(Lookup lookup, io::CancelScope scope);

  /// A name for what find() reads: while it stays the same, so do answers that are `complete`. Looks for
  /// changed files as find() does. "" where there is none, or it is not known in time.
  asio::awaitable<std::string> generation(std::filesystem::path project, io::CancelScope scope);

  /// Everything known of these full names, in any order; names that are not known are left out.
  asio::awaitable<Result<std::vector<Declaration>>> describe(std::filesystem::path project,
                                                             std::vector<std::string> names,
                                                             io::CancelScope scope);

  /// The modules below `prefix` (a module or a component path; empty: all), `depth` levels of them.
  asio::awaitable<Result<ModuleNode>> modules(std::filesystem::path project, std::string prefix, int depth,
                                              io::CancelScope scope);

  /// The same of the names of declarations: `modules` counts declarations at a level and below, too.
  asio::awaitable<Result<ModuleNode>> namespaces(std::filesystem::path project, std::string prefix, int depth,
                                                 io::CancelScope scope);

  /// Keeps what Lean said, in the background. Nothing happens where the name is not in the index.
  void remember(std::filesystem::path project, std::vector<Learned> learned);

  /// Brings the index of a project (empty: of the default toolchain) to what is on disk, and waits until that
  /// is done, here or in another process. BackendError: what kept it from being complete; Timeout, Cancelled:
  /// the build goes on in the background.
  asio::awaitable<Result<void>> build(std::filesystem::path project, io::CancelScope scope);

  /// How far the indexes are that were asked for so far.
  IndexStatus status() const;
  /// The same for one project, read from disk where nothing was asked yet; builds nothing.
  asio::awaitable<Result<IndexStatus>> inspect(std::filesystem::path project, io::CancelScope scope);

  /// Notified when status() has changed.
  io::Condition changed;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// `configured`, else $XDG_CACHE_HOME/leanbridge, else ~/.cache/leanbridge; empty where there is no home.
std::filesystem::path cache_folder(const std::string& configured);

}  // namespace leanbridge::index
