#pragma once
/// Documents to try things in: the beginning of a user's file, and after it what Lean shall be asked. The
/// user's own document and its worker are never touched. A scratch document is a worker, which has to
/// elaborate the beginning once; after that only what follows the first difference is elaborated again. So
/// they are kept warm, and each use gets the one whose text has the longest beginning in common with what it
/// wants, among those whose imports are as they are on disk now.
///
/// Their memory is bounded (ScratchLimits): it is looked at before another one is opened, after each use and
/// at intervals meanwhile. Another one is opened only where it fits in beside the others, taken to become as
/// large as the project's largest worker; there is always one. Above the bound idle ones are closed, the
/// largest first; where that is not enough the largest one in use is, and its user told so.

#include "leanbridge/document/document_handle.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

class ScratchPool;

/// The right to use one scratch document alone, for a scope. Given back when destroyed.
class Scratch {
 public:
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  /// Makes this the document's text. Opens it where it is not open, or not with this text's header.
  void set_text(std::string text);
  /// Open only if its worker can go on with the text that it was acquired for.
  const std::shared_ptr<Document>& document() const { return document_; }
  const std::shared_ptr<DocumentStore>& table() const { return table_; }
  DocumentHandle handle() const { return {table_, document_}; }
  /// The text was given up while Lean was still elaborating it: what cannot be interrupted may hold a thread
  /// for ever.
  void gave_up();
  /// That has happened so often that there may be no thread left for others.
  bool needs_restart() const;
  /// The next text gets a new worker.
  void renew();
  /// Its worker was ended because of the bound on memory. Forgotten with the next text.
  bool evicted_for_memory() const;

 private:
  friend class ScratchPool;
  Scratch(std::shared_ptr<ScratchPool> pool, std::shared_ptr<DocumentStore> table,
          std::shared_ptr<Document> document, lean::ImportState imports)
      : pool_(std::move(pool)),
        table_(std::move(table)),
        document_(std::move(document)),
        imports_(std::move(imports)) {}

  std::shared_ptr<ScratchPool> pool_;
  std::shared_ptr<DocumentStore> table_;
  std::shared_ptr<Document> document_;
  lean::ImportState imports_;  // on disk, of the text that it was acquired for
};

/// One per project. Belongs to the loop's thread.
class ScratchPool : public std::enable_shared_from_this<ScratchPool> {
 public:
  ScratchPool(asio::io_context& context, io::Pool& pool, std::weak_ptr<DocumentStore> table,
              ScratchLimits limits)
      : context_(context), pool_(pool), table_(std::move(table)), limits_(std::move(limits)) {}

  /// A free scratch document, the warmest for `text`; waits for one where all are in use. `file`: the user's
  /// file (real path) that the text stands for, to whose library Lake counts the document; empty: none.
  /// Errors of Server::ensure_ready(); Timeout, Cancelled.
  asio::awaitable<Result<Scratch>> acquire(std::string text, io::CancelScope scope,
                                           std::filesystem::path file = {});

  const ScratchLimits& limits() const { return limits_; }
  /// How many are free and open now.
  std::size_t warm_slots() const;
  /// Of those, how many stand for that file.
  std::size_t warm_slots_for(const std::filesystem::path& file) const;

  struct SlotState {
    std::string name;
    bool open = false;
    bool in_use = false;
    std::size_t bytes_of_text = 0;
    std::int64_t resident_bytes = 0;  ///< when it was last looked at
  };
  std::vector<SlotState> slots() const;
  /// Looks at the memory of all of them. What cannot be seen within the scope stays as it was.
  asio::awaitable<void> measure(io::CancelScope scope);

 private:
  friend class Scratch;
  struct Slot {
    std::shared_ptr<Document> document;
    std::filesystem::path file;  // that it stands for: where the document is, and so what Lake makes of it
    bool in_use = false;
    int stuck = 0;
    io::Clock::time_point free_since{};
    std::int64_t bytes = 0;
    bool settled = false;    // measured after a use: it has loaded what it needs
    bool too_large = false;  // its worker was ended while it was in use
  };
  struct Wanted {
    std::filesystem::path file;
    std::string text;
    text::LeanHeader header;
    lean::ImportState imports;
  };
  asio::awaitable<Result<lean::ImportState>> imports_on_disk(std::vector<std::string> imports,
                                                             io::CancelScope scope);
  Slot* warmest(const Wanted& wanted);
  Slot* choose(const Wanted& wanted);
  Slot* moved(Slot& slot, const std::filesystem::path& file);
  Slot* slot_of(const Document& document);
  bool has_room() const;
  void keep_the_bound();
  void take(Slot& slot, const Wanted& wanted);
  void release(const std::shared_ptr<Document>& document);
  void discard(const std::shared_ptr<Document>& document);
  asio::awaitable<void> watch();
  asio::awaitable<void> look_after(std::shared_ptr<Document> document);

  asio::io_context& context_;
  io::Pool& pool_;
  std::weak_ptr<DocumentStore> table_;
  ScratchLimits limits_;
  std::vector<Slot> slots_;
  std::optional<lean::ImportWatch> import_watch_;  // lent to the pool while it looks
  std::int64_t largest_worker_ = kUsualWorker;     // of all documents of the project
  bool watching_ = false;
  bool wants_modules_on_disk_ = false;  // Lake does: scratch documents can be in no library
  int next_number_ = 1;
  io::Condition changed_;

  static constexpr std::int64_t kUsualWorker = std::int64_t{1} << 30;  // before one was seen
};

}  // namespace leanbridge::document
