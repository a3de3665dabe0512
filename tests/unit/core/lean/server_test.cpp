#include "server_fixture.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

using namespace lean::test;

TEST_CASE_METHOD(ServerFixture, "the handshake, in Lean's order", "[lean][server]") {
  CHECK(server->state() == Server::State::Idle);
  CHECK(server->pid() == 0);
  be_ready();
  CHECK(server->state() == Server::State::Ready);
  CHECK(server->name() == "Fake Lean 1");
  CHECK(server->starts() == 1);
  REQUIRE(loop.until([&] { return lake.run().has("initialized"); }));
  CHECK(lake.run().order() == std::vector<std::string>{"initialize", "initialized"});
  const json params = lake.run().last("initialize")["params"];
  CHECK(params["rootUri"] == "file://" + project.path().string());
  CHECK(params["capabilities"]["lean"]["silentDiagnosticSupport"] == true);
  CHECK(lake.run().last("initialized")["params"] == json::object());
  CHECK(lake.arguments().starts_with("serve\n--\n"));
  CHECK(lake.directory() == project.path().string() + "\n");
  be_ready();  // no second one
  server->start();
  CHECK(server->starts() == 1);
}

TEST_CASE_METHOD(ServerFixture, "arguments for Lean come last, and the root is a URI", "[lean][server]") {
  ServerOptions options = server->options();
  options.serve_args = {"-Dx=a b", "$HOME"};
  options.root = project / "a b%";
  std::filesystem::create_directory(options.root);
  restart_with(options);
  be_ready();
  CHECK(lake.arguments().ends_with("\n-Dx=a b\n$HOME\n"));
  CHECK(lake.run().last("initialize")["params"]["rootUri"] ==
        "file://" + project.path().string() + "/a%20b%25");
}

TEST_CASE_METHOD(ServerFixture, "many that wait start one server", "[lean][server]") {
  std::vector<Running<Result<void>>> waits;
  for (int i = 0; i < 5; ++i) waits.push_back(loop.start(server->ensure_ready(patient())));
  for (auto& wait : waits) CHECK(loop.finish(wait).has_value());
  CHECK(lake.runs.size() == 1);
}

TEST_CASE_METHOD(ServerFixture, "requests get their own answers, in whatever order they come",
                 "[lean][server]") {
  be_ready();
  auto first = ask("first"), second = ask("second");
  CHECK(server->pending_requests() == 2);
  lake.run().reply(lake.run().last("second"), 2);
  CHECK(loop.finish(second).value() == 2);
  CHECK_FALSE(first.done());
  lake.run().refuse(lake.run().last("first"), -32601, "what?");
  const RequestError error = loop.finish(first).error();
  CHECK(error.code == -32601);
  CHECK(error.error.kind == ErrorKind::NotSupported);
  CHECK(server->pending_requests() == 0);
}

TEST_CASE_METHOD(ServerFixture, "Lean's codes become kinds", "[lean][server]") {
  be_ready();
  const auto [code, kind] = GENERATE(table<int, ErrorKind>({{-32800, ErrorKind::Cancelled},
                                                            {-32901, ErrorKind::WorkerCrashed},
                                                            {-32902, ErrorKind::WorkerCrashed},
                                                            {-32801, ErrorKind::Internal},
                                                            {-32603, ErrorKind::Internal}}));
  auto asked = ask("q");
  lake.run().refuse(lake.run().last("q"), code, "because");
  CHECK(loop.finish(asked).error().code == code);
  CHECK(asked.get().error().error.kind == kind);
}

TEST_CASE_METHOD(ServerFixture, "Lean's requests are answered, though their ids are also ours",
                 "[lean][server]") {
  be_ready();
  auto asked = ask("q");
  const json id = lake.run().last("q")["id"];
  lake.run().send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "workspace/semanticTokens/refresh"}});
  lake.run().send({{"jsonrpc", "2.0"},
                   {"id", "register"},
                   {"method", "client/registerCapability"},
                   {"params", json::object()}});
  lake.run().send(
      {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "workspace/applyEdit"}, {"params", json::object()}});
  lake.run().send({{"jsonrpc", "2.0"}, {"id", 7}, {"method", "user/extension"}});
  REQUIRE(loop.until([&] { return lake.run().received.size() == 7; }));
  const auto& received = lake.run().received;
  CHECK(received[3] == json({{"jsonrpc", "2.0"}, {"id", id}, {"result", nullptr}}));
  CHECK(received[4] == json({{"jsonrpc", "2.0"}, {"id", "register"}, {"result", nullptr}}));
  CHECK(received[5]["result"]["applied"] == false);
  CHECK(received[6]["error"]["code"] == -32601);
  CHECK_FALSE(asked.done());
  lake.run().reply(lake.run().last("q"), "mine");
  CHECK(loop.finish(asked).value() == "mine");
}

