#pragma once
/// Compiles a text as a module, to inspect what its constants depend on. Private to this module.

#include "leanbridge/index/compiled_proofs.hpp"
#include "leanbridge/lean/imports.hpp"

#include "lake_run.hpp"
#include "open_file.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::tools {

class SilencerWatch;
struct HiddenSorries;

/// Where Lean looks for compiled modules, as lake sets it.
struct SearchPath {
  lean::ImportState configuration;  ///< the files lake read
  std::vector<std::filesystem::path> folders;
};

/// What all tools of a process know about compiled files.
struct CompilerMemory {
  LakeTurns turns;  ///< one compiler at a time in a project: each may need gigabytes
  std::map<std::filesystem::path, std::shared_ptr<const SearchPath>> search_paths;  ///< by project
  std::map<std::filesystem::path, std::shared_ptr<SilencerWatch>> silencers;        ///< by project
  std::map<std::filesystem::path, std::shared_ptr<const HiddenSorries>>
      sorries;  ///< by file, for its latest text
};
CompilerMemory& compiler_memory(Environment& environment);

/// What the constants of a compiled text depend on.
struct CompiledModule {
  std::string why_not;                             ///< why it is not known; empty: it is
  std::vector<index::CompiledConstant> constants;  ///< all constants, if no name was given
  std::optional<index::Foundation> foundation;     ///< of the constant `name`, if it exists
};

/// Compiles `text` in a temporary folder as Lean would compile the project's file `path`, with Lake's options
/// for that file. Does not write to the project. The only error is Cancelled: for a text that does not
/// compile, see `why_not`.
asio::awaitable<Result<CompiledModule>> compile_module(Environment& environment,
                                                       std::shared_ptr<document::DocumentStore> project,
                                                       std::filesystem::path path, std::string text,
                                                       std::optional<std::string> name,
                                                       io::CancelScope scope);

}  // namespace leanbridge::tools
