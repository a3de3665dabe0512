// leanbridge mcp auth: logging in to remote servers.

#include "browser.hpp"
#include "commands.hpp"
#include "core/base/enum_names.hpp"
#include "core/base/log.hpp"
#include "core/io/seconds.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/command/gateway_options.hpp"
#include "gateway/upstream/oauth.hpp"
#include "http/client.hpp"
#include "search/sources/config.hpp"
#include "upstream_files.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

namespace leanbridge::app {

using nlohmann::json;
using upstream::ServerConfig;
using upstream::Token;
using upstream::TokenStore;
using upstream::TransportKind;

namespace {

int failed(const Error& error) {
  print_error(error);
  return kFailed;
}

TokenStore store() {
  return TokenStore(TokenStore::default_folder());
}

// To name a server here is to agree to talking to it, since no program is started. It does not include
// sending it values of the environment: an entry with variables must have been trusted before.
Result<ServerConfig> named_server(const Options& options) {
  upstream::Selection selection = upstream::Selection::parse(options.of<UpstreamOptions>().names);
  if (selection.mode == upstream::Selection::Mode::None) selection.mode = upstream::Selection::Mode::Trusted;
  selection.names.insert(options.of<McpOptions>().server);
  for (const ServerConfig& server : read_upstreams(options).without_consent)
    if (server.name == options.of<McpOptions>().server &&
        server.definition.dump().find("${") != std::string::npos)
      return fail(ErrorKind::NotSupported,
                  "The entry of " + server.name + " in " + server.file.string() +
                      " uses environment variables, which needs your consent.",
                  "Run `leanbridge mcp trust " + text::shell_word(server.name) + "` first.");
  const upstream::AllowedServers found = read_upstreams(options, selection);
  if (const ServerConfig* server = found.config.find(options.of<McpOptions>().server)) return *server;
  for (const upstream::ConfigProblem& problem : found.config.problems)
    if (problem.server == options.of<McpOptions>().server)
      return fail(ErrorKind::InvalidArgument, problem.describe());
  return fail(ErrorKind::InvalidArgument, "There is no server " + options.of<McpOptions>().server + ".",
              "Run `leanbridge mcp list` to see the configured servers.");
}

http::ClientOptions http_options(const Options& given) {
  http::ClientOptions options;
  options.user_agent = "leanbridge/" LEANBRIDGE_VERSION;
  options.loopback_only = given.of<search::Config>().offline;
  return options;
}

std::string environment(const char* name) {
  return environment_variable(name).value_or("");
}

void show_url(const std::string& url, bool browser) {
  std::fprintf(stderr, "Open this URL in a browser to log in:\n");
  std::printf("%s\n", url.c_str());
  std::fflush(stdout);
  if (browser && has_desktop() && !open_in_browser(url)) std::fprintf(stderr, "Could not start a browser.\n");
  std::fprintf(stderr, "Waiting for the login to complete...\n");
}

std::string local_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  char text[64];
  if (!::localtime_r(&time, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) == 0)
    return "?";
  return text;
}

std::string expiry(const Token& token) {
  return token.expires_at == 0 ? "unknown" : local_time(token.expires_at);
}

asio::awaitable<int> log_in(asio::io_context& context, http::Client& http, ServerConfig server,
                            upstream::LoginOptions options, io::CancelScope scope) {
  const auto token =
      co_await upstream::login(context, http, store(), std::move(server), std::move(options), scope);
  if (!token) co_return failed(token.error());
  std::fprintf(stderr, "Logged in to %s through %s. Scopes: %s. Expires: %s (%s).\n", token->server.c_str(),
               token->issuer.c_str(), token->scope.empty() ? "unknown" : token->scope.c_str(),
               expiry(*token).c_str(),
               token->refresh.empty() ? "then log in again" : "renewed automatically");
  co_return 0;
}

// A server may have had several URLs, each with a token.
asio::awaitable<int> log_out(http::Client& http, std::string server, std::vector<std::string> urls,
                             std::shared_ptr<io::CancelSource> cancel) {
  int code = 0;
  bool any = false;
  for (const std::string& url : urls) {
    std::string warning;
    const auto done = co_await upstream::logout(http, store(), server, url, &warning,
                                                io::CancelScope(std::chrono::seconds(30), cancel));
    if (done)
      any = any || *done;
    else
      code = failed(done.error());
    if (!warning.empty()) std::fprintf(stderr, "leanbridge: %s\n", warning.c_str());
  }
  if (code == 0)
    std::fprintf(stderr, any ? "Logged out of %s.\n" : "There was no token for %s.\n", server.c_str());
  co_return code;
}

// --- status

enum class LoginState {
  NotLoggedIn,
  Configured,  // its entry has another kind of authorization
  LoggedIn,
  ToBeRenewed,
  Expired,
};
wire::Names<LoginState> names_of(LoginState) {
  return {{LoginState::NotLoggedIn, "not logged in"},
          {LoginState::Configured, "configured"},
          {LoginState::LoggedIn, "logged in"},
          {LoginState::ToBeRenewed, "to be renewed"},
          {LoginState::Expired, "expired"}};
}

struct Row {
  std::string server, expires, scopes, issuer, url;
  LoginState state = LoginState::NotLoggedIn;
  std::string note;  // shown in parentheses after the state
  bool renewable = false;
  std::int64_t expires_at = 0;
};

std::string state_text(const Row& row) {
  return wire::name_of(row.state) + (row.note.empty() ? "" : " (" + row.note + ")");
}

void fill(Row& row, const Token& token) {
  row.renewable = !token.refresh.empty();
  row.expires = expiry(token);
  row.expires_at = token.expires_at;
  row.scopes = token.scope;
  row.issuer = token.issuer;
  const bool expired = token.expired(upstream::unix_now());
  row.state = !expired ? LoginState::LoggedIn : row.renewable ? LoginState::ToBeRenewed : LoginState::Expired;
  row.note.clear();
}

std::vector<Row> rows_of(const Options& options) {
  upstream::AllowedServers found = read_upstreams(options);
  std::vector<Token> tokens = store().all();
  std::vector<Row> rows;
  auto& servers = found.config.servers;  // including those without consent, as written in their files
  std::move(found.without_consent.begin(), found.without_consent.end(), std::back_inserter(servers));
  for (const ServerConfig& server : servers) {
    if (server.transport == TransportKind::Stdio) continue;
    Row row;
    row.server = server.name;
    row.url = upstream::canonical_url(server.url);
    const upstream::AuthKind kind = upstream::authorization_kind(server);
    const std::string written = server.written({"url"});
    if (kind != upstream::AuthKind::OAuth) {
      row.state = LoginState::Configured;
      row.note = wire::name_of(kind);
    }
    const auto ours = std::ranges::find_if(
        tokens, [&](const Token& token) { return token.server == server.name && token.url == row.url; });
    if (ours != tokens.end()) {
      fill(row, *ours);
      tokens.erase(ours);
    }
    row.url = server.in_written_form(server.as_written ? written : row.url);
    rows.push_back(std::move(row));
  }
  for (const Token& token : tokens) {
    Row row;
    row.server = token.server;
    row.url = token.url;
    fill(row, token);
    row.note = "not configured here";
    rows.push_back(std::move(row));
  }
  if (!options.of<McpOptions>().server.empty())
    std::erase_if(rows, [&](const Row& row) { return row.server != options.of<McpOptions>().server; });
  return rows;
}

json to_json(const Row& row) {
  return {{"server", row.server},      {"url", row.url},
          {"state", state_text(row)},  {"issuer", row.issuer},
          {"scope", row.scopes},       {"expires_at", row.expires_at != 0 ? json(row.expires_at) : json()},
          {"renewable", row.renewable}};
}

}  // namespace

