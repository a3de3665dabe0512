// Workers and servers that die under the document store, and resets.

#include "store_fixture.hpp"

namespace leanbridge::document {

using namespace document::test;

namespace {
constexpr int kCrashed = -32902;
}

TEST_CASE_METHOD(StoreFixture, "the death of a worker ends the wait; the next sync opens afresh",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  const SyncReport synced = sync("A.lean");
  auto waiting = loop.start(DocumentHandle(store, synced.document.share()).wait_until_done(patient()));
  const json barrier = question(kBarrier, 1);
  lean().progress(uri("A.lean"), 1, {{0, 0}}, 2);  // from the watchdog, before the errors
  lean().refuse(barrier, kCrashed, "the worker crashed");
  const auto error = loop.finish(waiting).error();
  CHECK(error.kind == ErrorKind::WorkerCrashed);
  CHECK(contains(error.message, "the worker crashed"));
  CHECK(synced.document->state.crashed());
  CHECK(store->open_count() == 0);

  const SyncReport again = sync("A.lean");
  CHECK(contains(again.restarted.value_or(""), "its worker had ended: the worker crashed"));
  arrived();
  CHECK(lean().all(kClose).size() == 1);
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(again.document->state.version() == 2);
  finish("A.lean", 2);
  CHECK(again.document->worker.crashes == 0);
}

TEST_CASE_METHOD(StoreFixture,
                 "what a call says of its worker's death: the first line of the trace, once, and how often",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  for (std::size_t death = 1; death <= 2; ++death) {
    const SyncReport synced = sync("A.lean");
    auto asked =
        loop.start(DocumentHandle(store, synced.document.share()).request_at("q", {0, 1}, patient()));
    lean().refuse(question("q", death), kCrashed, "Stack overflow.\nframe 1\nframe 2");
    const Error error = loop.finish(asked).error();
    CHECK(error.kind == ErrorKind::WorkerCrashed);
    CHECK(error.message == std::string("Lean's worker for A.lean ended: Stack overflow.") +
                               (death == 2 ? " It has died 2 times on this text." : ""));
    CHECK(error.hint.starts_with(death == 1 ? "Call again" : "Calling again will not help"));
    REQUIRE(loop.until([&] { return synced.document->state.crashed(); }));
  }
}

TEST_CASE_METHOD(StoreFixture, "several errors of one death count once", "[document][table]") {
  write("A.lean", "def a := 1\n");
  const SyncReport synced = sync("A.lean");
  auto asked = loop.start(DocumentHandle(store, synced.document.share()).request_at("q", {0, 1}, patient()));
  const json barrier = question(kBarrier, 1), goal = question("q", 1);
  lean().refuse(goal, kCrashed, "first");
  lean().refuse(barrier, kCrashed, "second");
  CHECK(loop.finish(asked).error().kind == ErrorKind::WorkerCrashed);
  arrived();
  CHECK(synced.document->worker.crashes == 1);
}

TEST_CASE_METHOD(StoreFixture, "after three deaths at one text the file is left alone until it changes",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  for (std::size_t death = 1; death <= 3; ++death) {
    const SyncReport synced = sync("A.lean");
    lean().refuse(question(kBarrier, death), kCrashed, "deep recursion");
    REQUIRE(loop.until([&] { return synced.document->state.crashed(); }));
  }
  const Error error = sync_error("A.lean");
  CHECK(error.kind == ErrorKind::WorkerCrashed);
  CHECK(contains(error.message, "3 times"));
  CHECK(contains(error.hint, "Calling again will not help"));
  CHECK(contains(error.message, "deep recursion"));
  CHECK(count(kOpen) == 3);
  SECTION("changed") {
    write("A.lean", "def a := 2\n");
    sync("A.lean");
  }
  SECTION("reset") {
    CHECK(loop.run(store->reset(project / "A.lean", patient())).has_value());
  }
  CHECK(count(kOpen) == 4);
  CHECK(document("A.lean")->worker.crashes == 0);
}

TEST_CASE_METHOD(StoreFixture, "a worker that dies before it gets the question shows by its progress",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  sync("A.lean");
  finish("A.lean", 1);
  write("A.lean", "def a := 2\n");
  const SyncReport synced = sync("A.lean");
  auto waiting = loop.start(DocumentHandle(store, synced.document.share()).wait_until_done(patient()));
  question(kBarrier, 2);  // which nobody will answer
  lean().progress(uri("A.lean"), 2, {{0, 0}}, 2);
  REQUIRE(loop.until([&] { return document("A.lean")->state.crashed(); }));
  CHECK(loop.finish(waiting).error().kind == ErrorKind::WorkerCrashed);
  CHECK(contains(sync("A.lean").restarted.value_or(""), "its worker had ended"));
}

TEST_CASE_METHOD(StoreFixture, "a worker that dies after it was done shows by its progress",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  sync("A.lean");
  finish("A.lean", 1);
  lean().progress(uri("A.lean"), 1, {{0, 0}}, 2);
  REQUIRE(loop.until([&] { return document("A.lean")->state.crashed(); }));
  CHECK(contains(sync("A.lean").restarted.value_or(""), "its worker had ended"));
}

TEST_CASE_METHOD(StoreFixture, "a question that the dead worker never got ends with it",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  const SyncReport synced = sync("A.lean");
  finish("A.lean", 1);
  const DocumentHandle handle(store, synced.document.share());
  std::vector<Running<Result<PlacedAnswer>>> placed;
  placed.push_back(loop.start(handle.request_at("q", {0, 1}, patient())));
  placed.push_back(loop.start(handle.rpc_request_at("r", {0, 1}, patient())));
  auto outline = loop.start(handle.request("o", patient()));
  auto item = loop.start(handle.request_once("i", json::object(), patient()));
  question("q", 1), question("$/lean/rpc/connect", 1), question("o", 1);  // which nobody will answer
  question("i", 1);
  lean().progress(uri("A.lean"), 1, {{0, 0}}, 2);
  for (auto& asked : placed) CHECK(loop.finish(asked).error().kind == ErrorKind::WorkerCrashed);
  CHECK(loop.finish(outline).error().kind == ErrorKind::WorkerCrashed);
  CHECK(loop.finish(item).error().error.kind == ErrorKind::Cancelled);
  CHECK(store->server().pending_requests() == 0);
}

TEST_CASE_METHOD(StoreFixture, "the death of the server is the death of every worker", "[document][table]") {
  write("A.lean", "def a := 1\n");
  write("B.lean", "def b := 1\n");
  const SyncReport a = sync("A.lean");
  sync("B.lean");
  auto waiting = loop.start(DocumentHandle(store, a.document.share()).wait_until_done(patient()));
  auto asked = loop.start(DocumentHandle(store, a.document.share()).request_at("q", {0, 1}, patient()));
  question("q", 1);
  lean().print_error("uncaught exception\n");
  lean().exit(1);
  const auto error = loop.finish(waiting).error();
  CHECK(error.kind == ErrorKind::WorkerCrashed);
  CHECK(contains(error.message, "uncaught exception"));
  CHECK(loop.finish(asked).error().kind == ErrorKind::WorkerCrashed);
  CHECK(document("B.lean")->state.crashed());

  CHECK(contains(sync("A.lean").restarted.value_or(""), "its worker had ended"));
  sync("B.lean");
  CHECK(lake.runs.size() == 2);
  arrived();
  // Older servers exit when a file is closed that was never open in them.
  CHECK(lean().all(kClose).empty());
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(store->close(project / "A.lean"));
  CHECK(count(kClose) == 1);
}

TEST_CASE_METHOD(StoreFixture, "reset_server opens again what was open", "[document][table]") {
  for (const char* name : {"A.lean", "B.lean", "C.lean", "D.lean"}) {
    write(name, "def x := 1\n");
    sync(name);
  }
  store->close(project / "B.lean");
  std::filesystem::remove(project / "D.lean");
  CHECK(loop.run(store->reset_server(patient())).value() == 2);
  CHECK(lake.runs.size() == 2);
  CHECK(store->open_count() == 2);
  arrived();
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(lean().all(kClose).empty());
  CHECK(lake.runs[0]->has("exit"));
}

TEST_CASE_METHOD(StoreFixture,
                 "a question during reset_server fails; a sync during it goes to the new server",
                 "[document][table]") {
  write("A.lean", "def a := 1\n");
  const SyncReport a = sync("A.lean");
  auto asked = loop.start(DocumentHandle(store, a.document.share()).request_at("q", {0, 1}, patient()));
  question("q", 1);
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") != "shutdown") FakeLake::well_behaved(run, message);
  };
  auto reset = loop.start(store->reset_server(patient()));
  REQUIRE(loop.until([&] { return lake.runs[0]->has("shutdown"); }));
  CHECK(loop.finish(asked).error().kind == ErrorKind::WorkerCrashed);
  sync("A.lean");
  CHECK(lake.runs.size() == 2);
  CHECK(count(kOpen) == 1);
  lake.runs[0]->reply(lake.runs[0]->last("shutdown"), nullptr);
  CHECK(loop.finish(reset).value() == 1);
  CHECK(document("A.lean")->state.open());
  CHECK(lake.runs.size() == 2);
  CHECK(count(kOpen) == 1);
}

TEST_CASE_METHOD(StoreFixture, "reset of a file gives it a new worker", "[document][table]") {
  write("A.lean", "def a := 1\n");
  CHECK(loop.run(store->reset(project / "A.lean", patient())).has_value());
  CHECK(loop.run(store->reset(project / "A.lean", patient())).has_value());
  arrived();
  CHECK(lean().all(kOpen).size() == 2);
  CHECK(lean().all(kClose).size() == 1);
  CHECK(loop.run(store->reset(project / "None.lean", patient())).error().kind == ErrorKind::FileNotFound);
}

}  // namespace leanbridge::document
