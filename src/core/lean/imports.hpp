#pragma once
/// The imports of a Lean file and the project files behind them. Lean's server does not watch the disk, so
/// changes of imports are noticed here.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// Distinguishes states of a file on disk without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = -1;  ///< bytes; -1 if there is no such file
  std::int64_t modified_ns = 0;

  bool exists() const { return size >= 0; }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// The limit for a Lean file, in bytes. No real source comes near it, and Lean itself would not survive it.
inline constexpr std::size_t kMaxSourceSize = std::size_t{64} << 20;

/// Follows symbolic links. Blocking.
FileIdentity identify(const std::filesystem::path& path);

/// File identities by path: the state of all files that an elaboration depends on.
using ImportState = std::map<std::filesystem::path, FileIdentity>;

/// Follows imports through the files of one project. Blocking: use it on the pool. A value: pass it to a
/// task, which passes it back with its cache.
class ImportWatch {
 public:
  explicit ImportWatch(std::filesystem::path root) : root_(std::move(root)) {}

  /// The source files of these modules and of everything that they import, directly or not, as far as they
  /// are in the project or in packages that it requires by path. Leaves out fetched packages and the
  /// toolchain, which change only through the manifest and the toolchain file.
  ImportState state_of(std::vector<std::string> imports);

  /// The result of configuration_state() when state_of() last looked.
  const ImportState& configuration() const { return configuration_; }

  /// Also searches these folders, which Lake has named, until a lakefile changes.
  void add_source_folders(std::vector<std::filesystem::path> folders);

 private:
  struct CachedImports {
    FileIdentity identity;
    std::vector<std::string> imports;
  };
  /// All files that can be the source of a module: Lake uses one of them.
  ImportState find_sources(const std::string& module) const;
  const std::vector<std::string>& imports_of(const std::filesystem::path& path, const FileIdentity& identity);
  void read_source_folders();

  std::filesystem::path root_;
  ImportState configuration_;  // the configuration from which the folders were read
  std::vector<std::filesystem::path> source_folders_;
  std::map<std::filesystem::path, CachedImports> cache_;
};

/// The state of the files that `lake serve` reads once, when it starts: lakefile, manifest, toolchain file,
/// and the lakefiles of packages that are required by path. Blocking.
ImportState configuration_state(const std::filesystem::path& root);

/// The configuration that a running server has read, computed from the state on disk before it started and
/// the state when it is ready. Lake itself writes the manifest while it starts. It only reads the other
/// files, so any change of those came from elsewhere, perhaps too late for Lake to see it.
ImportState configuration_read(const std::filesystem::path& root, ImportState before_start,
                               const ImportState& when_ready);

/// The built .ilean files of the project and of packages that it requires by path, by which Lean finds
/// references in files that are not open. Lean reads them when the server starts, and later only those that
/// it is told about. Blocking.
ImportState built_references(const std::filesystem::path& root);

/// The names of the files whose identities differ, for messages.
std::vector<std::string> changed_files(const ImportState& before, const ImportState& after);

}  // namespace leanbridge::lean
