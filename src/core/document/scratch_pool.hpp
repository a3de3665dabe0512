#pragma once
/// Documents for trying out text: the beginning of a user's file, followed by our question to Lean. The
/// user's own document and its worker are never touched. The worker of a scratch document elaborates the
/// beginning once; after that, Lean elaborates only the text behind the first difference again. So the
/// documents are kept warm, and each use gets the one that shares the longest prefix with the wanted text,
/// among those whose imports are unchanged on disk.
///
/// Their memory is bounded (ScratchLimits) and measured before another one is opened, after each use, and at
/// intervals during use. Another one is opened only if it fits beside the others, assuming that it becomes as
/// large as the project's largest worker; one is always allowed. Above the bound, idle ones are closed,
/// largest first; if that is not enough, the largest one in use is closed and its user told so.
///
/// A document is closed if its worker still computes seconds after its user has abandoned a text and Lean was
/// told: a program or a tactic that cannot be interrupted would otherwise occupy a processor until the next
/// use.

#include "document_handle.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

class ScratchLinks;
class ScratchPool;

/// Exclusive use of one scratch document. Destroying it gives the document back to the pool.
class Scratch {
 public:
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  /// Sets the document's text. Starts a new worker if the document is not open, or has another header.
  void set_text(std::string text);
  /// The document. It is open only if its worker can continue with the text that it was acquired for.
  const std::shared_ptr<Document>& document() const { return document_; }
  const std::shared_ptr<DocumentStore>& store() const { return store_; }
  DocumentHandle handle() const { return {store_, document_}; }
  /// Call this when you abandon a text that Lean is still elaborating: if that cannot be interrupted, it may
  /// hold a thread for ever.
  void abandon_text();
  /// Call this if the worker has answered for another text since and is idle: the abandoned text holds no
  /// thread.
  void recovered();
  /// Whether so many texts were abandoned that all threads may be taken.
  bool needs_restart() const;
  /// Closes the document, so that the next text gets a new worker.
  void renew();
  /// Whether its worker was ended because of the memory limit. Reset by the next text.
  bool evicted_for_memory() const;
  /// The memory of its worker, as last measured; 0: not measured yet.
  std::int64_t resident_bytes() const;

 private:
  friend class ScratchPool;
  Scratch(std::shared_ptr<ScratchPool> pool, std::shared_ptr<DocumentStore> store,
          std::shared_ptr<Document> document, lean::ImportState imports)
      : pool_(std::move(pool)),
        store_(std::move(store)),
        document_(std::move(document)),
        imports_(std::move(imports)) {}

  std::shared_ptr<ScratchPool> pool_;
  std::shared_ptr<DocumentStore> store_;
  std::shared_ptr<Document> document_;
  lean::ImportState imports_;  // the imports on disk, for the text that it was acquired for
};

/// One per project. Belongs to the loop's thread.
class ScratchPool : public std::enable_shared_from_this<ScratchPool> {
 public:
  ScratchPool(asio::io_context& context, io::Pool& pool, std::weak_ptr<DocumentStore> store,
              ScratchLimits limits);
  ~ScratchPool();

  /// A free scratch document, the warmest for `text`; waits its turn if all are in use. `file`: the user's
  /// file (real path) that the text stands for. Lake gives the document the module, library and options of
  /// this file. Empty: the document belongs to no library and has the options of the root package. Errors:
  /// those of Server::ensure_ready(); Timeout, Cancelled; Internal if a link to the file cannot be made.
  asio::awaitable<Result<Scratch>> acquire(std::string text, io::CancelScope scope,
                                           std::filesystem::path file = {});

  /// Starts a worker with the imports of a file in the background, so that the first attempt there need not
  /// wait for them. Does nothing if there is a worker already, or if the machine has less free memory than
  /// two workers take.
  void prepare(const Document& document);
  /// Whether a worker is being prepared.
  bool is_preparing() const { return preparing_; }
  /// Closes what is not in use. False: there was none.
  bool close_free();
  /// The same, since memory is short: prepares nothing from now on.
  bool close_idle() {
    memory_was_short_ = true;
    return close_free();
  }
  bool is_in_use() const;

