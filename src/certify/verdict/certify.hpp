#pragma once
/// Is this a proof of that statement? Compiles a challenge and a solution in untrusted child processes,
/// compares the compiled files, walks the axioms, and has a kernel replay the solution. The output of a child
/// process never decides anything. docs/verification.md tells what is promised, against whom, and what is
/// trusted.

#include "certify/untrusted/run.hpp"
#include "core/io/child_process.hpp"
#include "core/io/pool.hpp"
#include "core/lean/axioms.hpp"
#include "core/lean/import_snapshots.hpp"
#include "core/lean/project.hpp"
#include "foundations.hpp"
#include "judge.hpp"
#include "question.hpp"
#include "verdict.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The state that the questions of a batch share. Belongs to the loop's thread, and outlives them.
struct Batch {
  /// When the first solution was compiled, in ns of the system's clock. Outside files must not have changed
  /// since.
  std::optional<std::int64_t> begun;
  /// The imports of the last question.
  struct Imports {
    std::shared_ptr<const olean::ImportedModules> modules;
    WatchedFiles files;
    std::int64_t since = 0;  ///< in ns of the system's clock; they were read later than that
  };
  /// These count only with a sandbox, which keeps solutions from writing the files that they rest on.
  lean::ImportSnapshots snapshots;
  std::shared_ptr<HashCache> hashes = std::make_shared<HashCache>();
  std::shared_ptr<const Imports> imports;
};

/// A question with its texts: `solution`, and `challenge` or `challenge_revision`.
struct Request : Question {
  std::filesystem::path root;  ///< the project's root, a real path
  /// Whether the caller named `root`. If not, and if there is a revision, the root is found in the revision.
  /// The challenge is then `file_path` (a real path) in it, as are the modules of the project that both
  /// import.
  bool root_is_given = false;
  std::string lake;                                            ///< --lake; may be empty
  lean::Variables environment = lean::environment_for_lake();  ///< the environment of lake
  /// The file for kernels outside of Lean: the theorems with everything that they rest on.
  std::optional<std::filesystem::path> export_file;
  std::string path;                ///< the user's PATH, to find nanoda; may be empty
  bool with_fingerprints = false;  ///< fill Certificate::fingerprints
  bool with_page = false;          ///< fill Certificate::page
  bool with_cost = false;          ///< fill Certificate::cost
  /// The statements that the theorems must have to be certified, and a reason why the approval may be
  /// worthless ("": none).
  std::optional<Approval> approval;
  std::string approval_note;
  /// The same question as a configuration of `lake comparator`, which must then accept, too; otherwise a
  /// verdict that claims a proof becomes incomplete. Lake runs in `root`.
  std::optional<std::string> comparator;
  /// The words of a command that asks the same question, for `complete_with` to extend.
  std::vector<std::string> command = {"leanbridge", "certify", "CHALLENGE.lean", "SOLUTION.lean"};
  /// Other solutions are compiled at the same time. Without a sandbox they could write this one's files:
  /// NotSupported.
  bool at_once = false;
  std::shared_ptr<Batch> batch;  ///< the batch that it belongs to; null: it is alone
  io::Spawn spawn = io::ChildProcess::spawn;
  std::function<void(std::string)> on_step = [](const std::string&) {};  ///< called with each step
};

/// Errors never concern the solution: InvalidArgument (the challenge does not compile, declares no theorem,
/// or has an import that does not exist; no such revision), LeanUnavailable, NotSupported (also: Lake has no
/// comparator), Internal, Cancelled. If time runs out, the verdict is incomplete. Belongs to the loop's
/// thread.
asio::awaitable<Result<Certificate>> certify(Request request, io::Pool& pool, io::CancelScope scope);

/// The kernels' answers about an export that was made before.
struct StoredExport {
  std::string sha256;
  std::vector<KernelResult> kernels;
};

/// Asks the kernels that read an export to check Request::export_file again. Compiles nothing and reads
/// neither challenge nor solution. Uses the request's root, lake, kernels, path, allowed axioms and limits.
/// Errors: InvalidArgument, FileNotFound, LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<StoredExport>> check_export(Request request, io::Pool& pool, io::CancelScope scope);

/// The hashes of the toolchain and of all compiled modules of the project and its packages, as JSON for
/// `Request::baseline`. Record them before an agent has worked in the project.
asio::awaitable<Result<nlohmann::json>> record_baseline(std::filesystem::path root, std::string lake,
                                                        io::Spawn spawn, io::Pool& pool,
                                                        io::CancelScope scope);

/// Why a text could have kept Lean's kernel from checking it, as a clause: "line 3 has `elab`". nullopt: it
/// has no program that runs while Lean compiles it. If in doubt, reports a program.
std::optional<std::string> program_in(std::string_view source);

/// A certificate with the hash of its own JSON, for keeping: `{"certificate": …, "sha256": …}`.
nlohmann::json record_of(const Certificate& certificate);

}  // namespace leanbridge::certify
