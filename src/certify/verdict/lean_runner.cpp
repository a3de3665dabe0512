#include "lean_runner.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <map>
#include <sstream>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxEnvironment = std::size_t{1} << 20U;  // bytes
constexpr std::size_t kMaxPrinted = std::size_t{1} << 20U;      // bytes

std::map<std::string, std::string> variables_in(const std::string& printed) {
  std::map<std::string, std::string> variables;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      variables[line.substr(0, equals)] = line.substr(equals + 1);
  return variables;
}

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string joined(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& folder : folders) text += (text.empty() ? "" : ":") + folder.string();
  return text;
}

}  // namespace

ToolchainChoice toolchain_choice(const fs::path& root, const std::string& pinned) {
  ToolchainChoice choice{root, ""};
  if (const std::string own = lean::toolchain_of(root); own != pinned) {
    // The name of a folder is relative to the file.
    choice.named = pinned.starts_with('.') ? (root / pinned).lexically_normal().string() : pinned;
    if (pinned.empty()) choice.project = root.parent_path();
  }
  std::error_code ignored;  // the revision may have folders that are gone
  while (choice.project.has_relative_path() && !fs::is_directory(choice.project, ignored))
    choice.project = choice.project.parent_path();
  return choice;
}

asio::awaitable<Result<Toolchain>> find_toolchain(const io::Spawn& spawn, const std::string& lake,
                                                  lean::Variables environment, fs::path empty,
                                                  ToolchainChoice choice, io::CancelScope scope) {
  CO_TRY(const fs::path program, lean::find_lake(lake));
  if (!choice.named.empty()) environment["ELAN_TOOLCHAIN"] = choice.named;
  io::ChildCommand command;
  command.argv = {program.string(), "env", "-d", empty.string()};
  command.directory = choice.project;
  command.environment = environment;
  CO_TRY(const RunResult run, co_await run_program(spawn, std::move(command), kMaxEnvironment, scope));
  if (run.timed_out)
    co_return fail(ErrorKind::Timeout, "`lake env` did not answer in time.",
                   "Pass a longer timeout: elan may be installing the toolchain.");
  const auto variables = variables_in(run.output);
  const auto sysroot = variables.find("LEAN_SYSROOT");
  if (!run.succeeded() || sysroot == variables.end() || sysroot->second.empty())
    co_return fail(ErrorKind::LeanUnavailable, "`lake env` did not name a toolchain: " + quotable(run.errors),
                   "Run `leanbridge doctor`.");
  Toolchain found;
  found.sysroot = sysroot->second;
  found.lake = program;
  found.chosen_in = std::move(choice.project);
  found.empty = std::move(empty);
  found.environment = std::move(environment);
  const auto named = variables.find("LEAN");
  found.lean = named != variables.end() && !named->second.empty() ? fs::path(named->second)
                                                                  : found.sysroot / "bin/lean";
  found.is_program = found.lean.is_absolute() && is_executable(found.lean);
  co_return found;
}

io::ChildCommand LeanRunner::prepared(std::vector<std::string> command, const RunPlaces& places) const {
  io::ChildCommand child;
  // Takes nothing from the caller's environment, which the author of the solution may have set.
  child.environment = {{"HOME", places.writable.string()},
                       {"LANG", "C.UTF-8"},
                       {"LEAN_PATH", joined(places.search_path)},
                       {"LEAN_SYSROOT", toolchain_.sysroot.string()},
                       {"PATH", (toolchain_.sysroot / "bin").string() + ":/usr/bin:/bin"},
                       {"TMPDIR", places.writable.string()}};
  if (bubblewrap_) {
    Visible visible;
    visible.readable = places.readable;
    visible.readable.push_back(toolchain_.sysroot);
    visible.readable.insert(visible.readable.end(), places.search_path.begin(), places.search_path.end());
    visible.writable = places.writable;
    visible.limits_tmp = limits_tmp_;
    command = in_bubblewrap(*bubblewrap_, visible, command);
  }
  if (const auto prlimit = find_system_program("prlimit")) command = with_limits(*prlimit, limits_, command);
  child.argv = std::move(command);
  child.directory = places.writable;
  return child;
}

RunBounds LeanRunner::bounds(const RunPlaces& places) const {
  const auto bytes = [](std::int64_t megabytes) { return static_cast<std::uintmax_t>(megabytes) << 20U; };
  return {bytes(limits_.printed_mb), places.writable, bytes(limits_.folder_mb)};
}

asio::awaitable<Result<RunResult>> LeanRunner::run_lean(std::vector<std::string> arguments, RunPlaces places,
                                                        io::CancelScope scope) const {
  arguments.insert(arguments.begin(), "--memory=" + std::to_string(limits_.memory_mb));
  if (toolchain_.is_program) {
    arguments.insert(arguments.begin(), toolchain_.lean.string());
    co_return co_await run_program(spawn_, prepared(std::move(arguments), places), kMaxPrinted, scope, {},
                                   bounds(places));
  }
  io::ChildCommand command;
  command.argv = {toolchain_.lake.string(), "env", "-d", toolchain_.empty.string(), "lean"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.directory = toolchain_.chosen_in;
  command.environment = toolchain_.environment;
  command.environment["LEAN_PATH"] = joined(places.search_path);
  co_return co_await run_program(spawn_, std::move(command), kMaxPrinted, scope, {}, bounds(places));
}

asio::awaitable<Result<RunResult>> LeanRunner::run_other(std::vector<std::string> command, RunPlaces places,
                                                         io::CancelScope scope) const {
  io::ChildCommand child = prepared(std::move(command), places);
  // lean4checker is linked with the toolchain's libraries; `lake env` sets the same variable.
  child.environment["LD_LIBRARY_PATH"] = toolchain_.library().string();
  co_return co_await run_program(spawn_, std::move(child), kMaxPrinted, scope, {}, bounds(places));
}

asio::awaitable<Result<void>> LeanRunner::choose_sandbox(fs::path folder, io::CancelScope scope) {
  if (!toolchain_.is_program) {
    note_ = "This Lean is started by a script.";
    co_return Result<void>();
  }
  bubblewrap_ = find_system_program("bwrap");
  if (!bubblewrap_) {
    note_ = "bubblewrap is not installed.";
    co_return Result<void>();
  }
  CO_TRY(RunResult run, co_await run_lean({"--version"}, {{}, {}, folder}, scope));
  if (!run.succeeded()) {
    limits_tmp_ = false;
    CO_TRY(run, co_await run_lean({"--version"}, {{}, {}, std::move(folder)}, scope));
  }
  if (!run.succeeded()) {
    bubblewrap_.reset();
    note_ = "bubblewrap does not work on this machine: " + quotable(run.errors);
  }
  co_return Result<void>();
}

}  // namespace leanbridge::certify
