#pragma once
/// The documents of one project and the server that elaborates them. Here Lean's notifications become state
/// that coroutines can wait on. See docs/architecture.md.

#include "core/io/pool.hpp"
#include "core/lean/server.hpp"
#include "document.hpp"
#include "open_file_slots.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::document {

/// An edit in the form that agents read, in positions of the old text.
struct AppliedEdit {
  text::Position start;
  text::Position end;
  std::size_t new_text_length = 0;  ///< code points
};

/// The findings of a sync, and what it did.
struct SyncReport {
  DocumentLease document;
  bool was_open = false;
  bool changed = false;                  ///< the text differs from Lean's previous one
  std::optional<AppliedEdit> edit;       ///< the smallest edit between the two texts
  std::optional<std::string> restarted;  ///< why the worker was restarted, if the file was open before
};

/// Limits of the scratch documents of one project, see document/scratch_pool.hpp.
struct ScratchLimits {
  std::size_t max_workers = 3;
  /// Resident memory of all scratch workers together. Pages that they share count for each.
  std::int64_t max_bytes = std::int64_t{6} << 30;
  std::int64_t max_worker_bytes = 0;  ///< the limit for each worker in use; 0: only the limit for all
  io::Clock::duration look_every = std::chrono::seconds(2);  ///< how often to measure the workers in use
  io::Clock::duration max_idle = std::chrono::minutes(5);    ///< an unused one is closed after this time
  int max_stuck = 4;  ///< abandoned texts, still elaborating, after which a worker is replaced
  /// How long a worker may take to leave an abandoned text. Some tactics notice only after running once more
  /// for as long as before.
  io::Clock::duration leave_limit = std::chrono::seconds(5);
  /// The folder for links from scratch documents to the files that they stand for; empty: the folder for
  /// temporary files.
  std::filesystem::path links;
  /// Measures the workers. Blocking; tests substitute their own.
  std::function<std::vector<lean::WorkerProcess>(int server)> measure = lean::worker_processes;
  /// The bytes of memory that the machine can spare for a worker prepared in advance. Blocking. Empty: none
  /// is prepared.
  std::function<std::int64_t()> free_bytes;
  /// The pause before a worker is prepared, so that edits and questions that follow at once have the
  /// processors.
  io::Clock::duration prepare_after = std::chrono::milliseconds(500);
};

struct StoreLimits {
  std::size_t max_open = 12;  ///< each open file is a worker: 1-5 GB with a large library
  ScratchLimits scratch;
  /// The number of closed files whose text and last edits are kept. The least recently used are forgotten
  /// first: agents create files without end.
  std::size_t max_closed = 64;
};

class ScratchPool;

