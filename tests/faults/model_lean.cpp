#include "model_lean.hpp"

#include "core/text/text.hpp"

#include <algorithm>

namespace leanbridge::faults {

using nlohmann::json;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

constexpr int kContentModified = -32801;
constexpr int kRequestCancelled = -32800;
constexpr int kMethodNotFound = -32601;
constexpr int kInternalError = -32603;
constexpr int kNeedsReconnect = -32900;
constexpr int kWorkerCrashed = -32902;
constexpr const char* kBarrier = "textDocument/waitForDiagnostics";

std::string uri_of(const json& params) {
  if (params.contains("textDocument")) return params["textDocument"].value("uri", "");
  return params.value("uri", "");
}

// Stricter than the real Lean: a position outside the text means that the two texts differ.
std::optional<std::size_t> offset_of(const ModelText& text, const json& position) {
  const int line = position.value("line", -1), character = position.value("character", -1);
  if (line < 0 || line >= text.line_count() || character < 0 || character > text.length(line))
    return std::nullopt;
  return text::Text(text.text())
      .offset_at({static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(character)});
}

}  // namespace

ModelLean::ModelLean(Surroundings around, Random random, Wire& wire, BadStart start)
    : around_(std::move(around)), random_(random), wire_(wire), start_(start), schedule_(around_.context) {}

void ModelLean::violation(const std::string& what) {
  around_.trace.fail("the bridge breaks the protocol: " + what);
}

// --- what comes in

bool ModelLean::check(const json& message) {
  const std::string method = message.value("method", "");
  if (method.empty()) return true;
  const bool may_lack_params = method == "exit" || method == "shutdown";
  if (!may_lack_params && (!message.contains("params") || !message["params"].is_object()))
    violation(method + " without params: " + message.dump());
  if (phase_ == Phase::New && method != "initialize") violation(method + " before initialize");
  if (phase_ == Phase::Initializing) violation(method + " before initialize was answered");
  if (phase_ == Phase::Answered && method != "initialized") violation(method + " instead of initialized");
  if (phase_ == Phase::ShutDown && method != "exit") violation(method + " after shutdown");
  return around_.trace.failures().empty();
}

void ModelLean::receive(const json& message) {
  if (!check(message)) return;
  const std::string method = message.value("method", "");
  if (method == "initialize") return initialize(message);
  if (method == "initialized") {
    phase_ = Phase::Running;
    wire_.send("", Wire::Kind::Request,
               {{"id", "register_lean_watcher"},
                {"method", "client/registerCapability"},
                {"params", {{"registrations", json::array()}}}});
    return;
  }
  if (method == "exit") return around_.exit(0);
  if (method == "shutdown") {
    phase_ = Phase::ShutDown;
    schedule_.clear();
    documents_.clear();
    return reply("", message["id"], nullptr);
  }
  if (method == "textDocument/didOpen") return open(message["params"]);
  if (method == "textDocument/didChange") return change(message["params"]);
  if (method == "textDocument/didClose") return close(message["params"]);
  if (method == "$/cancelRequest") return cancel(message["params"]);
  if (message.contains("id") && !method.empty()) request(message);
}

void ModelLean::initialize(const json& request) {
  phase_ = Phase::Initializing;
  if (start_ == BadStart::NeverReady) return;
  const json& id = request["id"];
  const auto answer = [this, id] {
    if (start_ == BadStart::RefusesInitialize)
      return refuse("", id, kInternalError, "cannot load the workspace");
    phase_ = Phase::Answered;
    reply("", id,
          {{"capabilities", {{"textDocumentSync", {{"openClose", true}, {"change", 2}}}}},
           {"serverInfo", {{"name", "Lean 4 Server"}, {"version", "0.3.0"}}}});
  };
  if (start_ == BadStart::LateInitialize)
    schedule_.after(milliseconds(random_.between(10, 6000)), answer);
  else
    answer();
}

void ModelLean::open(const json& params) {
  const json& item = params["textDocument"];
  const std::string uri = item.value("uri", "");
  if (documents_.contains(uri)) violation("didOpen of an open file " + uri);
  auto document = std::make_shared<Document>();
  document->uri = uri;
  document->version = item.value("version", std::int64_t{0});
  const std::string text = item.value("text", "");
  document->text = std::make_shared<ModelText>(text, load_imports(text, around_.read));
  document->reports_increments = random_.percent(70);
  documents_[uri] = document;
  progress(*document, 0);
  begin(document, 0);
}

