#include "runtime.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/prompts/prompts.hpp"
#include "leanbridge/text/untrusted.hpp"
#include "leanbridge/upstream/oauth.hpp"

#include "app/mcp/upstream_files.hpp"
#include "instructions.hpp"
#include "search_sources.hpp"
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace leanbridge::app {

namespace {

constexpr std::int64_t kLeastDefaultMemory = std::int64_t{6} << 30;

std::int64_t max_worker_bytes(std::int64_t megabytes) {
  if (megabytes > 0) return megabytes << 20;
  return std::max(kLeastDefaultMemory, ::sysconf(_SC_PHYS_PAGES) / 2 * ::sysconf(_SC_PAGESIZE));
}

document::WorkspaceOptions workspace_options(const Options& options) {
  document::WorkspaceOptions workspace;
  if (!options.project_root.empty()) workspace.root = options.project_root;
  std::error_code ignored;
  workspace.directory = std::filesystem::current_path(ignored);
  workspace.lake = options.lake;
  workspace.serve_args = options.serve_args;
  workspace.limits.max_open = static_cast<std::size_t>(options.max_open_files);
  workspace.limits.scratch.max_workers = static_cast<std::size_t>(options.max_scratch_workers);
  workspace.limits.scratch.max_bytes = max_worker_bytes(options.max_worker_memory_mb);
  return workspace;
}

// First of all: what follows may have something to say.
const Options& with_log(const Options& options) {
  log::configure(options.log_level, options.log_file);
  return options;
}

// What lies there is believed: a folder that others can write to is none. Empty: everything is in memory.
std::filesystem::path usable_cache(const Options& options) {
  const std::filesystem::path folder = index::cache_folder(options.cache_folder);
  std::error_code ignored;
  const bool there = !folder.empty() && std::filesystem::is_directory(folder, ignored);
  return !there || make_private_folder(folder) ? folder : std::filesystem::path();
}

std::filesystem::path home_folder() {
  const char* home = std::getenv("HOME");
  return home ? home : "";
}

// In the project that is known without a file; without one a local Loogle says that it cannot be started.
search::LocalLoogleStart loogle_start(const Options& options, document::Workspace& workspace) {
  search::LocalLoogleStart start;
  if (options.search.local_loogle.program.empty()) return start;
  if (const auto lake = lean::find_lake(options.lake)) start.lake = lake->string();
  if (const auto project = workspace.project("")) start.project = (*project)->root();
  start.environment = lean::environment_for_lake();
  return start;
}

}  // namespace

Runtime::Runtime(const Options& options)
    : options_(with_log(options)),
      cache_(usable_cache(options)),
      workspace_(context_, pool_, workspace_options(options)),
      index_(context_, index::IndexOptions{cache_, options.lake}),
      search_(context_, pool_, options.search, search::cache_file(cache_), home_folder(),
              loogle_start(options, workspace_),
              search::LocalSource{[this](index::Lookup lookup, io::CancelScope scope) {
                                    return look_up(std::move(lookup), scope);
                                  },
                                  [this](std::filesystem::path project, io::CancelScope scope) {
                                    return index_.generation(std::move(project), scope);
                                  },
                                  nullptr}),
      environment_{workspace_,         pool_, index_, search_, [this] { return call_counts(); },
                   LEANBRIDGE_VERSION, {}},
      all_tools_(tools::all_tools(environment_)) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file at the limit of its size (ulimit -f) is a write that fails
}

Runtime::~Runtime() {
  if (upstreams_) upstreams_->kill();
  workspace_.kill();
}

Result<void> Runtime::select_tools() {
  std::vector<mcp::Tool> tools = all_tools_;
  if (options_.no_caller_code) std::erase_if(tools, [](const mcp::Tool& tool) { return tool.caller_code; });
  auto selected =
      mcp::ToolRegistry::select(std::move(tools), options_.groups, options_.disabled, options_.descriptions);
  if (!selected) return tl::unexpected(selected.error());
  tools_ = std::move(*selected);
  return {};
}