/// Whether this is the path of a scratch document, which is no file though Lean takes it for one. Never show
/// it to callers.
bool is_scratch_path(const std::filesystem::path& path);

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class DocumentStore : public std::enable_shared_from_this<DocumentStore> {
 public:
  static std::shared_ptr<DocumentStore> create(asio::io_context& context, io::Pool& pool,
                                               lean::ServerOptions options, StoreLimits limits);

  /// Makes Lean's text of the file equal to what is on disk now, with the least effort: opens it, sends one
  /// edit, restarts its worker (if the header or the imports changed, if the imports could not be loaded and
  /// are to be retried, or if the worker died), or does nothing. Every request about a file begins here.
  /// `path`: a real path inside the project. Errors: those of load_file() and Server::ensure_ready();
  /// WorkerCrashed if its worker died several times at the same text; Timeout if max_open files were in use
  /// until the deadline.
  asio::awaitable<Result<SyncReport>> sync(std::filesystem::path path, io::CancelScope scope,
                                           FailedHeader failed = FailedHeader::Retry);

  /// False if it was not open.
  bool close(const std::filesystem::path& path);
  /// The open file that has been unused for the longest time; null if all are in use.
  std::shared_ptr<Document> idlest() const;
  /// Closes a file that nobody uses. The next sync tells why it was reopened, by this clause.
  void close_because(Document& document, std::string why);
  /// When the server was used last, if it runs and nobody uses it now: no file, no scratch document, no
  /// request about others. nullopt: it does not run, or is in use.
  std::optional<io::Clock::time_point> idle_since() const;
  /// Closes all files and ends the server, if it is idle still. The next sync starts it.
  asio::awaitable<void> end_idle_server(std::string why, io::Clock::duration grace);
  /// Gives the file a new worker and forgets its crashes.
  asio::awaitable<Result<void>> reset(std::filesystem::path path, io::CancelScope scope);
  /// Restarts the server and reopens the documents that were open. Returns their number.
  asio::awaitable<Result<int>> reset_server(io::CancelScope scope);

  /// Makes a document for ScratchPool that is not synchronised with the disk; set_scratch_text() gives it its
  /// text. Lake treats it as the file that `path` leads to. `file`: the file that messages name.
  std::shared_ptr<Document> make_scratch(std::filesystem::path path, const std::filesystem::path& file);
  /// Sends the smallest edit if the worker can continue with the text, otherwise starts a new worker. If the
  /// server is not ready, the document counts as crashed. `imports`: their state on disk.
  void set_scratch_text(Document& document, text::Text text, lean::ImportState imports);
  /// Ends its worker; waiters see a crash, with `why` as the reason.
  void end_scratch_worker(Document& document, const std::string& why);
  void close_scratch(Document& document) { close(document); }
  void remove_scratch(Document& document);

  /// Whether Lean warns of the sorries of a document with this text, even if the lakefile tells it not to.
  bool is_warned_of_sorries(std::string_view text) const;

  std::shared_ptr<Document> find(const std::filesystem::path& path) const;
  /// Like find(), but creates the entry, to wait for a file that may be opened later. Opens nothing.
  std::shared_ptr<Document> document(const std::filesystem::path& path) { return document_for(path); }
  std::vector<std::shared_ptr<Document>> documents() const;
  int open_count() const;

  /// Tells the server which .ilean files were written, changed or removed since it read them. Call it before
  /// a request that Lean answers from them. If the wait ends early, the next call reports them.
  asio::awaitable<void> report_built_references(io::CancelScope scope);

  /// Call this with the error of a request about the document: it records the death of its worker.
  void note_failure(const std::shared_ptr<Document>& document, const lean::RequestError& error);

  lean::Server& server() { return *server_; }
  /// Never null.
  const std::shared_ptr<ScratchPool>& scratch() const { return scratch_; }
  const std::filesystem::path& root() const { return server_->root(); }

 private:
  struct DiskState;

  DocumentStore(asio::io_context& context, io::Pool& pool, StoreLimits limits);

  std::shared_ptr<Document> document_for(const std::filesystem::path& path);
  asio::awaitable<Result<DiskState>> read_disk(std::shared_ptr<Document> document, io::CancelScope scope);
  asio::awaitable<Result<SyncReport>> sync_locked(std::shared_ptr<Document> document, io::CancelScope scope,
                                                  FailedHeader failed,
                                                  std::optional<OpenFileSlots::Slot> slot = std::nullopt);
  void apply_disk(Document& document, DiskState& disk, SyncReport& synced, FailedHeader failed);
  void open(Document& document, text::Text text);
  std::string text_for_lean(const std::string& text) const;
  void drop_messages_about_our_command(lean::PublishDiagnostics& message, const Document& document) const;
  void send_edit(Document& document, const text::TextEdit& edit);
  void close(Document& document);
  void open_anew_if_stale(Document& document);
  void lost(Document& document, const std::string& why);
  void worker_died(Document& document, const std::string& why);
  void all_lost(const std::string& why);
  void start_barrier(Document& document);
  asio::awaitable<void> run_barrier(std::shared_ptr<Document> document, Version version,
                                    std::shared_ptr<io::CancelSource> cancel);
  bool close_least_recently_used();
  std::vector<std::string> files_in_use() const;
  asio::awaitable<Result<OpenFileSlots::Slot>> wait_for_slot(std::shared_ptr<Document> document,
                                                             io::CancelScope scope);
  void forget_least_recently_used();
  void forget(std::shared_ptr<Document> document);
  asio::awaitable<Result<void>> stop_server(io::CancelScope scope);

  void on_diagnostics(lean::PublishDiagnostics message);
  void on_progress(const lean::FileProgress& message);
  void on_down(const Error& error);
  void on_starting();
  void on_ready();

  asio::io_context& context_;
  io::Pool& pool_;
  StoreLimits limits_;
  OpenFileSlots slots_;
  std::shared_ptr<lean::Server> server_;
  std::shared_ptr<ScratchPool> scratch_;
  std::map<std::filesystem::path, std::shared_ptr<Document>> by_path_;
  std::map<std::string, std::shared_ptr<Document>> by_uri_;
  Version forgotten_ = 0;                           // the highest version of all forgotten documents
  std::optional<lean::ImportState> configuration_;  // the one that the running server has read
  std::uint64_t servers_ready_ = 0;                 // how many, one after the other
  bool restores_warnings_ = false;  // a command is sent with documents that makes Lean warn of sorries

  /// The .ilean files that a server knows. Each server gets a new object, so that a scan for an earlier
  /// server changes nothing.
  struct References {
    std::optional<lean::ImportState> known;  // nullopt during the first scan
    bool looking = false;
    io::Condition changed;
  };
  static asio::awaitable<void> look_at_references(std::shared_ptr<DocumentStore> self,
                                                  std::shared_ptr<References> references);
  std::shared_ptr<References> references_ = std::make_shared<References>();
};

}  // namespace leanbridge::document