void ModelLean::change(const json& params) {
  const auto found = documents_.find(uri_of(params));
  if (found == documents_.end()) return violation("didChange of a file that is not open: " + uri_of(params));
  const DocumentPtr document = found->second;
  const std::int64_t version = params["textDocument"].value("version", std::int64_t{-1});
  if (version <= document->version) violation("version " + std::to_string(version) + " is not newer");
  std::string text = document->text->text();
  for (const json& change : params["contentChanges"]) {
    if (!change.contains("range")) {
      text = change.value("text", "");
      continue;
    }
    const ModelText now(text, document->text->imports());
    const auto start = offset_of(now, change["range"]["start"]), end = offset_of(now, change["range"]["end"]);
    if (!start || !end || *end < *start) return violation("an edit outside the text: " + change.dump());
    text.replace(*start, *end - *start, change.value("text", ""));
  }
  const auto old = document->text;
  Imports imports = old->imports();
  const bool fresh = document->crashed || load_imports(text, around_.read).words != imports.words;
  if (fresh) imports = load_imports(text, around_.read);
  document->version = version;
  document->text = std::make_shared<ModelText>(std::move(text), std::move(imports));
  overtaken(document, old);
  const bool revived = std::exchange(document->crashed, false);
  // Messages that the edit does not affect are kept and published again.
  int from = fresh ? 0 : std::min(document->up_to, std::max(0, document->text->first_difference(*old) - 1));
  from = std::min(from, document->text->line_count());
  begin(document, from);
  if (!revived) return;
  for (const json& request : std::exchange(document->queued, {})) {
    const json place = request["params"].value("position", json());
    if (place.is_object() && !offset_of(*document->text, place))  // it is about the previous text
      refuse(document->uri, request["id"], kContentModified, "The file has changed.");
    else
      this->request(request);
  }
}

// The requests that were pending when the text changed.
void ModelLean::overtaken(const DocumentPtr& document, const std::shared_ptr<const ModelText>& old) {
  std::vector<json> stay;
  for (json& request : document->waiting) {
    const bool barrier = request.value("method", "") == kBarrier;
    if (!by_fault(around_.faults.superseded)) {
      stay.push_back(std::move(request));
    } else if (barrier) {  // the old reporter is stopped, and then answers
      reply(document->uri, request["id"], json::object());
    } else if (random_.percent(50)) {
      refuse(document->uri, request["id"], kContentModified, "The file has changed.");
    } else {
      answer(document, *old, request);
    }
  }
  document->waiting = std::move(stay);
}

void ModelLean::close(const json& params) {
  const auto found = documents_.find(uri_of(params));
  if (found == documents_.end()) return violation("didClose of a file that is not open: " + uri_of(params));
  const DocumentPtr document = found->second;
  documents_.erase(found);
  ++document->life;
  document->waiting.insert(document->waiting.end(), document->queued.begin(), document->queued.end());
  for (const json& request : document->waiting)
    refuse(document->uri, request["id"], kContentModified, "File closed.");
  wire_.send(
      document->uri, Wire::Kind::Diagnostics,
      {{"method", "textDocument/publishDiagnostics"},
       {"params", {{"uri", document->uri}, {"version", document->version}, {"diagnostics", json::array()}}}});
}

void ModelLean::cancel(const json& params) {
  for (const auto& [uri, document] : documents_) {
    const auto is_it = [&](const json& request) { return request["id"] == params["id"]; };
    const auto found = std::find_if(document->waiting.begin(), document->waiting.end(), is_it);
    if (found == document->waiting.end() || random_.percent(40)) continue;  // some handlers never check
    const json request = *found;
    document->waiting.erase(found);
    return refuse(uri, request["id"], kRequestCancelled, "");
  }
}

// --- elaboration

void ModelLean::begin(const DocumentPtr& document, int from) {
  const std::uint64_t life = ++document->life;
  document->up_to = from;
  document->published = 0;
  document->told = false;
  if (!document->text->imports().problem.empty()) {
    schedule_.after(milliseconds(random_.between(1, 20)), [this, document, life] {
      if (document->life != life || document->hung) return;
      progress(*document, 0, 2);
      publish(*document, true);
      finish(document);
    });
    return;
  }
  schedule_.after(microseconds(random_.between(50, 3000)), [this, document, life] {
    if (document->life != life || document->hung) return;
    if (random_.percent(60)) publish(*document, true);
    progress(*document, document->up_to);
    step(document, life);
  });
}

