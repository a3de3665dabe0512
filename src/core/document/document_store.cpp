#include "document_store.hpp"

#include "core/base/files.hpp"
#include "core/base/log.hpp"
#include "core/lean/configuration_failure.hpp"
#include "core/lean/project.hpp"
#include "core/text/file_uri.hpp"
#include "core/text/lean_header.hpp"
#include "scratch_links.hpp"
#include "scratch_pool.hpp"

#include <algorithm>

namespace leanbridge::document {

using nlohmann::json;

namespace {
// A barrier that Lean refuses is retried at once, since an edit may have crossed it; after that with growing
// pauses, as long as the text stays.
constexpr int kImmediateBarrierTries = 3;
constexpr auto kFirstBarrierPause = std::chrono::milliseconds(100);
constexpr auto kMaxBarrierPause = std::chrono::seconds(5);
constexpr auto kReferencesLimit = std::chrono::minutes(1);
// FileChangeType of LSP 3.17.
constexpr int kFileCreated = 1, kFileChanged = 2, kFileDeleted = 3;
// Many lakefiles turn off the warning that a declaration uses sorry. Without the warning, Lean's silence
// about a declaration proves nothing. So the warning is turned on again behind the header, on the same line:
// no line number changes.
constexpr std::string_view kWarnOfSorries = " set_option warn.sorry true";
constexpr std::string_view kOptionOfSorries = "sorry";

// Blocking, but the files are small and were read by Lake a moment ago.
bool may_silence_sorries(const lean::ImportState& configuration) {
  return std::ranges::any_of(configuration, [](const auto& each) {
    if (!each.first.filename().string().starts_with("lakefile.")) return false;
    const auto bytes = read_regular_file(each.first, kMaxConfigurationSize);
    return bytes && bytes->find(kOptionOfSorries) != std::string::npos;
  });
}

std::size_t end_of_line(const std::string& text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// A header that failed shows whether Lake could load the project for this server.
void note_configuration_failure(const Document& document, lean::Server& server) {
  if (!document.state.header_failed()) return;
  for (const lean::Diagnostic& diagnostic : document.state.diagnostics()) {
    if (diagnostic.severity != lean::Severity::Error) continue;
    const auto failure = lean::read_configuration_failure(diagnostic.message);
    if (failure && failure->of == lean::ConfigurationFailure::Of::Server) server.configuration_failed();
  }
}
// Whether an error names an internal variable, as only Lean does: `_fvar.9`, `_uniq.1234`.
bool has_internal_name(const DocumentState& state) {
  constexpr std::string_view kInternal[] = {"_fvar.", "_uniq."};
  const auto names_one = [](const std::string& message, std::string_view name) {
    for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos;) {
      at += name.size();
      if (at < message.size() && message[at] >= '0' && message[at] <= '9') return true;
    }
    return false;
  };
  for (const lean::Diagnostic& diagnostic : state.diagnostics())
    if (diagnostic.severity == lean::Severity::Error)
      for (const std::string_view name : kInternal)
        if (names_one(diagnostic.message, name)) return true;
  return false;
}
}  // namespace

std::shared_ptr<DocumentStore> DocumentStore::create(asio::io_context& context, io::Pool& pool,
                                                     lean::ServerOptions options, StoreLimits limits) {
  std::shared_ptr<DocumentStore> store(new DocumentStore(context, pool, limits));
  const std::weak_ptr<DocumentStore> weak = store;
  lean::Server::Events events;
  events.on_diagnostics = [weak](lean::PublishDiagnostics message) {
    if (const auto self = weak.lock()) self->on_diagnostics(std::move(message));
  };
  events.on_progress = [weak](const lean::FileProgress& message) {
    if (const auto self = weak.lock()) self->on_progress(message);
  };
  events.on_down = [weak](const Error& error) {
    if (const auto self = weak.lock()) self->on_down(error);
  };
  events.on_starting = [weak] {
    if (const auto self = weak.lock()) self->on_starting();
  };
  events.on_ready = [weak] {
    if (const auto self = weak.lock()) self->on_ready();
  };
  store->scratch_ = std::make_shared<ScratchPool>(context, pool, weak, limits.scratch);
  store->server_ = std::make_shared<lean::Server>(context, std::move(options), std::move(events));
  return store;
}

DocumentStore::DocumentStore(asio::io_context& context, io::Pool& pool, StoreLimits limits)
    : context_(context),
      pool_(pool),
      limits_(limits),
      slots_(limits.max_open, {[this] { return static_cast<std::size_t>(open_count()); },
                               [this] { return close_least_recently_used(); }}) {}

std::shared_ptr<Document> DocumentStore::find(const std::filesystem::path& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Document>> DocumentStore::documents() const {
  std::vector<std::shared_ptr<Document>> all;
  all.reserve(by_path_.size());
  for (const auto& [path, document] : by_path_) all.push_back(document);
  return all;
}

int DocumentStore::open_count() const {
  int count = 0;
  for (const auto& [path, document] : by_path_) count += document->state.open();
  return count;
}

std::shared_ptr<Document> DocumentStore::document_for(const std::filesystem::path& path) {
  if (auto known = find(path)) return known;
  auto document = std::make_shared<Document>(path, path.lexically_relative(root()).string(), forgotten_);
  document->usage.unused = slots_.freed();
  by_path_.emplace(path, document);
  by_uri_.emplace(document->uri, document);
  return document;
}

bool is_scratch_path(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::string_view prefix = kScratchName;
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

// --- documents without a file

std::shared_ptr<Document> DocumentStore::make_scratch(std::filesystem::path path,
                                                      const std::filesystem::path& file) {
  // Messages name the file for which the document stands.
  std::string shown = file.empty() ? path.filename().string() : file.lexically_relative(root()).string();
  auto document = std::make_shared<Document>(std::move(path), std::move(shown));
  by_uri_.emplace(document->uri, document);
  return document;
}

void DocumentStore::remove_scratch(Document& document) {
  close(document);
  by_uri_.erase(document.uri);
}

void DocumentStore::set_scratch_text(Document& document, text::Text text, lean::ImportState imports) {
  text::LeanHeader header = text::parse_lean_header(text.str());
  const bool goes_on = document.is_open_with(header, imports);
  document.disk.header = std::move(header);
  document.worker.imports = std::move(imports);
  document.usage.last_used = io::Clock::now();
  if (server_->state() != lean::Server::State::Ready) {  // the server went away after acquire()
    close(document);
    return lost(document, "Lean's server is not running.");
  }
  if (!goes_on) {
    close(document);
    return open(document, std::move(text));
  }
  if (const auto edit = text::smallest_edit(document.state.text().str(), text.str()))
    send_edit(document, *edit);
}

void DocumentStore::end_scratch_worker(Document& document, const std::string& why) {
  close(document);
  lost(document, why);
}

// --- notifications from Lean

void DocumentStore::on_diagnostics(lean::PublishDiagnostics message) {
  const auto found = by_uri_.find(message.uri);
  if (found == by_uri_.end()) return;
  drop_messages_about_our_command(message, *found->second);
  if (!found->second->state.apply(std::move(message))) return;
  note_configuration_failure(*found->second, *server_);  // before any call can answer with this message
  open_anew_if_stale(*found->second);
  found->second->changed.notify_all();
}

/// Lean may keep state across an edit that refers to text which the edit has removed. Then an error names an
/// internal variable of Lean's, and disappears only with the worker. If a new worker reports the same error,
/// the cause is another one.
void DocumentStore::open_anew_if_stale(Document& document) {
  if (!document.state.open() || document.worker.names_internals || !has_internal_name(document.state)) return;
  if (!document.worker.edited) {
    document.worker.names_internals = true;
    return;
  }
  log::info("reopening {}: an error names a variable of Lean's own", document.name);
  text::Text text = document.state.text();
  server_->notify("textDocument/didClose", {{"textDocument", {{"uri", document.uri}}}});
  document.state.closed();
  document.worker.rpc_session.reset();
  open(document, std::move(text));
}

void DocumentStore::on_progress(const lean::FileProgress& message) {
  const auto found = by_uri_.find(message.uri);
  if (found == by_uri_.end()) return;
  Document& document = *found->second;
  const bool was_done = document.state.done();
  if (!document.state.apply(message)) return;
  // Lean's server never answers a request that it could not hand to the dead worker, so only this
  // notification tells (Lean.Server.Watchdog keeps the request for the next worker, which starts with the
  // next edit).
  if ((was_done || document.state.header_loaded()) && document.state.header_failed())
    return worker_died(document, "Lean does not say why.");
  note_configuration_failure(document, *server_);
  document.changed.notify_all();
}

void DocumentStore::on_down(const Error& error) {
  all_lost(error.message);
}

void DocumentStore::on_starting() {
  configuration_ = lean::configuration_state(root());
  references_ = std::make_shared<References>();
  references_->looking = true;
  io::spawn(context_, look_at_references(shared_from_this(), references_));
}

void DocumentStore::on_ready() {
  ++servers_ready_;
  if (configuration_)
    configuration_ =
        lean::configuration_read(root(), *std::move(configuration_), lean::configuration_state(root()));
  restores_warnings_ = configuration_ && may_silence_sorries(*configuration_);
}

asio::awaitable<void> DocumentStore::look_at_references(std::shared_ptr<DocumentStore> self,
                                                        std::shared_ptr<References> references) {
  auto work = [root = self->root()]() -> Result<lean::ImportState> { return lean::built_references(root); };
  auto found = co_await self->pool_.run(std::move(work), io::CancelScope(kReferencesLimit));
  references->looking = false;
  if (found) {
    json changes = json::array();
    if (references->known) {
      for (const auto& [path, identity] : *found)
        if (const auto before = references->known->find(path); before == references->known->end())
          changes.push_back({{"uri", text::file_uri(path)}, {"type", kFileCreated}});
        else if (before->second != identity)
          changes.push_back({{"uri", text::file_uri(path)}, {"type", kFileChanged}});
      for (const auto& [path, identity] : *references->known)
        if (!found->contains(path))
          changes.push_back({{"uri", text::file_uri(path)}, {"type", kFileDeleted}});
    }
    references->known = std::move(*found);
    if (!changes.empty() && self->references_ == references)
      self->server_->notify("workspace/didChangeWatchedFiles", {{"changes", std::move(changes)}});
  }
  references->changed.notify_all();
}

asio::awaitable<void> DocumentStore::report_built_references(io::CancelScope scope) {
  const auto self = shared_from_this();
  const auto references = references_;
  const auto is_idle = [&] { return !references->looking; };
  // A scan that began before this call may have missed a file that was written since, so always start one.
  if (co_await io::wait_until(references->changed, scope, is_idle) != io::WaitStatus::Ready) co_return;
  references->looking = true;
  io::spawn(context_, look_at_references(self, references));
  co_await io::wait_until(references->changed, scope, is_idle);
}

void DocumentStore::all_lost(const std::string& why) {
  configuration_.reset();
  for (const auto& [uri, document] : by_uri_) {
    document->worker.known_to_server = false;
    if (document->state.open()) lost(*document, why);
  }
}

void DocumentStore::note_failure(const std::shared_ptr<Document>& document, const lean::RequestError& error) {
  const bool died = error.code == lean::kWorkerCrashed || error.code == lean::kWorkerExited;
  if (died && document->state.open()) worker_died(*document, error.error.message);
}

Error worker_death(const Document& document) {
  const int deaths = document.worker.crashes;
  std::string message = "Lean's worker for " + document.name + " ended: " + document.worker.last_crash;
  if (deaths > 1) message += " It has died " + std::to_string(deaths) + " times on this text.";
  return Error(ErrorKind::WorkerCrashed, std::move(message),
               deaths < 2 ? "Call again: the file is reopened."
                          : "Calling again will not help. Change the text: the usual cause is deep recursion "
                            "or memory near the last edit; lean_reset starts Lean anew.");
}

void DocumentStore::worker_died(Document& document, const std::string& why) {
  ++document.worker.crashes;
  lost(document, why);
}

void DocumentStore::lost(Document& document, const std::string& why) {
  log::warn("{}: {}", document.name, why);
  document.worker.last_crash = why;
  document.worker.rpc_session.reset();
  document.state.worker_lost();
  document.worker.text_cancel->cancel();
  document.changed.notify_all();
  slots_.freed()->notify_all();
}

// --- messages to Lean

bool DocumentStore::is_warned_of_sorries(std::string_view text) const {
  return restores_warnings_ && text::place_behind_header(text).has_value();
}

std::string DocumentStore::text_for_lean(const std::string& text) const {
  const auto place = restores_warnings_ ? text::place_behind_header(text) : std::nullopt;
  return place ? std::string(text).insert(*place, kWarnOfSorries) : text;
}

void DocumentStore::drop_messages_about_our_command(lean::PublishDiagnostics& message,
                                                    const Document& document) const {
  if (!restores_warnings_ || !document.state.open()) return;
  const text::Text& text = document.state.text();
  const auto place = text::place_behind_header(text.str());
  if (!place) return;
  const text::LspPosition from = text.lsp_range(*place, *place).start;
  std::erase_if(message.diagnostics, [&](const lean::Diagnostic& diagnostic) {
    const text::LspPosition& start = diagnostic.range.start;
    return start.line == from.line && start.character > from.character;
  });
}

void DocumentStore::open(Document& document, text::Text text) {
  forget_least_recently_used();
  const Version version = document.state.opened(std::move(text));
  document.worker.known_to_server = true;
  document.worker.edited = false;
  document.usage.last_used = io::Clock::now();
  json item = {{"uri", document.uri},
               {"languageId", "lean4"},
               {"version", version},
               {"text", text_for_lean(document.state.text().str())}};
  // "once": build stale imports now, but do not build them again when Lean restarts the worker by itself.
  server_->notify("textDocument/didOpen",
                  {{"textDocument", std::move(item)}, {"dependencyBuildMode", "once"}});
  start_barrier(document);
}

void DocumentStore::send_edit(Document& document, const text::TextEdit& edit) {
  const text::LspRange range = document.state.text().lsp_range(edit.byte_start, edit.byte_end);
  const auto is_beside_our_command = [&](const std::string& text) {
    const auto place = restores_warnings_ ? text::place_behind_header(text) : std::nullopt;
    return place && edit.byte_start <= end_of_line(text, *place);
  };
  bool sends_all = is_beside_our_command(document.state.text().str());
  document.worker.names_internals = document.worker.names_internals && has_internal_name(document.state);
  document.worker.edited = true;
  const Version version = document.state.changed(edit);
  sends_all = sends_all || is_beside_our_command(document.state.text().str());
  json change = {{"range", lean::to_json(range)}, {"text", edit.replacement}};
  if (sends_all) change = {{"text", text_for_lean(document.state.text().str())}};
  server_->notify("textDocument/didChange", {{"textDocument", {{"uri", document.uri}, {"version", version}}},
                                             {"contentChanges", json::array({std::move(change)})}});
  document.worker.crashes = 0;
  start_barrier(document);
}

void DocumentStore::close(Document& document) {
  if (std::exchange(document.worker.known_to_server, false))
    server_->notify("textDocument/didClose", {{"textDocument", {{"uri", document.uri}}}});
  document.state.closed();
  document.worker.rpc_session.reset();
  document.disk.identity_trusted = false;
  document.worker.text_cancel->cancel();
  document.changed.notify_all();
  slots_.freed()->notify_all();
}

bool DocumentStore::close(const std::filesystem::path& path) {
  const auto document = find(path);
  if (!document || (!document->state.open() && !document->state.crashed())) return false;
  close(*document);
  return true;
}

std::shared_ptr<Document> DocumentStore::idlest() const {
  std::shared_ptr<Document> oldest;
  for (const auto& [path, document] : by_path_)
    if (document->state.open() && document->usage.in_use == 0 &&
        (!oldest || document->usage.last_used < oldest->usage.last_used))
      oldest = document;
  return oldest;
}

void DocumentStore::close_because(Document& document, std::string why) {
  log::info("closing {}: {}", document.name, why);
  document.usage.closed_because = std::move(why);
  close(document);
}

std::optional<io::Clock::time_point> DocumentStore::idle_since() const {
  if (server_->state() != lean::Server::State::Ready || scratch_->is_in_use()) return std::nullopt;
  io::Clock::time_point latest = server_->last_request();
  std::size_t open = 0;
  for (const auto& [uri, document] : by_uri_) {
    if (document->usage.in_use > 0) return std::nullopt;
    open += document->state.open() ? 1 : 0;
    latest = std::max(latest, document->usage.last_used);
  }
  // A barrier may be pending for each open file.
  return server_->pending_requests() > open ? std::nullopt : std::optional(latest);
}

asio::awaitable<void> DocumentStore::end_idle_server(std::string why, io::Clock::duration grace) {
  const auto self = shared_from_this();
  if (!idle_since()) co_return;
  log::info("ending lake serve in {}: {}", root().string(), why);
  for (const auto& [path, document] : by_path_)
    if (document->state.open()) close_because(*document, why);
  scratch_->close_free();
  all_lost("Its server was ended because " + why + ".");
  co_await server_->stop(grace);
}

bool DocumentStore::close_least_recently_used() {
  const auto oldest = idlest();
  if (!oldest) return false;
  log::info("closing {}: {} files are open", oldest->name, open_count());
  close(*oldest);
  return true;
}

void DocumentStore::forget_least_recently_used() {
  std::vector<std::shared_ptr<Document>> closed;
  for (const auto& [path, document] : by_path_)
    if (document->is_idle()) closed.push_back(document);
  if (closed.size() <= limits_.max_closed) return;
  std::ranges::sort(closed,
                    [](const auto& a, const auto& b) { return a->usage.last_used > b->usage.last_used; });
  for (std::size_t i = limits_.max_closed; i < closed.size(); ++i) forget(closed[i]);
}

void DocumentStore::forget(std::shared_ptr<Document> document) {
  close(*document);  // if its worker has crashed, the server may still know the document
  forgotten_ = std::max(forgotten_, document->state.version());
  by_uri_.erase(document->uri);
  by_path_.erase(document->path);
}

// One barrier is always pending for the current version: its answer means that everything is reported, and
// its failure reveals that the worker died while no request was pending.
void DocumentStore::start_barrier(Document& document) {
  document.worker.text_cancel->cancel();
  document.worker.text_cancel = std::make_shared<io::CancelSource>();
  document.changed.notify_all();
  io::spawn(context_,
            run_barrier(document.shared_from_this(), document.state.version(), document.worker.text_cancel));
}

asio::awaitable<void> DocumentStore::run_barrier(std::shared_ptr<Document> document, Version version,
                                                 std::shared_ptr<io::CancelSource> cancel) {
  const auto self = shared_from_this();
  io::Clock::duration pause = kFirstBarrierPause;
  for (int tries = 1;; ++tries) {
    json params = {{"uri", document->uri}, {"version", version}};
    // A barrier waits for as long as Lean elaborates; calls have their own deadlines.
    const io::CancelScope scope(io::kNoDeadline, cancel);
    const lean::Reply reply =
        co_await server_->request("textDocument/waitForDiagnostics", std::move(params), scope);
    if (cancel->cancelled()) co_return;
    if (reply) {
      if (document->state.barrier_passed(version)) {
        document->worker.crashes = 0;
        if (!document->state.header_failed()) server_->configuration_loaded();
      }
      document->changed.notify_all();
      co_return;
    }
    note_failure(document, reply.error());
    if (!document->state.open()) co_return;
    log::debug("{}: barrier of version {}: {}", document->name, version, reply.error().error.message);
    if (tries < kImmediateBarrierTries) continue;
    co_await io::sleep_for(pause, scope);
    if (cancel->cancelled()) co_return;
    pause = std::min<io::Clock::duration>(2 * pause, kMaxBarrierPause);
  }
}

}  // namespace leanbridge::document
