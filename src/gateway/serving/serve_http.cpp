#include "serve_http.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/base/utc_time.hpp"
#include "core/ide/project_health.hpp"
#include "core/lean/project.hpp"
#include "core/platform/processes.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/runtime.hpp"
#include "gateway/command/gateway_options.hpp"
#include "gateway/gateway_part.hpp"
#include "gateway/streamable/access.hpp"
#include "gateway/streamable/endpoint.hpp"
#include "http/server.hpp"
#include "server_status.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr io::Clock::duration kDrainLimit = std::chrono::seconds(8);
constexpr io::Clock::duration kDrainLook = std::chrono::milliseconds(20);
constexpr io::Clock::duration kMeasureTime = std::chrono::seconds(2);
constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

/// Writes one JSON object per line, without queries, tokens or session ids.
class AccessLog {
 public:
  /// "-" is stderr; empty: no log.
  Result<void> open(const std::string& file) {
    if (file.empty()) return {};
    const int fd = file == "-"
                       ? ::dup(STDERR_FILENO)
                       : ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
      return fail(ErrorKind::InvalidArgument,
                  "--access-log " + file + " cannot be opened: " + std::strerror(errno) + ".",
                  "Pass a file in a folder that you can write to, or - for stderr.");
    file_.emplace(fd);
    return {};
  }

