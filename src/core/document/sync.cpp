// DocumentStore::sync: makes Lean's text of a file equal to what is on disk, with the least effort.

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/task_group.hpp"
#include "core/lean/unbuilt_imports.hpp"
#include "core/text/utf8.hpp"
#include "document_store.hpp"
#include "file.hpp"
#include <fmt/format.h>

namespace leanbridge::document {

namespace {

constexpr auto kStopGrace = std::chrono::seconds(2);

// Sets DiskMirror::syncing for a scope.
class SyncLock {
 public:
  explicit SyncLock(std::shared_ptr<Document> document) : document_(std::move(document)) {
    document_->disk.syncing = true;
  }
  SyncLock(const SyncLock&) = delete;
  SyncLock& operator=(const SyncLock&) = delete;
  ~SyncLock() {
    document_->disk.syncing = false;
    document_->changed.notify_all();
  }

 private:
  std::shared_ptr<Document> document_;
};

AppliedEdit described(const text::Text& before, const text::TextEdit& edit) {
  return {before.position_at(edit.byte_start), before.position_at(edit.byte_end),
          text::count_code_points(edit.replacement)};
}

// Sets a flag for a scope.
class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  ~Flag() { flag_ = false; }

 private:
  bool& flag_;
};

tl::unexpected<Error> no_slot(std::size_t limit, const std::vector<std::string>& users) {
  constexpr std::size_t kMaxNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(users.size(), kMaxNamed); ++i) names += (i > 0 ? ", " : "") + users[i];
  if (users.size() > kMaxNamed) names += " ...";
  const bool one = limit == 1;
  return fail(ErrorKind::Timeout,
              (one ? std::string("The only slot for open files was")
                   : "All " + std::to_string(limit) + " slots for open files were") +
                  " in use until the call's deadline" +
                  (names.empty() ? "." : ", by calls about " + names + "."),
              "Call again with a larger timeout_s, or about fewer files at once; --max-open-files allows "
              "more, each with its own Lean process.");
}

tl::unexpected<Error> ended_early(io::WaitStatus end) {
  if (end == io::WaitStatus::Cancelled) return call_cancelled();
  return fail(ErrorKind::Timeout, "Another call was still reading the file at this call's deadline.",
              "Call again with a larger timeout_s.");
}

}  // namespace

/// The findings of one visit to the disk: the file, its imports and the project's configuration.
struct DocumentStore::DiskState {
  LoadedFile file;
  text::LeanHeader header;
  lean::ImportWatch watch;
  lean::ImportState imports;
  lean::ImportState configuration;
  Result<void> may_be_opened;  ///< checked only if it is not open
};

asio::awaitable<Result<DocumentStore::DiskState>> DocumentStore::read_disk(std::shared_ptr<Document> document,
                                                                           io::CancelScope scope) {
  std::optional<lean::FileIdentity> known;
  if (document->state.open() && document->disk.identity_trusted) known = document->disk.identity;
  auto watch = std::exchange(document->disk.import_watch, std::nullopt).value_or(lean::ImportWatch(root()));
  auto work = [path = document->path, name = document->name, known, root = root(),
               is_open = document->state.open(), header = document->disk.header,
               watch = std::move(watch)]() mutable -> Result<DiskState> {
    TRY(auto file, load_file(path, name, known));
    if (file.text) header = text::parse_lean_header(file.text->str());
    auto imports = watch.state_of(header.imported_modules());
    auto configuration = watch.configuration();
    Result<void> may_be_opened;
    if (!is_open) may_be_opened = lean::check_imports_are_built(root, header.imported_modules(), imports);
    return DiskState{std::move(file),    std::move(header),        std::move(watch),
                     std::move(imports), std::move(configuration), std::move(may_be_opened)};
  };
  auto disk = co_await pool_.run(std::move(work), scope);
  if (disk) document->disk.import_watch = std::move(disk->watch);
  co_return disk;
}

