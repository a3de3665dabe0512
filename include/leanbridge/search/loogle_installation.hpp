#pragma once
/// The steps that install a local Loogle, as lean-lsp-mcp 0.32 does (its loogle.py) and where it does: clone
/// one revision of the repository, and build it with the project's toolchain.

#include "leanbridge/base/error.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::search {

/// What to install.
struct LoogleSource {
  std::string repository = "https://github.com/nomeata/loogle.git";
  /// The full hash of a commit, so that nobody can put other code in its place.
  std::string revision = "9f11169aaebf1ed1e7dcc4077f2aafe0fcf66fd0";
};

struct InstallationRequest {
  LoogleSource source;
  std::filesystem::path folder;  ///< of all installations (loogle_folder())
  std::string toolchain;         ///< of the project: the first line of its lean-toolchain
  std::filesystem::path git;     ///< programs
  std::filesystem::path lake;
};

/// A program to run. No shell is involved.
struct InstallationStep {
  std::string what;               ///< "Build loogle with ..."
  std::vector<std::string> argv;  ///< argv[0] is a path
  std::filesystem::path directory;
  std::chrono::minutes limit{};
};

/// What is left to do for an installation.
struct InstallationPlan {
  std::filesystem::path repository;  ///< the folder of this revision and toolchain
  /// Where the repository is prepared: it gets its name when it is whole. A rest of an earlier try must be
  /// removed first.
  std::filesystem::path unfinished;
  std::filesystem::path program;
  std::vector<InstallationStep> download;          ///< empty: the repository is there
  std::vector<InstallationStep> build;             ///< empty: the program is there
  std::map<std::string, std::string> environment;  ///< to add to that of every step

  bool is_done() const { return download.empty() && build.empty(); }
};

/// Looks at the disk; changes nothing. Errors: InvalidArgument for a source that is not one, or without a
/// toolchain.
Result<InstallationPlan> plan_installation(const InstallationRequest& request);

}  // namespace leanbridge::search
