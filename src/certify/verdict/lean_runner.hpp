#pragma once
/// The toolchain of a project, and untrusted runs of its programs. Private to this module.

#include "certify/untrusted/run.hpp"
#include "core/lean/project.hpp"
#include "verdict.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The module name under which challenge and solution are compiled. It is a part of the names of private
/// constants, so both must have the same.
inline constexpr const char* kCandidate = "LeanbridgeCandidate";
inline constexpr const char* kOlean = ".olean";  // the extension of a compiled module

struct Toolchain {
  std::filesystem::path sysroot;
  std::filesystem::path lean;
  std::filesystem::path lake;
  std::filesystem::path chosen_in;  ///< where elan finds this toolchain: in the project
  std::filesystem::path empty;      ///< a folder without a lakefile
  lean::Variables environment;      ///< the environment of `lake`
  bool is_program = false;          ///< `lean` can be started directly; otherwise `lake env lean` must do it

  std::filesystem::path library() const { return sysroot / "lib/lean"; }
};

/// The choice of a toolchain.
struct ToolchainChoice {
  std::filesystem::path
      project;        ///< elan chooses as it does there: by an override, lean-toolchain, or a parent folder's
  std::string named;  ///< a toolchain to use instead, as in a lean-toolchain; empty: none
};

/// The choice for a project of which a revision is judged; the revision's lean-toolchain has this first line
/// (empty: there is none). As in the folder, unless the folder's own file differs. Blocking.
ToolchainChoice toolchain_choice(const std::filesystem::path& root, const std::string& pinned);

/// Asks `lake env` in the project, but about `empty`, a folder without a lakefile. So no lakefile of the
/// project runs, and a lean-toolchain above a folder for temporary files does not count. LeanUnavailable,
/// Timeout, Cancelled.
asio::awaitable<Result<Toolchain>> find_toolchain(const io::Spawn& spawn, const std::string& lake,
                                                  lean::Variables environment, std::filesystem::path empty,
                                                  ToolchainChoice choice, io::CancelScope scope);

/// The places that a run may see.
struct RunPlaces {
  std::vector<std::filesystem::path> search_path;  ///< folders of modules besides the toolchain's
  std::vector<std::filesystem::path> readable;     ///< further readable folders
  std::filesystem::path writable;  ///< its working directory, which also has its temporary files
};

class LeanRunner {
 public:
  LeanRunner(io::Spawn spawn, Toolchain toolchain, Limits limits)
      : spawn_(std::move(spawn)), toolchain_(std::move(toolchain)), limits_(limits) {}

  /// Tries the sandbox with `lean --version` in `folder`. Call it first, before any untrusted program has
  /// run.
  asio::awaitable<Result<void>> choose_sandbox(std::filesystem::path folder, io::CancelScope scope);
  Sandbox sandbox() const { return bubblewrap_ ? Sandbox::Bubblewrap : Sandbox::None; }
  const std::optional<std::string>& sandbox_note() const { return note_; }
  const Toolchain& toolchain() const { return toolchain_; }

  /// Runs `lean` with these arguments.
  asio::awaitable<Result<RunResult>> run_lean(std::vector<std::string> arguments, RunPlaces places,
                                              io::CancelScope scope) const;
  /// Runs another program, which finds Lean's modules by the same variables.
  asio::awaitable<Result<RunResult>> run_other(std::vector<std::string> command, RunPlaces places,
                                               io::CancelScope scope) const;

 private:
  io::ChildCommand prepared(std::vector<std::string> command, const RunPlaces& places) const;
  RunBounds bounds(const RunPlaces& places) const;

  io::Spawn spawn_;
  Toolchain toolchain_;
  Limits limits_;
  std::optional<std::filesystem::path> bubblewrap_;
  bool limits_tmp_ = true;  ///< Visible::limits_tmp
  std::optional<std::string> note_;
};

}  // namespace leanbridge::certify
