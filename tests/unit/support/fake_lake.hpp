#pragma once
/// A `lake` scripted by the test: the child only relays its streams to this object, on the test's own loop.
/// So a test can let it crash between two assertions, and waits only for events.

#include "core/io/byte_stream.hpp"
#include "core/rpc/framing.hpp"
#include "support/relay.hpp"
#include "support/test_folder.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::test {

/// One run of the child.
class FakeServer {
 public:
  using json = nlohmann::json;

  explicit FakeServer(std::shared_ptr<io::OutgoingQueue> to_child) : to_child_(std::move(to_child)) {}

  std::vector<json> received;
  bool stdin_ended = false;

  /// The messages with this method, oldest first.
  std::vector<json> all(std::string_view method) const;
  bool has(std::string_view method) const { return !all(method).empty(); }
  json last(std::string_view method) const;
  /// Methods in the order of arrival; responses appear as "=" and their id.
  std::vector<std::string> order() const;

  void send(const json& message) { print(rpc::HeaderCodec::encode(message.dump())); }
  void reply(const json& request, json result) {
    send({{"jsonrpc", "2.0"}, {"id", request.at("id")}, {"result", std::move(result)}});
  }
  void refuse(const json& request, int code, std::string_view why) {
    send({{"jsonrpc", "2.0"}, {"id", request.at("id")}, {"error", {{"code", code}, {"message", why}}}});
  }
  void notify(std::string_view method, json params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  /// `lines`: pairs of 0-based first and last line still processed; `kind` 2 is fatal.
  void progress(const std::string& uri, std::int64_t version, const std::vector<std::pair<int, int>>& lines,
                int kind = 1);
  void diagnostics(const std::string& uri, std::int64_t version, const std::vector<std::string>& messages,
                   bool incremental = false);

  void print(std::string_view bytes) { tell(RelayFrame::Stdout, bytes); }
  void print_error(std::string_view bytes) { tell(RelayFrame::Stderr, bytes); }
  void exit(int code) { tell(RelayFrame::Exit, std::string(1, static_cast<char>(code))); }

 private:
  void tell(RelayFrame kind, std::string_view content);
  std::shared_ptr<io::OutgoingQueue> to_child_;
};

class FakeLake {
 public:
  using json = nlohmann::json;
  using Handler = std::function<void(FakeServer&, const json&)>;

  explicit FakeLake(asio::io_context& context);
  FakeLake(const FakeLake&) = delete;
  FakeLake& operator=(const FakeLake&) = delete;
  ~FakeLake();

  /// For ServerOptions::lake.
  std::string program() const { return (folder_ / "lake").string(); }
  /// In the environment of every process that it starts; see processes_marked().
  const std::string& mark() const { return mark_; }
  /// How the last run was started: its arguments, one per line, and its working directory.
  std::string arguments() const { return content_of(folder_ / "arguments"); }
  std::string directory() const { return content_of(folder_ / "directory"); }

  /// One for each start, oldest first.
  std::vector<std::shared_ptr<FakeServer>> runs;
  FakeServer& run() { return *runs.back(); }

  /// Handles initialize, shutdown and exit as a server must, and leaves the rest to the test.
  static void well_behaved(FakeServer& server, const json& message);
  /// Called for every message; a test may replace it. Default: well_behaved.
  Handler on_message = well_behaved;
  bool exits_when_stdin_ends = true;

 private:
  void accept();
  void serve(int socket);

  asio::io_context& context_;
  TestFolder folder_;
  std::string mark_;
  asio::posix::stream_descriptor listener_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace leanbridge::test
