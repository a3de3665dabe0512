#pragma once
/// Hashes of compiled modules and of toolchains, and the record of them that was made before. Blocking.
/// Private to this module.

#include "core/base/error.hpp"
#include "core/olean/module_set.hpp"
#include "known_hashes.hpp"
#include "sources.hpp"
#include "verdict.hpp"
#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// By the path below its folder: "Foo/Bar.olean", "Foo/Bar.olean.private".
using FileHashes = std::map<std::string, std::string>;

/// Those of a module's parts that exist.
Result<FileHashes> hashes_of_module(const std::filesystem::path& folder, const std::filesystem::path& olean,
                                    KnownHashes& known);

/// Those of every part of a module below the folder.
Result<FileHashes> hashes_below(const std::filesystem::path& folder);

/// Those of the program and the libraries of a toolchain, without its modules.
Result<FileHashes> hashes_of_programs(const std::filesystem::path& sysroot, const std::filesystem::path& lean,
                                      KnownHashes& known);

/// One hash of many, which depends on names and contents.
std::string hash_of(const FileHashes& hashes);

/// What a fetched package was.
struct PackageRecord {
  FileHashes modules;
  FileHashes lakefiles;  ///< by name
  PackageRoots roots;

  static Result<PackageRecord> of(const lean::Package& package);
};

/// What record_baseline() writes.
struct Baseline {
  FileHashes programs;       ///< of the toolchain
  FileHashes toolchain;      ///< its modules
  FileHashes modules;        ///< of the project and the packages that it requires by path
  FileHashes checkers = {};  ///< lean4checkers that the project and its packages have built
  std::map<std::string, PackageRecord> packages = {};  ///< that Lake has fetched, by name

  /// The package whose module it was, or to which its name belongs; nullopt: none.
  std::optional<std::string> package_of(const std::filesystem::path& relative) const;
  bool is_of_toolchain(const std::filesystem::path& relative) const;
  /// Whether each package is one that Lake has fetched still, with its lakefiles as they were.
  /// InvalidArgument names another one. Blocking.
  Result<void> check_packages(const std::vector<lean::Package>& packages) const;

  static Result<Baseline> load(const std::filesystem::path& file);
  nlohmann::json to_json() const;
};

/// Where imports may be.
struct ImportFolders {
  std::filesystem::path toolchain;
  std::filesystem::path rebuilt;
  std::vector<std::filesystem::path> builds;  ///< what the project has compiled
  std::vector<std::filesystem::path> packages;
};

/// What challenge and solution rest on.
class ImportHashes {
 public:
  FileHashes programs;  ///< of the toolchain

  /// Adds the imports of a set that are not known yet.
  Result<void> add(const olean::ModuleSet& set, const ImportFolders& folders, KnownHashes& known_hashes);
  /// Fills the members about toolchain, modules and packages.
  void describe(Certificate& certificate) const;
  /// The first file that is not as it was in the baseline, as a sentence. What was rebuilt is not compared.
  std::optional<std::string> difference_from(const Baseline& baseline) const;

 private:
  FileHashes toolchain_, rebuilt_, builds_;
  std::map<std::string, FileHashes> packages_;  ///< by folder
  std::map<std::string, std::string> by_module_;
  std::size_t toolchain_modules_ = 0;
};

}  // namespace leanbridge::certify
