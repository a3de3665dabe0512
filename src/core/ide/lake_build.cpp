#include "lake_build.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/text/utf8.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

namespace leanbridge::ide {

namespace fs = std::filesystem;

wire::Names<BuildConcurrency> names_of(BuildConcurrency) {
  return {{BuildConcurrency::Allow, "allow"},
          {BuildConcurrency::Cancel, "cancel"},
          {BuildConcurrency::Share, "share"}};
}

wire::Fields BuildReport::fields() {
  return {wire::field<&BuildReport::success>(),
          wire::field<&BuildReport::timed_out>().unlisted().omit_empty(),
          wire::field<&BuildReport::output>(),
          wire::field<&BuildReport::errors>(),
          wire::field<&BuildReport::items>().only_full(),
          wire::field<&BuildReport::total>().unlisted().only_if<&BuildReport::truncated>(),
          wire::field<&BuildReport::truncated>().unlisted().omit_empty(),
          wire::field<&BuildReport::known_errors>().unlisted().omit_empty(),
          wire::field<&BuildReport::warning_count>().unlisted().omit_empty()};
}

// --- lake's output

namespace {

constexpr std::size_t kMaxOutput = 4u << 20;           // bytes kept of the output's end
constexpr std::size_t kMaxOutputBytes = 20'000;        // in the answer
constexpr auto kReadLimit = std::chrono::seconds(30);  // for the output of a build that has ended

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

std::string failure_of(const lean::BuildMessage& message) {
  return message.file_path + ": " + message.message;
}

bool succeeded(const LakeEnd& end) {
  return end.how == LakeEnd::How::Exited && end.exit_code == 0;
}

}  // namespace

void BuildLog::append(std::string_view lines) {
  printed += lines;
  if (printed.size() > 2 * kMaxOutput) printed.erase(0, printed.size() - kMaxOutput);
  for (std::size_t size = 0; !lines.empty(); lines.remove_prefix(size)) {
    size = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const std::string line = text::replace_invalid(lean::without_colours(trimmed(lines.substr(0, size))));
    const auto step = lean::read_build_step(line);
    // Once lake counts its jobs, other lines are what a job says, such as a linter's text.
    if (line.empty() || (!step && progress.total > 0)) continue;
    progress.message = text::beginning_of(line, 160);
    progress.beside_bar.clear();
    if (!step) continue;
    progress.done = step->done;
    progress.total = step->total;
    const std::size_t bar = progress.message.find('[');
    progress.beside_bar = progress.message;
    progress.beside_bar.erase(bar, progress.message.find(']') + 2 - bar);
  }
}

BuildOutcome read_build(std::string_view printed, const LakeEnd& end, const fs::path& root) {
  BuildOutcome outcome{text::replace_invalid(lean::without_colours(printed)), {}, end};
  outcome.messages = lean::read_build_messages(outcome.output);
  const std::vector<lean::Package> packages = lean::packages_of(root);
  for (lean::BuildMessage& message : outcome.messages)
    message.file_path = file_of_message(root, packages, message.file_path).string();
  return outcome;
}

std::set<std::string> BuildOutcome::failures() const {
  std::set<std::string> all;
  for (const lean::BuildMessage& message : messages)
    if (message.severity == lean::BuildSeverity::Error) all.insert(failure_of(message));
  return all;
}

BuildReport BuildOutcome::report(int output_lines, const std::set<std::string>& before) const {
  BuildReport report;
  report.success = succeeded(end);
  report.timed_out = end.how == LakeEnd::How::TimedOut;
  report.output = last_lines(output, output_lines);
  std::vector<const lean::BuildMessage*> errors;
  for (const lean::BuildMessage& message : messages) {
    if (message.severity == lean::BuildSeverity::Warning) ++report.warning_count;
    if (message.severity == lean::BuildSeverity::Error) errors.push_back(&message);
  }
  const auto is_new = [&](const lean::BuildMessage* error) { return !before.contains(failure_of(*error)); };
  const auto known = std::stable_partition(errors.begin(), errors.end(), is_new);
  report.total = static_cast<int>(errors.size());
  report.known_errors = static_cast<int>(errors.end() - known);
  // Lake repeats what an external command says for each module that needs it.
  std::map<std::string, int> times;
  for (const lean::BuildMessage* error : errors)
    if (const std::string line = error_line(*error); ++times[line] == 1 && report.items.size() < kMaxItems) {
      report.errors.push_back(line);
      report.items.push_back(item_of(*error));
    }
  report.truncated = times.size() > report.items.size();
  for (std::string& line : report.errors)
    if (const int count = times[line]; count > 1) line += fmt::format(" ({} times)", count);
  return report;
}

// --- turns

/// The right to build a project and its packages, until destroyed.
struct LakeBuilds::Turn {
  std::shared_ptr<LakeBuilds> owner;
  std::vector<io::FairSemaphore::Permit> permits;
  std::vector<Descriptor> locks;
};

namespace {

constexpr auto kLockRetryInterval = std::chrono::milliseconds(200);

tl::unexpected<Error> not_in_time(io::WaitStatus end, const fs::path& folder) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout,
              "Another build of " + folder.string() + " was still running at the call's deadline.",
              "Call again later, or with a larger timeout_s.");
}

