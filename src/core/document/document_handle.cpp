#include "document_handle.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/configuration_failure.hpp"
#include "core/lean/header_fault.hpp"
#include "core/rpc/message.hpp"

#include <algorithm>

namespace leanbridge::document {

using nlohmann::json;

namespace {

// Lean ends a session 30 s after the last sign of life, and checks only when it gets a message.
constexpr auto kSessionLife = std::chrono::seconds(20);
// How often a request is retried because the text changed under it. Each retry follows an edit or a restart,
// so this bounds a storm of edits, not a wait.
constexpr int kMaxTries = 20;
// How long a request that takes too long may hold up the others.
constexpr auto kMaxTurnWait = std::chrono::seconds(2);

tl::unexpected<Error> gone(const Document& document) {
  if (document.state.crashed()) return tl::unexpected(worker_death(document));
  return fail(ErrorKind::Cancelled, document.name + " was closed by another call meanwhile.", "Call again.");
}

tl::unexpected<Error> changed_too_often(const Document& document) {
  return fail(ErrorKind::Cancelled, document.name + " kept changing while Lean was asked about it.",
              "Call again.");
}

tl::unexpected<Error> not_elaborated(const char* what) {
  return fail(ErrorKind::Timeout,
              std::string("Lean has not elaborated ") + what + " within the call's deadline.",
              "Call again with a larger timeout_s; elaboration continues meanwhile.");
}

// Lake failed before it came to the file, so the file's header is not at fault.
Error configuration_error(const lean::ConfigurationFailure& failure, const Document& document,
                          const lean::Server& server) {
  const bool of_server = failure.of == lean::ConfigurationFailure::Of::Server;
  const std::string message = "Lake could not load the project " + server.root().string() +
                              (of_server ? " when Lean's server started" : "") + ", so nothing in " +
                              (is_scratch_path(document.path) ? "the file" : document.name) +
                              " is elaborated." + (failure.said.empty() ? "" : " It said:\n" + failure.said);
  const auto pause = std::chrono::ceil<std::chrono::seconds>(server.until_replaced()).count();
  const std::string when = pause > 0 ? "Call again in " + std::to_string(pause) + " s" : "Call again";
  return {ErrorKind::LeanUnavailable, message,
          (of_server ? when + ": the server is started anew." : "Call again: Lake is asked anew.") +
              " If Lake says the same again, fix what it names."};
}

template <class Predicate>
asio::awaitable<Result<WaitOutcome>> wait_for(std::shared_ptr<Document> document, io::CancelScope scope,
                                              Predicate known) {
  // If the header failed, the diagnostics with the reason are still to come; if the worker died instead, the
  // barrier shows it. So this waits for the barrier, unless another text comes first.
  const auto over = [&] {
    const DocumentState& state = document->state;
    return !state.open() || (state.header_failed() ? state.done() : known());
  };
  const io::WaitStatus end = co_await io::wait_until(document->changed, scope, over);
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut) co_return WaitOutcome::Partial;
  if (!document->state.open()) co_return gone(*document);
  co_return WaitOutcome::Complete;
}

// Whether Lean found nothing. It also answers this about a place that it has not elaborated yet.
bool is_empty_answer(const json& answer) {
  if (answer.is_null() || answer.is_array()) return answer.empty();
  if (!answer.is_object()) return false;
  // A completion list with the single item "-" is empty.
  const auto is_placeholder = [](const json& item) {
    return item.is_object() && text_member(item, "label") == "-";
  };
  for (const char* list : {"items", "widgets"})
    if (const json& found = member(answer, list); found.is_array())
      return std::ranges::all_of(found, is_placeholder);
  return answer.empty();
}

// Where Lean takes an answer from: the elaborated place, or its index, which has a file only once all of it
// is elaborated.
enum class AnswerSource { ElaboratedPlace, Index };

AnswerSource source_of(std::string_view method) {
  for (const std::string_view indexed : {"textDocument/references", "textDocument/prepareCallHierarchy",
                                         "textDocument/prepareRename", "textDocument/rename"})
    if (method == indexed) return AnswerSource::Index;
  return AnswerSource::ElaboratedPlace;
}

// Whether an empty answer is reliable: Lean already has everything that it takes the answer from.
bool is_settled(const DocumentState& state, text::LspPosition position, AnswerSource source) {
  return source == AnswerSource::Index ? state.done() : state.elaborated_at(position);
}

// Waits until an empty answer is reliable, or the text has changed.
asio::awaitable<Result<WaitOutcome>> wait_until_settled(std::shared_ptr<Document> document,
                                                        text::LspPosition position, AnswerSource source,
                                                        Version version, io::CancelScope scope) {
  const auto passed = [&] {
    return document->state.version() != version || is_settled(document->state, position, source);
  };
  co_return co_await wait_for(document, scope, passed);
}

// Sends a request about the current text. The wait ends when this text or its worker ends: if Lean's server
// could not hand the request to a dead worker, it never answers it (Lean.Server.Watchdog keeps the request
// for the next worker).
asio::awaitable<lean::Reply> ask_once(DocumentHandle handle, std::string method, json params,
                                      io::CancelScope scope) {
  scope = scope.or_cancelled_by(*handle.document().worker.text_cancel);
  co_return co_await handle.store()->server().request(std::move(method), std::move(params), scope);
}

asio::awaitable<tl::expected<std::string, lean::RequestError>> rpc_session(DocumentHandle handle,
                                                                           io::CancelScope scope) {
  const std::shared_ptr<Document>& document = handle.share();
  if (document->worker.rpc_session && io::Clock::now() - document->worker.rpc_session->renewed < kSessionLife)
    co_return document->worker.rpc_session->id;
  json params = {{"uri", document->uri}};
  const lean::Reply reply = co_await ask_once(handle, "$/lean/rpc/connect", std::move(params), scope);
  if (!reply) co_return tl::unexpected(reply.error());
  if (!reply->is_object() || !reply->contains("sessionId")) {
    Error none(ErrorKind::NotSupported, "Lean did not open an RPC session.",
               "Call again with format \"text\".");
    co_return tl::unexpected(lean::RequestError{std::move(none), 0});
  }
  const json& id = (*reply)["sessionId"];
  document->worker.rpc_session =
      RpcSession{id.is_string() ? id.get<std::string>() : id.dump(), io::Clock::now()};
  co_return document->worker.rpc_session->id;
}

using Turn = io::FairSemaphore::Permit;

// A turn for a request that Lean can answer at once. A request about a place that is not elaborated needs
// none: it waits inside Lean and costs nothing until then.
asio::awaitable<std::optional<Turn>> turn_for(std::shared_ptr<Document> document, text::LspPosition position,
                                              io::CancelScope scope) {
  if (!document->state.elaborated_at(position)) co_return std::nullopt;
  auto turn = co_await document->worker.turns.acquire(scope.with_timeout(kMaxTurnWait));
  if (!turn) co_return std::nullopt;
  co_return std::move(*turn);
}

// The common part of all requests about a place: anchor, version, retries. `send` sends one request.
template <class Send>
asio::awaitable<Result<PlacedAnswer>> ask(DocumentHandle handle, TextAnchor anchor, AnswerSource source,
                                          io::CancelScope scope, Send send) {
  const std::shared_ptr<Document>& document = handle.share();
  for (int tries = 0; tries < kMaxTries; ++tries) {
    if (!document->state.open()) co_return gone(*document);
    const auto offset = document->state.resolve(anchor);
    if (!offset) co_return changed_too_often(*document);
    const Version version = document->state.version();
    const text::LspPosition position = document->state.text().lsp_position_at(*offset);

    auto turn = co_await turn_for(document, position, scope);
    if (scope.cancel->cancelled()) co_return call_cancelled();
    if (document->state.version() != version || !document->state.open())
      continue;  // the text changed during
                 // the wait
    const bool settled = is_settled(document->state, position, source);
    lean::Reply reply = co_await send(position);
    turn.reset();
    if (document->state.version() != version || !document->state.open()) continue;
    if (!reply) {
      handle.store()->note_failure(document, reply.error());
      const int code = reply.error().code;
      if (code == lean::kRpcNeedsReconnect) document->worker.rpc_session.reset();
      const bool again = code == lean::kRpcNeedsReconnect || code == rpc::kContentModified;
      if (again && document->state.open()) continue;
      if (document->state.crashed()) co_return gone(*document);
      co_return tl::unexpected(reply.error().error);
    }
    if (settled || !is_empty_answer(*reply)) {
      if (const auto failure = handle.header_failure()) co_return tl::unexpected(*failure);
      co_return PlacedAnswer{std::move(*reply), *offset, version};
    }
    CO_TRY(const auto known, co_await wait_until_settled(document, position, source, version, scope));
    if (known == WaitOutcome::Partial) co_return not_elaborated("this place");
  }
  co_return changed_too_often(*document);
}

asio::awaitable<Result<WaitOutcome>> wait_done(std::shared_ptr<Document> document, io::CancelScope scope) {
  const auto done = [&] { return document->state.done(); };
  co_return co_await wait_for(document, scope, done);
}

asio::awaitable<Result<WaitOutcome>> wait_reported(DocumentHandle handle, TextAnchor anchor,
                                                   io::CancelScope scope) {
  const auto reported = [&] {
    return handle.state().reported_before(handle.text().lsp_position_at(handle.resolve(anchor)));
  };
  co_return co_await wait_for(handle.share(), scope, reported);
}

asio::awaitable<Result<WaitOutcome>> wait_reported_between(DocumentHandle handle, text::LspRange range,
                                                           io::CancelScope scope) {
  const auto reported = [&] { return handle.state().reported_between(range.start, range.end); };
  co_return co_await wait_for(handle.share(), scope, reported);
}

asio::awaitable<Result<PlacedAnswer>> ask_at(DocumentHandle handle, std::string method, TextAnchor at,
                                             json extra, io::CancelScope scope) {
  const auto send = [&](text::LspPosition position) {
    json params = extra.is_object() ? extra : json::object();
    params["textDocument"] = {{"uri", handle.document().uri}};
    params["position"] = lean::to_json(position);
    return ask_once(handle, method, std::move(params), scope);
  };
  co_return co_await ask(handle, at, source_of(method), scope, send);
}

asio::awaitable<Result<PlacedAnswer>> ask_rpc_at(DocumentHandle handle, std::string method, TextAnchor at,
                                                 json params_of_method, io::CancelScope scope) {
  const auto send = [&](text::LspPosition position) -> asio::awaitable<lean::Reply> {
    const Version version_asked = handle.state().version();
    const auto session = co_await rpc_session(handle, scope);
    if (!session) co_return tl::unexpected(session.error());
    if (handle.state().version() != version_asked)
      co_return json();  // the answer is about another text:
                         // drop it
    json place = {{"textDocument", {{"uri", handle.document().uri}}}, {"position", lean::to_json(position)}};
    json params = place;
    params["sessionId"] = *session;
    params["method"] = method;
    params["params"] = params_of_method.is_null() ? place : params_of_method;
    co_return co_await ask_once(handle, "$/lean/rpc/call", std::move(params), scope);
  };
  co_return co_await ask(handle, at, AnswerSource::ElaboratedPlace, scope, send);
}

asio::awaitable<Result<json>> ask_document(DocumentHandle handle, std::string method, io::CancelScope scope) {
  const std::shared_ptr<Document>& document = handle.share();
  json params = {{"textDocument", {{"uri", document->uri}}}};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const Version version = document->state.version();
    const bool settled = document->state.done();
    lean::Reply reply = co_await ask_once(handle, method, params, scope);
    if (!document->state.open()) co_return gone(*document);
    if (document->state.version() != version) continue;
    if (reply && (settled || !is_empty_answer(*reply))) co_return std::move(*reply);
    if (reply) {
      CO_TRY(const auto known, co_await handle.wait_until_done(scope));
      if (known == WaitOutcome::Partial) co_return not_elaborated("this file");
      continue;
    }
    handle.store()->note_failure(document, reply.error());
    if (document->state.crashed()) co_return gone(*document);
    if (reply.error().code != rpc::kContentModified || !document->state.open())
      co_return tl::unexpected(reply.error().error);
  }
  co_return changed_too_often(*document);
}

}  // namespace

