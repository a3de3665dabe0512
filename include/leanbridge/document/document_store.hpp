#pragma once
/// The documents of one project and the server that elaborates them: the place where pushed notifications
/// become tables that can be waited on. See docs/architecture.md.

#include "leanbridge/document/document.hpp"
#include "leanbridge/document/places.hpp"
#include "leanbridge/io/pool.hpp"
#include "leanbridge/lean/server.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::document {

/// An edit as an agent reads it: its place in the old text.
struct AppliedEdit {
  text::Position start;
  text::Position end;
  std::size_t new_text_length = 0;  ///< code points
};

/// What a sync found and did.
struct Synced {
  DocumentLease document;
  bool was_open = false;
  bool changed = false;                  ///< the text differs from the one Lean had
  std::optional<AppliedEdit> edit;       ///< the smallest edit between the two
  std::optional<std::string> restarted;  ///< why the worker started afresh, if it was open before
};

/// Of one project. See document/scratch_pool.hpp.
struct ScratchLimits {
  std::size_t max_workers = 3;
  /// Resident memory that its scratch workers may have together. Pages that they share count for each.
  std::int64_t max_bytes = std::int64_t{6} << 30;
  io::Clock::duration look_every = std::chrono::seconds(2);  ///< at the memory of those in use
  io::Clock::duration max_idle = std::chrono::minutes(5);    ///< then it is closed
  int max_stuck = 4;  ///< texts given up while Lean was still at them, before its worker is thrown away
  /// Blocking; tests have their own.
  std::function<std::vector<lean::WorkerProcess>(int server)> measure = lean::worker_processes;
};

struct StoreLimits {
  std::size_t max_open = 12;  ///< workers: each costs 1-5 GB with a large library; see document/places.hpp
  ScratchLimits scratch;
  /// Files that were closed, of which the text and the last edits are still known. Then those used longest
  /// ago are forgotten: an agent makes files without end.
  std::size_t max_closed = 64;
};

class ScratchPool;

/// Of a document that is ours and no file, which Lean takes for one of the project: nobody is to be told of
/// it.
bool is_scratch_path(const std::filesystem::path& path);

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class DocumentStore : public std::enable_shared_from_this<DocumentStore> {
 public:
  static std::shared_ptr<DocumentStore> create(asio::io_context& context, io::Pool& pool,
                                               lean::ServerOptions options, StoreLimits limits);

  /// Brings Lean's text of the file to what is on disk now, by the least that does it: open it, send one
  /// edit, start its worker afresh (header or imports changed, worker died), or nothing. Every question
  /// begins here. `path`: real, inside the project. Errors of load_file() and Server::ensure_ready();
  /// WorkerCrashed when its worker died several times at the same text; Timeout where as many files as may be
  /// open were, and in use, until then.
  asio::awaitable<Result<Synced>> sync(std::filesystem::path path, io::CancelScope scope);

  /// False when it was not open.
  bool close(const std::filesystem::path& path);
  /// A new worker for the file, with all that was counted against it forgotten.
  asio::awaitable<Result<void>> reset(std::filesystem::path path, io::CancelScope scope);
  /// A new server; the documents that were open are opened again. Their number.
  asio::awaitable<Result<int>> reset_server(io::CancelScope scope);

  /// A document that is no file: for ScratchPool. It is never synchronised with a disk; its text is what
  /// set_scratch_text() gives it. Lake counts it to the library of `file`; where that is empty, to none.
  std::shared_ptr<Document> make_scratch(int number, const std::filesystem::path& file);
  /// By the smallest edit where the worker can go on with the text, else in a new worker; where the server is
  /// not ready it counts as crashed. `imports`: as they are on disk.
  void set_scratch_text(Document& document, text::Text text, lean::ImportState imports);
  /// Its worker ends, and who waits on it is told that it has crashed, and why.
  void end_scratch_worker(Document& document, const std::string& why);
  void close_scratch(Document& document) { close(document); }
  void remove_scratch(Document& document);

  std::shared_ptr<Document> find(const std::filesystem::path& path) const;
  /// The same, never null: for who waits on a file that may be opened later. Opens nothing.
  std::shared_ptr<Document> document(const std::filesystem::path& path) { return document_for(path); }
  std::vector<std::shared_ptr<Document>> documents() const;
  int open_count() const;

  /// Tells the server of the .ilean files that were written, changed or removed since it read them. To be
  /// called before a question that it answers from them. An early end of the wait leaves them for the next
  /// time.
  asio::awaitable<void> report_built_references(io::CancelScope scope);

  /// To be called with the error of a request about the document: notes the death of its worker.
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
  asio::awaitable<Result<Synced>> sync_locked(std::shared_ptr<Document> document, io::CancelScope scope,
                                              std::optional<Places::Kept> place = std::nullopt);
  void apply_disk(Document& document, DiskState& disk, Synced& synced);
  void open(Document& document, text::Text text);
  void send_edit(Document& document, const text::TextEdit& edit);
  void close(Document& document);
  void lost(Document& document, const std::string& why);
  void worker_died(Document& document, const std::string& why);
  void all_lost(const std::string& why);
  void start_barrier(Document& document);
  asio::awaitable<void> run_barrier(std::shared_ptr<Document> document, Version version,
                                    std::shared_ptr<io::CancelSource> cancel);
  bool close_least_recently_used();
  std::vector<std::string> files_in_use() const;
  asio::awaitable<Result<Places::Kept>> wait_for_place(std::shared_ptr<Document> document,
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
  Places places_;
  std::shared_ptr<lean::Server> server_;
  std::shared_ptr<ScratchPool> scratch_;
  std::map<std::filesystem::path, std::shared_ptr<Document>> by_path_;
  std::map<std::string, std::shared_ptr<Document>> by_uri_;
  Version forgotten_ = 0;                           // the highest of all documents that were forgotten
  std::optional<lean::ImportState> configuration_;  // what the running server has read

  /// The .ilean files that a server knows. A new one for each server, so that a look at the disk that was
  /// begun for the former one changes nothing.
  struct References {
    std::optional<lean::ImportState> known;  // nothing while the first look is under way
    bool looking = false;
    io::Condition changed;
  };
  static asio::awaitable<void> look_at_references(std::shared_ptr<DocumentStore> self,
                                                  std::shared_ptr<References> references);
  std::shared_ptr<References> references_ = std::make_shared<References>();
};

}  // namespace leanbridge::document
