#pragma once
/// The toolchain of a project, and untrusted runs of its programs. Private to this module.

#include "core/lean/project.hpp"
#include "run.hpp"
#include "sandbox.hpp"
#include "verdict.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The name that challenge and solution are compiled under. It is part of the names of private constants, so
/// both have the same one.
inline constexpr const char* kCandidate = "LeanbridgeCandidate";
inline constexpr const char* kOlean = ".olean";  // the extension of a compiled module

struct Toolchain {
  std::filesystem::path sysroot;
  std::filesystem::path lean;
  std::filesystem::path lake;
  std::filesystem::path chosen_in;  ///< where elan finds this toolchain: the project
  std::filesystem::path empty;      ///< a folder without a lakefile
  lean::Environment environment;    ///< of `lake`
  bool is_program = false;          ///< `lean` can be started by itself; otherwise `lake env lean` must do it

  std::filesystem::path library() const { return sysroot / "lib/lean"; }
};

/// Which toolchain is meant.
struct ToolchainChoice {
  std::filesystem::path
      project;        ///< elan decides as it does there: override, lean-toolchain, those of parents
  std::string named;  ///< instead, as in a lean-toolchain; empty: none
};

/// The choice for a project of which a revision is judged, whose lean-toolchain has this first line (empty:
/// there is none): as in the folder, unless the folder's own file says otherwise. Blocking.
ToolchainChoice toolchain_choice(const std::filesystem::path& root, const std::string& pinned);

/// Asks `lake env` in the project, but about `empty`, a folder without a lakefile: so no lakefile of the
/// project runs, and no lean-toolchain above a folder for temporary files counts. LeanUnavailable, Timeout,
/// Cancelled.
asio::awaitable<Result<Toolchain>> find_toolchain(const io::Spawn& spawn, const std::string& lake,
                                                  lean::Environment environment, std::filesystem::path empty,
                                                  ToolchainChoice choice, io::CancelScope scope);

/// What a run may see.
struct RunPlaces {
  std::vector<std::filesystem::path> search_path;  ///< besides the toolchain's
  std::vector<std::filesystem::path> readable;     ///< further folders
  std::filesystem::path writable;  ///< its working directory, and where its temporary files go
};

class LeanRunner {
 public:
  LeanRunner(io::Spawn spawn, Toolchain toolchain, Limits limits)
      : spawn_(std::move(spawn)), toolchain_(std::move(toolchain)), limits_(limits) {}

  /// Tries the sandbox, with `lean --version` in `folder`. Call it first, before anything untrusted has run.
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
