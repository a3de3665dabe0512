#include "support/fake_lake.hpp"

#include "support/processes.hpp"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <stdexcept>

namespace leanbridge::test {

using nlohmann::json;

std::vector<json> FakeServer::all(std::string_view method) const {
  std::vector<json> found;
  for (const json& message : received)
    if (message.value("method", "") == method) found.push_back(message);
  return found;
}

json FakeServer::last(std::string_view method) const {
  const auto found = all(method);
  return found.empty() ? json() : found.back();
}

std::vector<std::string> FakeServer::order() const {
  std::vector<std::string> names;
  for (const json& message : received)
    names.push_back(message.contains("method") ? message["method"].get<std::string>()
                                               : "=" + message["id"].dump());
  return names;
}

void FakeServer::progress(const std::string& uri, std::int64_t version,
                          const std::vector<std::pair<int, int>>& lines, int kind) {
  json ranges = json::array();
  for (const auto& [first, last] : lines)
    ranges.push_back(
        {{"range",
          {{"start", {{"line", first}, {"character", 0}}}, {"end", {{"line", last}, {"character", 1}}}}},
         {"kind", kind}});
  notify("$/lean/fileProgress",
         {{"textDocument", {{"uri", uri}, {"version", version}}}, {"processing", ranges}});
}

void FakeServer::diagnostics(const std::string& uri, std::int64_t version,
                             const std::vector<std::string>& messages, bool incremental) {
  json items = json::array();
  int line = 0;
  for (const std::string& message : messages) {
    const json place = {{"line", line++}, {"character", 0}};
    items.push_back({{"range", {{"start", place}, {"end", place}}}, {"severity", 1}, {"message", message}});
  }
  notify("textDocument/publishDiagnostics",
         {{"uri", uri}, {"version", version}, {"isIncremental", incremental}, {"diagnostics", items}});
}

void FakeServer::tell(RelayFrame kind, std::string_view content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  std::string frame(1, static_cast<char>(kind));
  frame.append(reinterpret_cast<const char*>(&size), sizeof size);
  frame += content;
  to_child_->send(std::move(frame));
}

FakeLake::FakeLake(asio::io_context& context)
    : context_(context), listener_(context, ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const std::string name = folder_.path().filename().string();
  mark_ = "LEANBRIDGE_TEST_MARK=" + name;
  ::setenv("LEANBRIDGE_TEST_MARK", name.c_str(), 1);
  const std::string socket = (folder_ / "socket").string();
  folder_.write_program("lake", "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + (folder_ / "arguments").string() +
                                    "'\npwd > '" + (folder_ / "directory").string() + "'\nexec '" +
                                    own_program() + "' " + kRelayCommand + " '" + socket + "'\n");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  if (::bind(listener_.native_handle(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.native_handle(), 16) != 0)
    throw std::runtime_error("no socket for the test at " + socket);
  accept();
}

FakeLake::~FakeLake() {
  *alive_ = false;
  ::unsetenv("LEANBRIDGE_TEST_MARK");
}

void FakeLake::accept() {
  listener_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [this, alive = alive_](boost::system::error_code error) {
                         if (error || !*alive) return;
                         serve(::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC));
                         accept();
                       });
}

void FakeLake::serve(int socket) {
  auto out = std::make_shared<io::OutgoingQueue>(
      asio::posix::stream_descriptor(context_, ::fcntl(socket, F_DUPFD_CLOEXEC, 0)));
  auto in = std::make_shared<asio::posix::stream_descriptor>(context_, socket);
  const auto server = std::make_shared<FakeServer>(std::move(out));
  runs.push_back(server);
  const auto codec = std::make_shared<rpc::HeaderCodec>();
  const auto on_bytes = [this, alive = alive_, server, codec](std::string_view bytes) {
    if (!*alive) return false;
    codec->feed(bytes);
    for (auto body = codec->next(); body && *body; body = codec->next()) {
      server->received.push_back(json::parse(**body));
      on_message(*server, json(server->received.back()));
    }
    return true;
  };
  const auto on_end = [this, alive = alive_, server](const std::string&) {
    server->stdin_ended = true;
    if (*alive && exits_when_stdin_ends) server->exit(0);
  };
  asio::co_spawn(context_, io::read_to_end(in, on_bytes, on_end), asio::detached);
}

void FakeLake::well_behaved(FakeServer& server, const json& message) {
  const std::string method = message.value("method", "");
  if (method == "initialize")
    server.reply(message, {{"capabilities", json::object()},
                           {"serverInfo", {{"name", "Fake Lean"}, {"version", "1"}}}});
  else if (method == "shutdown")
    server.reply(message, nullptr);
  else if (method == "exit")
    server.exit(0);
}

}  // namespace leanbridge::test