// These pass a copy of the handle to the coroutines, which may outlive it.

asio::awaitable<Result<PlacedAnswer>> DocumentHandle::request_at(std::string method, TextAnchor at,
                                                                 io::CancelScope scope, json extra) const {
  return ask_at(*this, std::move(method), at, std::move(extra), std::move(scope));
}

asio::awaitable<Result<PlacedAnswer>> DocumentHandle::rpc_request_at(std::string method, TextAnchor at,
                                                                     io::CancelScope scope,
                                                                     json params) const {
  return ask_rpc_at(*this, std::move(method), at, std::move(params), std::move(scope));
}

asio::awaitable<lean::Reply> DocumentHandle::request_once(std::string method, json params,
                                                          io::CancelScope scope) const {
  return ask_once(*this, std::move(method), std::move(params), std::move(scope));
}

asio::awaitable<Result<json>> DocumentHandle::request(std::string method, io::CancelScope scope) const {
  return ask_document(*this, std::move(method), std::move(scope));
}

asio::awaitable<Result<WaitOutcome>> DocumentHandle::wait_until_done(io::CancelScope scope) const {
  return wait_done(document_, std::move(scope));
}

asio::awaitable<Result<WaitOutcome>> DocumentHandle::wait_until_reported(std::size_t offset,
                                                                         io::CancelScope scope) const {
  return wait_reported(*this, anchor(offset), std::move(scope));
}

asio::awaitable<Result<WaitOutcome>> DocumentHandle::wait_until_reported_between(
    std::size_t start, std::size_t end, io::CancelScope scope) const {
  return wait_reported_between(*this, text().lsp_range(start, end), std::move(scope));
}

std::optional<Error> DocumentHandle::header_failure() const {
  if (!state().header_failed()) return std::nullopt;
  for (const lean::Diagnostic& diagnostic : state().diagnostics())
    if (diagnostic.severity == lean::Severity::Error) {
      if (const auto failure = lean::read_configuration_failure(diagnostic.message))
        return configuration_error(*failure, *document_, store_->server());
      break;
    }
  const std::string why = lean::read_header_fault(state().diagnostics()).why;
  // The name of a scratch document means nothing to the caller.
  const std::string name = is_scratch_path(document_->path) ? "the file" : document_->name;
  return Error(ErrorKind::LeanUnavailable,
               "Lean could not load the imports of " + name + ", so nothing in it is elaborated" +
                   (why.empty() ? std::string(".") : ": " + why),
               "Fix the header or the imported file that it names, then call again.");
}

}  // namespace leanbridge::document
