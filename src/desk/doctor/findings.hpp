#pragma once
/// What `leanbridge doctor` makes of what it has read: a finding for each thing, and advice. Nothing is run
/// or asked.

#include "core/base/error.hpp"
#include "core/io/capacity.hpp"
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
  std::string what;  ///< the word in front: at most ten characters
  std::string text;
  std::string advice;  ///< empty with Ok
};

// --- the toolchain

/// The version of Lean in what `lake --version` prints, or in a lean-toolchain: "4.29.0", "4.30.0-rc1". Empty
/// if it names none.
std::string lean_version_in(const std::string& text);
/// One finding for each known defect by which this version may accept what is not true, or one that there is
/// none.
std::vector<Finding> soundness_findings(const std::string& version);

// --- Mathlib

enum class Mathlib {
  NotUsed,
  NotFetched,
  NotCompiled,
  Compiled,
};
/// Whether the project (or the package itself, if it is Mathlib) has it compiled. Reads folders.
Mathlib mathlib_in(const std::filesystem::path& root);
/// The main checkout of the git worktree that `root` is in, as the folder that corresponds to `root`; nullopt
/// if it is no worktree. Reads the file `.git`.
std::optional<std::filesystem::path> main_checkout_of(const std::filesystem::path& root);
/// What a build of the project would have to compile that somebody has compiled already. `main` is the main
/// checkout of a worktree, with what it has.
std::optional<Finding> mathlib_finding(Mathlib here,
                                       const std::optional<std::pair<std::filesystem::path, Mathlib>>& main);

// --- the machine

/// The workers that may run at the same time against the memory there is.
Finding memory_finding(const io::Capacity& capacity, int open_files, int scratch_workers, Mathlib mathlib);

/// Limits of this process and this user; 0: not known.
struct SystemLimits {
  std::uint64_t open_files = 0;
  std::uint64_t inotify_instances = 0;
  std::uint64_t inotify_in_use = 0;
  std::uint64_t inotify_watches = 0;
};
std::vector<Finding> limit_findings(const SystemLimits& limits);

// --- what earlier runs have left behind

/// Of the names of files in the cache folder, those of local indexes in an older form than another one there:
/// no program that made the newer one reads them.
std::vector<std::string> outdated_indexes(const std::vector<std::string>& names);

// --- hosts

/// What a host's file says about servers for Lean; nullopt if nothing. `document`: of the file, or why it
/// cannot be read. `project`: also the servers that Claude Code keeps for it in the user's file; may be
/// empty.
std::optional<Finding> host_finding(const hosts::Host& host, const std::string& file,
                                    const Result<nlohmann::json>& document, const std::string& project);

}  // namespace leanbridge::app
