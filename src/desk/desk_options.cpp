#include "desk_options.hpp"

#include "core/program/option_readers.hpp"
#include "core/program/options.hpp"
#include "desk/commands/commands.hpp"
#include "desk/hosts/hosts.hpp"
#include "desk/hosts/serve_config.hpp"
#include "desk/shared/shared.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

void add_setup(CLI::App& app, Options& options) {
  SetupOptions& setup = options.of<SetupOptions>();
  CLI::App* command =
      app.add_subcommand("setup", "Connect a host: write the entry that starts leanbridge with these flags");
  command->footer(
      "  leanbridge setup                        lists the hosts, and asks which\n"
      "  leanbridge setup --host codex --yes     for all projects\n"
      "  leanbridge setup --host codex --remove  the way back\n\n"
      "Runs the host's own program where there is one, else edits its file and keeps a copy of the old one. "
      "Shows what it does before it asks (docs/hosts.md).\n"
      "Exit status: 0 if the host is set up as it should be, 1 if not, 2 for wrong usage, 130 if "
      "interrupted.");
  command->fallthrough();
  command
      ->add_option(
          "--host", setup.host,
          "claude-code, claude-desktop, codex, gemini, cursor, vscode, zed or opencode (default: ask)")
      ->type_name("HOST")
      ->check(CLI::IsMember(hosts::host_words()));
  command
      ->add_option("--project", setup.project, "Only for this project, in its own file if the host has one")
      ->check(CLI::ExistingDirectory);
  command->add_option("--name", setup.name, "Name of the entry (default: lean)")->type_name("NAME");
  command->add_flag("--yes", setup.yes, "Do not ask");
  command->add_flag("--remove", setup.remove, "Remove the entry instead");
  command->callback([&options] { options.command = app::setup; });
}

void add_view(CLI::App& app, Options& options) {
  ViewOptions& view = options.of<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Show a file in your browser while it is edited: its goals and messages");
  command->footer(
      "  leanbridge view Foo.lean:12        opens a browser\n"
      "  leanbridge view --no-browser Foo.lean  only prints the URL\n"
      "  leanbridge view --watch            follows agents that run with --shared --watchable\n\n"
      "Serves the page to this machine until Ctrl-C. The URL lets its holder read all Lean files of the "
      "project's own, not of packages, and change them as far as Lean accepts it; with --disable "
      "lean_write_proof only read them.\n"
      "Exit status: 0 after Ctrl-C, 1 if there is no such file or port, 2 for wrong usage.");
  command->fallthrough();
  command->add_option("FILE", view.file, "FILE, FILE:LINE or FILE:LINE:COLUMN");
  command->add_flag("--watch", view.watch, "Follow your agents at work; FILE may be left out");
  command->add_flag("--no-browser", view.no_browser, "Only print the page's URL");
  command->add_option("--port", view.port, "Port to listen on (default: any free one)")
      ->check(CLI::Range(0, 65535));
  command->callback([&options] { options.command = app::view; });
}

void add_fill(CLI::App& app, Options& options) {
  FillOptions& fill = options.of<FillOptions>();
  CLI::App* command = app.add_subcommand("fill", "Close the sorries of files, or refute them, by tactics");
  command->footer(
      "  leanbridge fill Foo.lean          what would be written\n"
      "  leanbridge fill --write Foo.lean  put it in\n"
      "  leanbridge fill .                 all files below this folder\n\n"
      "Exit status: 0 if nothing is left open, 1 if something is or a file cannot be checked, 2 for wrong "
      "usage, 130 if interrupted.");
  command->fallthrough();
  command->add_option("FILE", fill.files, "Lean files, or folders of them")->required();
  command->add_flag("--write", fill.write, "Put in what Lean accepts");
  command->add_option("--budget", fill.budget_s, "Seconds of processor time for each file (default: 30)")
      ->check(CLI::Range(0.1, 86400.0));
  command->add_flag("--json", options.as_json, "Print the answers of lean_fill as JSON, one for each file");
  command->callback([&options] { options.command = app::fill; });
}

void add_imports(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("imports", "Find the imports that files do not need, or lack");
  command->footer(
      "  leanbridge imports Foo.lean          which imports are not needed, and why the others are\n"
      "  leanbridge imports --write Foo.lean  put it right, if all that imports it still compiles\n"
      "  leanbridge imports .                 all files below this folder\n\n"
      "Compiles each file without each of its imports, in a copy; what it declares, its axioms and Lean's "
      "messages must stay the same. A file with names that Lean does not know first gets the imports that "
      "Lean offers. --timeout is for each file (default: 600).\n"
      "Exit status: 0 if there is nothing to change or it is written, 1 if there is or a file does not "
      "compile, 2 for wrong usage, 3 if not every import could be tried, 130 if interrupted.");
  command->fallthrough();
  command->add_option("FILE", options.of<ImportsOptions>().files, "Lean files, or folders of them")
      ->required();
  command->add_flag("--write", options.of<ImportsOptions>().write, "Write what is found");
  command->add_flag("--json", options.as_json,
                    "Print the answers of lean_minimal_imports as JSON, one for each file");
  command->callback([&options] { options.command = app::imports; });
}

