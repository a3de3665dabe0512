#include "core/document/document_handle.hpp"

#include "store_fixture.hpp"

namespace leanbridge::document {

using namespace document::test;

namespace {

constexpr const char* kGoal = "$/lean/plainGoal";
constexpr const char* kThreeLines = "def a := 1\ndef b := 2\ndef c := 3\n";

struct QuestionFixture : StoreFixture {
  QuestionFixture() {
    write("A.lean", kThreeLines);
    synced.emplace(sync("A.lean"));
  }
  const std::shared_ptr<Document>& share() { return synced->document.share(); }
  DocumentHandle handle() { return {store, share()}; }
  Running<Result<PlacedAnswer>> ask(std::size_t offset, io::CancelScope scope = patient()) {
    return loop.start(handle().request_at(kGoal, {offset, share()->state.version()}, std::move(scope)));
  }
  std::optional<SyncReport> synced;
};

}  // namespace

TEST_CASE_METHOD(QuestionFixture, "a question names its place, and its answer too", "[document][table]") {
  auto asked = loop.start(handle().request_at(kGoal, {15, 1}, patient(), {{"extra", 7}}));
  const json params = question(kGoal, 1)["params"];
  CHECK(params == json({{"textDocument", {{"uri", uri("A.lean")}}},
                        {"position", {{"line", 1}, {"character", 4}}},
                        {"extra", 7}}));
  lean().reply(lean().last(kGoal), "goal");
  const PlacedAnswer answer = loop.finish(asked).value();
  CHECK(answer.value == "goal");
  CHECK(answer.offset == 15);
  CHECK(answer.version == 1);
}

TEST_CASE_METHOD(QuestionFixture, "a question whose text changes is asked again at the carried place",
                 "[document][table]") {
  auto asked = ask(15);
  const json old = question(kGoal, 1);
  write("A.lean", "-- above\n" + std::string(kThreeLines));
  sync("A.lean");
  const json again = question(kGoal, 2);
  CHECK(again["params"]["position"] == json({{"line", 2}, {"character", 4}}));
  lean().reply(old, "of the old text");
  lean().reply(again, "of the new text");
  const PlacedAnswer answer = loop.finish(asked).value();
  CHECK(answer.value == "of the new text");
  CHECK(answer.offset == 15 + 9);
  CHECK(answer.version == 2);
}

TEST_CASE_METHOD(QuestionFixture, "a place of an older version is carried before it is asked",
                 "[document][table]") {
  write("A.lean", "-- above\n" + std::string(kThreeLines));
  sync("A.lean");
  auto asked = loop.start(handle().request_at(kGoal, {15, 1}, patient()));
  CHECK(question(kGoal, 1)["params"]["position"]["line"] == 2);
  lean().reply(lean().last(kGoal), 1);
  CHECK(loop.finish(asked)->offset == 24);
}

TEST_CASE_METHOD(QuestionFixture, "null from a place that is not elaborated is asked again when it is",
                 "[document][table]") {
  lean().progress(uri("A.lean"), 1, {{0, 2}});
  auto asked = ask(15);
  lean().reply(question(kGoal, 1), nullptr);
  lean().progress(uri("A.lean"), 1, {{1, 2}});
  arrived();
  CHECK(lean().all(kGoal).size() == 1);  // not there yet
  lean().progress(uri("A.lean"), 1, {{2, 2}});
  lean().reply(question(kGoal, 2), "now");
  CHECK(loop.finish(asked)->value == "now");
}

TEST_CASE_METHOD(QuestionFixture, "whatever says nothing is no answer about a place that is not elaborated",
                 "[document][table]") {
  const json nothing =
      GENERATE(json(), json::array(), json::object(), json{{"items", json::array()}, {"isIncomplete", true}},
               json{{"items", json::array({json{{"label", "-"}}})}, {"isIncomplete", true}},
               json{{"widgets", json::array()}});
  lean().progress(uri("A.lean"), 1, {{0, 2}});
  auto asked = ask(15);
  lean().reply(question(kGoal, 1), nothing);
  arrived();
  CHECK_FALSE(asked.done());
  lean().progress(uri("A.lean"), 1, {{2, 2}});
  SECTION("it is asked again when it is") {
    lean().reply(question(kGoal, 2), "now");
    CHECK(loop.finish(asked)->value == "now");
  }
  SECTION("and believed then") {
    lean().reply(question(kGoal, 2), nothing);
    CHECK(loop.finish(asked)->value == nothing);
    CHECK(lean().all(kGoal).size() == 2);
  }
}

TEST_CASE_METHOD(QuestionFixture, "what says something is the answer at once", "[document][table]") {
  const json something =
      GENERATE(json(false), json(0), json(""), json::array({1}),
               json{{"goals", json::array()}, {"rendered", "no goals"}}, json{{"goals", json::array()}},
               json{{"items", json::array({json{{"label", "a"}}})}}, json{{"widgets", json::array({1})}});
  lean().progress(uri("A.lean"), 1, {{0, 2}});
  auto asked = ask(15);
  lean().reply(question(kGoal, 1), something);
  CHECK(loop.finish(asked)->value == something);
}

TEST_CASE_METHOD(QuestionFixture, "what Lean's index says nothing of is asked again when all is elaborated",
                 "[document][table]") {
  const auto indexed =
      GENERATE(as<std::string>(), "textDocument/references", "textDocument/prepareCallHierarchy");
  const char* method = indexed.c_str();
  lean().progress(uri("A.lean"), 1, {{2, 2}});
  auto asked = loop.start(handle().request_at(method, {1, 1}, patient()));
  lean().reply(question(method, 1), json::array());
  arrived();
  CHECK(lean().all(method).size() == 1);
  finish("A.lean", 1);
  lean().reply(question(method, 2), json::array({1}));
  CHECK(loop.finish(asked)->value == json::array({1}));
}

TEST_CASE_METHOD(QuestionFixture, "null from a place that is elaborated is the answer", "[document][table]") {
  finish("A.lean", 1);
  auto asked = ask(15);
  lean().reply(question(kGoal, 1), nullptr);
  loop.until([&] { return asked.done() || lean().all(kGoal).size() > 1; });
  if (!asked.done()) lean().reply(lean().last(kGoal), nullptr);
  CHECK(loop.finish(asked)->value.is_null());
}

TEST_CASE_METHOD(QuestionFixture, "of many questions about elaborated places Lean gets a few at once",
                 "[document][table]") {
  finish("A.lean", 1);
  std::vector<Running<Result<PlacedAnswer>>> asked;
  for (std::size_t i = 0; i < kMaxConcurrentRequests + 2; ++i) asked.push_back(ask(i));
  question(kGoal, kMaxConcurrentRequests);
  arrived();
  REQUIRE(lean().all(kGoal).size() == kMaxConcurrentRequests);
  SECTION("the next when one is answered, in the order asked") {
    lean().reply(lean().all(kGoal).back(), "early");
    CHECK(loop.finish(asked[kMaxConcurrentRequests - 1])->value == "early");
    CHECK(question(kGoal, kMaxConcurrentRequests + 1)["params"]["position"]["character"] ==
          kMaxConcurrentRequests);
    arrived();
    CHECK(lean().all(kGoal).size() == kMaxConcurrentRequests + 1);
  }
  SECTION("all of them about a new text, which they wait for inside Lean") {
    write("A.lean", "-- above\n" + std::string(kThreeLines));
    sync("A.lean");
    for (const json& old : lean().all(kGoal)) lean().reply(old, "of the old text");
    question(kGoal, 2 * kMaxConcurrentRequests + 2);
  }
  SECTION("and the rest after a while, should those be stuck") {
    question(kGoal, kMaxConcurrentRequests + 2);
  }
}

TEST_CASE_METHOD(QuestionFixture, "null, then an edit, then the answer of the new text",
                 "[document][table]") {
  auto asked = ask(15);
  lean().reply(question(kGoal, 1), nullptr);
  arrived();
  write("A.lean", "x" + std::string(kThreeLines));
  sync("A.lean");
  lean().reply(question(kGoal, 2), nullptr);
  lean().progress(uri("A.lean"), 2, {});
  lean().reply(question(kGoal, 3), nullptr);
  const PlacedAnswer answer = loop.finish(asked).value();
  CHECK(answer.value.is_null());
  CHECK(answer.version == 2);
}

TEST_CASE_METHOD(QuestionFixture,
                 "a place that is never elaborated times out; a cancelled question ends at once",
                 "[document][table]") {
  SECTION("late") {
    auto asked = ask(15, io::CancelScope(std::chrono::milliseconds(300)));
    lean().reply(question(kGoal, 1), nullptr);
    CHECK(loop.finish(asked).error().kind == ErrorKind::Timeout);
  }
  SECTION("cancelled") {
    const auto cancel = std::make_shared<io::CancelSource>();
    auto asked = ask(15, patient(cancel));
    const json pending = question(kGoal, 1);
    SECTION("while Lean thinks") {}
    SECTION("while the place is awaited") {
      lean().reply(pending, nullptr);
      arrived();
    }
    cancel->cancel();
    CHECK(loop.finish(asked).error().kind == ErrorKind::Cancelled);
  }
  CHECK(share()->state.open());
}

TEST_CASE_METHOD(QuestionFixture, "Lean's \"content modified\" is asked again, other errors are not",
                 "[document][table]") {
  auto asked = ask(0);
  lean().refuse(question(kGoal, 1), -32801, "modified");
  lean().refuse(question(kGoal, 2), -32603, "internal");
  CHECK(loop.finish(asked).error().kind == ErrorKind::Internal);
  CHECK(lean().all(kGoal).size() == 2);
}

TEST_CASE_METHOD(QuestionFixture, "an endless storm of \"content modified\" ends", "[document][table]") {
  lake.on_message = [](FakeServer& run, const json& message) {
    if (message.value("method", "") == kGoal) run.refuse(message, -32801, "modified");
  };
  auto asked = ask(0);
  CHECK(loop.finish(asked).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(QuestionFixture, "a document that is closed meanwhile ends the question and the wait",
                 "[document][table]") {
  auto asked = ask(0);
  auto waiting = loop.start(handle().wait_until_done(patient()));
  const json pending = question(kGoal, 1);
  store->close(project / "A.lean");
  CHECK(loop.finish(waiting).error().kind == ErrorKind::Cancelled);
  lean().refuse(pending, -32801, "closed");
  CHECK(loop.finish(asked).error().kind == ErrorKind::Cancelled);
  CHECK(contains(asked.get().error().message, "closed by another call"));
}

TEST_CASE_METHOD(QuestionFixture, "wait_until_done waits for the barrier of the newest text",
                 "[document][table]") {
  auto waiting = loop.start(handle().wait_until_done(patient()));
  lean().progress(uri("A.lean"), 1, {});
  lean().diagnostics(uri("A.lean"), 1, {"error"});
  arrived();
  CHECK_FALSE(waiting.done());
  write("A.lean", "def a := 5\n");
  sync("A.lean");
  lean().reply(lean().all(kBarrier)[0], json::object());  // late, for the old text
  arrived();
  CHECK_FALSE(waiting.done());
  CHECK(share()->state.diagnostics().empty());
  finish("A.lean", 2);
  CHECK(loop.finish(waiting).value() == WaitOutcome::Complete);
  CHECK(loop.run(handle().wait_until_done(expired())).value() == WaitOutcome::Complete);
}

TEST_CASE_METHOD(QuestionFixture, "wait_until_done ends with what is known", "[document][table]") {
  CHECK(loop.run(handle().wait_until_done(expired())).value() == WaitOutcome::Partial);
  const auto cancel = std::make_shared<io::CancelSource>();
  auto waiting = loop.start(handle().wait_until_done(patient(cancel)));
  loop.settle();
  cancel->cancel();
  CHECK(loop.finish(waiting).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(QuestionFixture, "wait_until_reported waits for no more than the place",
                 "[document][table]") {
  auto waiting = loop.start(handle().wait_until_reported(15, patient()));
  lean().progress(uri("A.lean"), 1, {{1, 2}});
  lean().diagnostics(uri("A.lean"), 1, {"of a"});
  arrived();
  CHECK_FALSE(waiting.done());
  lean().progress(uri("A.lean"), 1, {{2, 2}});
  CHECK(loop.finish(waiting).value() == WaitOutcome::Complete);
}

TEST_CASE_METHOD(QuestionFixture, "a barrier that Lean gives up is set again", "[document][table]") {
  lean().refuse(question(kBarrier, 1), -32801, "superseded");
  lean().reply(question(kBarrier, 2), json::object());
  REQUIRE(loop.until([&] { return share()->state.done(); }));
}

TEST_CASE_METHOD(QuestionFixture,
                 "a barrier that Lean gives up again and again is set for as long as the text stays",
                 "[document][table]") {
  for (std::size_t i = 1; i <= 5; ++i) lean().refuse(question(kBarrier, i), -32603, "not now");
  auto waiting = loop.start(handle().wait_until_done(patient()));
  lean().reply(question(kBarrier, 6), json::object());
  CHECK(loop.finish(waiting).value() == WaitOutcome::Complete);
}

TEST_CASE_METHOD(QuestionFixture, "of a text that is no more the barrier is not set again",
                 "[document][table]") {
  for (std::size_t i = 1; i <= 3; ++i) lean().refuse(question(kBarrier, i), -32603, "not now");
  arrived();
  write("A.lean", "def z := 1\n");
  sync("A.lean");
  const json barrier = question(kBarrier, 4);
  CHECK(barrier["params"]["version"] == 2);
  lean().reply(barrier, json::object());
  REQUIRE(loop.until([&] { return share()->state.done(); }));
}

TEST_CASE_METHOD(QuestionFixture, "a header that fails is said to have", "[document][table]") {
  auto waiting = loop.start(handle().wait_until_done(patient()));
  auto asked = ask(15);
  const json pending = question(kGoal, 1);
  lean().progress(uri("A.lean"), 1, {{0, 2}}, 2);
  arrived();
  CHECK_FALSE(waiting.done());  // the reason has not come yet
  lean().diagnostics(uri("A.lean"), 1, {"unknown module prefix 'Foo'"});
  lean().reply(question(kBarrier, 1), json::object());
  CHECK(loop.finish(waiting).value() == WaitOutcome::Complete);
  lean().reply(pending, nullptr);
  loop.until([&] { return asked.done() || lean().all(kGoal).size() > 1; });
  if (!asked.done()) lean().reply(lean().last(kGoal), nullptr);
  const Error error = loop.finish(asked).error();
  CHECK(error.kind == ErrorKind::LeanUnavailable);
  CHECK(contains(error.message, "unknown module prefix 'Foo'"));
}

TEST_CASE_METHOD(QuestionFixture, "a header that is corrected meanwhile: only the place is waited for",
                 "[document][table]") {
  auto asked = ask(15);
  lean().progress(uri("A.lean"), 1, {{0, 2}}, 2);
  lean().reply(question(kGoal, 1), nullptr);
  arrived();
  write("A.lean", "import Init\n" + std::string(kThreeLines));
  sync("A.lean");
  lean().reply(question(kGoal, 2), "answer");  // no barrier of the new text has passed
  CHECK(loop.finish(asked)->value == "answer");
}

TEST_CASE_METHOD(QuestionFixture, "questions about the whole document", "[document][table]") {
  auto asked = loop.start(handle().request("symbols", patient()));
  const json old = question("symbols", 1);
  CHECK(old["params"] == json({{"textDocument", {{"uri", uri("A.lean")}}}}));
  write("A.lean", "def z := 1\n");
  sync("A.lean");
  lean().reply(old, "old");
  lean().refuse(question("symbols", 2), -32801, "modified");
  lean().reply(question("symbols", 3), "new");
  CHECK(loop.finish(asked).value() == "new");
}

TEST_CASE_METHOD(QuestionFixture, "nothing about a document that is not elaborated is asked again",
                 "[document][table]") {
  auto asked = loop.start(handle().request("symbols", patient()));
  lean().reply(question("symbols", 1), json::array());
  arrived();
  CHECK_FALSE(asked.done());
  finish("A.lean", 1);
  lean().reply(question("symbols", 2), json::array());
  CHECK(loop.finish(asked).value() == json::array());
}

TEST_CASE_METHOD(QuestionFixture, "RPC connects once, and again when the session has gone",
                 "[document][table]") {
  const auto ask_rpc = [&] { return loop.start(handle().rpc_request_at("m", {15, 1}, patient())); };
  auto first = ask_rpc();
  lean().reply(question("$/lean/rpc/connect", 1), {{"sessionId", "s1"}});
  const json call = question("$/lean/rpc/call", 1);
  CHECK(call["params"]["sessionId"] == "s1");
  CHECK(call["params"]["method"] == "m");
  CHECK(call["params"]["params"]["position"]["line"] == 1);
  lean().reply(call, 1);
  CHECK(loop.finish(first)->value == 1);

  auto second = ask_rpc();
  lean().refuse(question("$/lean/rpc/call", 2), lean::kRpcNeedsReconnect, "outdated");
  lean().refuse(question("$/lean/rpc/connect", 2), -32801, "modified");
  lean().reply(question("$/lean/rpc/connect", 3), {{"sessionId", 12345678901234567890u}});
  const json again = question("$/lean/rpc/call", 3);
  CHECK(again["params"]["sessionId"] == "12345678901234567890");
  lean().reply(again, 2);
  CHECK(loop.finish(second)->value == 2);
}

}  // namespace leanbridge::document
