// How a server fails to start, dies, comes back and is stopped.

#include "server_fixture.hpp"
#include <catch2/catch.hpp>
#include <signal.h>

namespace leanbridge::lean {

using namespace lean::test;

namespace {
constexpr auto kGrace = std::chrono::seconds(20);
constexpr auto kShort = std::chrono::milliseconds(20);
}  // namespace

TEST_CASE_METHOD(ServerFixture, "a lake that is missing is said to be", "[lean][server]") {
  ServerOptions options = server->options();
  options.lake = "/no/such/lake";
  restart_with(options);
  const auto ready = loop.run(server->ensure_ready(patient()));
  REQUIRE_FALSE(ready.has_value());
  CHECK(ready.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(ready.error().message, "/no/such/lake"));
  CHECK(server->state() == Server::State::Down);
}

TEST_CASE_METHOD(ServerFixture, "a lake that cannot be executed, too", "[lean][server]") {
  ServerOptions options = server->options();
  options.lake = project.write_program("lake", "#!/no/such/interpreter\n").string();
  restart_with(options);
  const auto ready = loop.run(server->ensure_ready(patient()));
  CHECK(ready.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(ready.error().message, "exit code 127"));
}

TEST_CASE_METHOD(ServerFixture, "a lake that exits at once: its stderr is quoted", "[lean][server]") {
  ServerOptions options = server->options();
  options.lake =
      project.write_program("lake", "#!/bin/sh\necho 'error: no such toolchain' >&2\nexit 7\n").string();
  restart_with(options);
  const auto ready = loop.run(server->ensure_ready(patient()));
  CHECK(ready.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(ready.error().message, "exit code 7"));
  CHECK(contains(ready.error().message, "error: no such toolchain"));
  CHECK(contains(ready.error().hint, "lake build"));
  CHECK(nothing_runs());

  // A broken set-up does not spin: after a few starts in a row comes a pause, which a stop ends.
  for (int i = 0; i < 10; ++i) CHECK_FALSE(loop.run(server->ensure_ready(patient())).has_value());
  CHECK(server->starts() == 4);
  CHECK(contains(loop.run(server->ensure_ready(patient())).error().message, "4 times in a row"));
  loop.run(server->stop(kGrace));
  CHECK_FALSE(loop.run(server->ensure_ready(patient())).has_value());
  CHECK(server->starts() == 5);
}

TEST_CASE_METHOD(ServerFixture, "what lake prints before it speaks is shown while it starts",
                 "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") != "initialize") return;
    run.print_error("info: mathlib: running post-update hooks\n");
    run.print("Attempting to download 7000 file(s)\n\rDownloaded: 1\rDownloaded: 2");
  };
  server->start();
  REQUIRE(loop.until([&] { return contains(server->last_line(), "Downloaded: 2"); }));
  CHECK(server->last_line() == "Downloaded: 2");
  const auto late = loop.run(server->ensure_ready(io::CancelScope(std::chrono::milliseconds(1))));
  CHECK(contains(late.error().message, "Attempting to download 7000"));
  FakeLake::well_behaved(lake.run(), lake.run().last("initialize"));
  be_ready();
  CHECK(server->starts() == 1);
  CHECK(downs.empty());

  auto asked = ask("q");
  lake.run().print("more of it\n");
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  REQUIRE(downs.size() == 1);
  CHECK(contains(downs[0].message, "does not speak LSP"));
  INFO(downs[0].message);
  CHECK(contains(downs[0].message, "more of it"));
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "a lake that only prints has the limit of a start, and is quoted",
                 "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json&) { run.print("Welcome!\r\n\r\n"); };
  ServerOptions options = server->options();
  options.start_limit = std::chrono::seconds(2);  // a process starts meanwhile
  restart_with(options);
  const auto ready = loop.run(server->ensure_ready(patient()));
  CHECK(ready.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(ready.error().message, "Welcome!"));
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture,
                 "a server for which lake could not load the project is replaced when it is asked for",
                 "[lean][server]") {
  be_ready();
  auto asked = ask("q");
  server->configuration_failed();
  server->configuration_failed();  // as each file says
  CHECK(server->is_to_be_replaced());
  loop.settle();
  CHECK(server->starts() == 1);  // never by itself
  be_ready();
  CHECK(server->starts() == 2);
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  CHECK(downs.size() == 1);
  CHECK_FALSE(server->is_to_be_replaced());

  // The next one that fails stays for a while.
  server->configuration_failed();
  CHECK_FALSE(server->is_to_be_replaced());
  CHECK(server->until_replaced() > std::chrono::seconds(0));
  server->configuration_loaded();  // by a file that needs no project
  be_ready();
  CHECK(server->starts() == 2);
  SECTION("unless lake has loaded the project elsewhere") {
    server->configuration_may_load();
    be_ready();
    CHECK(server->starts() == 3);
    server->configuration_failed();
    CHECK(server->is_to_be_replaced());
  }
  SECTION("or it is stopped") {
    loop.run(server->stop(kGrace));
    be_ready();
    CHECK(server->starts() == 3);
    CHECK_FALSE(server->is_to_be_replaced());
    server->configuration_failed();
    CHECK(server->is_to_be_replaced());
  }
  server->kill();
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "whoever must not disturb a start waits for its end", "[lean][server]") {
  lake.on_message = [](FakeServer&, const json&) {};
  CHECK(loop.run(server->wait_while_starting(patient())) == io::WaitStatus::Ready);
  server->start();
  REQUIRE(loop.until([&] { return !lake.runs.empty() && lake.run().has("initialize"); }));
  CHECK(loop.run(server->wait_while_starting(expired())) == io::WaitStatus::TimedOut);
  auto waiting = loop.start(server->wait_while_starting(patient()));
  loop.settle();
  CHECK_FALSE(waiting.done());
  SECTION("until it is ready") {
    FakeLake::well_behaved(lake.run(), lake.run().last("initialize"));
  }
  SECTION("or has failed") {
    lake.run().exit(1);
  }
  CHECK(loop.finish(waiting) == io::WaitStatus::Ready);
}

