#include "upstream_run.hpp"

#include "core/base/joined.hpp"
#include "core/io/seconds.hpp"
#include "core/io/task_group.hpp"
#include "core/program/interrupts.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/command/gateway_options.hpp"

#include <algorithm>

namespace leanbridge::app {

namespace {

constexpr auto kConnectLimit = std::chrono::seconds(30);

// The command reports failures itself, with advice, and the log would repeat them.
Options quieter(Options options) {
  if (options.log_level == "warning") options.log_level = "error";
  options.of<UpstreamOptions>().lazy = false;
  return options;
}

// Rewords the error of a client from a session to the command line.
Error command_error(const upstream::Client& client, Error error, io::Clock::duration limit) {
  if (error.kind == ErrorKind::BackendUnavailable && client.last_error()) error = *client.last_error();
  if (error.kind != ErrorKind::Timeout) return error;
  const double seconds = std::chrono::duration<double>(limit).count();
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return Error(ErrorKind::Timeout,
               "The server " + client.config().name + " did not finish the handshake within " + text + " s.",
               "See its output with --log-level info, or allow more time with --timeout.");
}

asio::awaitable<int> then_disconnect(asio::awaitable<int> work, Runtime& runtime) {
  const int code = co_await std::move(work);
  co_await runtime.stop_parts();
  co_return code;
}

std::string known_names(const upstream::AllowedServers& found) {
  std::string names;
  for (const auto* list : {&found.config.servers, &found.without_consent})
    for (const auto& server : *list) join(names, server.name);
  return names;
}

}  // namespace

UpstreamRun::UpstreamRun(const Options& options) : runtime_(quieter(options)) {
  // Select the tools as a session does, because tools of other servers never get the names of our own.
  static_cast<void>(runtime_.select_tools());
  runtime_.connect();
}

Result<std::vector<std::shared_ptr<upstream::Client>>> UpstreamRun::chosen(const std::string& name) {
  if (name.empty()) return hub() ? hub()->clients() : std::vector<std::shared_ptr<upstream::Client>>();
  if (hub())
    if (auto client = hub()->client(name)) return std::vector{std::move(client)};
  for (const upstream::ServerConfig& server : found().without_consent)
    if (server.name == name)
      return fail(ErrorKind::NotSupported,
                  "The server " + name + " in " + server.file.string() + " needs consent.",
                  "Run `leanbridge mcp trust " + text::shell_word(name) + "`, or pass --upstream " +
                      text::shell_word(name) + ".");
  for (const upstream::ConfigProblem& problem : found().config.problems)
    if (problem.server == name) return fail(ErrorKind::NotSupported, problem.describe());
  const std::string names = known_names(found());
  return fail(
      ErrorKind::InvalidArgument, "There is no server " + name + ".",
      names.empty() ? "None is configured, or --upstream is none." : "Configured servers: " + names + ".");
}

io::Clock::duration UpstreamRun::connect_limit() const {
  if (!options().timeout_given) return kConnectLimit;
  return io::to_duration(options().timeout_s);
}

asio::awaitable<std::vector<Attempt>> UpstreamRun::connect(
    std::vector<std::shared_ptr<upstream::Client>> clients, std::shared_ptr<io::CancelSource> cancel) {
  auto all = std::make_shared<std::vector<Attempt>>();
  for (auto& client : clients) all->push_back({std::move(client), std::nullopt, 0});
  io::TaskGroup connecting;
  for (std::size_t i = 0; i < all->size(); ++i)
    connecting.start(runtime_.context().get_executor(), connect_one(all, i, cancel));
  // Each attempt ends at its own deadline or when cancelled, so this only waits for the last one.
  const io::CancelScope scope(2 * connect_limit() + std::chrono::seconds(1));
  co_await connecting.wait(scope);
  co_return std::move(*all);
}

asio::awaitable<void> UpstreamRun::connect_one(std::shared_ptr<std::vector<Attempt>> all, std::size_t index,
                                               std::shared_ptr<io::CancelSource> cancel) {
  const auto start = io::Clock::now();
  const auto client = (*all)[index].client;
  const Result<void> ready = co_await client->ensure_ready(io::CancelScope(connect_limit(), cancel));
  Attempt& attempt = (*all)[index];
  attempt.ms = std::chrono::duration<double, std::milli>(io::Clock::now() - start).count();
  if (!ready) attempt.error = command_error(*client, ready.error(), connect_limit());
}

int UpstreamRun::run(const Work& work) {
  const auto cancel = std::make_shared<io::CancelSource>();
  return run_work(runtime_.context(), then_disconnect(work(cancel), runtime_), cancel,
                  [this] { runtime_.kill(); })
      .value_or(kInterrupted);
}

std::string no_servers_configured(const Options& options) {
  return "No other servers are configured, neither in " + upstream_workspace(options).string() +
         " nor in your home folder.";
}

std::string nothing_to_connect(UpstreamRun& run) {
  if (upstream::Selection::parse(run.options().of<UpstreamOptions>().names).mode ==
      upstream::Selection::Mode::None)
    return "All other servers are disabled: --upstream is none.";
  if (run.hub() || !run.found().without_consent.empty()) return "";
  return no_servers_configured(run.options());
}

}  // namespace leanbridge::app