  const ScratchLimits& limits() const { return limits_; }
  /// Sets ScratchLimits::max_workers and max_worker_bytes, for callers that learn later what fits.
  void limit(std::size_t workers, std::int64_t bytes_each) {
    limits_.max_workers = workers;
    limits_.max_worker_bytes = bytes_each;
  }
  /// The number of documents that are free and open.
  std::size_t warm_slots() const;
  /// The number of these that stand for that file.
  std::size_t warm_slots_for(const std::filesystem::path& file) const;

  struct SlotState {
    std::string name;
    bool open = false;
    bool in_use = false;
    std::int64_t resident_bytes = 0;  ///< as last measured

    static wire::Fields fields() {
      return {wire::field<&SlotState::open>(), wire::field<&SlotState::in_use>(),
              wire::named_field<&SlotState::resident_bytes>("memory_bytes")};
    }
  };
  std::vector<SlotState> slots() const;
  /// Measures the memory of all documents. If the scope ends first, the old values stay.
  asio::awaitable<void> measure(io::CancelScope scope);

 private:
  friend class Scratch;
  struct Slot {
    std::shared_ptr<Document> document;
    std::filesystem::path file;  // the file that it stands for; the document's name is a link to it
    bool in_use = false;
    int stuck = 0;
    io::Clock::time_point free_since{};
    std::int64_t bytes = 0;
    double processor_seconds = 0;  // as last measured
    bool settled = false;          // measured after a use, when its worker has loaded everything it needs
    bool too_large = false;        // its worker was ended during use
  };
  struct Request {
    std::filesystem::path file;
    std::string text;
    text::LeanHeader header;
    lean::ImportState imports;
    std::optional<Error> failure;  // why no document can be made for the request
  };
  asio::awaitable<Result<void>> make_links(io::CancelScope scope);
  asio::awaitable<Result<lean::ImportState>> imports_on_disk(std::vector<std::string> imports,
                                                             io::CancelScope scope);
  Slot* warmest(const Request& request);
  Slot* choose(Request& request);
  Result<Slot> new_slot(const std::filesystem::path& file);
  void remove(Document& document);
  Slot* slot_of(const Document& document);
  bool has_room() const;
  void evict(Slot& slot, const std::string& why);
  void enforce_memory_limit();
  void take(Slot& slot, const Request& request);
  void release(const std::shared_ptr<Document>& document);
  void discard(const std::shared_ptr<Document>& document);
  asio::awaitable<void> start_prepared(std::string header, std::filesystem::path file);
  asio::awaitable<void> watch();
  asio::awaitable<void> look_after(std::shared_ptr<Document> document);
  asio::awaitable<bool> holds_on(const Document& document, const std::function<bool()>& is_used,
                                 io::CancelScope idle);

  asio::io_context& context_;
  io::Pool& pool_;
  std::weak_ptr<DocumentStore> store_;
  ScratchLimits limits_;
  std::vector<Slot> slots_;
  std::shared_ptr<const ScratchLinks> links_;      // null until the first document that stands for a file
  std::optional<lean::ImportWatch> import_watch_;  // empty while the pool has it
  std::int64_t largest_worker_ = kUsualWorker;     // in bytes; among all documents of the project
  bool watching_ = false;
  bool preparing_ = false;
  io::Clock::time_point next_preparation_{};
  bool memory_was_short_ = false;
  int next_number_ = 1;
  io::TurnQueue waiting_;  // requests for a free document
  io::Condition changed_;

  static constexpr std::int64_t kUsualWorker = std::int64_t{1} << 30;  // in bytes; assumed until a worker is
                                                                       // measured
};

}  // namespace leanbridge::document
