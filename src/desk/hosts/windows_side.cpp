#include "windows_side.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/io/run_to_end.hpp"
#include "core/program/interrupts.hpp"
#include "desk/shared/profile.hpp"
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace leanbridge::app::hosts {

namespace fs = std::filesystem;

namespace {

constexpr auto kLimit = std::chrono::seconds(30);

bool is_on_windows(const Host& host) {
  return host.word == "claude-desktop";
}

std::optional<std::string> distribution_here() {
  utsname system{};
  return wsl_distribution(environment_variable, ::uname(&system) == 0 ? system.release : "");
}

tl::unexpected<Error> no_windows(const std::string& why) {
  return fail(ErrorKind::BackendUnavailable,
              "Claude Desktop's file is on Windows, and Windows cannot be asked from here: " + why,
              "Check that `wsl.exe --version` works here ([interop] in /etc/wsl.conf), or change the file by "
              "hand.");
}

// The environment of a program that wsl.exe starts in this distribution, one variable a line. WSLENV names
// the variables of Windows that it gets (flag u), and makes paths of this side of them (p).
asio::awaitable<Result<std::string>> ask_windows(std::string distribution, io::CancelScope scope) {
  const std::string path = environment_variable("PATH").value_or("");
  // appendWindowsPath=false leaves Windows' folders out of PATH.
  const auto program = find_on_path("wsl.exe", "/mnt/c/Windows/System32:" + path);
  if (!program) co_return no_windows("there is no wsl.exe on PATH.");
  const Launch launch = through_wsl({"/usr/bin/env", {}}, distribution);
  io::ProgramRun run;
  run.command.argv = {program->string()};
  run.command.argv.insert(run.command.argv.end(), launch.args.begin(), launch.args.end());
  run.command.directory = "/";
  run.command.environment = own_environment();
  run.command.environment["WSLENV"] = "APPDATA/up:LOCALAPPDATA/up";
  const auto end = co_await io::run_to_end(std::move(run), scope.with_timeout(kLimit));
  if (!end) co_return no_windows(end.error().message);
  if (end->timed_out) co_return no_windows("wsl.exe has not answered in 30 s.");
  if (end->exit_code != 0)
    co_return no_windows("wsl.exe ended with exit code " + std::to_string(end->exit_code) + ". " +
                         std::string(trimmed(end->errors)));
  co_return end->output;
}

// The first folder in there of a package of Claude's: `claude` or `Claude_…`. Empty if there is none.
fs::path folder_of_claude(const fs::path& folder) {
  fs::path first;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = lower_case(entry->path().filename().string());
    if ((name == "claude" || name.starts_with("claude_")) && entry->is_directory(ignored) &&
        (first.empty() || entry->path() < first))
      first = entry->path();
  }
  return first;
}

}  // namespace

std::optional<std::string> wsl_distribution(const EnvironmentLookup& environment, std::string_view kernel) {
  if (auto name = environment("WSL_DISTRO_NAME"); name && !name->empty()) return name;
  if (lower_case(kernel).find("microsoft") != std::string::npos) return "";
  return std::nullopt;
}

Launch through_wsl(Launch launch, const std::string& distribution) {
  Launch outer{"wsl.exe", {}};
  if (!distribution.empty()) outer.args = {"-d", distribution};
  outer.args.emplace_back("--exec");
  if (!launch.env.empty()) {
    outer.args.emplace_back("/usr/bin/env");
    for (const auto& [name, value] : launch.env.items())
      outer.args.push_back(name + "=" + value.get<std::string>());
  }
  outer.args.push_back(std::move(launch.command));
  outer.args.insert(outer.args.end(), launch.args.begin(), launch.args.end());
  return outer;
}

Launch as_started_by(const Host& host, Launch launch) {
  if (!is_on_windows(host)) return launch;
  const auto distribution = distribution_here();
  return distribution ? through_wsl(std::move(launch), *distribution) : launch;
}

fs::path folder_on_windows(std::string_view variables) {
  fs::path roaming, local;
  while (!variables.empty()) {
    const std::string_view line = variables.substr(0, variables.find('\n'));
    variables.remove_prefix(std::min(line.size() + 1, variables.size()));
    if (line.starts_with("APPDATA=")) roaming = line.substr(line.find('=') + 1);
    if (line.starts_with("LOCALAPPDATA=")) local = line.substr(line.find('=') + 1);
  }
  if (!local.empty()) {
    // Packages since October 2026; and before, with Windows' copy of the real folder.
    if (const fs::path data = folder_of_claude(local / "Claude-Data"); !data.empty()) return data;
    if (const fs::path package = folder_of_claude(local / "Packages"); !package.empty())
      return package / "LocalCache" / "Roaming" / "Claude";
  }
  return roaming.empty() ? roaming : roaming / "Claude";
}

asio::awaitable<Result<UserFile>> user_file(const Host& host, io::CancelScope scope) {
  const auto distribution = is_on_windows(host) ? distribution_here() : std::nullopt;
  if (!distribution)
    co_return UserFile{config_file(host, "", environment_variable), is_installed(host, environment_variable)};
  const auto variables = co_await ask_windows(*distribution, scope);
  if (!variables) co_return tl::unexpected(variables.error());
  const fs::path folder = folder_on_windows(*variables);
  if (folder.empty()) co_return no_windows("wsl.exe has not said what %APPDATA% is.");
  std::error_code ignored;
  co_return UserFile{folder / fs::path(host.file).filename(), fs::exists(folder, ignored)};
}

Result<UserFile> find_user_file(const Host& host) {
  asio::io_context context;
  const io::CancelScope scope(kLimit);
  auto found = run_work(context, user_file(host, scope), scope.cancel);
  if (!found) return call_cancelled();
  return std::move(*found);
}

}  // namespace leanbridge::app::hosts
