#pragma once
/// Documents to try things in: the beginning of a user's file, and after it what Lean shall be asked. The
/// user's own document and its worker are never touched. A scratch document is a worker, which has to
/// elaborate the beginning once; after that only what follows the first difference is elaborated again. So
/// they are kept warm, and each use gets the one whose text has the longest beginning in common with what it
/// wants.

#include "leanbridge/document/document_table.hpp"

#include <functional>
#include <memory>
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

  /// Makes this the document's text. Opens it where it is not open.
  void set_text(std::string text);
  const std::shared_ptr<Document>& document() const { return document_; }
  const std::shared_ptr<DocumentTable>& table() const { return table_; }
  /// The text was given up while Lean was still elaborating it: what cannot be interrupted may hold a thread
  /// for ever.
  void gave_up();

 private:
  friend class ScratchPool;
  Scratch(std::shared_ptr<ScratchPool> pool, std::shared_ptr<DocumentTable> table,
          std::shared_ptr<Document> document)
      : pool_(std::move(pool)), table_(std::move(table)), document_(std::move(document)) {}

  std::shared_ptr<ScratchPool> pool_;
  std::shared_ptr<DocumentTable> table_;
  std::shared_ptr<Document> document_;
};

/// One per project. Belongs to the loop's thread.
class ScratchPool : public std::enable_shared_from_this<ScratchPool> {
 public:
  ScratchPool(asio::io_context& context, io::Pool& pool, std::weak_ptr<DocumentTable> table,
              ScratchLimits limits)
      : context_(context), pool_(pool), table_(std::move(table)), limits_(limits) {}

  /// A free scratch document, the warmest for `text`; waits for one where all are in use.
  /// Errors of Server::ensure_ready(); Timeout, Cancelled.
  asio::awaitable<Result<Scratch>> acquire(std::string text, io::Scope scope);
  /// How many uses can go on at once.
  std::size_t max_slots() const { return limits_.max_slots; }

  struct SlotState {
    std::string name;
    bool open = false;
    bool in_use = false;
    std::size_t bytes_of_text = 0;
  };
  std::vector<SlotState> slots() const;
  /// Ends all that are not in use.
  void close_idle();

 private:
  friend class Scratch;
  struct Slot {
    std::shared_ptr<Document> document;
    bool in_use = false;
    int stuck = 0;
    io::Clock::time_point free_since{};
  };
  Slot* choose(const std::string& text);
  Slot* slot_of(const Document& document);
  void release(const std::shared_ptr<Document>& document);
  void discard(const std::shared_ptr<Document>& document);
  asio::awaitable<void> look_after(std::shared_ptr<Document> document);

  asio::io_context& context_;
  io::Pool& pool_;
  std::weak_ptr<DocumentTable> table_;
  ScratchLimits limits_;
  std::vector<Slot> slots_;
  int next_number_ = 1;
  io::Condition changed_;
};

}  // namespace leanbridge::document
