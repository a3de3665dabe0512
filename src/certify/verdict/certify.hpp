#pragma once
/// Is this a proof of that statement? Compiles a challenge and a solution in untrusted children, compares
/// what was compiled, walks the axioms, and has a kernel replay the solution. Nothing that a child prints
/// decides anything. docs/verification.md says what is promised, against whom, and what is trusted.

#include "core/io/child_process.hpp"
#include "core/io/pool.hpp"
#include "core/lean/axioms.hpp"
#include "core/lean/import_snapshots.hpp"
#include "core/lean/project.hpp"
#include "judge.hpp"
#include "known_hashes.hpp"
#include "sandbox.hpp"
#include "verdict.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// What the questions of a batch share. Belongs to the loop's thread, and outlives them.
struct Batch {
  /// When the first of the solutions was compiled, in ns of the system's clock. Nothing that is outside may
  /// have changed since.
  std::optional<std::int64_t> begun;
  /// What was imported last.
  struct Imports {
    std::shared_ptr<const olean::ImportedModules> modules;
    WatchedFiles files;
    std::int64_t since = 0;  ///< in ns of the system's clock: they were read later
  };
  /// These only count with a sandbox, which keeps solutions from writing what they rest on.
  lean::ImportSnapshots snapshots;
  KnownHashes hashes;
  std::shared_ptr<const Imports> imports;
};

struct Request {
  std::filesystem::path root;  ///< of the project, a real path
  /// Whether `root` was named. If not, and there is a revision, the root is found in that.
  bool root_is_given = false;
  std::string lake;                                              ///< --lake; may be empty
  lean::Environment environment = lean::environment_for_lake();  ///< of lake
  std::string challenge;                                         ///< a whole file
  std::string solution;                                          ///< a whole file
  /// A git revision. The challenge is then `challenge_file` (a real path) in it, and so are the modules of
  /// the project that both import.
  std::optional<std::string> revision;
  std::filesystem::path challenge_file;
  std::vector<std::string> names;  ///< theorems; empty: all of the challenge
  std::vector<std::string> allowed_axioms = lean::standard_axioms();
  std::optional<std::vector<std::string>> holes;  ///< as in a Question
  std::vector<std::string> options;               ///< NAME=VALUE, set for all that is compiled
  bool without_replay = false;  ///< a solution without programs may be certified without a replay
  bool trust_packages = false;  ///< compiled packages count as they are, without a baseline
  /// A command to replay with; empty: leanchecker of the toolchain, or a lean4checker that is trusted.
  std::string kernel;
  /// The kernels, of those that are found, that must accept: "all", a number, or names and commands. Empty:
  /// all are asked, and one acceptance is enough. In each case one that refuses keeps the verdict from
  /// `certified`.
  std::vector<std::string> kernels;
  /// Where to put what kernels outside of Lean read: the theorems with everything that they rest on.
  std::optional<std::filesystem::path> export_file;
  std::string path;  ///< the user's PATH, where nanoda is looked for; may be empty
  std::optional<std::filesystem::path> baseline;  ///< a file that record_baseline() has made
  bool with_fingerprints = false;                 ///< fill Certificate::fingerprints
  bool with_page = false;                         ///< fill Certificate::page
  bool with_cost = false;                         ///< fill Certificate::cost
  /// What the theorems must state to be certified, and why that may say nothing ("": no reason).
  std::optional<Approval> approval;
  std::string approval_note;
  /// The same question as a configuration of `lake comparator`, which must then accept, too: a verdict that
  /// claims something without it becomes incomplete. Lake runs in `root`.
  std::optional<std::string> comparator;
  /// The words of a command that asks the same, for `complete_with` to extend.
  std::vector<std::string> command = {"leanbridge", "certify", "CHALLENGE.lean", "SOLUTION.lean"};
  /// Other solutions are compiled at the same time. Without a sandbox they could write the files of this one:
  /// NotSupported.
  bool at_once = false;
  std::shared_ptr<Batch> batch;  ///< that it is one of; null: it is alone
  Limits limits;
  io::Spawn spawn = io::ChildProcess::spawn;
  std::function<void(std::string)> on_step = [](const std::string&) {};  ///< told what is being done
};

/// Errors are about everything but the solution: InvalidArgument (the challenge does not compile, declares no
/// theorem, imports what is not there; no such revision), LeanUnavailable, NotSupported (also: Lake has no
/// comparator), Internal, Cancelled. If the time is up, the verdict is incomplete. Belongs to the loop's
/// thread.
asio::awaitable<Result<Certificate>> certify(Request request, io::Pool& pool, io::CancelScope scope);

/// What kernels say about an export that was made before.
struct StoredExport {
  std::string sha256;
  std::vector<KernelResult> kernels;
};

/// Has the kernels that read an export check Request::export_file again. Compiles nothing, and knows neither
/// challenge nor solution: of the request, root, lake, kernels, path, allowed axioms and limits count.
/// Errors: InvalidArgument, FileNotFound, LeanUnavailable, Timeout, Cancelled.
asio::awaitable<Result<StoredExport>> check_export(Request request, io::Pool& pool, io::CancelScope scope);

/// The hashes of the toolchain and of all modules that the project and its packages have compiled, as JSON:
/// for `Request::baseline`, if an agent has not worked there yet.
asio::awaitable<Result<nlohmann::json>> record_baseline(std::filesystem::path root, std::string lake,
                                                        io::Spawn spawn, io::Pool& pool,
                                                        io::CancelScope scope);

/// Why a text could have kept Lean's kernel from checking it, as a clause: "line 3 has `elab`". nullopt: it
/// has no program that runs while Lean compiles it. Errs on the side of finding one.
std::optional<std::string> program_in(std::string_view source);

/// A certificate with the hash of its own JSON, to be kept: `{"certificate": …, "sha256": …}`.
nlohmann::json record_of(const Certificate& certificate);

}  // namespace leanbridge::certify
