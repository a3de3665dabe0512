#pragma once
/// Hashes of compiled modules and of toolchains, and an earlier record of them. Blocking. Private to this
/// module.

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

/// The hashes of the parts of a module that exist.
Result<FileHashes> hashes_of_module(const std::filesystem::path& folder, const std::filesystem::path& olean,
                                    KnownHashes& known);

/// The hashes of every part of every module below the folder.
Result<FileHashes> hashes_below(const std::filesystem::path& folder);

/// The hashes of the program and the libraries of a toolchain, without its modules.
Result<FileHashes> hashes_of_programs(const std::filesystem::path& sysroot, const std::filesystem::path& lean,
                                      KnownHashes& known);

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
  Result<void> add(const olean::ModuleSet& set, const ImportFolders& folders, KnownHashes& known_hashes);
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
