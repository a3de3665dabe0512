// An MCP session that gets arbitrary lines answers each request once, with valid JSON-RPC.

#include "leanbridge/mcp/session.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/rpc/outline.hpp"

#include "fuzz.hpp"

#include <map>
#include <optional>

namespace leanbridge::fuzz {
namespace {

using nlohmann::json;
using Answer = Result<json>;
using CallPtr = std::shared_ptr<mcp::Call>;

// What the tools wait for, made once.
struct Waits {
  io::Condition changed;
  bool ended = false;
};
std::shared_ptr<Waits> waits;

enum class Level { Low, High };
wire::Names<Level> names_of(Level) {
  return {{Level::Low, "low"}, {Level::High, "high"}};
}

struct Place {
  int line = 0;
  std::optional<int> column;

  static wire::Fields fields() {
    return {wire::field<&Place::line>("line"), wire::field<&Place::column>("column")};
  }
};

// A parameter of every type.
struct Params {
  std::string text;
  int count = 0;
  bool flag = false;
  std::vector<std::string> list;
  std::optional<Level> level;
  std::optional<Place> place;

  static wire::Fields fields() {
    return {wire::field<&Params::text>("text").with_default(),
            wire::field<&Params::count>("count").with_default().at_least(-5),
            wire::field<&Params::flag>("flag").with_default(),
            wire::field<&Params::list>("list").with_default(),
            wire::field<&Params::level>("level"),
            wire::field<&Params::place>("place")};
  }
};

asio::awaitable<Answer> echo(CallPtr, json arguments) {
  co_return wire::write(wire::read<Params>(arguments));
}

asio::awaitable<Answer> refuse(CallPtr, json) {
  throw std::runtime_error("a broken invariant");
  co_return json();
}

asio::awaitable<Answer> wait(CallPtr call, json) {
  const auto mine = waits;
  const auto end = co_await io::wait_until(mine->changed, call->scope, [mine] { return mine->ended; });
  if (end == io::WaitStatus::Ready) co_return json::object();
  co_return fail(ErrorKind::Timeout, "too late");
}

asio::awaitable<Answer> read_resource(CallPtr, std::string path) {
  if (path.empty()) co_return fail(ErrorKind::FileNotFound, "There is no file without a name.");
  co_return json{{"path", path}};
}

asio::awaitable<void> watch_until_end(io::CancelScope scope, std::function<void()> changed) {
  changed();
  const auto mine = waits;
  co_await io::wait_until(mine->changed, scope, [mine] { return mine->ended; });
}

mcp::Tool tool(const char* name, asio::awaitable<Answer> (*handler)(CallPtr, json)) {
  mcp::Tool tool;
  tool.name = name;
  tool.group = "proof";
  tool.arguments = Params::fields();
  tool.output = Params::fields();
  tool.handler = handler;
  return tool;
}

mcp::ToolRegistry& registry() {
  static mcp::ToolRegistry all =
      mcp::ToolRegistry::select({tool("echo", &echo), tool("throw", &refuse), tool("wait", &wait)}, {"proof"},
                                {})
          .value();
  return all;
}

mcp::SessionOptions options() {
  mcp::SessionOptions options;
  options.version = "1";
  options.max_calls = 4;
  options.max_watches = 4;
  mcp::Prompt prompt;
  prompt.name = "prove";
  prompt.arguments = {{"goal", "", true}, {"style", "", false}};
  prompt.text = [](const mcp::Prompt::Values& values) { return values.at("goal"); };
  options.prompts = {prompt};
  const auto watch = [](const std::string&) -> Result<mcp::Watch> { return &watch_until_end; };
  options.resources = {{"lean://all", "all", "", "", &read_resource, watch},
                       {"lean://file/{path}/messages", "messages", "", "", &read_resource, watch}};
  return options;
}

struct Tally {
  int mentioned = 0;  // objects with this id
  int requests = 0;   // those of them that are valid requests
  int answers = 0;    // sent
  bool open = false;  // cancelled, or a request that stays open: needs no answer
};

// Keeps what was said in both directions, by id.
class Conversation {
 public:
  void heard(std::string_view line) {
    const json value = json::parse(line, nullptr, false);
    if (value.is_object()) return heard_message(value);
    if (!value.is_array() || revision_ != mcp::kRevisionWithBatches) return;
    for (const json& element : value)
      if (element.is_object()) heard_message(element);
  }