// Succeeds without a lock if the folder does not exist yet or its file system does not support locks.
asio::awaitable<Result<Descriptor>> lock_folder(fs::path folder, io::CancelScope scope) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) co_return Descriptor(-1);
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) co_return Descriptor(-1);
    const io::WaitStatus end = co_await io::sleep_for(kLockRetryInterval, scope);
    if (end == io::WaitStatus::Cancelled) co_return not_in_time(end, folder);
    if (io::Clock::now() >= scope.deadline) co_return not_in_time(io::WaitStatus::TimedOut, folder);
  }
  co_return opened;
}

}  // namespace

// Within this process, first come, first served; between leanbridge processes, by locks on the folders.
asio::awaitable<Result<std::shared_ptr<LakeBuilds::Turn>>> LakeBuilds::next_turn(fs::path root,
                                                                                 io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto look = [root]() -> Result<std::vector<fs::path>> { return lean::built_folders(root); };
  for (;;) {
    CO_TRY(const auto folders, co_await pool_.run(look, scope));
    const auto turn = std::make_shared<Turn>();
    turn->owner = self;
    // All builds acquire in the same order, which rules out a deadlock.
    for (const fs::path& folder : folders) {
      auto permit = co_await turns_.try_emplace(folder, 1).first->second.acquire(scope);
      if (!permit) co_return not_in_time(permit.error(), folder);
      turn->permits.push_back(std::move(*permit));
    }
    for (const fs::path& folder : folders) {
      CO_TRY(auto locked, co_await lock_folder(folder, scope));
      turn->locks.push_back(std::move(locked));
    }
    // The build that we waited for may have changed the packages.
    CO_TRY(const auto now, co_await pool_.run(look, scope));
    if (now == folders) co_return turn;
  }
}

// --- a build

