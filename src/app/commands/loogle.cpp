// leanbridge loogle install.

#include "leanbridge/base/files.hpp"
#include "leanbridge/io/child_process.hpp"
#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/search/installed_loogle.hpp"
#include "leanbridge/search/loogle_installation.hpp"

#include "app/interrupts.hpp"
#include "app/runtime.hpp"
#include "commands.hpp"
#include "output.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace leanbridge::app {

namespace fs = std::filesystem;
using search::InstallationPlan;
using search::InstallationRequest;
using search::InstallationStep;

namespace {

constexpr std::size_t kMaxTail = 2000;               // bytes of a program's output that an error quotes
constexpr auto kEndLimit = std::chrono::seconds(5);  // for a program that has been told to end

/// What a program has printed.
struct Printed {
  std::string tail, line;
  int open_streams = 2;
  std::optional<int> exit_code;
  io::Condition changed;

  // Programs overwrite their progress with carriage returns.
  void add(std::string_view bytes) {
    tail += bytes;
    if (tail.size() > 2 * kMaxTail) tail.erase(0, tail.size() - kMaxTail);
    for (const char c : bytes) {
      if (c != '\n' && c != '\r') {
        if (line.size() < kMaxTail) line += c;
      } else if (!line.empty()) {
        shown = std::exchange(line, "");
      }
    }
    changed.notify_all();
  }
  void stream_ended() {
    --open_streams;
    changed.notify_all();
  }
  bool ended() const { return exit_code && open_streams == 0; }

