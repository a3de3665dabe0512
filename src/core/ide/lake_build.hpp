#pragma once
/// Runs `lake build` beside the language server, which keeps answering.

#include "build_concurrency.hpp"
#include "core/io/capacity.hpp"
#include "core/lean/build_output.hpp"
#include "lake_run.hpp"
#include "open_file.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::ide {

struct BuildRequest {
  bool clean = false;        ///< `lake clean` first, of this package alone
  bool fetch_cache = false;  ///< `lake exe cache get` first
  /// Modules and other targets of Lake's (`App.Basic`, `test`); empty: what the project builds by default.
  std::vector<std::string> targets = {};
};

/// The position is null if lake gives none.
struct BuildErrorItem {
  wire::Nullable<std::string> file_path;
  wire::Nullable<int> line;
  wire::Nullable<int> column;
  std::string message;
  std::string severity;

  static wire::Fields fields() {
    return wire::fields<&BuildErrorItem::file_path, &BuildErrorItem::line, &BuildErrorItem::column,
                        &BuildErrorItem::message, &BuildErrorItem::severity>();
  }
};

struct BuildReport {
  bool success = false;
  bool timed_out = false;
  std::string output;               ///< the last lines
  std::vector<std::string> errors;  ///< each in one line of text, those that are new first
  std::vector<BuildErrorItem> items;
  int total = 0;  ///< errors
  bool truncated = false;
  int known_errors = 0;  ///< the last build here had them, too
  int warning_count = 0;

  static wire::Fields fields();
};

/// Lake's output so far, in one run or several. It counts both streams: which one lake uses depends on its
/// version and command.
class BuildLog {
 public:
  void append(std::string_view lines);

  std::string printed;
  io::Progress progress;
};

/// The output of a build, and how its last command ended.
struct BuildOutcome {
  std::string output;  ///< plain text
  std::vector<lean::BuildMessage> messages;
  LakeEnd end;

  /// The errors without their lines, which move with every edit.
  std::set<std::string> failures() const;
  /// `before`: the failures of the last build.
  BuildReport report(int output_lines, const std::set<std::string>& before) const;
};
/// Reads what lake has printed about the project at `root`. Blocking: looks for the files that it names.
BuildOutcome read_build(std::string_view printed, const LakeEnd& end, const std::filesystem::path& root);

/// All builds of a process. Lake does not lock out other builds of the same package, although they write the
/// same files; so each build waits for the others of its project and of the packages that it shares with
/// other projects. Belongs to the loop's thread. Keep it alive until run() ends.
class LakeBuilds : public std::enable_shared_from_this<LakeBuilds> {
 public:
  /// `capacity`: of the machine, now. Blocking.
  LakeBuilds(io::Pool& pool, BuildConcurrency newer,
             std::function<io::Capacity()> capacity = io::read_capacity)
      : pool_(pool), newer_(newer), capacity_(std::move(capacity)) {}

  /// Builds the project. A timeout of lake is a result. Errors: Timeout (another build still ran), Cancelled,
  /// LeanUnavailable.
  asio::awaitable<Result<BuildReport>> run(std::shared_ptr<document::DocumentStore> project,
                                           BuildRequest request, int output_lines,
                                           std::shared_ptr<io::Operation> operation, io::CancelScope scope);

 private:
  struct Turn;
  struct Run;
  struct Runs;

  asio::awaitable<Result<BuildOutcome>> build(std::shared_ptr<document::DocumentStore> project,
                                              BuildRequest request, std::shared_ptr<io::Operation> operation,
                                              io::CancelScope scope);
  asio::awaitable<Result<std::shared_ptr<Turn>>> next_turn(std::filesystem::path root, io::CancelScope scope);

  io::Pool& pool_;
  const BuildConcurrency newer_;
  const std::function<io::Capacity()> capacity_;
  std::map<std::filesystem::path, io::FairSemaphore> turns_;         // by folder
  std::map<std::filesystem::path, std::shared_ptr<Runs>> projects_;  // by root
};

}  // namespace leanbridge::ide