void add_status(CLI::App& app, Options& options) {
  StatusOptions& wanted = options.of<StatusOptions>();
  CLI::App* status =
      app.add_subcommand("status", "Show what servers do: those that clients share, and one over HTTP");
  status->footer(
      "  leanbridge status                 the user's shared servers, and 127.0.0.1:8765 if it answers\n"
      "  leanbridge status 127.0.0.1:9000  the one over HTTP there\n"
      "  leanbridge status --stop          ends the shared server\n\n"
      "Exit status: 0, 1 if none answers, 2 for wrong usage, 130 if interrupted.");
  status->fallthrough();
  status->add_option("ADDRESS", wanted.address, "Of a server over HTTP: a URL, IP:PORT or unix:PATH");
  status
      ->add_option("--stop", wanted.stop,
                   "End the shared server with this process id, or the only one; its clients start another")
      ->expected(0, 1)
      ->type_name("PID");
  status->add_option("--token-file", wanted.token_file, "A file whose first token to send")
      ->type_name("FILE");
  status->add_option("--watch", wanted.watch_s, "Repeat every N seconds")->check(CLI::Range(0.1, 3600.0));
  status->add_flag("--json", options.as_json, "Print it as JSON");
  status->callback([&options] { options.command = app::status; });
}

void add_doctor(CLI::App& app, Options& options) {
  DoctorOptions& wanted = options.of<DoctorOptions>();
  CLI::App* doctor =
      app.add_subcommand("doctor", "Check what a session needs, and say what to do: Lean, project, hosts");
  doctor->footer(
      "  leanbridge doctor          in a project, before a host starts leanbridge there\n"
      "  leanbridge doctor --clean  removes what runs that were killed have left\n"
      "  leanbridge doctor --probe  tries on this toolchain what leanbridge takes for granted of Lake and "
      "Lean\n\n"
      "Exit status: 0 if no check failed, 1 if one did, 3 if a probe could not be tried, 130 if "
      "interrupted.");
  doctor->add_flag("--json", options.as_json, "Print the findings as JSON");
  CLI::Option* clean =
      doctor->add_flag("--clean", wanted.clean, "Remove what earlier runs have left behind, without asking");
  doctor
      ->add_flag("--probe", wanted.probe,
                 "Only try what leanbridge assumes of elan, Lake and Lean, in a temporary folder; with "
                 "--project-root also in that project, without changing its files")
      ->excludes(clean);
  doctor->callback(
      [&options] { options.command = options.of<DoctorOptions>().probe ? doctor_probe : app::doctor; });
}

void add_shared(CLI::App& app, Options& options) {
  SharedOptions& shared = options.of<SharedOptions>();
  add_switch(
      app, "--shared", shared.shared,
      "Share Lean with the user's other clients: attach to one server for all of them, and start it if "
      "there is none",
      "LEANBRIDGE_SHARED");
  add_switch(app, "--watchable", shared.watchable,
             "With --shared: let you watch this client's calls with `leanbridge view --watch`",
             "LEANBRIDGE_WATCHABLE");
  add_number(app, "--shared-idle-s", shared.idle_s, 0.0, 86400.0,
             "Seconds that a shared server outlives its last client");
  // Started by --shared (src/desk/shared/launch.cpp).
  CLI::App* server = app.add_subcommand("shared-server", "")->group("");
  server->fallthrough();
  server->add_option("--key", shared.key)->required();
  server->callback([&options] { options.command = run_shared_server; });
}

void add_serve_config(CLI::App& app, Options& options) {
  CLI::App* config = app.get_subcommand("mcp")->add_subcommand(
      "serve-config", "Print host configuration that starts leanbridge with these flags");
  config->fallthrough();
  config->callback([&options] { options.command = mcp_serve_config; });
  std::vector<std::string> words = hosts::host_words();
  words.emplace_back("claude");
  config
      ->add_option(
          "--host", options.of<SetupOptions>().printed_host,
          "Host to configure: claude-code (or claude), claude-desktop, codex, gemini, cursor, vscode, zed or "
          "opencode (default: claude-code)")
      ->type_name("HOST")
      ->check(CLI::IsMember(words));
  config->add_flag("--json", options.as_json, "Print the result as JSON");
}

}  // namespace

void add_desk(CLI::App& app, Options& options) {
  add_status(app, options);
  add_setup(app, options);
  add_view(app, options);
  add_fill(app, options);
  add_imports(app, options);
  add_doctor(app, options);
  add_shared(app, options);
  add_serve_config(app, options);
}

}  // namespace leanbridge::app
