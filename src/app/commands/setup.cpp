// leanbridge setup: the entry that starts this program, in the configuration of a host.

#include "leanbridge/base/try.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/upstream/config.hpp"

#include "app/hosts/config_file.hpp"
#include "app/hosts/hosts.hpp"
#include "app/mcp/commands.hpp"
#include "commands.hpp"
#include "output.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kNothingWritten = "Nothing was changed.";

const hosts::Host* ask_for_host() {
  std::size_t number = 0;
  for (const hosts::Host& host : hosts::all_hosts())
    std::fprintf(stderr, "  %zu  %-14s %s\n", ++number, std::string(host.title).c_str(),
                 hosts::is_installed(host, upstream::environment_variable) ? "found" : "");
  const std::string answer = asked("Which host?");
  std::size_t chosen = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), chosen);
  if (error == std::errc() && end == answer.data() + answer.size())
    return chosen >= 1 && chosen <= number ? &hosts::all_hosts()[chosen - 1] : nullptr;
  return hosts::find_host(answer);
}

// The project around the current folder, if the host can be set up for one, and the user wants that.
fs::path ask_for_project(const hosts::Host& host) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const auto project = error ? std::nullopt : lean::find_project_root(here);
  if (!project || host.project_file.empty()) return {};
  return agreed("Only for the project " + one_line(project->string()) + "?") ? *project : fs::path();
}

// Flags as given, and the project: by the name that the host has for it, or for a host that knows none, by
// its path.
Result<hosts::Launch> launch_for(const hosts::Host& host, const fs::path& project, const Options& options) {
  const std::string root = host.project_file.empty() ? project.string() : std::string(host.project_root);
  const bool given = std::any_of(options.flags.begin(), options.flags.end(),
                                 [](const auto& flag) { return flag.first == "--project-root"; });
  TRY(hosts::Launch launch, launch_as_here(options));
  if (project.empty() || root.empty() || given) return launch;
  // Behind `--`, words are Lake's.
  const auto end = std::find(launch.args.begin(), launch.args.end(), "--");
  launch.args.insert(end, {"--project-root", root});
  return launch;
}

// An entry of that name that starts something else is somebody's.
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

}  // namespace

int setup(const Options& options) {
  const SetupOptions& wanted = options.setup;
  if (wanted.host.empty() && (wanted.yes || !is_interactive()))
    return usage(Error(ErrorKind::InvalidArgument, "Which host is not said.",
                       "Pass --host, or run `leanbridge setup` in a terminal to be asked."));
  const hosts::Host* host = wanted.host.empty() ? ask_for_host() : hosts::find_host(wanted.host);
  if (!host) return usage(Error(ErrorKind::InvalidArgument, "There is no such host.", kNothingWritten));
  std::error_code error;
  fs::path project = wanted.project.empty() ? fs::path() : fs::canonical(wanted.project, error);
  if (error) return usage(Error(ErrorKind::InvalidArgument, wanted.project + ": " + error.message() + "."));
  if (wanted.host.empty() && project.empty()) project = ask_for_project(*host);
  const fs::path file = hosts::config_file(*host, project, upstream::environment_variable);
  if (file.empty())
    return setup_failed(Error(ErrorKind::InvalidArgument,
                              "HOME is not set, so there is no file of the user's.",
                              "Set HOME, or pass --project."));

  const auto before = hosts::load_config_file(file);
  if (!before) return setup_failed(before.error());
  const hosts::ConfigText config{file.string(), host->format, *before};
  const auto document = hosts::read_document(config);
  if (!document) return setup_failed(document.error());
  const hosts::EntryPath path = hosts::entry_path(*host, wanted.name, *document);
  if (const auto ours = check_ours(*document, path, file.string()); !ours) return setup_failed(ours.error());
  const auto with_ours = [&]() -> Result<std::string> {
    TRY(const hosts::Launch launch, launch_for(*host, project, options));
    return hosts::with_entry(config, path, hosts::entry_for(*host, launch, *document));
  };
  const auto after = wanted.remove ? hosts::without_entry(config, path) : with_ours();
  if (!after) return setup_failed(after.error());
  if (!wanted.remove) warn_of_others(*host, *document, wanted.name);
  if (*after == *before) {
    std::printf("%s has %s '%s'.%s\n", one_line(file.string()).c_str(),
                wanted.remove ? "no entry" : "this entry already:", one_line(wanted.name).c_str(),
                wanted.remove && project.empty() ? " A project's file is named by --project." : "");
    return 0;
  }

  const std::string shown = one_line(file.string());
  std::printf("--- %s\n+++ %s%s\n", shown.c_str(), shown.c_str(), after->empty() ? " (removed)" : "");
  const std::string difference = hosts::diff_of(*before, *after);
  for (std::size_t at = 0; at < difference.size();) {
    const std::size_t end = difference.find('\n', at);
    std::printf("%s\n", printable_line(std::string_view(difference).substr(at, end - at)).c_str());
    at = end + 1;
  }
  std::fflush(stdout);
  if (!wanted.yes && !is_interactive())
    return setup_failed(Error(ErrorKind::NotSupported, "Nothing was changed: this needs somebody to agree.",
                              "Run this command in a terminal, or pass --yes."));
  if (!wanted.yes && !agreed("Write it?")) {
    std::fprintf(stderr, "%s\n", kNothingWritten);
    return kFailed;
  }
  const auto backup = hosts::store_config_file(file, *before, *after);
  if (!backup) return setup_failed(backup.error());
  if (!backup->empty()) std::printf("The old file is %s.\n", one_line(backup->string()).c_str());
  std::printf("%s\n", std::string(host->then).c_str());
  return 0;
}

}  // namespace leanbridge::app
