// lean_build: runs `lake build` beside the language server, which keeps answering.

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/ide/lake_run.hpp"
#include "core/ide/open_file.hpp"
#include "core/io/fair_semaphore.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/project.hpp"
#include "core/text/utf8.hpp"
#include "core/tools/common/typed_tool.hpp"
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <map>

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

constexpr auto kBuildLimit = std::chrono::hours(1);    // the first build of a large library is slow
constexpr std::size_t kMaxOutput = 4u << 20;           // bytes kept of the output's end
constexpr std::size_t kMaxOutputBytes = 20'000;        // in the answer
constexpr auto kReadLimit = std::chrono::seconds(30);  // for the output of a build that has ended
constexpr int kDefaultLines = 20;

struct BuildParams {
  std::string lean_project_path;
  bool clean = false;
  bool fetch_cache = false;
  int output_lines = kDefaultLines;

  static wire::Fields fields() {
    return {wire::field<&BuildParams::lean_project_path>().with_default(),
            wire::field<&BuildParams::clean>("lake clean first, without dependencies").with_default(),
            wire::field<&BuildParams::fetch_cache>("lake exe cache get first").with_default(),
            wire::field<&BuildParams::output_lines>().with_default().at_least(0)};
  }
};

// Lake names a file as it is in its package (`Module.relLeanFile`, Lake/Config/Module.lean). A file of the
// project keeps that name; a dependency's file gets its path from the project's root, or an absolute one.
fs::path file_of_message(const fs::path& root, const std::vector<lean::Package>& packages,
                         const fs::path& printed) {
  std::error_code ignored;
  if (printed.empty() || printed.is_absolute() || fs::exists(root / printed, ignored)) return printed;
  for (const lean::Package& package : packages) {
    const fs::path file = (package.folder / printed).lexically_normal();
    if (fs::exists(file, ignored)) return lean::is_within(file, root) ? file.lexically_relative(root) : file;
  }
  return printed;
}

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

struct BuildResult {
  bool success = false;
  bool timed_out = false;
  std::string output;               ///< the last lines
  std::vector<std::string> errors;  ///< each in one line of text
  std::vector<BuildErrorItem> items;
  int total = 0;  ///< errors
  bool truncated = false;
  int warning_count = 0;

  static wire::Fields fields() {
    return {wire::field<&BuildResult::success>(),
            wire::field<&BuildResult::timed_out>().unlisted().omit_empty(),
            wire::field<&BuildResult::output>(),
            wire::field<&BuildResult::errors>(),
            wire::field<&BuildResult::items>().only_full(),
            wire::field<&BuildResult::total>().unlisted().only_if<&BuildResult::truncated>(),
            wire::field<&BuildResult::truncated>().unlisted().omit_empty(),
            wire::field<&BuildResult::warning_count>().unlisted().omit_empty()};
  }
};

/// Lake's output so far, in one run or several. It counts both streams: which one lake uses depends on its
/// version and command.
struct BuildOutput {
  std::string output;
  mcp::Progress progress;

  void append(std::string_view lines) {
    output += lines;
    if (output.size() > 2 * kMaxOutput) output.erase(0, output.size() - kMaxOutput);
    update_progress();
  }

 private:
  void update_progress() {
    const std::size_t end = output.find_last_of('\n');
    if (end == std::string::npos || end == 0) return;
    const std::size_t begin = output.find_last_of('\n', end - 1) + 1;  // npos + 1 is 0
    const std::string line = text::replace_invalid(lean::without_colours(output.substr(begin, end - begin)));
    progress.message = text::beginning_of(line, 160);
    if (const auto step = lean::read_build_step(line)) {
      progress.done = step->done;
      progress.total = step->total;
      progress.beside_bar = progress.message.substr(0, progress.message.find('['));
      progress.beside_bar += progress.message.substr(progress.message.find(']') + 2);
    } else {
      progress.beside_bar.clear();
    }
  }
};

std::string last_lines(const std::string& output, int count) {
  std::size_t begin = output.size();
  while (begin > 0 && output[begin - 1] == '\n') --begin;
  const std::size_t end = begin;
  for (; count > 0 && begin > 0; --count) {
    const std::size_t newline = output.rfind('\n', begin - 1);
    begin = newline == std::string::npos ? 0 : newline;
  }
  if (begin < end && output[begin] == '\n') ++begin;
  if (end - begin > kMaxOutputBytes) begin = end - kMaxOutputBytes;
  while (begin < end && text::is_continuation_byte(output[begin])) ++begin;
  return output.substr(begin, end - begin);
}

