// leanbridge setup: puts the entry that starts this program into the configuration of a host.

#include "commands.hpp"
#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/io/run_to_end.hpp"
#include "core/lean/project.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/program/place_word.hpp"
#include "desk/desk_options.hpp"
#include "desk/hosts/config_file.hpp"
#include "desk/hosts/host_program.hpp"
#include "desk/hosts/hosts.hpp"
#include "desk/hosts/serve_config.hpp"
#include "desk/hosts/windows_side.hpp"
#include "desk/shared/profile.hpp"
#include "gateway/upstream/config.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kNothingWritten = "Nothing was changed.";

// The entry for leanbridge in a file of the host; an empty text: there is none.
struct Connection {
  Style style = Style::Plain;
  std::string text;
  std::string name = {};  // of the entry that starts leanbridge
};

Connection connection_in(const hosts::Host& host, const fs::path& file) {
  if (file.empty()) return {};
  auto text = hosts::load_config_file(file);
  if (!text) return {};
  const auto document = hosts::read_document({file.string(), host.format, std::move(*text)});
  if (!document) return {Style::Warning, "its file cannot be read: " + file.string()};
  const auto servers = hosts::lean_servers(host, *document);
  for (const hosts::LeanServer& server : servers)
    if (server.job == hosts::Job::Leanbridge)
      return {Style::Ok, "connected as '" + server.name + "' in " + file.string(), server.name};
  if (servers.empty()) return {};
  return {Style::Warning, "starts lean-lsp-mcp as '" + servers.front().name + "' in " + file.string()};
}

fs::path project_here() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return error ? fs::path() : lean::find_project_root(here).value_or(fs::path());
}

struct OfferedHost {
  const hosts::Host* host;
  hosts::UserFile file;
};

// Claude Desktop does not exist for every system, so it is offered only where it is installed.
std::vector<OfferedHost> hosts_to_offer() {
  std::vector<OfferedHost> offered;
  for (const hosts::Host& host : hosts::all_hosts()) {
    const auto file = hosts::find_user_file(host);
    if (file && (host.word != "claude-desktop" || file->host_is_installed)) offered.push_back({&host, *file});
  }
  return offered;
}

void list_hosts(const std::vector<OfferedHost>& offered) {
  const Paint paint = paint_for(stderr);
  const fs::path project = project_here();
  std::size_t number = 0;
  for (const auto& [host, file] : offered) {
    Connection connection = connection_in(*host, file.path);
    if (connection.style != Style::Ok && !project.empty() && !host->project_file.empty())
      if (const Connection here =
              connection_in(*host, hosts::config_file(*host, project, environment_variable));
          !here.text.empty())
        connection = here;
    if (connection.text.empty())
      connection = file.host_is_installed ? Connection{Style::Plain, "installed, not connected"}
                                          : Connection{Style::Faint, "not found"};
    std::fprintf(stderr, "  %zu  %s %s\n", ++number, paint(Style::Name, fitted(host->title, 14)).c_str(),
                 paint(connection.style, one_line(connection.text)).c_str());
  }
}

const hosts::Host* ask_for_host() {
  const auto offered = hosts_to_offer();
  list_hosts(offered);
  const std::string answer = asked("Connect which one? (a number or a name)");
  const auto chosen = static_cast<std::size_t>(place_number(answer).value_or(0));
  if (chosen == 0) return hosts::find_host(answer);
  return chosen <= offered.size() ? offered[chosen - 1].host : nullptr;
}

// The project around the current folder, if the host can be set up for one and the user wants that.
fs::path ask_for_project(const hosts::Host& host) {
  const fs::path project = project_here();
  if (project.empty() || host.project_file.empty()) return {};
  return agreed("Only for the project " + one_line(project.string()) + "?") ? project : fs::path();
}

// A project's file is committed, and others have the program, and the folders of variables, elsewhere.
void make_common(hosts::Launch& launch) {
  if (launch.command.ends_with("/leanbridge")) launch.command = "leanbridge";
  const json variables = std::exchange(launch.env, json::object());
  for (const auto& [name, value] : variables.items())
    if (!value.get_ref<const std::string&>().starts_with('/'))
      launch.env[name] = value;
    else
      std::fprintf(stderr,
                   "leanbridge: %s is not written: it names a path of yours, and the file is for all.\n",
                   name.c_str());
}