void ModelLean::step(const DocumentPtr& document, std::uint64_t life) {
  if (document->life != life || document->hung) return;
  const ModelText& text = *document->text;
  if (by_fault_per_mille(around_.faults.worker_crash)) return crash(document);
  if (by_fault_per_mille(around_.faults.worker_hang)) {
    around_.trace.say("fault", "the worker of " + document->uri + " hangs");
    document->hung = true;
    return;
  }
  int lines = random_.between(1, std::max(5, text.line_count() / 10)), slow = 0;
  while (lines-- > 0 && document->up_to < text.line_count()) {
    slow = text.slow_ms(document->up_to);
    if (slow > 0 && lines > 0) break;  // alone
    if (text.crashes(document->up_to)) return crash(document);
    ++document->up_to;
    if (slow > 0) break;
  }
  if (slow > 0 && document->up_to < text.line_count()) {
    // The line itself counts as elaborated when its time is over.
    const int line = document->up_to;
    wake(document);
    publish(*document, false);
    progress(*document, line);
    schedule_.after(milliseconds(slow), [this, document, life, line] {
      if (document->life != life || document->hung) return;
      document->up_to = std::max(document->up_to, line + 1);
      step(document, life);
    });
    return;
  }
  if (document->up_to >= text.line_count()) return finish(document);
  wake(document);
  // Once the first messages of a version have been sent, progress never runs ahead of them.
  const bool tells = random_.percent(60);
  if (random_.percent(50) || (tells && document->told)) publish(*document, false);
  if (tells) progress(*document, document->up_to);
  schedule_.after(microseconds(random_.between(100, 30'000)),
                  [this, document, life] { step(document, life); });
}

void ModelLean::finish(const DocumentPtr& document) {
  document->up_to = document->text->line_count();
  const bool failed = !document->text->imports().problem.empty();
  // The end may be reported before the last messages.
  const bool early = random_.percent(40) && !failed;
  if (early) progress(*document, document->up_to);
  publish(*document, false);
  if (!early && !failed) progress(*document, document->up_to);
  document->done = document->version;
  wake(document);
}

void ModelLean::crash(const DocumentPtr& document) {
  around_.trace.say("fault", "the worker of " + document->uri + " crashes");
  ++document->life;
  document->crashed = true;
  document->session.clear();
  for (const json& request : std::exchange(document->waiting, {}))
    refuse(document->uri, request["id"], kWorkerCrashed, "Server process for " + document->uri + " crashed.");
  progress(*document, 0, 2);
}

void ModelLean::progress(const Document& document, int from, int kind) {
  json ranges = json::array();
  const int end = document.text->line_count();
  if (kind == 2) {
    const json zero = {{"line", 0}, {"character", 0}};
    ranges.push_back({{"kind", 2}, {"range", {{"start", zero}, {"end", zero}}}});
  } else if (from < end) {
    ranges.push_back(
        {{"kind", 1},
         {"range",
          {{"start", {{"line", from}, {"character", 0}}}, {"end", {{"line", end}, {"character", 0}}}}}});
  }
  wire_.send(
      document.uri, Wire::Kind::Progress,
      {{"method", "$/lean/fileProgress"},
       {"params",
        {{"textDocument", {{"uri", document.uri}, {"version", document.version}}}, {"processing", ranges}}}});
}

void ModelLean::publish(Document& document, bool all) {
  const auto messages = document.text->messages(document.up_to);
  const bool first = !std::exchange(document.told, true);
  const bool increment = document.reports_increments && !all && !first && random_.percent(80);
  json items = json::array();
  for (std::size_t i = increment ? document.published : 0; i < messages.size(); ++i)
    items.push_back(messages[i].to_json());
  document.published = messages.size();
  json params = {{"uri", document.uri}, {"version", document.version}, {"diagnostics", std::move(items)}};
  if (document.reports_increments) params["isIncremental"] = increment;
  wire_.send(document.uri, increment ? Wire::Kind::MoreDiagnostics : Wire::Kind::Diagnostics,
             {{"method", "textDocument/publishDiagnostics"}, {"params", std::move(params)}});
}

// --- requests

void ModelLean::request(const json& message) {
  const std::string method = message.value("method", "");
  const std::string uri = uri_of(message["params"]);
  if (method == "workspace/symbol") return reply("", message["id"], json::array());
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return refuse("", message["id"], kContentModified, "Cannot process request to closed file '" + uri + "'");
  const DocumentPtr document = found->second;
  if (document->hung) return;
  if (document->crashed) return document->queued.push_back(message);
  if (message["params"].contains("position") && !offset_of(*document->text, message["params"]["position"]))
    return violation("a position outside the text: " + message.dump());
  if (by_fault(around_.faults.refuse))
    return refuse(uri, message["id"], kInternalError, "an exception in a handler");
  if (ready(*document, message)) return answer(document, *document->text, message);
  if (method != kBarrier && by_fault(around_.faults.early_null)) return reply(uri, message["id"], nullptr);
  document->waiting.push_back(message);
}

bool ModelLean::ready(const Document& document, const json& request) const {
  const std::string method = request.value("method", "");
  const json& params = request["params"];
  if (method == kBarrier) return document.done >= params.value("version", std::int64_t{0});
  const bool whole = document.up_to >= document.text->line_count();
  if (method == "textDocument/documentSymbol") return whole;
  if (!params.contains("position")) return true;
  return whole || params["position"].value("line", 0) < document.up_to;
}

void ModelLean::wake(const DocumentPtr& document) {
  std::vector<json> stay, go;
  for (json& request : document->waiting)
    (ready(*document, request) ? go : stay).push_back(std::move(request));
  document->waiting = std::move(stay);
  for (std::size_t i = go.size(); i > 1; --i) std::swap(go[i - 1], go[random_.below(i)]);  // any order
  // The answer to the barrier comes last for a version.
  std::stable_partition(go.begin(), go.end(),
                        [](const json& r) { return r.value("method", "") != kBarrier; });
  for (const json& request : go) answer(document, *document->text, request);
}

void ModelLean::answer(const DocumentPtr& document, const ModelText& text, const json& request) {
  const std::string method = request.value("method", "");
  if (method == "$/lean/rpc/call" && !document->session.empty() && by_fault(around_.faults.session_loss))
    document->session.clear();
  if (method == "$/lean/rpc/call" && request["params"].value("sessionId", "") != document->session)
    return refuse(document->uri, request["id"], kNeedsReconnect, "Outdated RPC session");
  json result = answer_about(*document, text, request);
  if (result == "unknown")
    return refuse(document->uri, request["id"], kMethodNotFound,
                  "No request handler found for '" + method + "'");
  reply(document->uri, request["id"], std::move(result));
}

json ModelLean::answer_about(Document& document, const ModelText& text, const json& request) {
  const std::string method = request.value("method", "");
  const json& params = request["params"];
  const json place = params.value("position", json::object());
  const int line = place.value("line", 0), character = place.value("character", 0);
  if (method == kBarrier) return json::object();
  if (method == "textDocument/documentSymbol") return text.symbols();
  if (method == "textDocument/codeAction") return json::array();
  if (method == "$/lean/rpc/connect") {
    document.session = std::to_string(random_.next());
    return {{"sessionId", document.session}};
  }
  if (method == "textDocument/hover") {
    const auto hover = text.hover(line);
    if (!hover) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", "```lean\n" + *hover + "\n```"}}},
            {"range",
             {{"start", {{"line", line}, {"character", 0}}}, {"end", {{"line", line}, {"character", 1}}}}}};
  }
  if (method == "$/lean/plainTermGoal") {
    const auto hover = text.hover(line);
    return hover ? json{{"goal", "⊢ " + *hover}} : json();
  }
  if (method == "textDocument/completion") {
    const auto hover = text.hover(line);
    json items = json::array();
    if (hover) items.push_back({{"label", hover->substr(0, hover->find(' '))}, {"detail", *hover}});
    return {{"items", std::move(items)}, {"isIncomplete", false}};
  }
  for (const char* places :
       {"textDocument/definition", "textDocument/declaration", "textDocument/references"})
    if (method == places) return json::array();
  if (method == "$/lean/waitForILeans") return json::object();
  if (method.starts_with("textDocument/prepare") || method == "$/lean/prepareModuleHierarchy") return nullptr;
  const bool structured = method == "$/lean/rpc/call";
  const std::string procedure = structured ? params.value("method", "") : "";
  if (procedure == "Lean.Widget.getWidgets") return {{"widgets", json::array()}};
  if (procedure == "Lean.Widget.getWidgetSource") return {{"sourcetext", "export default 0"}};
  if (procedure == "Lean.Widget.getInteractiveDiagnostics") return json::array();
  if (method != "$/lean/plainGoal" && procedure != "Lean.Widget.getInteractiveGoals") return "unknown";
  const auto goals = text.goals(line, character);
  if (!goals) return nullptr;
  if (!structured) return {{"goals", *goals}, {"rendered", goals->empty() ? "no goals" : "..."}};
  json items = json::array();
  for (const std::string& goal : *goals)
    items.push_back(
        {{"hyps", json::array()}, {"type", {{"text", goal}}}, {"ctx", {{"p", "0"}}}, {"mvarId", "_"}});
  return {{"goals", items}};
}

void ModelLean::reply(const std::string& lane, const json& id, json result) {
  wire_.send(lane, Wire::Kind::Response, {{"id", id}, {"result", std::move(result)}});
}

void ModelLean::refuse(const std::string& lane, const json& id, int code, const std::string& why) {
  wire_.send(lane, Wire::Kind::Response, {{"id", id}, {"error", {{"code", code}, {"message", why}}}});
}

std::vector<std::string> ModelLean::open_files() const {
  std::vector<std::string> uris;
  for (const auto& [uri, document] : documents_) uris.push_back(uri);
  return uris;
}

}  // namespace leanbridge::faults
