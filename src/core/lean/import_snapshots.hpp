#pragma once
/// Lean's state after the imports of a text, saved once and loaded for the texts that begin alike:
/// `lean --incr-header-save` and `--incr-load` of Lean 4.32 and later (lean4#13965, #14023). Lean compares
/// the header with the saved one and leaves the rest to its caller: that the imported files are as they were.

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

/// How a text is to be compiled: texts that differ in any of this never share a snapshot.
struct ColdRun {
  std::string toolchain;                           ///< which program
  std::vector<std::filesystem::path> search_path;  ///< of modules, without the toolchain's own
  std::vector<std::string> options;                ///< of `lean`, as far as they change what it does
  std::filesystem::path module_file;               ///< below the root: it makes the module's name
  std::string source;
};

/// A saved state. Its files are there as long as this is.
class ImportSnapshot {
 public:
  /// Reads what Lean has left in the folder. `begun`: when Lean began to import, in ns of the system's clock.
  /// NotSupported: something was changed meanwhile, or Lean's list of what it has imported is not known.
  /// Blocking.
  static Result<std::shared_ptr<const ImportSnapshot>> read(
      std::shared_ptr<const TemporaryFolder> folder, const std::vector<std::filesystem::path>& search_path,
      std::int64_t begun);

  /// Whether all imported files, the folders they were looked for in, and the saved files are as they were.
  /// Blocking.
  bool is_fresh() const;
  const std::filesystem::path& folder() const { return folder_->path(); }  ///< to be readable for Lean
  std::string argument() const;                                            ///< of `lean`
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
  /// Runs `lean` with these arguments behind the run's own options; it may write to `folder`, and needs
  /// nothing else but the modules. Whether it ended well.
  using Compiler =
      std::function<asio::awaitable<bool>(std::vector<std::string> arguments, std::filesystem::path folder)>;
  using Found = std::shared_ptr<const ImportSnapshot>;

  /// The snapshot for a run. Null: it should import as usual. That is so for the first texts of a kind, since
  /// saving takes longer than importing; for modules; while the snapshot is being made; for the text that
  /// notices that it is no longer fresh; where this Lean saves none.
  asio::awaitable<Found> find(ColdRun run, Compiler compiler, io::Pool& pool, io::CancelScope scope);

  std::size_t made() const { return made_; }      ///< since the beginning
  std::size_t loaded() const { return loaded_; }  ///< how often one was found
  std::uintmax_t bytes() const;                   ///< on the disk

 private:
  using Key = std::tuple<std::string, std::vector<std::filesystem::path>, std::vector<std::string>,
                         std::filesystem::path, std::string>;
  struct Entry {
    std::size_t asked = 0;
    bool in_work = false;  // it is being made
    bool refused = false;  // Lean saves none
    Found saved;
    std::uint64_t used = 0;
  };
  void make_room(const Key& for_key);

  std::map<Key, Entry> entries_;
  std::uint64_t clock_ = 0;
  std::size_t made_ = 0, loaded_ = 0;
};

}  // namespace leanbridge::lean