TEST_CASE_METHOD(ServerFixture, "a lake that prints and exits is quoted", "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json&) {
    run.print("half a wo");
    run.exit(1);
  };
  const auto ready = loop.run(server->ensure_ready(patient()));
  CHECK(contains(ready.error().message, "half a wo"));
}

TEST_CASE_METHOD(ServerFixture, "a message that is not JSON ends the connection", "[lean][server]") {
  be_ready();
  auto asked = ask("q");
  lake.run().print(rpc::HeaderCodec::encode("{nonsense"));
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  CHECK(server->state() == Server::State::Down);
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "a lake that hangs: the wait ends, the start goes on", "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json&) { run.print_error("info: downloading\n"); };
  server->start();
  REQUIRE(loop.until([&] { return contains(server->stderr_tail(), "downloading"); }));
  const auto late = loop.run(server->ensure_ready(io::CancelScope(std::chrono::milliseconds(1))));
  CHECK(late.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(late.error().message, "info: downloading"));
  const auto cancel = std::make_shared<io::CancelSource>();
  auto waiting = loop.start(server->ensure_ready(patient(cancel)));
  loop.settle();
  cancel->cancel();
  CHECK(loop.finish(waiting).error().kind == ErrorKind::Cancelled);
  CHECK(server->state() == Server::State::Starting);
  FakeLake::well_behaved(lake.run(), lake.run().last("initialize"));
  be_ready();
  CHECK(server->starts() == 1);
}

TEST_CASE_METHOD(ServerFixture, "the handshake has a limit of its own", "[lean][server]") {
  lake.on_message = [](FakeServer&, const json&) {};
  ServerOptions options = server->options();
  options.start_limit = kShort;
  restart_with(options);
  const auto ready = loop.run(server->ensure_ready(patient()));
  CHECK(ready.error().kind == ErrorKind::LeanUnavailable);
  CHECK(contains(ready.error().message, "handshake"));
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "a death while a request waits, and a fresh start", "[lean][server]") {
  be_ready();
  auto asked = ask("q"), other = ask("r");
  lake.run().print_error("Stack overflow detected. Aborting.\n");
  lake.run().exit(134);
  const RequestError error = loop.finish(asked).error();
  CHECK(error.error.kind == ErrorKind::WorkerCrashed);
  CHECK(contains(error.error.message, "exit code 134"));
  CHECK(contains(error.error.message, "Stack overflow"));
  CHECK(loop.finish(other).error().error.kind == ErrorKind::WorkerCrashed);
  REQUIRE(downs.size() == 1);
  CHECK(server->state() == Server::State::Down);
  CHECK(contains(server->stderr_tail(), "Stack overflow"));
  CHECK(loop.run(server->request("q", json::object(), patient())).error().error.kind ==
        ErrorKind::WorkerCrashed);
  server->notify("n", json::object());

  be_ready();
  CHECK(lake.runs.size() == 2);
  auto again = ask("q");
  lake.run().reply(lake.run().last("q"), "fresh");
  CHECK(loop.finish(again).value() == "fresh");
  server->kill();
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "a supervisor that is killed is a death, too", "[lean][server]") {
  be_ready();
  auto asked = ask("q");
  ::kill(server->pid(), SIGKILL);
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  be_ready();
  CHECK(lake.runs.size() == 2);
}