  void said(const std::string& text) {
    require(text.find('\n') == std::string::npos, "a message is one line");
    const json message = json::parse(text, nullptr, false);
    require(message.is_object() && text_member(message, "jsonrpc") == "2.0", "what is sent is JSON-RPC");
    if (message.contains("method")) {
      require(!message.contains("id") && message["method"].is_string(), "the session asks nothing");
      return;
    }
    require(message.contains("result") != message.contains("error"), "an answer has a result or an error");
    if (message.contains("error"))
      require(message["error"]["code"].is_number_integer() && message["error"]["message"].is_string(),
              "an error has a code and a message");
    else if (message["result"].is_object() && message["result"].contains("protocolVersion"))
      revision_ = text_member(message["result"], "protocolVersion");
    if (message.contains("id")) ++ids_[message["id"].dump()].answers;
  }

  void check() const {
    for (const auto& [id, tally] : ids_) {
      require(tally.answers <= tally.mentioned, "nothing is answered twice");
      require(tally.open || tally.answers >= tally.requests, "every request is answered");
    }
  }

 private:
  void heard_message(const json& message) {
    const std::string method = text_member(message, "method");
    const json params = message.value("params", json());
    if (method == "notifications/cancelled" && params.is_object() && params.contains("requestId"))
      ids_[key(params["requestId"])].open = true;
    if (!message.contains("id") || !(message["id"].is_string() || message["id"].is_number())) return;
    Tally& tally = ids_[key(message["id"])];
    ++tally.mentioned;
    tally.open = tally.open || method == "subscriptions/listen";
    const bool well_formed = message.contains("method") && message["method"].is_string() &&
                             message.value("jsonrpc", json()) == "2.0" &&
                             (params.is_null() || params.is_structured());
    if (well_formed) ++tally.requests;
  }
  static std::string key(const json& id) { return id.dump(-1, ' ', false, json::error_handler_t::replace); }

  std::map<std::string, Tally> ids_;
  std::string revision_;
};

// Bounded, because a chain of handlers that never ends is a defect, too.
void settle(asio::io_context& context) {
  constexpr int kMost = 10'000;
  context.restart();
  for (int steps = 0; context.poll_one() > 0; context.restart())
    require(++steps < kMost, "the loop comes to rest");
}

bool too_deep(std::string_view line) {
  std::size_t open = 0;
  for (const char c : line) open += c == '[' || c == '{' ? 1 : 0;
  return open > rpc::kMaxNesting;
}

// A relay routes by outlines: they must say what the server will read.
void check_outlines(std::string_view line) {
  const auto message = rpc::parse_message(line);
  if (!message || std::holds_alternative<rpc::Batch>(*message)) return;
  const auto outlines = rpc::outlines_of(line);
  require(outlines.size() == 1, "a message has one outline");
  const auto is = [&](const std::optional<rpc::Id>& id, const std::string& method) {
    return outlines[0].id == id && outlines[0].method == method;
  };
  if (const auto* request = std::get_if<rpc::Request>(&*message))
    require(is(request->id, request->method), "the outline of a request");
  else if (const auto* notification = std::get_if<rpc::Notification>(&*message))
    require(is(std::nullopt, notification->method), "the outline of a notification");
  else
    require(is(std::get<rpc::Response>(*message).id, ""), "the outline of a response");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  log::configure("off", "");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view lines = text_of(data, size);
  if (too_deep(lines)) return 0;  // refused before the id is read; the unit tests cover that
  asio::io_context context{1};
  waits = std::make_shared<Waits>();
  Conversation conversation;
  const auto session = std::make_shared<mcp::Session>(
      context, registry(), options(), [&](std::string&& text) { conversation.said(text); }, [] {});
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    check_outlines(line);
    conversation.heard(line);
    asio::post(context, [&] { session->receive(line); });
    settle(context);
  }
  waits->ended = true;
  waits->changed.notify_all();
  settle(context);
  conversation.check();
  session->close();
  settle(context);
  require(session->calls_under_way() == 0, "no call is left at the end");
  return 0;
}

}  // namespace leanbridge::fuzz
