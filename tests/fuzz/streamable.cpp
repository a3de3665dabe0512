// MCP over HTTP, in both eras, with connections that are cut, streams that are resumed and readers that are
// slow: each exchange is answered once, a stream says the same whenever it is read, and nothing of one client
// reaches another.
//
// Each line of the input is a step; its first character says which:
//   i         initialize, in a new session of the client whose turn it is
//   p N JSON  POST in session N; P: by the other client
//   m JSON    POST without a session, with the headers that belong to it
//   g N ID    GET in session N, with Last-Event-ID if ID is not empty; *: the last one that was read there
//   d N       DELETE of session N
//   c N       the connection of exchange N is cut
//   r N       the reader of exchange N takes what there is
//   e         what the tools wait for happens
//   l         the list of tools changes
//   x         the server is told to end

#include "core/base/json.hpp"
#include "gateway/streamable/endpoint.hpp"
#include "served.hpp"

#include <map>
#include <set>

namespace leanbridge::fuzz {
namespace {

constexpr std::size_t kMaxQueued = 4096;  // bytes: few, so that readers are slow
constexpr std::size_t kMaxCalls = 6;

struct Asked {
  std::shared_ptr<http::Exchange> exchange;
  std::string session;  ///< its id; empty: none
  std::string id;       ///< of the request in it, as JSON; empty: there is none, or several
  bool closed = false;  ///< by us
  std::string text;     ///< what its reader has taken
};

/// What is known about a session.
struct Known {
  std::string id;
  std::string client;
  std::set<std::string> asked;                ///< ids of requests, as JSON
  std::map<std::string, std::string> events;  ///< id -> data
  std::string last_event;
};

class World {
 public:
  explicit World(bool is_patient) {
    streamable::EndpointLimits limits;
    limits.max_sessions = 4;
    limits.max_client_sessions = 3;
    limits.session_grace = io::Clock::duration::zero();
    limits.max_calls = kMaxCalls;
    limits.max_client_calls = 4;
    if (!is_patient) limits.patience = io::Clock::duration::zero();
    waits = std::make_shared<Waits>();
    streamable::EndpointHooks hooks;
    hooks.make_session = [this](std::function<void(mcp::Outgoing&&)> send) {
      return std::make_shared<mcp::Session>(context_, registry(), offered_, std::move(send), [] {});
    };
    endpoint_ = std::make_shared<streamable::Endpoint>(context_, limits, std::move(hooks));
  }

  void step(std::string_view line) {
    if (line.empty()) return;
    const char what = line.front();
    line.remove_prefix(1);
    if (what == 'i') return initialize();
    if (what == 'm') return post_modern(line);
    if (what == 'e') return end_waits();
    if (what == 'l') return act([this] { endpoint_->list_changed(mcp::Session::List::Tools); });
    if (what == 'x') return act([this] { endpoint_->drain(); });
    const std::size_t number = number_in(line);
    if (what == 'c' || what == 'r') {
      if (asked_.empty()) return;
      Asked& one = asked_[number % asked_.size()];
      if (what == 'r') return read(one);
      one.closed = true;
      return act([&] { one.exchange->client_gone(); });
    }
    if (sessions_.empty()) return;
    Known& session = sessions_[number % sessions_.size()];
    if (what == 'p' || what == 'P') post(session, line, what == 'P');
    if (what == 'g') get(session, line);
    if (what == 'd') send("DELETE", {{"mcp-session-id", session.id}}, "", session.client, session.id);
  }

  void finish() {
    end_waits();
    for (Asked& one : asked_) read(one);
    act([this] { endpoint_->close(); });
    for (Asked& one : asked_) {
      read(one);
      require(one.closed || one.exchange->closed() || one.exchange->begun(), "every exchange is answered");
      require(one.exchange->closed() || one.exchange->ended(), "every answer ends");
    }
    const auto counts = endpoint_->counts();
    require(counts.calls == 0 && counts.sessions == 0 && counts.streams == 0, "nothing is left at the end");
  }

 private:
  template <typename Action>
  void act(Action action) {
    asio::post(context_, std::move(action));
    settle(context_);
    require(endpoint_->counts().calls <= kMaxCalls, "calls are bounded");
  }

  void end_waits() {
    act([] {
      waits->ended = true;
      waits->changed.notify_all();
    });
    waits = std::make_shared<Waits>();
  }

  static std::size_t number_in(std::string_view& line) {
    std::size_t number = 0;
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && line.front() >= '0' && line.front() <= '9' && number < 100) {
      number = number * 10 + static_cast<std::size_t>(line.front() - '0');
      line.remove_prefix(1);
    }
    if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    return number;
  }

  Asked& send(std::string method, http::Fields fields, std::string body, const std::string& client,
              const std::string& session = "", std::string id = "") {
    http::IncomingRequest head;
    head.method = std::move(method);
    head.target = "/mcp";
    head.fields = std::move(fields);
    head.fields.emplace_back("accept", "application/json, text/event-stream");
    head.body = std::move(body);
    head.client = client;
    asked_.push_back(
        {std::make_shared<http::Exchange>(std::move(head), kMaxQueued), session, std::move(id), false, ""});
    Asked& one = asked_.back();
    act([this, exchange = one.exchange] { endpoint_->handle(exchange); });
    check_head(one);
    return one;
  }