TEST_CASE_METHOD(ServerFixture, "the owner may start again from on_down", "[lean][server]") {
  ServerOptions options = server->options();
  Server::Events events;
  int downs_seen = 0;
  events.on_down = [&](const Error&) {
    ++downs_seen;
    server->start();
  };
  server = std::make_shared<Server>(loop.context, options, events);
  be_ready();
  auto asked = ask("q");
  lake.run().exit(1);
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  be_ready();
  CHECK(downs_seen == 1);
  CHECK(lake.runs.size() == 2);
}

TEST_CASE_METHOD(ServerFixture, "stop() says shutdown and exit, and the child goes by itself",
                 "[lean][server]") {
  be_ready();
  auto asked = ask("q");
  loop.run(server->stop(kGrace));
  CHECK(server->state() == Server::State::Idle);
  CHECK(loop.finish(asked).error().error.kind == ErrorKind::WorkerCrashed);
  const auto order = lake.run().order();
  CHECK(order.at(order.size() - 2) == "shutdown");
  CHECK(order.back() == "exit");
  CHECK_FALSE(lake.run().last("exit").contains("params"));
  CHECK(nothing_runs());
  CHECK(downs.empty());
  loop.run(server->stop(kGrace));  // nothing to stop
  be_ready();
  CHECK(lake.runs.size() == 2);
}

TEST_CASE_METHOD(ServerFixture, "a child that refuses to die is ended", "[lean][server]") {
  lake.exits_when_stdin_ends = false;
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") == "initialize") run.reply(message, json::object());
  };
  be_ready();
  loop.run(server->stop(kShort));
  CHECK(nothing_runs());
  CHECK(lake.run().stdin_ended);
}

TEST_CASE_METHOD(ServerFixture, "stop() during the handshake ends whoever waits for it", "[lean][server]") {
  lake.on_message = [](FakeServer&, const json&) {};
  auto waiting = loop.start(server->ensure_ready(patient()));
  REQUIRE(loop.until([&] { return !lake.runs.empty() && lake.run().has("initialize"); }));
  SECTION("in order") {
    loop.run(server->stop(kGrace));
  }
  SECTION("at once") {
    server->kill();
  }
  CHECK(loop.finish(waiting).error().kind == ErrorKind::LeanUnavailable);
  CHECK(server->state() == Server::State::Idle);
  CHECK(nothing_runs());
  CHECK(downs.empty());
}

TEST_CASE_METHOD(ServerFixture, "a start while the old one is being stopped makes a new one",
                 "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") != "shutdown") FakeLake::well_behaved(run, message);
  };
  be_ready();
  auto stopping = loop.start(server->stop(kGrace));
  REQUIRE(loop.until([&] { return lake.runs[0]->has("shutdown"); }));
  be_ready();
  CHECK(lake.runs.size() == 2);
  // What the old server still says is ignored.
  lake.runs[0]->diagnostics("file:///a", 1, {"old"});
  SECTION("the old one answers") {
    lake.runs[0]->reply(lake.runs[0]->last("shutdown"), nullptr);
  }
  SECTION("the old one dies") {
    lake.runs[0]->exit(3);
  }
  loop.finish(stopping);
  CHECK(server->state() == Server::State::Ready);
  CHECK(diagnostics.empty());
  CHECK(downs.empty());
  auto asked = ask("q");
  lake.run().reply(lake.run().last("q"), 1);
  CHECK(loop.finish(asked).value() == 1);
}

TEST_CASE_METHOD(ServerFixture, "a last word longer than a pipe does not hold up the end", "[lean][server]") {
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") == "exit")
      run.notify("window/logMessage", {{"message", std::string(1 << 20, 'x')}});
    FakeLake::well_behaved(run, message);
  };
  be_ready();
  loop.run(server->stop(kGrace));
  CHECK(nothing_runs());
}

TEST_CASE_METHOD(ServerFixture, "a server that is let go of ends its processes", "[lean][server]") {
  be_ready();
  // The owner leaves at any moment of its end: after this many turns of the loop.
  const int turns = GENERATE(range(0, 6));
  lake.run().exit(0);
  for (int turn = 0; turn < turns; ++turn) {
    loop.context.restart();
    loop.context.run_one_for(kLimit);
  }
  server.reset();
  CHECK(nothing_runs());
}

}  // namespace leanbridge::lean
