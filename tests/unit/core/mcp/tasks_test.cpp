// Calls that outlive their request.

#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace mcp::test;
using namespace std::chrono_literals;

namespace {

struct TaskFixture : SessionFixture {
  TaskFixture() { use(TaskLimits{.moment = 10ms, .keep = 10min, .max_tasks = 3, .max_client_tasks = 2}); }

  void use(TaskLimits limits) {
    store = std::make_shared<TaskStore>(limits);
    make(with_store());
    session->set_client("one");
  }
  SessionOptions with_store() const {
    SessionOptions options;
    options.tasks = store;
    return options;
  }
  static json with_tasks(json params = json::object()) {
    params["_meta"] = modern_meta();
    params["_meta"][kMetaClientCapabilities] = {{"extensions", {{kTasksExtension, json::object()}}}};
    return params;
  }
  void start(json id, std::string_view tool = "wait") {
    request(std::move(id), "tools/call", with_tasks({{"name", tool}, {"arguments", json::object()}}));
  }
  json asked(std::string_view method, const std::string& id) {
    request("t", method, with_tasks({{"taskId", id}}));
    return answer();
  }
  /// Waits until something was sent.
  void until_sent() {
    REQUIRE(loop.until([this] { return !sent.empty(); }));
  }
  /// Nothing is sent, although the moment passes.
  void stays_silent() {
    REQUIRE_FALSE(run_until(
        loop.context, [this] { return !sent.empty(); }, 50ms));
  }
  std::string new_task(json id = 1) {
    start(std::move(id));
    until_sent();
    return result()["taskId"].get<std::string>();
  }

  std::shared_ptr<TaskStore> store;
};

}  // namespace

TEST_CASE_METHOD(TaskFixture, "a slow call is answered with a task, which has the result later", "[mcp]") {
  start(1);
  until_sent();
  const json created = result();
  CHECK(created["resultType"] == "task");
  CHECK(created["status"] == "working");
  CHECK(created["taskId"].get<std::string>().size() == 64);
  CHECK(created["ttlMs"].get<std::int64_t>() >= 600'000);
  CHECK(created["pollIntervalMs"].is_number_integer());
  CHECK_FALSE(created.contains("result"));
  const auto id = created["taskId"].get<std::string>();
  const json working = asked("tasks/get", id)["result"];
  CHECK(working["status"] == "working");
  CHECK(working["resultType"] == "complete");
  calls[0]->end(json{{"text", "done"}});
  loop.settle();
  CHECK(sent.empty());
  for (int time = 0; time < 2; ++time) {
    const json over = asked("tasks/get", id)["result"];
    CHECK(over["status"] == "completed");
    CHECK(over["taskId"] == id);
    CHECK(over["result"]["structuredContent"]["text"] == "done");
    CHECK(over["result"]["isError"] == false);
  }
  CHECK(asked("tasks/cancel", id)["result"]["resultType"] == "complete");
  CHECK(asked("tasks/get", id)["result"]["status"] == "completed");
}

TEST_CASE_METHOD(TaskFixture, "a tool's error is a result of its task", "[mcp]") {
  const std::string id = new_task();
  calls[0]->end(fail(ErrorKind::Timeout, "too late"));
  loop.settle();
  const json over = asked("tasks/get", id)["result"];
  CHECK(over["status"] == "completed");
  CHECK(over["result"]["isError"] == true);
}

TEST_CASE_METHOD(TaskFixture, "tasks/cancel reaches the call, and only it", "[mcp]") {
  const std::string id = new_task(1), other = new_task(2);
  const json acknowledged = asked("tasks/cancel", id)["result"];
  CHECK(acknowledged["resultType"] == "complete");
  CHECK_FALSE(acknowledged.contains("status"));
  CHECK(calls[0]->call->scope.cancel->cancelled());
  CHECK_FALSE(calls[1]->call->scope.cancel->cancelled());
  const json over = asked("tasks/get", id)["result"];
  CHECK(over["status"] == "cancelled");
  CHECK_FALSE(over.contains("result"));
  CHECK(asked("tasks/get", other)["result"]["status"] == "working");
}

TEST_CASE_METHOD(TaskFixture, "no client is given the task of another, whatever it knows", "[mcp]") {
  const std::string id = new_task();
  session->set_client("two");
  for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"})
    CHECK(asked(method, id)["error"]["code"] == -32602);
  CHECK_FALSE(calls[0]->call->scope.cancel->cancelled());
  session->set_client("one");
  CHECK(asked("tasks/get", id)["result"]["status"] == "working");
}

TEST_CASE_METHOD(TaskFixture, "a result is kept until its time is over, and not longer", "[mcp]") {
  const auto call = std::make_shared<Call>(io::CancelScope(0ms));
  TaskStore kept(TaskLimits{.keep = 10min}), gone(TaskLimits{.keep = 0ms});
  for (TaskStore* tasks : {&kept, &gone}) {
    const auto task = tasks->add("one", call);
    REQUIRE(task);
    CHECK(tasks->find(task->id, "one") == task);
    tasks->finish(*task, "{}");
    CHECK((tasks->find(task->id, "one") == task) == (tasks == &kept));
  }
}

TEST_CASE_METHOD(TaskFixture, "without room the request waits for its answer", "[mcp]") {
  new_task(1);
  new_task(2);
  start(3);
  stays_silent();
  calls[2]->end(json{{"text", "here"}});
  loop.settle();
  CHECK(result()["structuredContent"]["text"] == "here");
  session->set_client("two");
  new_task(4);
  session->set_client("three");
  start(5);
  stays_silent();
}

TEST_CASE_METHOD(TaskFixture, "nothing becomes a task for a quick call or a client without the extension",
                 "[mcp]") {
  start(1, "echo");
  CHECK(result()["resultType"] == "complete");
  call(2, "wait", json::object(), modern_meta());
  stays_silent();
  for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    request(3, method, modern({{"taskId", "x"}}));
    const json refusal = error();
    CHECK(refusal["code"] == -32021);
    CHECK(refusal["data"]["requiredCapabilities"]["extensions"].contains(kTasksExtension));
  }
  request(4, "subscriptions/listen", modern({{"notifications", {{"taskIds", json::array({"x"})}}}}));
  CHECK(error()["code"] == -32021);
  for (const char* method : {"tasks/list", "tasks/result"}) {
    request(5, method, with_tasks({{"taskId", "x"}}));
    CHECK(error()["code"] == -32601);
  }
  CHECK(asked("tasks/get", "x")["error"]["code"] == -32602);
}

