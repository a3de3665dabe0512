#pragma once
/// A file that Lean has, or has had, open. The store owns it; tools hold it by shared_ptr while they work.

#include "core/io/fair_semaphore.hpp"
#include "core/lean/imports.hpp"
#include "core/text/file_uri.hpp"
#include "core/text/lean_header.hpp"
#include "document_state.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::document {

/// After this many deaths of its worker, the same text is not given to Lean again.
inline constexpr int kMaxCrashesPerText = 3;

/// How many requests about elaborated places a worker gets at once. Each is a task on Lean's threads, and
/// many more tasks than threads slow each other down (docs/decisions/0012-turns.md).
inline constexpr std::size_t kMaxConcurrentRequests = 4;

/// The session for interactive goals (`$/lean/rpc/connect`). It ends with the worker, or 30 s after its last
/// sign of life.
struct RpcSession {
  std::string id;
  io::Clock::time_point renewed;
};

/// The state on disk when the document was last synchronised.
struct DiskMirror {
  bool syncing = false;  ///< only one coroutine at a time reads the disk and sends edits
  lean::FileIdentity identity;
  bool identity_trusted = false;  ///< false while the file is so new that its identity might not show a
                                  ///< change
  text::LeanHeader header;
  std::optional<lean::ImportWatch> import_watch;  ///< empty while a sync has lent it to the pool
};

/// Lean's worker for the document.
struct DocumentWorker {
  bool known_to_server = false;  ///< the running server got its didOpen and no didClose
  bool retries_header = false;   ///< it was reopened because its imports could not be loaded
  lean::ImportState imports;     ///< when it started
  /// Cancelled when the current text is replaced, or the worker is gone. Never null.
  std::shared_ptr<io::CancelSource> text_cancel = std::make_shared<io::CancelSource>();
  bool edited = false;  ///< its text differs from the one that it was started with
  /// A worker that was started with the text has an error that names an internal variable of Lean's.
  bool names_internals = false;
  int crashes = 0;         ///< deaths in a row, with the text unchanged
  std::string last_crash;  ///< the reason of the last death, as a sentence
  std::optional<RpcSession> rpc_session;
  /// Bounds the requests that Lean can answer at once.
  io::FairSemaphore turns{kMaxConcurrentRequests};
};

/// The users of the document. It may be closed to save memory when it has none.
struct DocumentUsage {
  int in_use = 0;  ///< how many calls hold it
  io::Clock::time_point last_used{};
  std::shared_ptr<io::Condition> unused;  ///< notified when `in_use` becomes 0; null for a scratch document
  std::string closed_because;             ///< a clause that the next answer about it gives as the reason
  bool waits_for_slot = false;            ///< its sync waits for an OpenFileSlots::Slot
  io::FairSemaphore writers{1};           ///< those that would begin again after another's write
  io::Clock::duration longest_turn = std::chrono::seconds(10);  ///< of a writer; then another writes, too
};

/// The treatment of a file whose imports could not be loaded, while none of its imported files has changed.
/// Retry may build them; Keep is for callers that only watch.
enum class FailedHeader { Retry, Keep };

struct Document : std::enable_shared_from_this<Document> {
  Document(std::filesystem::path file, std::string display_name, Version forgotten = 0)
      : path(std::move(file)), uri(text::file_uri(path)), name(std::move(display_name)), state(forgotten) {}

  const std::filesystem::path path;  ///< real path, absolute
  const std::string uri;             ///< the only spelling that Lean sees
  const std::string name;            ///< relative to the project, for messages

  DocumentState state;
  /// Notified after every change of `state`, and when a sync ends.
  io::Condition changed;
  DiskMirror disk;
  DocumentWorker worker;
  DocumentUsage usage;
  std::optional<TextAnchor> cursor;  ///< the cursor of the proof stepper

  /// Whether its worker has loaded exactly these imports, and so can continue with any text with this header.
  /// False for a worker that gave up at its header and is to be retried: the missing import may exist now,
  /// and no file that we watch would show it.
  bool is_open_with(const text::LeanHeader& wanted, const lean::ImportState& on_disk,
                    FailedHeader failed = FailedHeader::Retry) const {
    const bool is_to_be_retried = failed == FailedHeader::Retry && state.gave_up_at_header();
    return state.open() && !is_to_be_retried && disk.header.words == wanted.words &&
           worker.imports == on_disk;
  }
  /// Its imports could not be loaded before, and it is unknown yet whether they can be loaded now.
  bool is_retrying_header() const { return worker.retries_header && state.open() && !state.header_settled(); }
  /// It is not open, and no caller holds it or waits for it.
  bool is_idle() const { return !state.open() && usage.in_use == 0 && !changed.has_waiters(); }
  /// The cursor's offset in the current text.
  std::optional<std::size_t> cursor_offset() const { return cursor ? state.resolve(*cursor) : std::nullopt; }
  void set_cursor(std::size_t offset) { cursor = state.anchor(offset); }
};

/// Marks a document as in use for as long as it lives.
class DocumentLease {
 public:
  explicit DocumentLease(std::shared_ptr<Document> document) : document_(std::move(document)) {
    ++document_->usage.in_use;
  }
  DocumentLease(DocumentLease&&) = default;
  DocumentLease(const DocumentLease&) = delete;
  DocumentLease& operator=(DocumentLease&&) = delete;
  ~DocumentLease() {
    if (!document_) return;
    DocumentUsage& usage = document_->usage;
    usage.last_used = io::Clock::now();
    if (--usage.in_use == 0 && usage.unused) usage.unused->notify_all();
  }

  Document& operator*() const { return *document_; }
  Document* operator->() const { return document_.get(); }
  const std::shared_ptr<Document>& share() const { return document_; }

 private:
  std::shared_ptr<Document> document_;
};

/// The error of a call whose worker died: why it died, how often on this text, and what to do.
Error worker_death(const Document& document);

}  // namespace leanbridge::document
