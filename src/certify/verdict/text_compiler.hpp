#pragma once
/// Compiles texts in untrusted child processes, and reads the results. Private to this module.

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/import_snapshots.hpp"
#include "core/olean/module_set.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::certify {

/// A compiled module with its imports, which functions on the pool use in turn: reading fills its memory, and
/// a function goes on when the wait for it has ended.
class SharedSet {
 public:
  SharedSet() = default;  ///< none
  explicit SharedSet(olean::ModuleSet set) : shared_(std::make_shared<Shared>(std::move(set))) {}

  explicit operator bool() const { return shared_ != nullptr; }
  /// The constants of the set and the files of its modules, which stay as they are while others use it.
  const olean::ModuleSet* operator->() const { return &shared_->set; }
  /// Waits for its turn, and calls `work` with the set. Blocks: call it on a pool thread.
  template <class Work>
  auto use(Work work) const {
    const std::lock_guard turn(shared_->turn);
    return work(shared_->set);
  }

 private:
  struct Shared {
    explicit Shared(olean::ModuleSet opened) : set(std::move(opened)) {}
    olean::ModuleSet set;
    std::mutex turn;
  };
  std::shared_ptr<Shared> shared_;
};

/// A compiled text. Its parts are in memory, so they cannot be changed any more.
struct CompiledText {
  bool timed_out = false;
  std::string why;    ///< why there is nothing, as a sentence; empty: there is
  std::string error;  ///< the first of Lean's errors, "line 3: …"; empty: it is not for one
  std::vector<std::string> parts;
  std::string printed;  ///< Lean's output, up to a limit
  bool is_cut = false;  ///< the output was cut
};

/// Writes `NAME.olean`, `NAME.olean.server` and `NAME.olean.private` in `folder`, as many as there are parts.
Result<void> write_parts(const std::filesystem::path& folder, const std::filesystem::path& name,
                         const std::vector<std::string>& parts);

/// Copies these modules, with all their parts, from one folder to another. Errors as for reading and writing
/// files.
Result<void> copy_modules(const std::filesystem::path& from, const std::filesystem::path& to,
                          const std::vector<std::string>& modules);

/// The files that a child left in `folder`. A module must have all three parts, any other text just one:
/// Lean's programs differ in which parts they read.
Result<std::vector<std::string>> read_parts(const std::filesystem::path& folder, const std::string& name,
                                            bool is_module);

using SharedImports = std::shared_ptr<const olean::ImportedModules>;

/// The module with its imports, which may be known already. Internal: it is damaged, or not laid out as Lean
/// writes it.
Result<SharedSet> open_set(std::vector<std::string> parts,
                           const std::vector<std::filesystem::path>& search_path,
                           SharedImports known = nullptr);

/// The messages that `lean --json` printed.
std::vector<lean::CompilerMessage> messages_in(const std::string& printed);

struct Job;
struct Inputs;

/// Job and inputs must outlive it. Belongs to the loop's thread.
class TextCompiler {
 public:
  TextCompiler(const Job& job, const Inputs& inputs) : job_(job), inputs_(inputs) {}

  /// Compiles `source` as the module with the path `relative`. The results go to `folder`-source and
  /// `folder`-out, which must be new. `more_options` of Lean follow the request's. Errors concern our own
  /// files, not the text.
  asio::awaitable<Result<CompiledText>> compile(std::string source, std::filesystem::path relative,
                                                std::string folder,
                                                std::vector<std::string> more_options = {});

 private:
  /// Whether this Lean compiles a text that is not a `module` into three parts, too, as Lean for WebAssembly
  /// does. With other Leans, such parts come from a candidate that wants other files to be judged than the
  /// ones that are used.
  asio::awaitable<Result<bool>> compiles_all_in_parts();

  /// The state after the imports of the text, for a run with these options. Null: none. A snapshot has the
  /// modules of the toolchain and the packages, but none that was compiled for this verdict.
  asio::awaitable<lean::ImportSnapshots::Found> find_snapshot(std::string source, std::filesystem::path file,
                                                              std::vector<std::string> options);

  const Job& job_;
  const Inputs& inputs_;
  std::optional<bool> all_in_parts_;  // set once it was asked
};

}  // namespace leanbridge::certify