  void initialize() {
    turn_ = turn_ == "a" ? "b" : "a";
    const json body = {{"jsonrpc", "2.0"},
                       {"id", 0},
                       {"method", "initialize"},
                       {"params", {{"protocolVersion", "2025-11-25"}, {"capabilities", json::object()}}}};
    const Asked& one = send("POST", {}, body.dump(), turn_, "", "0");
    if (!one.exchange->begun() || one.exchange->head()->status != 200) return;
    for (const auto& [name, value] : one.exchange->head()->fields)
      if (name == "mcp-session-id") sessions_.push_back({value, turn_, {}, {}, ""});
  }

  // The ids of requests in a body, as JSON.
  static std::set<std::string> ids_in(std::string_view body) {
    std::set<std::string> ids;
    const json value = json::parse(body, nullptr, false);
    for (const json& each : value.is_array() ? value : json::array({value}))
      if (each.is_object() && each.contains("id")) ids.insert(key(each["id"]));
    return ids;
  }
  static std::string key(const json& id) { return id.dump(-1, ' ', false, json::error_handler_t::replace); }

  void post(Known& session, std::string_view body, bool by_other) {
    const auto ids = ids_in(body);
    const std::string client = by_other ? (session.client == "a" ? "b" : "a") : session.client;
    if (!by_other) session.asked.insert(ids.begin(), ids.end());
    const Asked& one = send("POST", {{"mcp-session-id", session.id}}, std::string(body), client,
                            by_other ? "" : session.id, ids.size() == 1 ? *ids.begin() : "");
    if (by_other && one.exchange->begun() && one.exchange->head()->status == 200 && !is_modern(body))
      require(false, "the session of another client looks like none");
  }

  static bool is_modern(std::string_view body) {
    return body.find("io.modelcontextprotocol/protocolVersion") != std::string_view::npos ||
           body.find('\\') != std::string_view::npos;  // written in another way
  }

  void post_modern(std::string_view body) {
    const json value = json::parse(body, nullptr, false);
    http::Fields fields = {{"mcp-protocol-version", "2026-07-28"},
                           {"mcp-method", text_member(value, "method")}};
    if (value.is_object() && value.contains("params"))
      for (const char* name : {"name", "uri"})
        if (const std::string given = text_member(value["params"], name); !given.empty())
          fields.emplace_back("mcp-name", given);
    const auto ids = ids_in(body);
    send("POST", std::move(fields), std::string(body), turn_, "", ids.size() == 1 ? *ids.begin() : "");
  }

  void get(Known& session, std::string_view last) {
    http::Fields fields = {{"mcp-session-id", session.id}};
    const std::string wanted = last == "*" ? session.last_event : std::string(last);
    if (!wanted.empty()) fields.emplace_back("last-event-id", wanted);
    send("GET", std::move(fields), "", session.client, session.id);
  }

  void check_head(const Asked& one) {
    if (!one.exchange->begun() || one.exchange->in_parts()) return;
    const auto& head = *one.exchange->head();
    require(head.status >= 200 && head.status < 600, "a status");
    if (head.body.empty() || head.body.front() != '{') return;
    check_message(head.body, one);
  }

  void check_message(const std::string& text, const Asked& one) {
    const json message = json::parse(text, nullptr, false);
    require(message.is_object() && text_member(message, "jsonrpc") == "2.0", "what is sent is JSON-RPC");
    if (message.contains("method")) return;
    require(message.contains("result") != message.contains("error"), "an answer has a result or an error");
    if (!message.contains("id") || message["id"].is_null() || message.contains("error")) return;
    const std::string id = key(message["id"]);
    for (const Known& session : sessions_)
      if (session.id == one.session) {
        require(session.asked.contains(id), "an answer goes to the session that has asked");
        return;
      }
    require(one.session.empty() && (one.id == id || one.id.empty()), "an answer goes to its request");
  }

  // Takes all parts, and checks the events that are whole.
  void read(Asked& one) {
    if (!one.exchange->closed())
      while (one.exchange->has_part()) one.text += one.exchange->take_part();
    check_head(one);
    Known* known = nullptr;
    for (Known& session : sessions_)
      if (session.id == one.session) known = &session;
    for (std::size_t end = one.text.find("\n\n"); end != std::string::npos; end = one.text.find("\n\n")) {
      event(one.text.substr(0, end + 1), one, known);
      one.text.erase(0, end + 2);
    }
  }

  void event(std::string_view text, const Asked& one, Known* known) {
    std::string id, data;
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      if (line.starts_with("id: ")) id = line.substr(4);
      if (line.starts_with("data: ")) data += line.substr(6);
    }
    if (!data.empty()) check_message(data, one);
    if (id.empty() || !known) return;
    const auto [seen, is_new] = known->events.emplace(id, data);
    require(is_new || seen->second == data, "an event says the same whenever it is read");
    known->last_event = id;
  }

  asio::io_context context_{1};
  std::shared_ptr<const mcp::SessionOptions> offered_ =
      std::make_shared<const mcp::SessionOptions>(options());
  std::shared_ptr<streamable::Endpoint> endpoint_;
  std::deque<Asked> asked_;  // references stay valid
  std::vector<Known> sessions_;
  std::string turn_ = "b";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view lines = text_of(data, size);
  constexpr std::size_t kMaxSteps = 200;
  World world(lines.starts_with("i"));
  for (std::size_t steps = 0; !lines.empty() && steps < kMaxSteps; ++steps) {
    const std::string_view line = next_line(lines);
    if (!too_deep(line)) world.step(line);
  }
  world.finish();
  return 0;
}

}  // namespace leanbridge::fuzz
