#pragma once
/// A compiled module, mapped, and the names that it mentions. Private to this module.

#include "mapped_file.hpp"
#include "olean_expr.hpp"
#include "olean_extensions.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace leanbridge::index {

/// A module's files, and its names as keys. The files stay where they are while it lives.
struct LoadedModule {
  LoadedModule(std::vector<MappedFile> mapped, Region read)
      : files(std::move(mapped)), region(std::move(read)), names(region), expressions(region, names) {}
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  std::vector<MappedFile> files;
  Region region;
  Names names;
  Expressions expressions;
  /// Lean.ModuleData of the part that says most: the last.
  Object data;
  /// What was exported as an axiom, by what it is; read when the first axiom is met.
  std::optional<ExtensionFacts> facts;
  std::unordered_map<Ref, std::optional<std::size_t>> known;  ///< names that it mentions, as entries
};

/// `olean` and its further parts, as far as they are there.
Result<std::unique_ptr<LoadedModule>> load_module(const std::filesystem::path& olean);

/// A name of Lean's: its components, the first one first; a number as its digits behind a NUL, which no
/// string holds. Equal only for equal names.
std::vector<std::string> components(Region& region, Ref name);
/// The same as one key, and as Lean writes it.
std::string key_of(Region& region, Ref name);
std::string dotted(const std::vector<std::string>& name);

/// `lib/A/B.olean` of the first folder that has it.
std::optional<std::filesystem::path> find_olean(const std::vector<std::string>& module,
                                                const std::vector<std::filesystem::path>& search_path);

}  // namespace leanbridge::index