namespace {

constexpr std::int64_t kLeanBytes = std::int64_t{3} << 29;  // of a module that imports much of Mathlib

// Lake starts as many Leans as it has threads, by default one per core, and has no option for it (lean4#4241,
// lean4#13767). Returns what is to be said of a bound; "": there is none, or the user's own.
std::string bound_leans(LakeCommand& command, const io::Capacity& capacity) {
  const auto fit = static_cast<std::size_t>(std::max<std::int64_t>(capacity.free_bytes / kLeanBytes, 1));
  if (capacity.free_bytes <= 0 || fit >= capacity.cores) return "";
  if (!command.environment) command.environment = lean::environment_for_lake();
  if (!command.environment->emplace("LEAN_NUM_THREADS", std::to_string(fit)).second) return "";
  return fmt::format("Memory is short: at most {} Leans at a time (LEAN_NUM_THREADS).\n", fit);
}

LakeCommand lake_command(const fs::path& lake, document::DocumentStore& project,
                         std::vector<std::string> arguments, std::shared_ptr<void> turn) {
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

}  // namespace

asio::awaitable<Result<BuildOutcome>> LakeBuilds::build(std::shared_ptr<document::DocumentStore> project,
                                                        BuildRequest request,
                                                        std::shared_ptr<io::Operation> operation,
                                                        io::CancelScope scope) {
  const fs::path root = project->root();
  CO_TRY(const fs::path lake, lean::find_lake(project->server().options().lake));
  const auto log = std::make_shared<BuildLog>();
  log->progress.message = "waiting for another build of this project or one of its packages";
  operation->progress = [log]() -> std::optional<io::Progress> { return log->progress; };
  CO_TRY(const auto turn, co_await next_turn(root, scope));
  log->progress.message = "starting lake in " + root.string();

  std::vector<std::vector<std::string>> steps;
  if (request.clean) {
    CO_TRY(const std::string name, co_await root_package(lake_command(lake, *project, {}, turn), scope));
    steps.push_back({"clean", name});
  }
  if (request.fetch_cache) steps.push_back({"exe", "cache", "get"});
  steps.push_back({"build"});
  steps.back().insert(steps.back().end(), request.targets.begin(), request.targets.end());
  LakeEnd end;
  std::string bound;
  for (const auto& step : steps) {
    const auto append = [log](std::string_view lines) { log->append(lines); };
    LakeCommand command = lake_command(lake, *project, step, turn);
    bound = bound_leans(command, capacity_());
    CO_TRY(end, co_await run_lake(std::move(command), {append, append}, scope));
    if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
    if (!succeeded(end)) break;
  }
  if (succeeded(end)) project->server().configuration_may_load();
  log->append(bound);
  const auto read = [root, end, printed = std::move(log->printed)]() -> Result<BuildOutcome> {
    return read_build(printed, end, root);
  };
  co_return co_await pool_.run(read, io::CancelScope(kReadLimit));
}

// --- builds of one project, of which a newer one may end the one before it

struct LakeBuilds::Run {
  io::CancelSource superseded;
  bool ended = false;
  std::optional<BuildOutcome> outcome;  ///< set if it was not superseded
  std::set<std::string> before;         ///< the failures of the builds before it

  BuildReport report(int output_lines) const { return outcome->report(output_lines, before); }
};

struct LakeBuilds::Runs {
  std::shared_ptr<Run> latest;
  std::set<std::string> failures;  ///< of the last build, and of targets that were built since
  io::Condition changed;

  void take(Run& run, const BuildOutcome& outcome, bool is_whole) {
    run.outcome = outcome;
    run.before = failures;
    if (is_whole) failures.clear();
    failures.merge(outcome.failures());
  }
};

asio::awaitable<Result<BuildReport>> LakeBuilds::run(std::shared_ptr<document::DocumentStore> project,
                                                     BuildRequest request, int output_lines,
                                                     std::shared_ptr<io::Operation> operation,
                                                     io::CancelScope scope) {
  auto& known = projects_[project->root()];
  if (!known) known = std::make_shared<Runs>();
  const auto runs = known;
  for (;;) {
    const auto run = std::make_shared<Run>();
    if (newer_ != BuildConcurrency::Allow && runs->latest && !runs->latest->ended)
      runs->latest->superseded.cancel();
    runs->latest = run;
    const auto built = co_await build(project, request, operation, scope.or_cancelled_by(run->superseded));
    run->ended = true;
    if (built && built->end.how == LakeEnd::How::Exited) runs->take(*run, *built, request.targets.empty());
    runs->changed.notify_all();
    if (built) co_return built->report(output_lines, run->before);
    if (!run->superseded.cancelled() || scope.cancel->cancelled()) co_return tl::unexpected(built.error());
    if (newer_ == BuildConcurrency::Cancel) {
      BuildReport superseded;
      superseded.errors = {"Build superseded by newer request."};  // the wording of lean-lsp-mcp
      co_return superseded;
    }
    // The newest build answers this call, too, unless it was cancelled or ran out of time.
    const auto end = co_await io::wait_until(runs->changed, scope, [&] { return runs->latest->ended; });
    if (end != io::WaitStatus::Ready) co_return not_in_time(end, project->root());
    if (runs->latest->outcome) co_return runs->latest->report(output_lines);
  }
}

}  // namespace leanbridge::ide
