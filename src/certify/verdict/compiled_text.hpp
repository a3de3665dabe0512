#pragma once
/// What an untrusted compiler leaves behind. Blocking. Private to this module.

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/olean/module_set.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

using SharedSet = std::shared_ptr<olean::ModuleSet>;

/// A text that was compiled; its parts are in memory, so nobody can change them any more.
struct CompiledText {
  bool timed_out = false;
  std::string why;  ///< why there is nothing, as a sentence; empty: there is
  std::vector<std::string> parts;
  std::string printed;  ///< by Lean, up to a limit
  bool is_cut = false;  ///< what it printed
};

/// `NAME.olean` in `folder`, `NAME.olean.server`, `NAME.olean.private`, as many as there are parts.
Result<void> write_parts(const std::filesystem::path& folder, const std::filesystem::path& name,
                         const std::vector<std::string>& parts);

/// Copies these modules, with all their parts, from one folder to another. Errors: as for reading and writing
/// files.
Result<void> copy_modules(const std::filesystem::path& from, const std::filesystem::path& to,
                          const std::vector<std::string>& modules);

/// What a child left in `folder`. A module has all three parts, another text one: Lean's programs differ in
/// which of them they read.
Result<std::vector<std::string>> read_parts(const std::filesystem::path& folder, const std::string& name,
                                            bool is_module);

using SharedImports = std::shared_ptr<const olean::ImportedModules>;

/// The module with its imports, which may be known. Internal: it is not laid out as Lean writes it, or
/// damaged.
Result<SharedSet> open_set(std::vector<std::string> parts,
                           const std::vector<std::filesystem::path>& search_path,
                           SharedImports known = nullptr);

/// The first error in what `lean --json` printed, as a sentence to be quoted after another; "": none.
std::string first_error_in(const std::string& printed);

}  // namespace leanbridge::certify