asio::awaitable<Result<SyncReport>> DocumentStore::sync(std::filesystem::path path, io::CancelScope scope,
                                                        FailedHeader failed) {
  const auto self = shared_from_this();
  const auto document = document_for(path);
  const DocumentLease lease(document);
  const io::WaitStatus end =
      co_await io::wait_until(document->changed, scope, [&] { return !document->disk.syncing; });
  if (end == io::WaitStatus::TimedOut && document->usage.waits_for_slot)
    co_return no_slot(limits_.max_open, files_in_use());
  if (end != io::WaitStatus::Ready) co_return ended_early(end);
  const SyncLock lock(document);
  auto synced = co_await sync_locked(document, scope, failed);
  // Do not keep an entry for a path that never was a file, or is none any more.
  const bool is_none =
      !synced && (document->state.version() == 0 || synced.error().kind == ErrorKind::FileNotFound);
  const bool others_hold_it = document->usage.in_use > 1 || document->changed.has_waiters();
  if (is_none && !document->state.open() && !others_hold_it) forget(document);
  co_return synced;
}

asio::awaitable<Result<SyncReport>> DocumentStore::sync_locked(std::shared_ptr<Document> document,
                                                               io::CancelScope scope, FailedHeader failed,
                                                               std::optional<OpenFileSlots::Slot> slot) {
  // An earlier call made Lean retry the imports, perhaps before they were fixed: its outcome decides whether
  // this call retries once more. The rest of the call handles a wait that times out.
  const auto settled = [&] { return !document->is_retrying_header(); };
  if (co_await io::wait_until(document->changed, scope, settled) == io::WaitStatus::Cancelled)
    co_return call_cancelled();
  const std::uint64_t servers_before = servers_ready_;
  auto disk = co_await read_disk(document, scope);
  if (!disk) {
    const ErrorKind kind = disk.error().kind;
    const bool unreadable = kind == ErrorKind::FileNotFound || kind == ErrorKind::InvalidArgument;
    if (unreadable && document->state.open()) close(*document);
    co_return tl::unexpected(disk.error());
  }
  // Lake may write the manifest while it starts, which is no change: the disk is read again afterwards.
  if (server_->state() == lean::Server::State::Starting || servers_ready_ != servers_before) {
    CO_CHECK(co_await server_->ensure_ready(scope));
    co_return co_await sync_locked(document, scope, failed, std::move(slot));
  }
  SyncReport synced{DocumentLease(document), document->state.open(), false, {}, {}};

  if (configuration_ && *configuration_ != disk->configuration) {
    const std::string names =
        fmt::format("{}", fmt::join(lean::changed_files(*configuration_, disk->configuration), ", "));
    log::info("restarting lake serve: {} changed", names);
    // Do this before the wait: meanwhile another call may start the new server and open its document there.
    all_lost("The server was restarted because " + names + " changed.");
    CO_CHECK(co_await stop_server(scope));
    synced.restarted = names + " changed: lake serve was restarted";
  }
  if (server_->is_to_be_replaced())
    synced.restarted = "Lake could not load the project before: lake serve was restarted";
  CO_CHECK(co_await server_->ensure_ready(scope));

  if (!document->state.open()) CO_CHECK(disk->may_be_opened);

  const bool same_text = !disk->file.text || *disk->file.text == document->state.text();
  if (document->worker.crashes >= kMaxCrashesPerText && same_text)
    co_return tl::unexpected(worker_death(*document));
  if (!document->state.open() && !slot) slot = slots_.try_acquire();
  if (!document->state.open() && !slot) {
    CO_TRY(auto given, co_await wait_for_slot(document, scope));
    // The file may have changed meanwhile, and the server may have gone.
    auto again = co_await sync_locked(document, scope, failed, std::move(given));
    if (again && !again->restarted) again->restarted = std::move(synced.restarted);
    if (again) again->was_open = again->was_open || synced.was_open;
    co_return again;
  }
  apply_disk(*document, *disk, synced, failed);
  co_return synced;
}