upstream::Allowed Runtime::find_upstreams() {
  const upstream::Allowed found = read_upstreams(options_);
  for (const upstream::ServerConfig& server : found.without_consent)
    log::warn(
        "{}:{}: server {} is not connected: files of a workspace need consent. Start leanbridge with "
        "--upstream {}, or run `leanbridge mcp trust {}` once.",
        text::cleaned_line(server.file.string()), server.line, server.name, text::shell_word(server.name),
        text::shell_word(server.name));
  if (found.config.servers.empty() && found.config.problems.empty()) return found;
  upstream::HubOptions hub;
  hub.client.version = LEANBRIDGE_VERSION;
  hub.client.offline = options_.search.offline;
  hub.lazy = options_.lazy_upstream;
  hub.own_tool = [this](const std::string& name) { return tools_ && tools_->find(name); };
  http::ClientOptions http;
  http.user_agent = "leanbridge/" LEANBRIDGE_VERSION;
  http.max_connections = 256;                    // each remote server may hold one open for its events
  http.loopback_only = options_.search.offline;  // also where a server redirects to, and its issuer
  upstream_http_.emplace(context_, std::move(http));
  if (!options_.save_media.empty()) {
    media_ = std::make_shared<upstream::MediaFolder>(options_.save_media);
    hub.on_result = [this](nlohmann::json result, std::string source, io::CancelScope scope) {
      return save_media(std::move(result), std::move(source), std::move(scope));
    };
  }
  // No login here: a server that needs one says in its error and its health which command to run.
  const upstream::TokenStore tokens(upstream::TokenStore::default_folder());
  auto authorization =
      std::make_shared<upstream::OAuth>(context_, *upstream_http_, tokens, upstream::OAuthOptions());
  hub.factory = upstream::make_transports(context_, *upstream_http_, std::move(authorization));
  upstreams_.emplace(context_, found.config, std::move(hub));
  add_search_sources(search_, *upstreams_, options_.search.offline);
  environment_.upstreams = [this] { return upstreams_->health(); };
  return found;
}

// What is in the result stays in it. A file that could not be written is told in its place, and no reason to
// lose the result.
asio::awaitable<nlohmann::json> Runtime::save_media(nlohmann::json result, std::string source,
                                                    io::CancelScope scope) {
  if (!result.contains("content") || !upstream::holds_media(result["content"])) co_return result;
  auto content = std::make_shared<const nlohmann::json>(result["content"]);
  const auto write = [media = media_, content, source]() -> Result<std::vector<upstream::SavedMedia>> {
    return media->save(*content, source);
  };
  const auto saved = co_await pool_.run(write, scope);
  if (!saved) co_return result;
  co_return upstream::with_paths(std::move(result), *saved);
}

mcp::SessionOptions Runtime::session_options() {
  mcp::SessionOptions session;
  session.version = LEANBRIDGE_VERSION;
  session.instructions = options_.instructions.empty() ? instructions_for(*tools_) : options_.instructions;
  session.timeout_s = options_.timeout_s;
  session.prompts = prompts::all_prompts();
  if (upstreams_ && !upstreams_->clients().empty()) session.provider = &*upstreams_;
  session.resources = tools::all_resources(environment_, all_tools_);
  return session;
}

// An index that has just begun to be built has little to say: it is waited for, a moment, while it has
// nothing. One that cannot be had, since there is neither a project nor a toolchain, is not.
asio::awaitable<Result<index::Matches>> Runtime::look_up(index::Lookup lookup, io::CancelScope scope) {
  constexpr auto kMoment = std::chrono::seconds(8);
  constexpr auto kLookAgain = std::chrono::milliseconds(500);
  const io::CancelScope patience = scope.with_timeout(kMoment);
  for (;;) {
    auto matches = co_await index_.find(lookup, scope);
    if (!matches || !matches->growing || !matches->found.empty()) co_return matches;
    if (co_await io::sleep_for(kLookAgain, patience) == io::WaitStatus::Cancelled ||
        io::Clock::now() >= patience.deadline)
      co_return matches;
  }
}

nlohmann::json Runtime::call_counts() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, counts] : tools_->counts())
    all[name] = {{"calls", counts.calls},
                 {"errors", counts.errors},
                 {"cancelled", counts.cancelled},
                 {"mean_ms", counts.latency.mean_ms()},
                 {"max_ms", counts.latency.max_ms()},
                 {"histogram_ms", counts.latency.histogram()}};
  return all;
}

}  // namespace leanbridge::app