BuildErrorItem item_of(const lean::BuildMessage& message) {
  BuildErrorItem item;
  if (message.line > 0) {
    item.file_path = message.file_path;
    item.line = message.line;
    item.column = message.column;
  }
  item.message = message.message;
  item.severity = wire::name_of(message.severity);
  return item;
}

// `error: A/B.lean:3:2: message`; the column counts from 1.
std::string error_line(const lean::BuildMessage& message) {
  std::string line = "error: ";
  if (message.line > 0)
    line +=
        message.file_path + ":" + std::to_string(message.line) + ":" + std::to_string(message.column) + ": ";
  return line + message.message;
}

bool succeeded(const LakeEnd& end) {
  return end.how == LakeEnd::How::Exited && end.exit_code == 0;
}

// `end`: how the last command ended.
BuildResult report(const std::string& output, const std::vector<lean::BuildMessage>& messages,
                   const LakeEnd& end, int output_lines) {
  BuildResult result;
  result.success = succeeded(end);
  result.timed_out = end.how == LakeEnd::How::TimedOut;
  result.output = last_lines(output, output_lines);
  for (const lean::BuildMessage& message : messages) {
    if (message.severity == lean::BuildSeverity::Warning) ++result.warning_count;
    if (message.severity != lean::BuildSeverity::Error) continue;
    if (result.items.size() < kMaxItems) {
      result.errors.push_back(error_line(message));
      result.items.push_back(item_of(message));
    }
    ++result.total;
  }
  result.truncated = static_cast<std::size_t>(result.total) > kMaxItems;
  return result;
}

/// Decides which call may build. Lake does not lock out other builds of the same package, although they write
/// the same files. Belongs to the loop's thread.
class Builds : public std::enable_shared_from_this<Builds> {
 public:
  /// The right to build a project and its packages, until destroyed.
  class Held {
   private:
    friend class Builds;
    std::shared_ptr<Builds> owner_;
    std::vector<io::FairSemaphore::Permit> turns_;
    std::vector<Descriptor> locks_;
  };

  /// Waits until the project at `root`, and each package that it shares with other projects, is free. Within
  /// this process, first come, first served; between leanbridge processes, by locks on the folders. Errors:
  /// Timeout, Cancelled.
  asio::awaitable<Result<std::shared_ptr<Held>>> next(io::Pool& pool, std::filesystem::path root,
                                                      io::CancelScope scope);

 private:
  asio::awaitable<Result<void>> lock(std::filesystem::path folder, std::shared_ptr<Held> held,
                                     io::CancelScope scope);

  std::map<std::filesystem::path, io::FairSemaphore> turns_;
};

constexpr auto kLockRetryInterval = std::chrono::milliseconds(200);

tl::unexpected<Error> not_in_time(io::WaitStatus end, const fs::path& folder) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout,
              "Another build of " + folder.string() + " was still running at the call's deadline.",
              "Call again later, or with a larger timeout_s.");
}

asio::awaitable<Result<std::shared_ptr<Builds::Held>>> Builds::next(io::Pool& pool, fs::path root,
                                                                    io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto look = [root]() -> Result<std::vector<fs::path>> { return lean::built_folders(root); };
  for (;;) {
    CO_TRY(const auto folders, co_await pool.run(look, scope));
    const auto held = std::make_shared<Held>();
    held->owner_ = self;
    // All builds acquire in the same order, which rules out a deadlock.
    for (const fs::path& folder : folders) {
      auto turn = co_await turns_.try_emplace(folder, 1).first->second.acquire(scope);
      if (!turn) co_return not_in_time(turn.error(), folder);
      held->turns_.push_back(std::move(*turn));
    }
    for (const fs::path& folder : folders) CO_CHECK(co_await lock(folder, held, scope));
    // The build that we waited for may have changed the packages.
    CO_TRY(const auto now, co_await pool.run(look, scope));
    if (now == folders) co_return held;
  }
}

// Succeeds without a lock if the folder does not exist yet or its file system does not support locks.
asio::awaitable<Result<void>> Builds::lock(fs::path folder, std::shared_ptr<Held> held,
                                           io::CancelScope scope) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) co_return Result<void>();
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) co_return Result<void>();
    const io::WaitStatus end = co_await io::sleep_for(kLockRetryInterval, scope);
    if (end == io::WaitStatus::Cancelled) co_return not_in_time(end, folder);
    if (io::Clock::now() >= scope.deadline) co_return not_in_time(io::WaitStatus::TimedOut, folder);
  }
  held->locks_.push_back(std::move(opened));
  co_return Result<void>();
}

