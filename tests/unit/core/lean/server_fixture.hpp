#pragma once
/// lean::Server against a FakeLake, and what it pushed.

#include "core/lean/server.hpp"
#include "support/fake_lake.hpp"
#include "support/loop.hpp"
#include "support/processes.hpp"

namespace leanbridge::lean::test {

using namespace leanbridge::test;
using nlohmann::json;

struct ServerFixture {
  ServerFixture() : lake(loop.context) {
    ServerOptions options;
    options.root = project.path();
    options.lake = lake.program();
    restart_with(options);
  }

  ServerFixture(const ServerFixture&) = delete;
  ServerFixture& operator=(const ServerFixture&) = delete;
  // Every test ends without a process or a zombie, because the next one looks for its own.
  ~ServerFixture() {
    if (server) server->kill();
    nothing_runs();
  }

  void restart_with(ServerOptions options) {
    Server::Events events;
    events.on_diagnostics = [this](PublishDiagnostics message) { diagnostics.push_back(std::move(message)); };
    events.on_progress = [this](FileProgress message) { progress.push_back(std::move(message)); };
    events.on_down = [this](const Error& error) { downs.push_back(error); };
    server = std::make_shared<Server>(loop.context, std::move(options), std::move(events));
  }

  void be_ready() { REQUIRE(loop.run(server->ensure_ready(patient())).has_value()); }
  /// Sends `method` to Lean and leaves it unanswered.
  Running<Reply> ask(std::string method, io::CancelScope scope = patient()) {
    const std::size_t had = lake.run().all(method).size();
    auto asked = loop.start(server->request(method, json::object(), std::move(scope)));
    REQUIRE(loop.until([&] { return lake.run().all(method).size() > had; }));
    return asked;
  }
  /// Checks that none of its processes survives.
  bool nothing_runs() {
    return loop.until([&] { return processes_marked(lake.mark()).empty() && children().empty(); });
  }

  Loop loop;
  TestFolder project;
  FakeLake lake;
  std::vector<PublishDiagnostics> diagnostics;
  std::vector<FileProgress> progress;
  std::vector<Error> downs;
  std::shared_ptr<Server> server;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace leanbridge::lean::test