TEST_CASE_METHOD(TaskFixture, "an update has nothing to answer and is acknowledged", "[mcp]") {
  const std::string id = new_task();
  request(2, "tasks/update", with_tasks({{"taskId", id}, {"inputResponses", {{"x", json::object()}}}}));
  CHECK(result()["resultType"] == "complete");
  CHECK(asked("tasks/update", id)["error"]["code"] == -32602);
}

TEST_CASE_METHOD(TaskFixture, "a listener is told of the end of its tasks, once", "[mcp]") {
  const std::string id = new_task();
  request("listen", "subscriptions/listen",
          with_tasks({{"notifications", {{"taskIds", json::array({id, "unknown", 7})}}}}));
  const json acknowledged = answer();
  CHECK(acknowledged["params"]["notifications"]["taskIds"] == json::array({id}));
  calls[0]->end(json{{"text", "done"}});
  loop.settle();
  const json told = answer();
  CHECK(told["method"] == "notifications/tasks");
  CHECK(told["params"]["status"] == "completed");
  CHECK(told["params"]["result"]["structuredContent"]["text"] == "done");
  CHECK(told["params"]["_meta"][kMetaSubscriptionId] == "listen");
}

TEST_CASE_METHOD(TaskFixture,
                 "a task in a store of many outlives its session; one in a session's own does not", "[mcp]") {
  const std::string id = new_task();
  session->close();
  CHECK_FALSE(calls[0]->call->scope.cancel->cancelled());
  calls[0]->end(json{{"text", "done"}});
  loop.settle();
  make(with_store());
  session->set_client("one");
  CHECK(asked("tasks/get", id)["result"]["result"]["structuredContent"]["text"] == "done");

  make({});
  new_task(2);
  session->close();
  CHECK(calls[1]->call->scope.cancel->cancelled());
}

}  // namespace leanbridge::mcp
