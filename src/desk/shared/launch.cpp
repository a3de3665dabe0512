#include "launch.hpp"

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/user_folders.hpp"
#include "core/platform/program.hpp"
#include "desk/desk_options.hpp"
#include "handshake.hpp"
#include "search/sources/config.hpp"
#include "shared.hpp"
#include "together/together_part.hpp"
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLogNameDigits = 16;

EnvironmentLookup lookup_in(const Variables& variables) {
  return [&variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

// The given search settings, except for the one whose value depends on the working directory.
void add_search_flags(const Options& options, std::vector<std::string>& arguments) {
  constexpr const char* kFolderFlag = "--loogle-cache-dir";
  for (const auto& [name, value] : options.flags) {
    const bool of_search = std::ranges::any_of(
        search::settings(), [&](const search::Setting& each) { return search::flag_of(each) == name; });
    if (!of_search || name == kFolderFlag) continue;
    arguments.push_back(value ? name + "=" + *value : name);
  }
  if (const fs::path& folder = options.of<search::Config>().local_loogle.cache; !folder.empty()) {
    arguments.emplace_back(kFolderFlag);
    arguments.push_back(folder.string());
  }
}

std::vector<std::string> variables_of_search() {
  std::vector<std::string> names;
  for (const search::Setting& setting : search::settings())
    names.insert(names.end(), setting.variables.begin(), setting.variables.end());
  return names;
}

}  // namespace

SharedProfile profile_of(const Options& options) {
  SharedProfile profile;
  profile.version = LEANBRIDGE_VERSION;
  profile.build = build_of_this_program();
  profile.surroundings = own_surroundings();
  profile.directory = "/";
  profile.environment = shared_environment(own_environment(), variables_of_search());
  profile.serve_args = options.serve_args;

  std::vector<std::string>& arguments = profile.arguments;
  const auto add = [&arguments](const char* flag, std::string value) {
    arguments.emplace_back(flag);
    arguments.push_back(std::move(value));
  };
  if (!options.lake.empty()) {
    const bool is_path = options.lake.find('/') != std::string::npos;
    add("--lake", is_path ? absolute_path(options.lake).string() : options.lake);
  }
  if (!options.cache_folder.empty()) add("--cache-dir", absolute_path(options.cache_folder).string());
  add("--max-open-files", std::to_string(options.max_open_files));
  if (options.min_free_mb > 0) add("--min-free-memory", std::to_string(options.min_free_mb));
  add("--max-scratch-workers", std::to_string(options.max_scratch_workers));
  if (options.max_worker_memory_mb > 0)
    add("--max-worker-memory", std::to_string(options.max_worker_memory_mb));
  if (options.of<TogetherOptions>().no_record) arguments.emplace_back("--no-record");
  add("--shared-idle-s", std::to_string(options.of<SharedOptions>().idle_s));

  fs::path settings = search::default_config_file(lookup_in(profile.environment));
  for (const auto& [name, value] : options.flags) {
    if (name != "--config" || !value) continue;
    settings = absolute_path(*value);
    add("--config", settings.string());
  }
  if (const auto digest = settings.empty() ? FileResult<std::string>("") : sha256_of_file(settings))
    profile.settings = *digest;
  add_search_flags(options, arguments);
  return profile;
}

std::vector<std::string> server_arguments(const SharedProfile& profile, const std::string& log_level) {
  // Its log has few lines, and is the only record of when it began and why it ended.
  const bool wants_more = log_level == "debug" || log_level == "trace";
  std::vector<std::string> arguments = {"--key", key_of(profile), "--log-level",
                                        wants_more ? log_level : "info"};
  arguments.insert(arguments.end(), profile.arguments.begin(), profile.arguments.end());
  if (!profile.serve_args.empty()) arguments.emplace_back("--");
  arguments.insert(arguments.end(), profile.serve_args.begin(), profile.serve_args.end());
  return arguments;
}

fs::path server_log(const Variables& environment, const std::string& key) {
  const fs::path folder = user_folder(lookup_in(environment), "XDG_STATE_HOME", ".local/state");
  if (folder.empty() || !make_private_folder(folder)) return {};
  return folder / ("shared-" + key.substr(0, kLogNameDigits) + ".log");
}

Result<void> start_server(const SharedProfile& profile, const std::string& log_level, int listening) {
  const fs::path log = server_log(profile.environment, key_of(profile));
  // A session of its own: neither Ctrl-C in the client's terminal nor the client's end reaches the server.
  platform::Start server;
  server.program = platform::this_program();
  server.arguments = server_arguments(profile, log_level);
  server.arguments.insert(server.arguments.begin(),
                          {platform::program_path().string(), kSharedServerCommand});
  server.variables.emplace();
  for (const auto& [name, value] : profile.environment) server.variables->push_back(name + "=" + value);
  server.directory = profile.directory;
  server.descriptors = {{listening, kListeningDescriptor}};
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO})
    server.files.push_back({stream, "/dev/null", O_RDWR});
  // The log also gets the messages that a library prints before it ends the process.
  server.files.push_back(
      {STDERR_FILENO, log.empty() ? "/dev/null" : log.string(), O_WRONLY | O_CREAT | O_APPEND});
  server.default_signals.reset();
  const pid_t pid = platform::start(server);
  if (pid < 0)
    return fail(ErrorKind::Internal,
                "Could not start the shared server: " + std::string(std::strerror(-pid)) + ".");
  // The started process leaves a child behind and ends, so the server itself need not be waited for.
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorKind::Internal, "The shared server has ended before it began.");
  return {};
}

}  // namespace leanbridge::app