asio::awaitable<Result<OpenFileSlots::Slot>> DocumentStore::wait_for_slot(std::shared_ptr<Document> document,
                                                                          io::CancelScope scope) {
  const Flag waits(document->usage.waits_for_slot);
  auto slot = co_await slots_.acquire(scope);
  if (slot) co_return std::move(*slot);
  if (slot.error() == io::WaitStatus::Cancelled) co_return call_cancelled();
  co_return no_slot(limits_.max_open, files_in_use());
}

std::vector<std::string> DocumentStore::files_in_use() const {
  std::vector<std::string> names;
  for (const auto& [path, document] : by_path_)
    if (document->state.open() && document->usage.in_use > 0) names.push_back(document->name);
  return names;
}

void DocumentStore::apply_disk(Document& document, DiskState& disk, SyncReport& synced, FailedHeader failed) {
  const bool header_changed = document.disk.header.words != disk.header.words;
  std::optional<text::TextEdit> edit;
  if (disk.file.text) edit = text::smallest_edit(document.state.text().str(), disk.file.text->str());
  synced.changed = synced.was_open && edit.has_value();
  if (synced.changed) synced.edit = described(document.state.text(), *edit);
  document.disk.identity = disk.file.identity;
  document.disk.identity_trusted = disk.file.trusted;
  document.usage.last_used = io::Clock::now();

  if (document.is_open_with(disk.header, disk.imports, failed)) {
    if (edit) send_edit(document, *edit);
    return;
  }
  if (document.state.open()) {
    const auto files = lean::changed_files(document.worker.imports, disk.imports);
    synced.restarted = header_changed ? "the imports in its header changed"
                       : !files.empty()
                           ? "an import changed on disk: " + fmt::format("{}", fmt::join(files, ", "))
                           : "its imports could not be loaded before";
    document.worker.retries_header = document.state.header_failed() || document.is_retrying_header();
    close(document);
  } else if (document.state.crashed()) {
    if (!synced.restarted) synced.restarted = "its worker had ended: " + document.worker.last_crash;
    close(document);
  }
  if (const std::string why = std::exchange(document.usage.closed_because, {});
      !why.empty() && !synced.restarted)
    synced.restarted = "it was closed because " + why;
  if (edit) document.worker.crashes = 0;
  document.disk.header = std::move(disk.header);
  document.worker.imports = std::move(disk.imports);
  if (!disk.file.text) disk.file.text = document.state.text();
  open(document, std::move(*disk.file.text));
  document.disk.identity_trusted = disk.file.trusted;
}

asio::awaitable<Result<void>> DocumentStore::reset(std::filesystem::path path, io::CancelScope scope) {
  if (const auto document = find(path)) {
    document->worker.crashes = 0;
    close(*document);
  }
  CO_TRY(auto synced, co_await sync(path, scope));
  co_return Result<void>();
}

// Stops the server. One that does not exit takes seconds; a call with a nearer deadline does not wait.
asio::awaitable<Result<void>> DocumentStore::stop_server(io::CancelScope scope) {
  io::TaskGroup stopping;
  stopping.start(context_.get_executor(), server_->stop(kStopGrace));
  switch (co_await stopping.wait(scope)) {
    case io::WaitStatus::Ready:
      break;
    case io::WaitStatus::Cancelled:
      co_return call_cancelled();
    case io::WaitStatus::TimedOut:
      co_return fail(ErrorKind::Timeout, "`lake serve` had not exited by the call's deadline.",
                     "Call again: a new one will be started.");
  }
  co_return Result<void>();
}

asio::awaitable<Result<int>> DocumentStore::reset_server(io::CancelScope scope) {
  std::vector<std::filesystem::path> were_open;
  for (const auto& [path, document] : by_path_)
    if (document->state.open() || document->state.crashed()) were_open.push_back(path);
  all_lost("The server was restarted by lean_reset.");
  CO_CHECK(co_await stop_server(scope));
  int opened = 0;
  for (const auto& path : were_open) {
    auto synced = co_await sync(path, scope);
    if (synced)
      ++opened;
    else if (synced.error().kind != ErrorKind::FileNotFound)
      co_return tl::unexpected(synced.error());
  }
  CO_CHECK(co_await server_->ensure_ready(scope));
  co_return opened;
}

}  // namespace leanbridge::document
