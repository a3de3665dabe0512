// leanbridge status: what a server over HTTP does, as a table.

#include "app/http/status.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/http/server.hpp"
#include "leanbridge/streamable/access.hpp"

#include "commands.hpp"
#include "output.hpp"
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr auto kStatusLimit = std::chrono::seconds(10);

// `http://…/mcp`, `127.0.0.1:8765` or `unix:PATH`, as serve prints and takes them.
Result<http::Request> request_for(const StatusOptions& options) {
  http::Request request;
  std::string address = options.address;
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

asio::awaitable<void> fetch_status(asio::io_context& context, http::Client& client, http::Request request,
                                   Result<json>& status) {
  const auto answer = co_await client.send(std::move(request), io::CancelScope(kStatusLimit));
  if (!answer) {
    status = fail(ErrorKind::BackendUnavailable, answer.error().message,
                  "Start it with `leanbridge serve --http ADDRESS`.");
  } else if (answer->status != 200) {
    status = fail(ErrorKind::BackendError,
                  "The server answered with status " + std::to_string(answer->status) + ".",
                  answer->status == 401 ? "Pass --token-file." : "Is it a leanbridge?");
  } else {
    status = read_json(answer->body);
    if (!status->is_object())
      status = fail(ErrorKind::BackendError, "The server's answer is not a status.", "Is it a leanbridge?");
  }
  context.stop();
}

Result<json> status_of(const http::Request& request) {
  asio::io_context context{1};
  http::Client client(context, {});
  Result<json> status = json();
  io::spawn(context, fetch_status(context, client, request, status));
  context.run();
  return status;
}

}  // namespace

int status(const Options& options) {
  const auto request = request_for(options.status);
  if (!request) return usage(request.error());
  const bool live = options.status.watch_s > 0 && ::isatty(STDOUT_FILENO) != 0;
  for (;;) {
    const Result<json> found = status_of(*request);
    if (!found) return report(found.error());
    if (options.as_json) {
      print_json(*found);
    } else {
      // To the upper left corner, and clear what is below.
      std::printf("%s%s", live ? "\x1b[H\x1b[J" : "", status_table(*found).c_str());
    }
    std::fflush(stdout);
    if (options.status.watch_s <= 0) return 0;
    ::usleep(static_cast<useconds_t>(options.status.watch_s * 1e6));
  }
}

}  // namespace leanbridge::app
