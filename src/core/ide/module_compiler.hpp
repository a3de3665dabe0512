#pragma once
/// Compiles a text as a module, to inspect what its constants depend on.

#include "core/base/files.hpp"
#include "core/lean/import_snapshots.hpp"
#include "core/lean/imports.hpp"
#include "core/olean/compiled_proofs.hpp"
#include "core/text/lean_header.hpp"
#include "lake_run.hpp"
#include "open_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::ide {

class SilencerWatch;
struct HiddenSorries;

/// A text, and the file of the project that it stands in for.
struct TextOfFile {
  std::shared_ptr<document::DocumentStore> project;
  std::filesystem::path path;
  std::string text;
  bool evaluates = false;     ///< an `#eval` in it that only prints is no reason for doubt
  bool has_programs = false;  ///< the kernel has to check it again: a program can keep it from checking
};

/// Where Lean looks for compiled modules, as lake sets it.
struct SearchPath {
  lean::ImportState configuration;  ///< the files lake read
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> sources;  ///< folders of sources, without the toolchain's
  std::string lean_version;                    ///< of the toolchain's own modules; "": unknown
};

/// Lake's settings for reading a file: `ModuleSetup` of src/Lean/Setup.lean.
struct FileSetup {
  lean::ImportState configuration;                           ///< the files lake read
  std::string header;                                        ///< the header that lake was told
  std::vector<std::pair<std::string, std::string>> options;  ///< names, without `weak.`, and values
  bool loads_libraries = false;                              ///< machine code is loaded into Lean
  /// For `lean --setup=FILE`: Lake's own setup, but with warnings about sorries.
  std::string json;
  /// The files of imported modules, by name: `.olean` and its further parts.
  std::map<std::string, std::vector<std::filesystem::path>> artifacts;
};

/// A text that was compiled, so that questions about each of its constants need no compiler.
struct CompiledText {
  std::string text;
  lean::ImportState read;  ///< the files that it depends on: lake's, and all imported files of the project
  std::string why_not;     ///< Lean's objection; empty: it was compiled
  std::optional<olean::ModuleBytes> files;      ///< the module; empty if there is an objection
  std::vector<std::filesystem::path> folders;   ///< where the imported modules are
  std::shared_ptr<const TemporaryFolder> held;  ///< keeps a temporary folder among `folders`
  /// Why a second kernel check rejects it; "": accepted; nullopt: not checked again.
  std::optional<std::string> not_accepted;
};

/// Knowledge about compiled files, shared by all tools of clients with the same Lean.
struct CompilerMemory {
  LakeTurns turns;  ///< one compiler at a time in a project: each may need gigabytes
  std::map<std::filesystem::path, std::shared_ptr<const SearchPath>> search_paths;  ///< by project
  std::map<std::filesystem::path, std::shared_ptr<const FileSetup>> setups;         ///< by file
  std::map<std::filesystem::path, std::shared_ptr<SilencerWatch>> silencers;        ///< by project
  std::map<std::filesystem::path, std::shared_ptr<const HiddenSorries>>
      sorries;  ///< by file, for its latest text
  std::map<std::pair<std::filesystem::path, std::size_t>, std::shared_ptr<const CompiledText>>
      compiled;  ///< by file and hash of the text
  lean::ImportSnapshots snapshots;
};
CompilerMemory& compiler_memory(Lean& lean);

/// The constants of a compiled text to report on: these names or, without any, all.
struct ModuleQuestion {
  std::vector<std::string> names;
  bool beyond = false;  ///< also fill CompiledModule::beyond
};

/// The dependencies of the constants of a compiled text.
struct CompiledModule {
  std::string why_not;                             ///< why they are not known; empty: they are
  std::string not_accepted;                        ///< why a second kernel check rejects it; "": no objection
  bool accepted = false;                           ///< a second kernel check accepts it
  std::vector<olean::CompiledConstant> constants;  ///< all constants, if no name was given
  std::vector<olean::Foundation> foundations;      ///< for the `names` that exist, in this order
  /// The foundation of each constant that rests on more than the three axioms, by its index in `constants`.
  std::map<std::size_t, olean::Foundation> beyond;
};