  std::string shown;  ///< the last whole line
};

std::string tail_of(const Printed& printed) {
  const std::string text = lean::without_colours(printed.tail);
  return text.size() > kMaxTail ? text.substr(text.size() - kMaxTail) : text;
}

Result<std::shared_ptr<io::ChildProcess>> start(asio::io_context& context, const InstallationStep& step,
                                                const InstallationPlan& plan,
                                                const std::shared_ptr<Printed>& printed) {
  io::ChildCommand command;
  command.argv = step.argv;
  command.directory = step.directory;
  command.environment = lean::environment_for_lake();
  for (const auto& [name, value] : plan.environment) command.environment[name] = value;
  io::ChildProcess::Events events;
  events.on_stdout = [printed](std::string_view bytes) {
    printed->add(bytes);
    return true;
  };
  events.on_stderr = [printed](std::string_view bytes) { printed->add(bytes); };
  events.on_stdout_end = [printed] { printed->stream_ended(); };
  events.on_stderr_end = [printed] { printed->stream_ended(); };
  events.on_exit = [printed](int code) {
    printed->exit_code = code;
    printed->changed.notify_all();
  };
  auto child = io::ChildProcess::spawn(context, std::move(command), std::move(events));
  if (child) (*child)->input().close();
  return child;
}

asio::awaitable<Result<void>> run_step(asio::io_context& context, InstallationStep step,
                                       InstallationPlan plan, std::shared_ptr<ProgressLine> line,
                                       std::shared_ptr<io::CancelSource> cancel) {
  std::printf("%s\n", one_line(step.what).c_str());
  std::fflush(stdout);
  const auto printed = std::make_shared<Printed>();
  const auto child = start(context, step, plan, printed);
  if (!child) co_return tl::unexpected(child.error());
  const io::CancelScope scope(step.limit, cancel);
  io::WaitStatus end = io::WaitStatus::Ready;
  for (std::string shown; !printed->ended();) {
    end = co_await io::wait_until(printed->changed, scope,
                                  [&] { return printed->ended() || printed->shown != shown; });
    if (end != io::WaitStatus::Ready) break;
    line->show(one_line(shown = printed->shown));
  }
  line->clear();
  if (end != io::WaitStatus::Ready) {
    // Whoever removes its folder next must be alone there.
    (*child)->terminate();
    co_await io::wait_until(printed->changed, io::CancelScope(kEndLimit),
                            [&] { return printed->exit_code.has_value(); });
    if (end == io::WaitStatus::Cancelled)
      co_return fail(ErrorKind::Cancelled, "The installation was cancelled.");
    co_return fail(ErrorKind::Timeout,
                   step.what + ": not finished after " + std::to_string(step.limit.count()) + " minutes.");
  }
  if (*printed->exit_code == 0) co_return Result<void>();
  co_return fail(ErrorKind::BackendError,
                 step.what + ": " + fs::path(step.argv.front()).filename().string() +
                     " ended with exit code " + std::to_string(*printed->exit_code) + ": " +
                     tail_of(*printed),
                 "Correct that and run the command again; it goes on where it stopped.");
}

asio::awaitable<Result<void>> run_steps(asio::io_context& context, const std::vector<InstallationStep>& steps,
                                        const InstallationPlan& plan, std::shared_ptr<ProgressLine> line,
                                        std::shared_ptr<io::CancelSource> cancel) {
  for (const InstallationStep& step : steps)
    if (auto done = co_await run_step(context, step, plan, line, cancel); !done) co_return done;
  co_return Result<void>();
}

// A folder that is incomplete must not get the name under which it is used.
asio::awaitable<Result<void>> download(asio::io_context& context, const InstallationPlan& plan,
                                       std::shared_ptr<ProgressLine> line,
                                       std::shared_ptr<io::CancelSource> cancel) {
  if (plan.download.empty()) co_return Result<void>();
  std::error_code error;
  fs::remove_all(plan.unfinished, error);
  auto done = co_await run_steps(context, plan.download, plan, std::move(line), std::move(cancel));
  if (done) {
    fs::rename(plan.unfinished, plan.repository, error);
    if (!error) co_return done;
    done =
        fail(ErrorKind::Internal, "Cannot rename " + plan.unfinished.string() + ": " + error.message() + ".");
  }
  fs::remove_all(plan.unfinished, error);
  co_return done;
}

asio::awaitable<Result<void>> install(asio::io_context& context, InstallationPlan plan,
                                      std::shared_ptr<io::CancelSource> cancel) {
  const auto line = std::make_shared<ProgressLine>();
  if (auto done = co_await download(context, plan, line, cancel); !done) co_return done;
  if (auto done = co_await run_steps(context, plan.build, plan, line, cancel); !done) co_return done;
  std::error_code ignored;
  if (fs::is_regular_file(plan.program, ignored)) co_return Result<void>();
  co_return fail(ErrorKind::BackendError,
                 "The build succeeded but there is no program " + plan.program.string() + ".",
                 "Is that the repository of Loogle?");
}

// --- the command

Result<fs::path> find_git() {
  const char* value = std::getenv("PATH");
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / "git";
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return fail(ErrorKind::BackendUnavailable, "There is no git on PATH.", "Install git.");
}

Result<InstallationPlan> plan_for(Runtime& runtime) {
  const Options& options = runtime.options();
  const auto project = runtime.workspace().project("");
  if (!project) return tl::unexpected(project.error());
  auto git = find_git();
  if (!git) return tl::unexpected(git.error());
  auto lake = lean::find_lake(options.lake);
  if (!lake) return tl::unexpected(lake.error());
  const EnvironmentLookup environment = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  InstallationRequest request;
  request.source = options.loogle.source;
  request.folder = search::loogle_folder(options.search.local_loogle.cache, environment);
  request.toolchain = lean::toolchain_of((*project)->root());
  request.git = std::move(*git);
  request.lake = std::move(*lake);
  return search::plan_installation(request);
}

void print_plan(const InstallationPlan& plan) {
  std::printf("Loogle in %s:\n", plan.repository.c_str());
  int number = 0;
  for (const auto* steps : {&plan.download, &plan.build})
    for (const InstallationStep& step : *steps)
      std::printf("  %d. %s\n", ++number, one_line(step.what).c_str());
  std::printf(
      "Its first start builds an index of Mathlib and takes about 13 GiB of memory, later ones 7 GiB.\n");
}

void print_use(const InstallationPlan& plan) {
  std::printf("Installed: %s\nStart leanbridge with --loogle-local, or set LEAN_LOOGLE_LOCAL=1.\n",
              plan.program.c_str());
}

bool needs_network(const InstallationPlan& plan, const search::LoogleSource& source) {
  return !plan.download.empty() && !fs::path(source.repository).is_absolute();
}

// Held while it lives; invalid if another process holds it.
Descriptor lock_folder(const fs::path& folder) {
  Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor(-1);
  return lock;
}

// Installs until done or a signal arrives; returns the exit code.
int run(Runtime& runtime, const InstallationPlan& plan) {
  asio::io_context& context = runtime.context();
  const auto cancel = std::make_shared<io::CancelSource>();
  const Interrupts interrupts(
      context, [cancel] { cancel->cancel(); }, [&context] { context.stop(); });
  Result<void> result;
  asio::co_spawn(context, install(context, plan, cancel), [&](std::exception_ptr, Result<void> done) {
    result = std::move(done);
    context.stop();
  });
  context.run();
  if (interrupts.heard()) {
    std::fputs("leanbridge: interrupted; what was downloaded whole is kept.\n", stderr);
    return kInterrupted;
  }
  if (!result) return report(result.error());
  print_use(plan);
  return 0;
}

}  // namespace

int loogle_install(const Options& options) {
  Runtime runtime(options);
  const auto plan = plan_for(runtime);
  if (!plan) return report(plan.error());
  if (plan->is_done()) {
    print_use(*plan);
    return 0;
  }
  print_plan(*plan);
  if (options.loogle.dry_run) return 0;
  if (options.search.offline && needs_network(*plan, options.loogle.source))
    return report(Error(ErrorKind::BackendUnavailable,
                        "Loogle cannot be downloaded: the network is disabled.",
                        "Leave out --offline, or pass --repository PATH."));
  const fs::path folder = plan->repository.parent_path();
  if (!make_private_folder(folder))
    return report(Error(ErrorKind::Internal, "Cannot use " + folder.string() + " as a private folder.",
                        "Set LEAN_LOOGLE_CACHE_DIR to a folder of your own."));
  const Descriptor lock = lock_folder(folder);
  if (!lock)
    return report(Error(ErrorKind::BackendUnavailable,
                        "Another installation is running in " + folder.string() + ".", "Wait for its end."));
  return run(runtime, *plan);
}

}  // namespace leanbridge::app
