#pragma once
/// Lean's state after the imports of a text, saved once and loaded for texts with the same header: `lean
/// --incr-header-save` and `--incr-load` of Lean 4.32 and later (lean4#13965, #14023). Lean compares the
/// header with the saved one. It leaves it to the caller to check that the imported files are unchanged.

#include "core/base/files.hpp"
#include "core/base/watched_files.hpp"
#include "core/io/pool.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace leanbridge::lean {

/// The conditions under which a text is compiled: texts that differ in any of them never share a snapshot.
struct ColdRun {
  std::string toolchain;                           ///< the program
  std::vector<std::filesystem::path> search_path;  ///< folders of modules, without the toolchain's own
  std::vector<std::string> options;                ///< options of `lean` that affect its work
  std::filesystem::path module_file;               ///< relative to the root: it determines the module's name
  std::string source;
};

/// A saved state. Its files exist as long as this object.
class ImportSnapshot {
 public:
  /// Reads the files that Lean has left in the folder. `begun`: when Lean began to import, in ns of the
  /// system's clock. NotSupported: an imported file was changed meanwhile, or Lean's list of imported files
  /// is unknown. Blocking.
  static Result<std::shared_ptr<const ImportSnapshot>> read(
      std::shared_ptr<const TemporaryFolder> folder, const std::vector<std::filesystem::path>& search_path,
      std::int64_t begun);

  /// Whether all imported files, the folders that were searched for them, and the saved files are unchanged.
  /// Blocking.
  bool is_fresh() const;
  const std::filesystem::path& folder() const { return folder_->path(); }  ///< must be readable for Lean
  std::string argument() const;                                            ///< the argument of `lean` that
                                                                           ///< loads it
  std::uintmax_t bytes() const { return bytes_; }                          ///< on the disk

 private:
  ImportSnapshot() = default;

  std::shared_ptr<const TemporaryFolder> folder_;
  std::uintmax_t bytes_ = 0;
  WatchedFiles watched_, own_;
  std::int64_t begun_ = 0, saved_at_ = 0;
};

/// Belongs to the loop's thread, and outlives the calls of find().
class ImportSnapshots {
 public:
  /// Runs `lean` with these arguments after the run's own options. It may write to `folder`, and needs only
  /// the modules besides. Returns whether it succeeded.
  using Compiler =
      std::function<asio::awaitable<bool>(std::vector<std::string> arguments, std::filesystem::path folder)>;
  using Found = std::shared_ptr<const ImportSnapshot>;

  /// The snapshot for a run. Null: import as usual. It is null for the first texts of a kind, since saving
  /// takes longer than importing; for modules; while the snapshot is being made; for the text that finds it
  /// out of date; and if this Lean saves none.
  asio::awaitable<Found> find(ColdRun run, Compiler compiler, io::Pool& pool, io::CancelScope scope);

  std::size_t made() const { return made_; }      ///< snapshots made so far
  std::size_t loaded() const { return loaded_; }  ///< how often a snapshot was loaded
  std::uintmax_t bytes() const;                   ///< on the disk

 private:
  using Key = std::tuple<std::string, std::vector<std::filesystem::path>, std::vector<std::string>,
                         std::filesystem::path, std::string>;
  struct Entry {
    std::size_t asked = 0;
    bool in_work = false;  // the snapshot is being made
    bool refused = false;  // Lean saves no snapshot
    Found saved;
    std::uint64_t used = 0;
  };
  void make_room(const Key& for_key);

  std::map<Key, Entry> entries_;
  std::uint64_t clock_ = 0;
  std::size_t made_ = 0, loaded_ = 0;
};

}  // namespace leanbridge::lean