/// The output of a build, and how its last command ended.
struct Built {
  std::string output;  ///< plain text
  std::vector<lean::BuildMessage> messages;
  LakeEnd end;
};

Built read_output(std::string printed, const LakeEnd& end, const fs::path& root) {
  Built built{text::replace_invalid(lean::without_colours(printed)), {}, end};
  built.messages = lean::read_build_messages(built.output);
  const std::vector<lean::Package> packages = lean::packages_of(root);
  for (lean::BuildMessage& message : built.messages)
    message.file_path = file_of_message(root, packages, message.file_path).string();
  return built;
}

LakeCommand lake_command(const fs::path& lake, document::DocumentStore& project,
                         std::vector<std::string> arguments, std::shared_ptr<Builds::Held> turn) {
  const lean::ServerOptions& server = project.server().options();
  LakeCommand command{lake, project.root(), std::move(arguments), server.spawn};
  command.environment = server.environment;
  command.held = std::move(turn);
  return command;
}

// Lake's name of the package at the root. A bare `lake clean` deletes the build of every package in the
// workspace, including Mathlib's (Lake/Config/Workspace.lean); with a name it deletes that package's build.
asio::awaitable<Result<std::string>> root_package(LakeCommand command, io::CancelScope scope) {
  const fs::path root = command.root;
  command.arguments = {
      "reservoir-config"};  // the only command that prints the name; it loads just the root's lakefile
  std::string printed, errors;
  LakeOutput output;
  output.on_stdout = [&](std::string_view lines) {
    printed += lines.substr(0, kMaxOutput - std::min(printed.size(), kMaxOutput));
  };
  output.on_stderr = [&](std::string_view lines) {
    if (errors.size() < kMaxReasonBytes) errors += lines;
  };
  CO_TRY(const LakeEnd end, co_await run_lake(std::move(command), std::move(output), scope));
  if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
  if (end.how == LakeEnd::How::TimedOut)
    co_return fail(ErrorKind::Timeout, "`lake reservoir-config` had not ended by the call's deadline.",
                   "Call again with a larger timeout_s.");
  std::string name;
  if (end.exit_code == 0) name = text_member(read_json(printed), "name");
  if (!name.empty() && !name.starts_with('-')) co_return name;
  std::string why = "Nothing was cleaned or built: `lake reservoir-config` does not name the package in " +
                    root.string() + ", and without a name `lake clean` deletes what all packages have built.";
  if (!errors.empty())
    why += " It says: " +
           text::replace_invalid(text::beginning_of(lean::without_colours(errors), kMaxReasonBytes));
  co_return fail(
      ErrorKind::LeanUnavailable, std::move(why),
      "Correct the lakefile, or delete the project's own build folder (.lake/build) and call without clean.");
}

asio::awaitable<Result<Built>> run_build(Environment& environment, std::shared_ptr<Builds> builds,
                                         std::shared_ptr<mcp::Call> call, BuildParams params,
                                         std::shared_ptr<document::DocumentStore> project,
                                         io::CancelScope scope) {
  const fs::path root = project->root();
  CO_TRY(const fs::path lake, lean::find_lake(project->server().options().lake));
  const auto run = std::make_shared<BuildOutput>();
  run->progress.message = "waiting for another build of this project or one of its packages";
  call->progress = [run]() -> std::optional<mcp::Progress> { return run->progress; };
  CO_TRY(const auto turn, co_await builds->next(environment.pool, root, scope));
  run->progress.message = "starting lake in " + root.string();

  std::vector<std::vector<std::string>> steps;
  if (params.clean) {
    CO_TRY(const std::string name, co_await root_package(lake_command(lake, *project, {}, turn), scope));
    steps.push_back({"clean", name});
  }
  if (params.fetch_cache) steps.push_back({"exe", "cache", "get"});
  steps.push_back({"build"});
  LakeEnd end;
  for (const auto& step : steps) {
    const auto append = [run](std::string_view lines) { run->append(lines); };
    CO_TRY(end, co_await run_lake(lake_command(lake, *project, step, turn), {append, append}, scope));
    if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
    if (!succeeded(end)) break;
  }
  if (succeeded(end)) project->server().configuration_may_load();
  const auto read = [root, end, printed = std::move(run->output)]() -> Result<Built> {
    return read_output(printed, end, root);
  };
  co_return co_await environment.pool.run(read, io::CancelScope(kReadLimit));
}

/// The builds of one project, where a newer build ends the one before it.
class SupersedingBuilds {
 public:
  struct Run {
    io::CancelSource superseded;
    bool ended = false;
    std::optional<Built> built;  ///< set if it was not superseded
  };