/// Compiles the text in a temporary folder as Lean would compile the project's file, with Lake's options for
/// that file, unless it has compiled it before and nothing in `read` has changed since. `read` is what the
/// text depends on (scan_sources()). Does not write to the project. The only error is Cancelled: for a text
/// that does not compile, see `why_not`.
asio::awaitable<Result<CompiledModule>> compile_module(Lean& lean, TextOfFile of, lean::ImportState read,
                                                       ModuleQuestion question, io::CancelScope scope);

/// The result of compiling a text, with Lean's messages.
struct Compilation {
  std::shared_ptr<const CompiledText> compiled;  ///< null: it is not known whether it compiles
  std::string why_not;                           ///< if it is null
  std::vector<lean::CompilerMessage> messages;
  bool too_many_messages = false;  ///< some are not in `messages`
};

/// Compiles the text as compile_module() does, also if it was compiled before, and remembers nothing. The
/// only error is Cancelled.
asio::awaitable<Result<Compilation>> compile_text(Lean& lean, TextOfFile of, io::CancelScope scope);

/// The compiled text as compile_module() has it, from memory if possible; its messages only if it was
/// compiled now. The only error is Cancelled.
asio::awaitable<Result<Compilation>> compiled_text(Lean& lean, TextOfFile of, lean::ImportState read,
                                                   io::CancelScope scope);

/// Lean's saved state after the imports, for a run that `lake` begins in a project with these arguments of
/// Lean beside those of `run`; null: import as usual.
asio::awaitable<lean::ImportSnapshots::Found> find_snapshot(Lean& lean, LakeCommand lake,
                                                            std::vector<std::string> arguments,
                                                            lean::ColdRun run, io::CancelScope scope);

/// A folder with a file for Lean's `--setup`; null if it cannot be written.
asio::awaitable<std::shared_ptr<const TemporaryFolder>> write_setup(Lean& lean, std::string json,
                                                                    io::CancelScope scope);
/// The argument for the file in that folder.
std::string setup_argument(const TemporaryFolder& folder);

/// Where the project's modules and sources are, by `lake env`; null if that fails or the scope ends.
asio::awaitable<std::shared_ptr<const SearchPath>> search_path_of(Lean& lean,
                                                                  document::DocumentStore& project,
                                                                  io::CancelScope scope);

/// Whether Lean's `#print axioms` lists all axioms in a text with this header: it does without imports, and
/// in versions without lean4#15226. False if lake does not say where the toolchain is.
asio::awaitable<bool> lists_all_axioms(Lean& lean, document::DocumentStore& project, text::LeanHeader header,
                                       io::CancelScope scope);

/// The foundation of a constant in an imported module, read from the compiled module; nullopt: not known.
asio::awaitable<std::optional<olean::Foundation>> foundation_in(Lean& lean, document::DocumentStore& project,
                                                                std::string module, std::string name,
                                                                io::CancelScope scope);

enum class Imports { Build, TakeAsBuilt };
/// The answer of `lake setup-file` about the file, if its text is this. LeanUnavailable, with the reason as a
/// sentence, if that fails, if something would have to be built that may not be, or if the scope ends. What
/// is known of another text with the same header is not asked again unless `fresh`.
asio::awaitable<Result<std::shared_ptr<const FileSetup>>> file_setup_of(Lean& lean, TextOfFile of,
                                                                        Imports imports, bool fresh,
                                                                        io::CancelScope scope);

/// Whether compile_module() would need no compiler.
bool is_compiled(Lean& lean, const TextOfFile& of, const lean::ImportState& read);

}  // namespace leanbridge::ide