// Flags as given, and the project: by the host's own name for it or, for a host that has none, by its path.
Result<hosts::Launch> launch_for(const hosts::Host& host, const fs::path& project, const Options& options) {
  const std::string root = host.project_file.empty() ? project.string() : std::string(host.project_root);
  const bool given =
      std::ranges::any_of(options.flags, [](const auto& flag) { return flag.first == "--project-root"; });
  TRY(hosts::Launch launch, launch_as_here(options));
  if (!project.empty() && !host.project_file.empty()) make_common(launch);
  if (!project.empty() && !root.empty() && !given) {
    const auto end = std::ranges::find(launch.args, "--");  // words behind it are Lake's
    launch.args.insert(end, {"--project-root", root});
  }
  return hosts::as_started_by(host, std::move(launch));
}

// An entry of that name that starts another program is not ours to change.
Result<void> check_ours(const json& document, const hosts::EntryPath& path, const std::string& file) {
  const json* entry = hosts::find_at(document, path);
  if (!entry) return {};
  const auto words = hosts::words_of(*entry);
  if (words.empty() || hosts::job_of(words) == hosts::Job::Leanbridge) return {};
  return fail(ErrorKind::NotSupported,
              file + " has an entry '" + path.back() + "' that starts " + one_line(words.front()) + ".",
              "Nothing was changed. Rename or remove that entry, or pass another --name.");
}

void warn_of_others(const hosts::Host& host, const json& document, const std::string& name) {
  for (const hosts::LeanServer& server : hosts::lean_servers(host, document))
    if (server.name != name)
      std::fprintf(
          stderr,
          "leanbridge: the entry '%s' of this file starts %s, which does the same: remove one of the two, or "
          "the model sees every tool twice.\n",
          one_line(server.name).c_str(),
          server.job == hosts::Job::LeanLspMcp ? "lean-lsp-mcp" : "leanbridge");
}

int setup_failed(const Error& error) {
  print_error(error);
  return kFailed;
}

// The change to make, and the present state of its file.
struct Setup {
  const Options& options;
  const hosts::Host& host;
  fs::path project;  // empty: the change is for the user
  hosts::ConfigText config;
  hosts::EntryPath path;
  json entry;           // the entry to add; null: remove it
  bool exists = false;  // there is an entry of that name

  bool removes() const { return entry.is_null(); }
  const std::string& name() const { return options.of<SetupOptions>().name; }
  hosts::Scope scope() const {
    const bool in_project = !project.empty() && !host.project_file.empty();
    return in_project ? hosts::Scope::Project : hosts::Scope::User;
  }
};

// Whether the user agrees to the change that was shown, by --yes or on the terminal. Otherwise reports that
// nothing has changed.
bool is_agreed(const Setup& setup, const std::string& question) {
  std::fflush(stdout);
  if (setup.options.of<SetupOptions>().yes) return true;
  if (!is_interactive()) {
    print_error(Error(ErrorKind::NotSupported, "Nothing was changed: this needs somebody to agree.",
                      "Run this command in a terminal, or pass --yes."));
    return false;
  }
  if (agreed(question)) return true;
  std::fprintf(stderr, "%s\n", kNothingWritten);
  return false;
}

void print_lines(std::string_view text, std::FILE* stream) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::fprintf(stream, "%s\n", printable_line(text.substr(0, end)).c_str());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// For a file that is not edited here: gives the reason, and prints the steps to do by hand.
int leave_to_user(const Setup& setup, const Error& why) {
  print_error(why);
  const std::string file = one_line(setup.config.file);
  if (setup.removes()) {
    std::printf("Remove the entry '%s' from %s.\n", one_line(setup.name()).c_str(), file.c_str());
    return kFailed;
  }
  std::printf("%s to %s:\n\n", setup.exists ? "Change the entry" : "Add this", file.c_str());
  std::fputs(hosts::file_text(setup.host, setup.name(), setup.entry).c_str(), stdout);
  return kFailed;
}

// --- by the host's own program

constexpr auto kProgramLimit = std::chrono::minutes(2);

