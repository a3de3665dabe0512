#pragma once
/// The imports of a Lean file, and the project files behind them: how a change of an import on disk is
/// noticed, since nothing in Lean's server watches the disk.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// What tells one state of a file on disk from another without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = -1;  ///< bytes; -1: there is no such file
  std::int64_t modified_ns = 0;

  bool exists() const { return size >= 0; }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Bytes of a Lean file, at most: no source is near it, and Lean itself would not survive it.
inline constexpr std::size_t kMaxSourceSize = std::size_t{64} << 20;

/// Follows symbolic links. Blocking.
FileIdentity identify(const std::filesystem::path& path);

/// Identities of files, by path: the state of everything that an elaboration depended on.
using ImportState = std::map<std::filesystem::path, FileIdentity>;

/// Follows imports through the files of one project. Blocking: used on the pool. A value: it is handed to a
/// task and handed back with what it has learnt.
class ImportWatch {
 public:
  explicit ImportWatch(std::filesystem::path root) : root_(std::move(root)) {}

  /// The source files of the project, and of packages that it requires by their folder, that these modules
  /// are and import, directly or not. Modules of packages that were fetched and of the toolchain are left
  /// out: they change through the manifest and the toolchain file.
  ImportState state_of(std::vector<std::string> imports);

 private:
  struct Known {
    FileIdentity identity;
    std::vector<std::string> imports;
  };
  std::filesystem::path find_source(const std::string& module) const;
  const std::vector<std::string>& imports_of(const std::filesystem::path& path, const FileIdentity& identity);
  void read_source_folders();

  std::filesystem::path root_;
  ImportState configuration_;  // that the folders were read from
  std::vector<std::filesystem::path> source_folders_;
  std::map<std::filesystem::path, Known> known_;
};

/// lakefile, manifest and toolchain file, and the lakefiles of packages that are required by their folder:
/// what `lake serve` reads once, when it starts. Blocking.
ImportState configuration_state(const std::filesystem::path& root);

/// What a running server has read, from what was on disk before it started and what is there when it is
/// ready. Lake writes the manifest itself while it starts; the other files it only reads, so that a change of
/// those meanwhile is somebody else's, and may have come too late for it.
ImportState configuration_read(const std::filesystem::path& root, ImportState before_start,
                               const ImportState& when_ready);

/// The .ilean files that the project, and packages that it requires by their folder, were built to, by which
/// Lean finds references in files that are not open.
/// Lean reads them when the server starts, and then only those that it is told of. Blocking.
ImportState built_references(const std::filesystem::path& root);

/// The files whose identity differs, by name: for messages.
std::vector<std::string> changed_files(const ImportState& before, const ImportState& after);

}  // namespace leanbridge::lean