TEST_CASE_METHOD(ServerFixture, "what Lean pushes is handed on, what it pushes wrongly is not",
                 "[lean][server]") {
  be_ready();
  lake.run().notify("$/lean/fileProgress", json::array());
  lake.run().notify("something/else", json::object());
  lake.run().notify("window/logMessage", {{"message", 7}});
  lake.run().diagnostics("file:///a", 1, {"m"});
  lake.run().progress("file:///a", 1, {{0, 3}});
  REQUIRE(loop.until([&] { return !progress.empty(); }));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].diagnostics[0].message == "m");
  CHECK(server->state() == Server::State::Ready);
}

TEST_CASE_METHOD(ServerFixture,
                 "diagnostics that cannot be read end the server: without them a file would look clean",
                 "[lean][server]") {
  be_ready();
  const json wrong = GENERATE(json{{"uri", 1}}, json{{"uri", "file:///a"}, {"diagnostics", {7}}});
  lake.run().notify("textDocument/publishDiagnostics", wrong);
  REQUIRE(loop.until([&] { return server->state() != Server::State::Ready; }));
  CHECK(diagnostics.empty());
}

TEST_CASE_METHOD(ServerFixture, "messages arrive in pieces or many at once", "[lean][server]") {
  be_ready();
  auto first = ask("first"), second = ask("second");
  const auto answer = [&](const char* method) {
    return rpc::HeaderCodec::encode(
        json({{"jsonrpc", "2.0"}, {"id", lake.run().last(method)["id"]}, {"result", method}}).dump());
  };
  const std::string both = answer("first") + answer("second");
  SECTION("byte by byte") {
    for (const char byte : both) lake.run().print(std::string(1, byte));
  }
  SECTION("together") {
    lake.run().print(both);
  }
  CHECK(loop.finish(first).value() == "first");
  CHECK(loop.finish(second).value() == "second");
}

TEST_CASE_METHOD(ServerFixture, "a cancelled request ends at once; its late answer is dropped",
                 "[lean][server]") {
  be_ready();
  const auto cancel = std::make_shared<io::CancelSource>();
  auto asked = ask("slow", patient(cancel));
  cancel->cancel();
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::Cancelled);
  CHECK(server->pending_requests() == 0);
  REQUIRE(loop.until([&] { return lake.run().has("$/cancelRequest"); }));
  CHECK(lake.run().last("$/cancelRequest")["params"]["id"] == lake.run().last("slow")["id"]);
  lake.run().reply(lake.run().last("slow"), "late");
  lake.run().reply(lake.run().last("slow"), "twice");
  lake.run().reply({{"id", 999}}, "unknown");
  auto next = ask("next");
  lake.run().reply(lake.run().last("next"), 1);
  CHECK(loop.finish(next).value() == 1);
  CHECK(server->stray_responses() == 3);
}

TEST_CASE_METHOD(ServerFixture, "a request that Lean does not answer ends with its deadline",
                 "[lean][server]") {
  be_ready();
  const Reply reply =
      loop.run(server->request("slow", json::object(), io::CancelScope(std::chrono::milliseconds(1))));
  CHECK(reply.error().error.kind == ErrorKind::Timeout);
  CHECK(server->pending_requests() == 0);
  CHECK(server->state() == Server::State::Ready);
}

TEST_CASE_METHOD(ServerFixture, "before the handshake is done nothing is sent", "[lean][server]") {
  lake.on_message = [](FakeServer&, const json&) {};
  server->start();
  REQUIRE(loop.until([&] { return !lake.runs.empty() && lake.run().has("initialize"); }));
  server->notify("textDocument/didOpen", json::object());
  CHECK(loop.run(server->request("q", json::object(), patient())).error().error.kind ==
        ErrorKind::WorkerCrashed);
  FakeLake::well_behaved(lake.run(), lake.run().last("initialize"));
  be_ready();
  REQUIRE(loop.until([&] { return lake.run().has("initialized"); }));
  CHECK(lake.run().order() == std::vector<std::string>{"initialize", "initialized"});
}

TEST_CASE_METHOD(ServerFixture, "an odd answer to the handshake is good enough", "[lean][server]") {
  const json answer = GENERATE(json(nullptr), json::array(), json("x"), json({{"serverInfo", "x"}}),
                               json({{"serverInfo", {{"name", 1}, {"version", nullptr}}}}));
  lake.on_message = [&](FakeServer& run, const json& message) {
    if (message.value("method", "") == "initialize") run.reply(message, answer);
  };
  be_ready();
  CHECK(server->name().empty());
}

}  // namespace leanbridge::lean