// Runs the commands in order until one fails. Returns the exit code.
asio::awaitable<int> run_commands(fs::path program, std::vector<hosts::HostCommand> commands, fs::path folder,
                                  io::CancelScope scope) {
  for (hosts::HostCommand& command : commands) {
    const std::string name = command.front();
    command.front() = program.string();
    io::ProgramRun run;
    run.command = {std::move(command), folder, own_environment()};
    const auto end = co_await io::run_to_end(std::move(run), scope);
    if (!end) co_return setup_failed(end.error());
    print_lines(end->output, stdout);
    print_lines(end->errors, stderr);
    if (end->timed_out)
      co_return setup_failed(
          Error(ErrorKind::Timeout,
                name + " has not ended after " + std::to_string(kProgramLimit.count()) + " minutes."));
    if (end->exit_code != 0)
      co_return setup_failed(Error(ErrorKind::BackendError,
                                   name + " ended with exit code " + std::to_string(end->exit_code) + ".",
                                   "`leanbridge mcp serve-config` prints the entry to add by hand."));
  }
  co_return 0;
}

// Gemini's program exits with 0 even if it has removed nothing.
bool is_still_there(const Setup& setup) {
  auto text = hosts::load_config_file(setup.config.file);
  if (!text) return false;
  const auto document = hosts::read_document({setup.config.file, setup.host.format, std::move(*text)});
  return document && hosts::find_at(*document, setup.path);
}

int run_host_program(const Setup& setup, std::vector<hosts::HostCommand> commands) {
  const std::string name = commands.front().front();
  const char* const path = std::getenv("PATH");
  const auto program = find_on_path(name, path ? path : "");
  if (!program)
    return leave_to_user(
        setup, Error(ErrorKind::BackendUnavailable,
                     "There is no '" + name + "' on PATH, by which this is done.", kNothingWritten));
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path folder = setup.scope() == hosts::Scope::Project ? setup.project : here;
  std::printf("To change %s, this runs:\n", one_line(setup.config.file).c_str());
  for (const hosts::HostCommand& command : commands)
    std::printf("  %s\n", one_line(hosts::shell_line(command)).c_str());
  if (!is_agreed(setup, "Run it?")) return kFailed;
  asio::io_context context;
  const io::CancelScope scope(kProgramLimit);
  const auto code =
      run_work(context, run_commands(*program, std::move(commands), folder, scope), scope.cancel);
  if (!code) return kInterrupted;
  if (*code == 0 && setup.removes() && is_still_there(setup))
    return leave_to_user(setup, Error(ErrorKind::BackendError, name + " has removed nothing."));
  return *code;
}

// --- by editing the file

int edit_file(const Setup& setup) {
  const hosts::ConfigText& config = setup.config;
  const auto edit = setup.removes() ? hosts::without_entry(config, setup.path)
                                    : hosts::with_entry(config, setup.path, setup.entry);
  if (!edit && edit.error().kind == ErrorKind::NotSupported) return leave_to_user(setup, edit.error());
  if (!edit) return setup_failed(edit.error());
  const std::string shown = one_line(config.file);
  std::printf("--- %s\n+++ %s%s\n", shown.c_str(), shown.c_str(), edit->text.empty() ? " (removed)" : "");
  print_lines(edit->difference, stdout);
  if (!is_agreed(setup, "Write it?")) return kFailed;
  const auto backup = hosts::store_config_file(config.file, config.text, edit->text);
  if (!backup) return setup_failed(backup.error());
  if (!backup->empty()) std::printf("The old file is %s.\n", one_line(backup->string()).c_str());
  std::printf("%s\n", std::string(setup.host.then).c_str());
  return 0;
}

// Codex's own program writes no time limit: offers that line once the entry is there. Returns whether it is
// written now.
bool offer_time_limit(Setup setup) {
  constexpr const char* kLimit = "tool_timeout_sec";
  auto text = hosts::load_config_file(setup.config.file);
  if (!text || !setup.entry.contains(kLimit)) return false;
  setup.config.text = std::move(*text);
  const auto document = hosts::read_document(setup.config);
  const json* known = document ? hosts::find_at(*document, setup.path) : nullptr;
  if (!known || known->contains(kLimit)) return false;
  std::printf("%s ends a call after 60 s unless its entry has another limit:\n",
              std::string(setup.host.title).c_str());
  setup.entry = {{kLimit, json(setup.entry[kLimit])}};
  return edit_file(setup) == 0;
}

int perform(const Setup& setup) {
  auto commands = setup.removes() ? hosts::commands_to_remove(setup.host, setup.scope(), setup.name())
                                  : hosts::commands_to_add(setup.host, setup.scope(), setup.name(),
                                                           setup.entry, setup.exists);
  if (commands.empty()) return edit_file(setup);
  const int code = run_host_program(setup, std::move(commands));
  if (code == 0 && !offer_time_limit(setup)) std::printf("%s\n", std::string(setup.host.then).c_str());
  return code;
}