  std::shared_ptr<Run> begin() {
    if (latest_ && !latest_->ended) latest_->superseded.cancel();
    return latest_ = std::make_shared<Run>();
  }
  void end(Run& run, const Result<Built>& built) {
    run.ended = true;
    if (built && built->end.how == LakeEnd::How::Exited) run.built = *built;
    changed.notify_all();
  }
  const std::shared_ptr<Run>& latest() const { return latest_; }

  io::Condition changed;

 private:
  std::shared_ptr<Run> latest_;
};

BuildResult superseded_result() {
  BuildResult result;
  result.errors = {"Build superseded by newer request."};  // the wording of lean-lsp-mcp
  return result;
}

// Ends the project's running build and starts a new one. If a newer one ends this one, the mode decides:
// report that, or wait for the newest one's result and build again if the newest was cancelled or ran out of
// time.
asio::awaitable<Result<BuildResult>> build_newest(Environment& environment, std::shared_ptr<Builds> builds,
                                                  std::shared_ptr<SupersedingBuilds> group,
                                                  std::shared_ptr<mcp::Call> call, BuildParams params,
                                                  std::shared_ptr<document::DocumentStore> project,
                                                  io::CancelScope scope) {
  for (;;) {
    const auto run = group->begin();
    const io::CancelScope own = scope.or_cancelled_by(run->superseded);
    const auto built = co_await run_build(environment, builds, call, params, project, own);
    group->end(*run, built);
    if (built) co_return report(built->output, built->messages, built->end, params.output_lines);
    if (!run->superseded.cancelled() || scope.cancel->cancelled()) co_return tl::unexpected(built.error());
    if (environment.builds == BuildConcurrency::Cancel) co_return superseded_result();
    const auto end = co_await io::wait_until(group->changed, scope, [&] { return group->latest()->ended; });
    if (end != io::WaitStatus::Ready) co_return not_in_time(end, project->root());
    if (const auto& newest = group->latest()->built)
      co_return report(newest->output, newest->messages, newest->end, params.output_lines);
  }
}

using SupersedingByRoot = std::map<fs::path, std::shared_ptr<SupersedingBuilds>>;

asio::awaitable<Result<BuildResult>> build_project(Environment& environment, std::shared_ptr<Builds> builds,
                                                   std::shared_ptr<SupersedingByRoot> superseding,
                                                   std::shared_ptr<mcp::Call> call, BuildParams params) {
  CO_TRY(const auto project, environment.workspace.project(params.lean_project_path));
  io::CancelScope scope = call->scope;
  if (!call->has_timeout) scope = io::CancelScope(kBuildLimit, call->scope.cancel);
  if (environment.builds != BuildConcurrency::Allow) {
    auto& group = (*superseding)[project->root()];
    if (!group) group = std::make_shared<SupersedingBuilds>();
    co_return co_await build_newest(environment, builds, group, call, params, project, scope);
  }
  CO_TRY(const Built built, co_await run_build(environment, builds, call, params, project, scope));
  co_return report(built.output, built.messages, built.end, params.output_lines);
}

asio::awaitable<Result<nlohmann::json>> answer_build(Environment& environment, std::shared_ptr<Builds> builds,
                                                     std::shared_ptr<SupersedingByRoot> superseding,
                                                     std::shared_ptr<mcp::Call> call,
                                                     nlohmann::json arguments) {
  CO_TRY(const BuildResult result,
         co_await build_project(environment, std::move(builds), std::move(superseding), call,
                                wire::read<BuildParams>(arguments)));
  co_return wire::write(result, call->detail);
}

}  // namespace

wire::Names<BuildConcurrency> names_of(BuildConcurrency) {
  return {{BuildConcurrency::Allow, "allow"},
          {BuildConcurrency::Cancel, "cancel"},
          {BuildConcurrency::Share, "share"}};
}

mcp::Tool lean_build(Environment& environment) {
  mcp::Tool tool = describe_tool<BuildParams>(
      {.name = "lean_build",
       .title = "Build the project",
       .group = "build",
       .description = "Runs lake build. For changes in many files: opening a file builds its imports "
                      "anyway. Without timeout_s: up to an hour.",
       // `clean` deletes; lakefiles are programs; the cache comes over the network.
       .annotations = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
       .shows_timeout = true,
       .may_be_task = true},
      wire::fields_of<BuildResult>());
  tool.handler = [&environment, builds = std::make_shared<Builds>(),
                  superseding = std::make_shared<SupersedingByRoot>()](std::shared_ptr<mcp::Call> call,
                                                                       nlohmann::json arguments) {
    return answer_build(environment, builds, superseding, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools
