// tools/call: answers, errors, order, cancellation, progress.

#include "core/mcp/tool_result.hpp"
#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace mcp::test;

TEST_CASE_METHOD(SessionFixture, "an answer is structured, and the same as text", "[mcp]") {
  initialize();
  call(1, "echo", {{"text", "λ"}});
  const json called = result();
  CHECK(called["structuredContent"] == json({{"text", "λ"}}));
  CHECK(called["content"] == json::array({{{"type", "text"}, {"text", R"({"text":"λ"})"}}}));
  CHECK(called["isError"] == false);
  const json bad = json::parse(to_tool_result({{"text", "\xff"}}, {}));
  CHECK(bad["content"][0]["text"] == "{\"text\":\"\xEF\xBF\xBD\"}");
}

namespace {

struct InnerVerdict {
  bool zero = false;
  int after = 1;
  static wire::Fields fields() { return wire::fields<&InnerVerdict::zero, &InnerVerdict::after>(); }
};

struct OrderedAnswer {
  InnerVerdict verdict;
  std::optional<std::vector<InnerVerdict>> items;
  std::string before = "b";
  static wire::Fields fields() {
    return {wire::flatten<&OrderedAnswer::verdict>(), wire::field<&OrderedAnswer::items>(),
            wire::field<&OrderedAnswer::before>()};
  }
};

}  // namespace

TEST_CASE("the members of an answer are in the order of its fields, in both forms", "[mcp]") {
  OrderedAnswer answer;
  answer.items = std::vector<InnerVerdict>(2);
  json written = wire::write(answer);
  written["all_else"] = {{"b", 1}, {"a", "\""}};
  const std::string expected =
      R"({"zero":false,"after":1,"items":[{"zero":false,"after":1},{"zero":false,"after":1}],)"
      R"("before":"b","all_else":{"a":"\"","b":1}})";
  const std::string result = to_tool_result(written, OrderedAnswer::fields(), {{"more", 1}});
  CHECK(result.find(R"("structuredContent":)" + expected + ",") != std::string::npos);
  const json read = json::parse(result);
  CHECK(read["content"][0]["text"] == expected);
  CHECK(read["structuredContent"] == written);
  CHECK(read["isError"] == false);
  CHECK(read["more"] == 1);
}

TEST_CASE_METHOD(SessionFixture, "what the model can mend is a result that says so", "[mcp]") {
  initialize();
  call(1, "echo", {{"text", 1}});
  json failed = result();
  CHECK(failed["isError"] == true);
  CHECK_FALSE(failed.contains("structuredContent"));
  json body = json::parse(failed["content"][0]["text"].get<std::string>());
  CHECK(body["error"]["kind"] == "invalid_argument");
  CHECK_FALSE(body["error"]["hint"].get<std::string>().empty());

  call(2, "wait");
  calls[0]->end(fail(ErrorKind::FileNotFound, "gone", "look"));
  loop.settle();
  body = json::parse(result()["content"][0]["text"].get<std::string>());
  CHECK(body == json({{"error", {{"kind", "file_not_found"}, {"message", "gone"}, {"hint", "look"}}}}));
}

TEST_CASE_METHOD(SessionFixture, "a handler that throws is an internal error, and the session goes on",
                 "[mcp]") {
  initialize();
  call(1, "throw");
  const json failed = result();
  CHECK(failed["isError"] == true);
  const auto text = failed["content"][0]["text"].get<std::string>();
  CHECK(json::parse(text)["error"]["kind"] == "internal");
  CHECK(text.find("a broken invariant") != std::string::npos);
  CHECK(session->calls_under_way() == 0);
  call(2, "echo");
  CHECK(result()["isError"] == false);
  CHECK(registry->counts("throw").errors == 1);
}

TEST_CASE_METHOD(SessionFixture, "malformed calls and unknown tools are protocol errors", "[mcp]") {
  initialize();
  for (const json& params :
       {json(), json::object(), json{{"name", 1}}, json{{"name", "nonsense"}}, json::array({1}),
        json{{"name", "echo"}, {"arguments", "x"}}, json{{"name", "echo"}, {"arguments", json::array()}}}) {
    request(1, "tools/call", params);
    CHECK(error()["code"] == -32602);
  }
  request(1, "tools/call", {{"name", "ehco"}});
  CHECK(error()["message"] == "Unknown tool ehco. Did you mean echo?");
  request(1, "tools/call", {{"name", "echo"}, {"arguments", nullptr}});
  CHECK(result()["isError"] == false);
  request(1, "tools/call", {{"name", "echo"}});
  CHECK(result()["isError"] == false);
}

TEST_CASE_METHOD(SessionFixture, "calls run side by side; answers come as they are ready; ping at once",
                 "[mcp]") {
  initialize();
  call(1, "wait");
  call(2, "wait");
  call(3, "echo");
  CHECK(answer()["id"] == 3);
  request(4, "ping");
  CHECK(answer()["id"] == 4);
  CHECK(session->calls_under_way() == 2);
  calls[1]->end(json{{"text", "two"}});
  loop.settle();
  CHECK(answer()["id"] == 2);
  calls[0]->end(json{{"text", "one"}});
  loop.settle();
  CHECK(answer()["id"] == 1);
  CHECK(session->calls_under_way() == 0);
}

TEST_CASE_METHOD(SessionFixture, "an id in flight cannot be used again, afterwards it can", "[mcp]") {
  initialize();
  call(1, "wait");
  request(1, "ping");
  CHECK(error()["code"] == -32600);
  CHECK(calls.size() == 1);
  calls[0]->end(json::object());
  loop.settle();
  CHECK(answer()["id"] == 1);
  request(1, "ping");
  CHECK(result() == json::object());
}

TEST_CASE_METHOD(SessionFixture, "a call has the deadline that it asks for, else the session's", "[mcp]") {
  initialize();
  call(1, "wait", {{"timeout_s", 0}});
  REQUIRE(loop.until([&] { return !sent.empty(); }));
  CHECK(json::parse(result()["content"][0]["text"].get<std::string>())["error"]["kind"] == "timeout");
  call(2, "wait", {{"timeout_s", 1000}});
  call(3, "wait");
  const auto now = io::Clock::now();
  CHECK(calls[1]->call->scope.deadline > now + std::chrono::seconds(900));
  CHECK(calls[2]->call->scope.deadline < now + std::chrono::seconds(121));
}

TEST_CASE_METHOD(SessionFixture, "a cancelled call ends and gets no answer", "[mcp]") {
  initialize();
  cancel(1);  // too early: there is nothing to cancel
  call(1, "wait");
  CHECK(session->calls_under_way() == 1);
  cancel("1");  // another id
  CHECK(session->calls_under_way() == 1);
  cancel(1);
  CHECK(session->calls_under_way() == 0);
  CHECK(sent.empty());
  cancel(1);  // too late
  CHECK(registry->counts("wait").cancelled == 1);
  CHECK(registry->counts("wait").errors == 0);
  call(1, "echo");
  CHECK(answer()["id"] == 1);
  cancel(1);
  CHECK(sent.empty());
}

TEST_CASE_METHOD(SessionFixture, "an answer that is ready when the cancellation comes is not sent", "[mcp]") {
  initialize();
  call(1, "wait");
  calls[0]->end(json::object());
  session->receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  loop.settle();
  CHECK(sent.empty());
  CHECK(session->calls_under_way() == 0);
}

TEST_CASE_METHOD(SessionFixture, "malformed cancellations are ignored", "[mcp]") {
  initialize();
  call(1, "wait");
  for (const json& params :
       {json::object(), json{{"requestId", nullptr}}, json{{"requestId", json::array()}}, json::array({1})})
    notify("notifications/cancelled", params);
  line(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  CHECK(sent.empty());
  CHECK(session->calls_under_way() == 1);
}

TEST_CASE_METHOD(SessionFixture, "too many calls at once are refused", "[mcp]") {
  SessionOptions options;
  options.max_calls = 2;
  make(options);
  initialize();
  call(1, "wait");
  call(2, "wait");
  call(3, "wait");
  const json refused = result();
  CHECK(json::parse(refused["content"][0]["text"].get<std::string>())["error"]["kind"] == "rate_limited");
  CHECK(calls.size() == 2);
  cancel(1);
  call(4, "wait");
  CHECK(sent.empty());
  CHECK(calls.size() == 3);
}

TEST_CASE_METHOD(SessionFixture, "a client that is gone: calls are cancelled, nothing more is sent",
                 "[mcp]") {
  initialize();
  call(1, "wait");
  session->close();
  loop.settle();
  CHECK(session->calls_under_way() == 0);
  session->log("error", "x");
  call(2, "echo");
  CHECK(sent.empty());
}

TEST_CASE_METHOD(SessionFixture, "a session may go while calls are under way", "[mcp]") {
  initialize();
  call(1, "wait", json::object(), {{"progressToken", 1}});
  session->close();
  session.reset();
  loop.settle();
  CHECK(sent.empty());
}

// The one test that waits for the tick of a second, twice.
TEST_CASE_METHOD(SessionFixture, "progress rises, says what is done, and ends with the answer", "[mcp]") {
  initialize();
  call(1, "wait", json::object(), {{"progressToken", "t"}});
  call(2, "wait", json::object(), {{"progressToken", 7}});
  call(3, "wait");                                               // asks for none
  call(4, "wait", json::object(), {{"progressToken", {1, 2}}});  // not a valid token
  cancel(2);
  calls[0]->call->progress = [] { return Progress{10, 40, "line 10"}; };
  REQUIRE(loop.until([&] { return sent.size() == 2; }));
  for (const json& message : sent) {
    CHECK(message["method"] == "notifications/progress");
    CHECK(message["params"]["progressToken"] == "t");
    CHECK(message["params"]["message"] == "line 10");
    CHECK(message["params"]["total"] == 40);
    CHECK_FALSE(message.contains("id"));
  }
  CHECK(sent[0]["params"]["progress"].get<double>() >= 10);
  CHECK(sent[1]["params"]["progress"].get<double>() > sent[0]["params"]["progress"].get<double>());
  sent.clear();
  calls[0]->end(json::object());
  loop.settle();
  CHECK(answer()["id"] == 1);
  CHECK_FALSE(calls[0]->call->scope.cancel->changed.has_waiters());  // the reporter has left
}

TEST_CASE_METHOD(SessionFixture, "texts of answers are cut to the session's budget, unless all is asked for",
                 "[mcp]") {
  SessionOptions options;
  options.text_budget = 100;
  make(options);
  initialize();
  const std::string text(1000, 'x');
  call(1, "echo", {{"text", text}});
  CHECK(result()["structuredContent"]["text"].get<std::string>().find("900 characters left out") !=
        std::string::npos);
  call(2, "echo", {{"text", text}, {"verbose", true}});
  CHECK(result()["structuredContent"]["text"] == text);
  call(3, "wait");
  calls[0]->end(fail(ErrorKind::Internal, text, "hint"));
  loop.settle();
  const json body = json::parse(result()["content"][0]["text"].get<std::string>());
  CHECK(body["error"]["message"].get<std::string>().size() < 200);
  CHECK(body["error"]["hint"] == "hint");
}

TEST_CASE("without groups, tools that hosts need not know are not listed, but can be called", "[mcp]") {
  const auto tool = [](const char* name, const char* group, bool listed) {
    Tool one;
    one.name = name;
    one.group = group;
    one.listed = listed;
    return one;
  };
  const std::vector<Tool> tools = {tool("a", "proof", true), tool("b", "proof", false),
                                   tool("c", "corpus", true)};
  const auto names = [&](const std::set<std::string>& groups) {
    const auto chosen = ToolRegistry::select(tools, groups, {});
    REQUIRE(chosen.has_value());
    std::string listed;
    for (const json& one : chosen->listing()) listed += one["name"].get<std::string>();
    listed += "|";
    for (const Tool& one : chosen->tools()) listed += one.name;
    return listed;
  };
  CHECK(names({}) == "a|ab");
  CHECK(names({"all"}) == "abc|abc");
  CHECK(names({"proof"}) == "ab|ab");
}

TEST_CASE("a description leaves out the sentences about tools that are not listed", "[mcp]") {
  const auto tool = [](const char* name, const char* description, bool listed) {
    Tool one;
    one.name = name;
    one.group = "proof";
    one.description = description;
    one.listed = listed;
    return one;
  };
  const std::vector<Tool> tools = {
      tool("lean_goal", "The goals. With messages: lean_check. Is it done? Files: lean_check_all.", true),
      tool("lean_check", "Goals and messages.", false), tool("lean_check_all", "A file.", true)};
  const auto goal = [&](const std::set<std::string>& groups, const std::set<std::string>& disabled) {
    return ToolRegistry::select(tools, groups, disabled)->find("lean_goal")->description;
  };
  CHECK(goal({}, {}) == "The goals. Is it done? Files: lean_check_all.");
  CHECK(goal({"proof"}, {}) == tools[0].description);
  CHECK(goal({}, {"lean_check_all"}) == "The goals. Is it done?");
}

TEST_CASE("the registry offers the groups that were chosen, without the disabled tools", "[mcp]") {
  const auto tool = [](const char* name, const char* group) {
    Tool one;
    one.name = name;
    one.group = group;
    return one;
  };
  const std::vector<Tool> tools = {tool("b", "proof"), tool("a", "proof"), tool("c", "query"),
                                   tool("d", "server")};
  const auto chosen = ToolRegistry::select(tools, {"proof", "server"}, {"a", "unknown"});
  REQUIRE(chosen.has_value());
  CHECK(chosen->listing().size() == 2);
  CHECK(chosen->listing()[0]["name"] == "b");
  CHECK(chosen->listing()[1]["name"] == "d");
  CHECK(chosen->find("b")->name == "b");
  CHECK_FALSE(chosen->find("a"));
  CHECK_FALSE(chosen->find("c"));
  const auto wrong = ToolRegistry::select(tools, {"prof"}, {});
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message.find("'prof'") != std::string::npos);
}

}  // namespace leanbridge::mcp