// Changes the file unless it is already as it should be.
int set_up(const Options& options, const hosts::Host& host, const fs::path& project, const fs::path& file) {
  auto text = hosts::load_config_file(file);
  if (!text) return setup_failed(text.error());
  Setup setup{options, host, project, {file.string(), host.format, std::move(*text)}, {}, nullptr};
  const auto document = hosts::read_document(setup.config);
  if (!document) return setup_failed(document.error());
  setup.path = hosts::entry_path(host, setup.name(), *document);
  if (const auto ours = check_ours(*document, setup.path, file.string()); !ours)
    return setup_failed(ours.error());
  const json* known = hosts::find_at(*document, setup.path);
  setup.exists = known != nullptr;
  const std::string name = one_line(setup.name()), shown = one_line(file.string());
  if (options.of<SetupOptions>().remove) {
    if (known) return perform(setup);
    std::printf("%s has no entry '%s'.%s\n", shown.c_str(), name.c_str(),
                project.empty() ? " A project's file is named by --project." : "");
    return 0;
  }
  const auto launch = launch_for(host, project, options);
  if (!launch) return report(launch.error());
  setup.entry = hosts::entry_for(host, *launch, *document);
  for (const hosts::LeanServer& server : hosts::lean_servers(host, *document))
    if (!known && server.job == hosts::Job::Leanbridge)
      return setup_failed(Error(
          ErrorKind::NotSupported, file.string() + " starts leanbridge already, as '" + server.name + "'.",
          "Nothing was changed. To change that entry, pass --name '" + server.name + "'."));
  warn_of_others(host, *document, setup.name());
  if (const auto users = !known && setup.scope() == hosts::Scope::Project
                             ? connection_in(host, hosts::config_file(host, {}, environment_variable))
                             : Connection();
      !users.name.empty() && users.name != setup.name())
    return setup_failed(Error(
        ErrorKind::NotSupported,
        std::string(host.title) + " is " + users.text + " already, so the model would see every tool twice.",
        "Nothing was changed. With --name '" + users.name +
            "' the project's entry takes the place of that one."));
  if (!known || !hosts::has_all_of(*known, setup.entry)) return perform(setup);
  std::printf("%s has this entry already: '%s'.\n", shown.c_str(), name.c_str());
  offer_time_limit(setup);
  return 0;
}

// For Claude Desktop on Windows, where this program, inside WSL, cannot reach its file.
int leave_windows_to_user(const Options& options, const hosts::Host& host, const fs::path& project,
                          const Error& why) {
  if (why.kind == ErrorKind::Cancelled) return kInterrupted;
  Setup setup{options, host, project, {hosts::kFileOnWindows, host.format, ""}, {}, nullptr};
  if (!options.of<SetupOptions>().remove) {
    const auto launch = launch_for(host, project, options);
    if (!launch) return report(launch.error());
    setup.entry = hosts::entry_for(host, *launch, json());
  }
  return leave_to_user(setup, why);
}

}  // namespace

int setup(const Options& options) {
  const SetupOptions& wanted = options.of<SetupOptions>();
  if (wanted.host.empty() && (wanted.yes || !is_interactive()))
    return usage(Error(ErrorKind::InvalidArgument, "Which host is not said.",
                       "Pass --host, or run `leanbridge setup` in a terminal to be asked."));
  const hosts::Host* host = wanted.host.empty() ? ask_for_host() : hosts::find_host(wanted.host);
  if (!host) return usage(Error(ErrorKind::InvalidArgument, "There is no such host.", kNothingWritten));
  std::error_code error;
  fs::path project = wanted.project.empty() ? fs::path() : fs::canonical(wanted.project, error);
  if (error) return usage(Error(ErrorKind::InvalidArgument, wanted.project + ": " + error.message() + "."));
  if (wanted.host.empty() && project.empty()) project = ask_for_project(*host);
  const auto users = hosts::find_user_file(*host);
  if (!users) return leave_windows_to_user(options, *host, project, users.error());
  const bool in_project = !project.empty() && !host->project_file.empty();
  const fs::path file = in_project ? hosts::config_file(*host, project, environment_variable) : users->path;
  if (file.empty())
    return setup_failed(Error(ErrorKind::InvalidArgument,
                              "HOME is not set, so there is no file of the user's.",
                              "Set HOME, or pass --project."));
  return set_up(options, *host, project, file);
}

}  // namespace leanbridge::app
