// leanbridge status: the servers that clients share, and the activity of a server over HTTP.

#include "check/batch/summary.hpp"
#include "commands.hpp"
#include "core/base/files.hpp"
#include "core/base/joined.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "desk/desk_options.hpp"
#include "desk/shared/meeting.hpp"
#include "desk/shared/profile.hpp"
#include "desk/shared/running.hpp"
#include "gateway/serving/server_status.hpp"
#include "gateway/streamable/access.hpp"
#include "gateway/upstream/config.hpp"
#include "http/client.hpp"
#include "http/server.hpp"
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr auto kStatusLimit = std::chrono::seconds(10);
constexpr auto kStopLimit = std::chrono::seconds(20);
constexpr const char* kUsualAddress = "127.0.0.1:8765";

// Reads `http://…/mcp`, `127.0.0.1:8765` or `unix:PATH`, as serve prints and takes them.
Result<http::Request> request_for(const StatusOptions& options) {
  http::Request request;
  const std::string address = options.address.empty() ? kUsualAddress : options.address;
  if (address.starts_with("http://") || address.starts_with("https://")) {
    const auto origin = http::origin_of(address);
    if (!origin) return fail(ErrorKind::InvalidArgument, origin.error().message, "Pass the server's URL.");
    request.url = origin->scheme + "://" + origin->place() + "/status";
  } else {
    TRY(auto parsed, http::parse_listen_address(address));
    request.unix_socket = parsed.path;
    request.url = "http://" + (parsed.is_unix() ? "localhost" : address) + "/status";
  }
  if (!options.token_file.empty()) {
    TRY(const auto tokens, streamable::read_tokens(options.token_file));
    request.headers.emplace_back("Authorization", "Bearer " + tokens.front().reveal());
  }
  request.same_origin = true;
  return request;
}

asio::awaitable<Result<json>> fetch_status(http::Client& client, http::Request request) {
  const auto answer = co_await client.send(std::move(request), io::CancelScope(kStatusLimit));
  if (!answer)
    co_return fail(ErrorKind::BackendUnavailable, answer.error().message,
                   "Start it with `leanbridge serve --http ADDRESS`.");
  if (answer->status != 200)
    co_return fail(ErrorKind::BackendError,
                   "The server answered with status " + std::to_string(answer->status) + ".",
                   answer->status == 401 ? "Pass --token-file." : "Is it a leanbridge?");
  json status = read_json(answer->body);
  if (!status.is_object())
    co_return fail(ErrorKind::BackendError, "The server's answer is not a status.", "Is it a leanbridge?");
  co_return status;
}

Result<json> status_of(const http::Request& request) {
  asio::io_context context{1};
  http::Client client(context, {});
  auto status = run_work(context, fetch_status(client, request), nullptr);
  if (!status) return call_cancelled();
  return std::move(*status);
}

Result<SharedServers> shared_servers() {
  TRY(const auto folder, socket_folder(environment_variable));
  return shared_servers_in(folder);
}

json json_of(const SharedServers& servers) {
  json all = json::array();
  for (const RunningServer& each : servers.running)
    all.push_back({{"pid", each.pid > 0 ? json(each.pid) : json()},
                   {"version", each.version},
                   {"socket", each.socket.string()},
                   {"uptime_s", each.uptime_s},
                   {"memory_bytes", each.memory_bytes},
                   {"workers", each.workers}});
  return all;
}

void print_shared(const SharedServers& servers) {
  Table table({{"SHARED SERVER", 0, false, Style::Name}, {"VERSION"}, {"UP"}, {"MEMORY"}, {"WORKERS"}});
  for (const RunningServer& each : servers.running) {
    if (each.pid <= 0) {
      table.add({"starting", each.version, "", "", ""});
      continue;
    }
    table.add({"pid " + std::to_string(each.pid), each.version, batch::clock_text(each.uptime_s),
               std::to_string(each.memory_bytes >> 20) + " MB", std::to_string(each.workers)});
  }
  if (!table.empty()) table.print();
}

// Does `status --stop`: stops the named server, or the only one.
int stop_shared(const std::string& wanted) {
  const auto servers = shared_servers();
  if (!servers) return report(servers.error());
  std::vector<RunningServer> meant;
  std::string pids;
  for (const RunningServer& each : servers->running) {
    if (each.pid <= 0) continue;
    join(pids, std::to_string(each.pid));
    if (wanted.empty() || wanted == std::to_string(each.pid)) meant.push_back(each);
  }
  if (pids.empty()) {
    std::printf("No shared server runs.\n");
    return wanted.empty() ? 0 : kFailed;
  }
  if (meant.size() != 1)
    return usage(Error(ErrorKind::InvalidArgument,
                       meant.empty() ? "No shared server has the process id " + one_line(wanted) + "."
                                     : "Several shared servers run.",
                       "Pass one of " + pids + "."));
  if (const auto stopped = stop_shared_server(meant.front(), kStopLimit); !stopped)
    return report(stopped.error());
  std::printf("The shared server, process %d, has ended.\n", meant.front().pid);
  return 0;
}

// Without an address, shows the shared servers, and the server at the usual address if one answers there.
int show_all(const Options& options, const http::Request& usual) {
  const auto servers = shared_servers();
  if (!servers) print_error(servers.error());
  const Result<json> found = status_of(usual);
  if (!found && found.error().kind == ErrorKind::Cancelled) return kInterrupted;
  if (options.as_json) {
    print_json({{"shared", servers ? json_of(*servers) : json::array()}, {"http", found ? *found : json()}});
  } else {
    if (servers) print_shared(*servers);
    if (found)
      std::printf("%s%s", servers && !servers->running.empty() ? "\n" : "", status_table(*found).c_str());
  }
  if (found || (servers && !servers->running.empty())) return 0;
  if (!options.as_json)
    print_paragraph(
        stdout, std::string("No shared server runs, and none answers at http://") + kUsualAddress + "/mcp.");
  return kFailed;
}

}  // namespace

int status(const Options& options) {
  if (options.of<StatusOptions>().stop) return stop_shared(*options.of<StatusOptions>().stop);
  const auto request = request_for(options.of<StatusOptions>());
  if (!request) return usage(request.error());
  const bool live = options.of<StatusOptions>().watch_s > 0 && is_terminal(stdout);
  for (;;) {
    // Moves to the upper left corner, and clears everything below.
    if (live && !options.as_json) std::fputs("\x1b[H\x1b[J", stdout);
    if (options.of<StatusOptions>().address.empty()) {
      const int code = show_all(options, *request);
      if (options.of<StatusOptions>().watch_s <= 0) return code;
    } else {
      const Result<json> found = status_of(*request);
      if (!found) return found.error().kind == ErrorKind::Cancelled ? kInterrupted : report(found.error());
      if (options.as_json)
        print_json(*found);
      else
        std::fputs(status_table(*found).c_str(), stdout);
    }
    std::fflush(stdout);
    if (options.of<StatusOptions>().watch_s <= 0) return 0;
    ::usleep(static_cast<useconds_t>(options.of<StatusOptions>().watch_s * 1e6));
  }
}

}  // namespace leanbridge::app
