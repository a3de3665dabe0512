#pragma once
/// The findings of `leanbridge doctor`, with advice, computed from what it has read. Runs and asks nothing.

#include "core/base/error.hpp"
#include "core/io/capacity.hpp"
#include "core/platform/machine.hpp"
#include "desk/hosts/hosts.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

struct Finding {
  enum class Verdict { Ok, Warn, Failed };
  Verdict verdict = Verdict::Ok;
  std::string what;  ///< the word in front, of at most ten characters
  std::string text;
  std::string advice;  ///< empty with Ok
};

// --- the toolchain

/// The version of Lean, "4.30.0-rc1", in the output of `lake --version` or in a lean-toolchain; or empty.
std::string lean_version_in(const std::string& text);
/// Whether this version has known defects by which it may accept false statements, and which has none.
Finding soundness_finding(const std::string& version);
/// The content of lean-toolchain, empty without the file, beside the version of Lean that `lake` has, empty
/// if it is not known.
Finding toolchain_finding(const std::string& toolchain, const std::string& lean);

// --- Mathlib

enum class Mathlib {
  NotUsed,
  NotFetched,
  NotCompiled,
  Compiled,
};
/// Whether the project (or the package itself, if it is Mathlib) has it compiled. Reads folders.
Mathlib mathlib_in(const std::filesystem::path& root);
/// The main checkout of the git worktree that contains `root`, as the folder that corresponds to `root`;
/// nullopt if it is not a worktree. Reads the file `.git`.
std::optional<std::filesystem::path> main_checkout_of(const std::filesystem::path& root);
/// A warning that a build of the project would compile a Mathlib that exists in compiled form. `main` is the
/// main checkout of a worktree, with its Mathlib.
std::optional<Finding> mathlib_finding(Mathlib here,
                                       const std::optional<std::pair<std::filesystem::path, Mathlib>>& main);

/// Whether a project whose packages are fetched is built, and can be; `no_writing`: why nothing can be
/// written there, empty if it can be.
Finding build_finding(bool is_built, const std::string& no_writing);

// --- the machine

/// Compares the memory of the workers that may run at the same time with the machine's.
Finding memory_finding(const io::Capacity& capacity, int open_files, int scratch_workers, Mathlib mathlib);

/// Limits of this process and this user; 0: unknown.
struct SystemLimits {
  std::uint64_t open_files = 0;
  platform::WatchLimits watching = {};
};
std::vector<Finding> limit_findings(const SystemLimits& limits);

// --- remains of earlier runs

/// The local indexes, among these names of files in the cache folder, whose format is older than another
/// one's there: programs that made the newer one never read them.
std::vector<std::string> outdated_indexes(const std::vector<std::string>& names);

// --- hosts

/// The servers for Lean in a host's file; nullopt if there are none. `document`: the content of the file, or
/// why it cannot be read. `project`: also includes the servers that Claude Code keeps for it in the user's
/// file; may be empty.
std::optional<Finding> host_finding(const hosts::Host& host, const std::string& file,
                                    const Result<nlohmann::json>& document, const std::string& project);
/// A warning that the host starts leanbridge twice in a project: by an entry of the user's file and by one of
/// another name of the project's. One of the same name replaces the user's.
std::optional<Finding> twice_finding(const hosts::Host& host, const nlohmann::json& users,
                                     const nlohmann::json& projects);

}  // namespace leanbridge::app
