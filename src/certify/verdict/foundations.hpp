#pragma once
/// The files that a verdict rests on: where compiled modules lie, whether files change while untrusted
/// programs run, their hashes, and an earlier record of those. Blocking. Private to this module.

#include "core/base/error.hpp"
#include "core/base/watched_files.hpp"
#include "core/lean/project.hpp"
#include "core/olean/module_set.hpp"
#include "verdict.hpp"
#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// The folders of compiled modules; a module of the toolchain cannot be replaced.
struct ModulePlaces {
  std::filesystem::path toolchain;              ///< SYSROOT/lib/lean
  std::vector<std::filesystem::path> packages;  ///< folders of compiled modules
};

/// The names of modules that a package claims.
struct PackageRoots {
  std::string package;
  std::vector<std::string> roots;

  /// Whether a module belongs to it by its name. `relative`: such as `A/B`.
  bool have(const std::filesystem::path& relative) const;
};

/// The folders of compiled modules of the packages that Lake has fetched.
std::optional<std::filesystem::path> compiled_modules_of(const std::filesystem::path& package);
std::vector<std::filesystem::path> package_folders(const std::vector<lean::Package>& packages);
/// The project's own folders, and those of packages that it requires by path.
std::vector<std::filesystem::path> build_folders(const std::filesystem::path& root,
                                                 const std::vector<lean::Package>& packages);

/// InvalidArgument names a folder of packages with modules that have names of the toolchain's, since Lean
/// would prefer them to the toolchain's.
Result<void> no_shadows(const ModulePlaces& places);

/// The imports as written, including Init unless the text begins with `prelude`.
std::vector<std::string> imports_of(std::string_view source);

/// The extensions of the files, in the order in which Lean maps them.
inline constexpr std::array<std::string_view, 3> kModuleParts = {".olean", ".olean.server", ".olean.private"};

/// The file of a part; `base` is the module's path without any extension.
inline std::filesystem::path part_of(std::filesystem::path base, std::string_view part) {
  base += part;
  return base;
}

/// Whether the file is a part of a compiled module.
inline bool is_module_part(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const std::string_view part : kModuleParts)
    if (name.ends_with(part)) return true;
  return false;
}

/// Watches all parts, including missing ones. `olean`: the first part.
inline void watch_module(WatchedFiles& files, const std::filesystem::path& olean) {
  const std::filesystem::path base = std::filesystem::path(olean).replace_extension();
  for (const std::string_view part : kModuleParts) files.add(part_of(base, part));
}

/// The files that a verdict rests on, by who may write them.
struct Foundations {
  std::filesystem::path sysroot;
  std::vector<std::string> programs;  ///< of the toolchain, below `sysroot`
  std::vector<std::filesystem::path> kernel;
  std::vector<std::filesystem::path> modules;  ///< compiled modules; an empty path means none
  std::filesystem::path own;                   ///< the folder with files made for this verdict
};

struct WatchedFoundations {
  WatchedFiles own;      ///< files made for this verdict
  WatchedFiles outside;  ///< the toolchain, the kernel, and compiled imports
};

WatchedFoundations watch(const Foundations& foundations);

/// Blocks; several threads may use it at once, also one whose result nobody waits for any more.
class HashCache {
 public:
  /// The SHA-256 of a file. Reuses an earlier hash if the file cannot have changed since. Errors as for
  /// reading files.
  Result<std::string> of(const std::filesystem::path& file);

 private:
  struct Entry {
    WatchedFiles file;
    std::int64_t since = 0;  // in ns of the system's clock
    std::string sha256;
  };
  std::optional<Entry> find(const std::filesystem::path& file);

  std::mutex mutex_;
  std::map<std::filesystem::path, Entry> files_;
};

/// By the path below its folder: "Foo/Bar.olean", "Foo/Bar.olean.private".
using FileHashes = std::map<std::string, std::string>;

/// The hashes of the parts of a module that exist.
Result<FileHashes> hashes_of_module(const std::filesystem::path& folder, const std::filesystem::path& olean,
                                    HashCache& known);

/// The hashes of every part of every module below the folder.
Result<FileHashes> hashes_below(const std::filesystem::path& folder);

/// The shared libraries of a toolchain for any system, in the order of their paths.
std::vector<std::filesystem::path> libraries_of(const std::filesystem::path& sysroot);

/// The hashes of the program and the libraries of a toolchain, without its modules.
Result<FileHashes> hashes_of_programs(const std::filesystem::path& sysroot, const std::filesystem::path& lean,
                                      HashCache& known);

/// One hash of many. It depends on names and contents.
std::string hash_of(const FileHashes& hashes);

/// The recorded state of a fetched package.
struct PackageRecord {
  FileHashes modules;
  FileHashes lakefiles;  ///< by name
  PackageRoots roots;

  static Result<PackageRecord> of(const lean::Package& package);
};

/// The record that record_baseline() writes.
struct Baseline {
  FileHashes programs;       ///< of the toolchain
  FileHashes toolchain;      ///< its modules
  FileHashes modules;        ///< of the project and the packages that it requires by path
  FileHashes checkers = {};  ///< lean4checkers that the project and its packages have built
  std::map<std::string, PackageRecord> packages = {};  ///< packages that Lake has fetched, by name

  /// The package that had this module, or to which its name belongs; nullopt: none.
  std::optional<std::string> package_of(const std::filesystem::path& relative) const;
  bool is_of_toolchain(const std::filesystem::path& relative) const;
  /// Checks that each package is still one that Lake has fetched, with the same lakefiles. InvalidArgument
  /// names a package that is not. Blocking.
  Result<void> check_packages(const std::vector<lean::Package>& packages) const;

  static Result<Baseline> load(const std::filesystem::path& file);
  nlohmann::json to_json() const;
};

/// The folders that may have imports.
struct ImportFolders {
  std::filesystem::path toolchain;
  std::filesystem::path rebuilt;
  std::vector<std::filesystem::path> builds;  ///< folders compiled by the project
  std::vector<std::filesystem::path> packages;
};

/// The hashes of the files that challenge and solution rest on.
class ImportHashes {
 public:
  FileHashes programs;  ///< of the toolchain

  /// Adds the imports of a set that are not hashed yet.
  Result<void> add(const olean::ModuleSet& set, const ImportFolders& folders, HashCache& known_hashes);
  /// Fills the members about toolchain, modules and packages.
  void describe(Certificate& certificate) const;
  /// The first file that differs from the baseline, as a sentence. Modules that were rebuilt are not
  /// compared.
  std::optional<std::string> difference_from(const Baseline& baseline) const;

 private:
  FileHashes toolchain_, rebuilt_, builds_;
  std::map<std::string, FileHashes> packages_;  ///< by folder
  std::map<std::string, std::string> by_module_;
  std::size_t toolchain_modules_ = 0;
};

}  // namespace leanbridge::certify
