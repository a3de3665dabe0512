#pragma once
/// A text compiled to a module, to see what its constants rest on. Private to this module.

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

/// Where lake has Lean look for compiled modules.
struct SearchPath {
  lean::ImportState configuration;  ///< what lake had read
  std::vector<std::filesystem::path> folders;
};

/// What is known of compiled files, by all tools of a process.
struct CompilerMemory {
  LakeTurns turns;  ///< one compiler at a time in a project: each may need gigabytes
  std::map<std::filesystem::path, std::shared_ptr<const SearchPath>> search_paths;  ///< by project
  std::map<std::filesystem::path, std::shared_ptr<SilencerWatch>> silencers;        ///< by project
  std::map<std::filesystem::path, std::shared_ptr<const HiddenSorries>>
      sorries;  ///< by file, of its latest text
};
CompilerMemory& compiler_memory(Environment& environment);

/// What the constants of a text rest on, after it was compiled as a module of its own.
struct CompiledModule {
  std::string why_not;  ///< why it is not known; empty: it is, and one of these is what was asked for
  std::vector<index::CompiledConstant> constants;  ///< all of them, where no name was given
  std::optional<index::Foundation> foundation;     ///< of the constant `name`, where there is one
};

/// Compiles `text` as Lean would the project's file `path`, with the options that Lake has for it, in a
/// folder of its own: nothing of the project is touched. A text that does not compile is no error; Cancelled
/// is.
asio::awaitable<Result<CompiledModule>> compile_module(Environment& environment,
                                                       std::shared_ptr<document::DocumentStore> project,
                                                       std::filesystem::path path, std::string text,
                                                       std::optional<std::string> name,
                                                       io::CancelScope scope);

}  // namespace leanbridge::tools