int mcp_auth_login(const Options& options) {
  log::configure(options.log_level, options.log_file);
  const Result<ServerConfig> server = named_server(options);
  if (!server) return usage(server.error());
  std::fprintf(stderr, "%s: %s (%s:%d)\n", server->name.c_str(),
               one_line(server->in_written_form(server->url)).c_str(),
               one_line(server->file.string()).c_str(), server->line);
  upstream::LoginOptions login;
  login.scope = options.of<McpOptions>().auth.scope;
  login.issuer = options.of<McpOptions>().auth.issuer;
  login.client_id = options.of<McpOptions>().auth.client_id;
  if (!login.client_id.empty()) login.client_secret = Secret(environment("LEANBRIDGE_CLIENT_SECRET"));
  login.client_metadata_url = environment("LEANBRIDGE_CLIENT_METADATA_URL");
  login.patience = io::to_duration(options.of<McpOptions>().auth.patience_s);
  login.open_url = [browser = !options.of<McpOptions>().auth.no_browser](const std::string& url) {
    show_url(url, browser);
  };
  asio::io_context context{1};
  http::Client http(context, http_options(options));
  const io::CancelScope scope(std::chrono::hours(2));
  return run_work(context, log_in(context, http, *server, std::move(login), scope), scope.cancel)
      .value_or(kInterrupted);
}

int mcp_auth_logout(const Options& options) {
  log::configure(options.log_level, options.log_file);
  const Result<ServerConfig> server = named_server(options);
  std::vector<std::string> urls;  // including servers that are no longer configured
  for (const Token& token : store().all())
    if (token.server == options.of<McpOptions>().server) urls.push_back(token.url);
  if (server && server->transport != TransportKind::Stdio &&
      std::ranges::find(urls, upstream::canonical_url(server->url)) == urls.end())
    urls.push_back(server->url);  // its token file may be unreadable
  if (urls.empty() && !server) return usage(server.error());
  asio::io_context context{1};
  http::Client http(context, http_options(options));
  const auto cancel = std::make_shared<io::CancelSource>();
  return run_work(context, log_out(http, options.of<McpOptions>().server, std::move(urls), cancel), cancel)
      .value_or(kInterrupted);
}

int mcp_auth_status(const Options& options) {
  log::configure(options.log_level, options.log_file);
  const std::vector<Row> rows = rows_of(options);
  if (options.as_json) {
    json list = json::array();
    for (const Row& row : rows) list.push_back(to_json(row));
    print_json(list);
    return 0;
  }
  Table table({{"SERVER", 25}, {"STATE"}, {"EXPIRES"}, {"SCOPES", 25}, {"ISSUER", 30}, {"URL", 0, true}});
  for (const Row& row : rows)
    table.add({row.server, state_text(row), row.expires, row.scopes, row.issuer, row.url});
  if (!rows.empty()) table.print();
  if (rows.empty()) std::fprintf(stderr, "No remote servers are configured, and there are no tokens.\n");
  return 0;
}

}  // namespace leanbridge::app