  void write(const http::AccessRecord& record) const {
    if (!file_) return;
    const json line = {{"time", utc_time()},
                       {"client", record.request.client},
                       {"method", record.request.method},
                       {"path", std::string(record.request.path())},
                       {"status", record.status},
                       {"bytes", record.bytes},
                       {"ms", record.ms}};
    // A full disk must not end the server.
    static_cast<void>(
        write_all(file_->get(), line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n"));
  }

 private:
  std::optional<Descriptor> file_;
};

http::OutgoingResponse text_response(int status, std::string text) {
  return {
      .status = status,
      .fields = {{"content-type", "text/plain; version=0.0.4; charset=utf-8"}, {"cache-control", "no-store"}},
      .body = std::move(text)};
}

class HttpServer {
 public:
  HttpServer(Runtime& runtime, streamable::AccessPolicy policy, AccessLog& log)
      : runtime_(runtime),
        context_(runtime.context()),
        policy_(std::move(policy)),
        log_(log),
        session_options_(std::make_shared<const mcp::SessionOptions>(options_of(runtime))),
        interrupts_(
            context_,
            [this](const std::string& why) {
              log::info("ending: {}", why);
              interrupts_.drain(stop());
            },
            [this] { runtime_.kill(); }) {
    const HttpOptions& given = runtime.options().of<HttpOptions>();
    streamable::EndpointLimits limits;
    limits.max_calls = static_cast<std::size_t>(given.max_calls);
    limits.max_client_calls = static_cast<std::size_t>(given.max_client_calls);
    limits.max_sessions = static_cast<std::size_t>(given.max_connections);
    // Without tokens of their own, all programs of this machine share one address. Leaves some room for
    // others.
    if (!has_clients_by_token()) limits.max_client_sessions = limits.max_sessions - limits.max_sessions / 8;
    streamable::EndpointHooks hooks;
    hooks.make_session = [this](std::function<void(mcp::Outgoing&&)> send) {
      return std::make_shared<mcp::Session>(context_, runtime_.tools(), session_options_, std::move(send),
                                            [this] { asio::post(context_, [this] { start_once(); }); });
    };
    hooks.client_of = [this](const http::IncomingRequest& request) { return client_of(request); };
    hooks.input_schema = [this](const std::string& tool, const json& arguments) {
      return schema_of(tool, arguments);
    };
    if (upstream::Hub* hub = hub_of(runtime))
      hub->on_changed = [this](mcp::List list) { endpoint_->list_changed(list); };
    endpoint_ = std::make_shared<streamable::Endpoint>(context_, limits, std::move(hooks));
  }

  Result<void> listen(http::ListenAddress address) {
    const HttpOptions& given = runtime_.options().of<HttpOptions>();
    http::ServerLimits limits;
    limits.max_connections = static_cast<std::size_t>(given.max_connections);
    limits.max_client_connections = limits.max_connections;
    http::ServerHandlers handlers;
    handlers.check = [this](const http::IncomingRequest& head) { return streamable::refuse(head, policy_); };
    handlers.handle = [this](std::shared_ptr<http::Exchange> exchange) { handle(std::move(exchange)); };
    handlers.client_of = [this](const http::IncomingRequest& head) { return client_of(head); };
    // Without tokens of their own, all programs of this machine share one address.
    if (!has_clients_by_token()) limits.max_client_bodies = limits.max_bodies;
    handlers.log = [this](const http::AccessRecord& record) { log_.write(record); };
    TRY(server_, http::Server::listen(context_, std::move(address), limits, std::move(handlers)));
    return {};
  }

  void run() {
    std::fprintf(stderr, "listening on %s\n", url().c_str());
    io::spawn(context_, runtime_.backend().keep_memory_free(runtime_.options().min_free_mb * kMegabyte,
                                                            io::CancelScope(io::kNoDeadline, ended_)));
    interrupts_.serve();
  }

 private:
  // A Unix socket has no URL with a path.
  std::string url() const {
    const std::string at = server_->url();
    return at.starts_with("unix:") ? at : at + std::string(streamable::kMcpPath);
  }

  // If there are several tokens, each is a client; otherwise each address is, or each process at a Unix
  // socket.
  bool has_clients_by_token() const { return policy_.tokens.size() >= 2; }
  std::string client_of(const http::IncomingRequest& request) const {
    if (!has_clients_by_token()) return request.client;
    return "token " + std::to_string(streamable::token_of(request, policy_));
  }

  // Tools take an argument for the project only if there is more than one project.
  static mcp::SessionOptions options_of(Runtime& runtime) {
    mcp::SessionOptions options = runtime.session_options();
    options.project_argument = runtime.options().project_root.empty();
    options.tasks = std::make_shared<mcp::TaskStore>();
    return options;
  }

  // The project is the only argument of our own tools that is mirrored. A client that was configured with the
  // header sends it even without the argument, for the proxy.
  json schema_of(const std::string& tool, const json& arguments) const {
    if (runtime_.tools().find(tool)) {
      if (!session_options_->project_argument || !arguments.is_object() ||
          !arguments.contains(mcp::kProjectArgument))
        return nullptr;
      return {{"properties", {{mcp::kProjectArgument, {{"x-mcp-header", mcp::kProjectHeader}}}}}};
    }
    const upstream::Hub* const hub = hub_of(runtime_);
    if (!hub || !hub->knows_tool(tool)) return nullptr;
    for (const json& entry : hub->tools())
      if (entry.value("name", "") == tool) return entry.value("inputSchema", json());
    return nullptr;
  }

  void start_once() {
    if (!std::exchange(started_, true)) runtime_.begin_work(ended_);
  }

  void handle(std::shared_ptr<http::Exchange> exchange) {
    const std::string path(exchange->request().path());
    if (path == streamable::kMcpPath) return endpoint_->handle(std::move(exchange));
    if (path == "/healthz") return exchange->respond(text_response(200, "ok\n"));
    if (path == "/readyz") return exchange->respond(readiness());
    io::spawn(context_, answer_status(std::move(exchange), path == "/metrics"));
  }

  http::OutgoingResponse readiness() const {
    if (interrupts_.draining()) return text_response(503, "draining\n");
    const auto lake = lean::find_lake(runtime_.options().lake);
    return lake ? text_response(200, "ready\n") : text_response(503, lake.error().message + "\n");
  }

  asio::awaitable<void> answer_status(std::shared_ptr<http::Exchange> exchange, bool as_metrics) {
    ServerStatus status;
    status.version = LEANBRIDGE_VERSION;
    status.url = url();
    status.uptime_s = std::chrono::duration<double>(io::Clock::now() - began_).count();
    status.draining = interrupts_.draining();
    status.connections = server_->connections();
    status.refused_connections = server_->refused_connections();
    status.mcp = endpoint_->counts();
    status.own_bytes = platform::own_resident_bytes();
    status.tools = runtime_.tools().counts();
    const io::CancelScope scope(kMeasureTime, ended_);
    for (const auto& store : runtime_.projects().all())
      status.projects.push_back(co_await ide::measured_health_of(*store, runtime_.pool(), scope));
    if (as_metrics) {
      exchange->respond(text_response(200, metrics_text(status)));
      co_return;
    }
    exchange->respond({.fields = {{"content-type", "application/json"}, {"cache-control", "no-store"}},
                       .body = rpc::dump(status_json(status))});
  }

  // Stops. Running calls may finish, if they do not take too long.
  asio::awaitable<void> stop() {
    endpoint_->drain();
    server_->drain();
    const auto limit = io::Clock::now() + kDrainLimit;
    while (endpoint_->counts().calls > 0 && io::Clock::now() < limit)
      co_await io::sleep_for(kDrainLook, io::CancelScope(2 * kDrainLook));
    ended_->cancel();
    endpoint_->close();
    session_options_->tasks->close();
    // The last answers are still being written.
    const auto written = io::Clock::now() + kStopGrace;
    while (server_->connections() > 0 && io::Clock::now() < written)
      co_await io::sleep_for(kDrainLook, io::CancelScope(2 * kDrainLook));
    server_->close();
    io::spawn(context_, runtime_.stop_parts());
    co_await runtime_.projects().stop(kStopGrace);
    co_await runtime_.stop_parts();
  }

  Runtime& runtime_;
  asio::io_context& context_;
  streamable::AccessPolicy policy_;
  AccessLog& log_;
  std::shared_ptr<const mcp::SessionOptions> session_options_;
  Interrupts interrupts_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<streamable::Endpoint> endpoint_;
  std::shared_ptr<http::Server> server_;
  io::Clock::time_point began_ = io::Clock::now();
  bool started_ = false;
};

int usage_error(const Error& error) {
  std::fprintf(stderr, "leanbridge: %s %s\n", error.message.c_str(), error.hint.c_str());
  return 2;
}

/// The rules about who may connect from where. Without a token, only programs of this machine may.
Result<streamable::AccessPolicy> policy_for(const HttpOptions& options, const http::ListenAddress& address) {
  streamable::AccessPolicy policy;
  if (!options.token_file.empty()) {
    TRY(policy.tokens, streamable::read_tokens(options.token_file));
  } else if (!options.token.empty()) {
    TRY(policy.tokens, streamable::tokens_in(options.token.reveal(), "LEAN_LSP_MCP_TOKEN"));
  }
  if (!address.is_local() && !options.listen_any)
    return fail(
        ErrorKind::InvalidArgument, options.address + " can be reached from other machines.",
        "Listen on 127.0.0.1; or behind a proxy that does TLS, with --listen-any and --token-file, or with "
        "LEAN_LSP_MCP_TOKEN and --transport streamable-http.");
  if (!address.is_local() && policy.tokens.empty())
    return fail(ErrorKind::InvalidArgument, "--listen-any needs --token-file.",
                "Make a token with: head -c 32 /dev/urandom | base64");
  policy.local_hosts_only = address.is_local() && !address.is_unix();
  for (const std::string& host : options.hosts) policy.hosts.push_back(lower_case(host));
  return policy;
}

}  // namespace

int serve_http(const Options& options) {
  auto address = http::parse_listen_address(options.of<HttpOptions>().address);
  if (!address) return usage_error(address.error());
  auto policy = policy_for(options.of<HttpOptions>(), *address);
  if (!policy) return usage_error(policy.error());
  AccessLog log;
  if (const auto opened = log.open(options.of<HttpOptions>().access_log); !opened)
    return usage_error(opened.error());
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage_error(selected.error());
  runtime.connect();
  HttpServer server(runtime, std::move(*policy), log);
  if (const auto listening = server.listen(std::move(*address)); !listening) {
    usage_error(listening.error());
    return 1;
  }
  server.run();
  return 0;
}

}  // namespace leanbridge::app
