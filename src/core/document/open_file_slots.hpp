#pragma once
/// The limit on the files of a project that are open at the same time. Each is a Lean process, so the limit
/// is strict: opening another file waits until an open file is no longer used. Clients take turns.

#include "core/io/turn_queue.hpp"
#include <tl/expected.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace leanbridge::document {

/// Belongs to the loop's thread. Must outlive its slots and waiters: keep its owner alive while you use it.
class OpenFileSlots {
 public:
  struct Documents {
    std::function<std::size_t()> open;       ///< the number of open documents
    std::function<bool()> close_one_unused;  ///< returns false if all of them are in use
  };
  OpenFileSlots(std::size_t limit, Documents documents) : limit_(limit), documents_(std::move(documents)) {}
  OpenFileSlots(const OpenFileSlots&) = delete;
  OpenFileSlots& operator=(const OpenFileSlots&) = delete;

  /// A reservation for a document that is about to be opened. Destroy it once the document is open, or if it
  /// will not be opened.
  class Slot {
   public:
    Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
    Slot& operator=(Slot&& other) noexcept {
      std::swap(slots_, other.slots_);
      return *this;
    }
    ~Slot() {
      if (slots_) slots_->give_back();
    }

   private:
    friend class OpenFileSlots;
    explicit Slot(OpenFileSlots& slots) : slots_(&slots) {}
    OpenFileSlots* slots_;
  };

  /// A slot that is free, or can be freed by closing an unused document. nullopt if others are waiting
  /// already.
  std::optional<Slot> try_acquire();
  /// Suspends until a slot is free. The error says how the wait ended instead.
  asio::awaitable<tl::expected<Slot, io::WaitStatus>> acquire(io::CancelScope scope);

  std::size_t limit() const { return limit_; }
  /// Notify this when a document was closed, lost its worker, or is no longer used.
  const std::shared_ptr<io::Condition>& freed() const { return freed_; }

 private:
  bool has_room();
  void give_back();

  std::size_t limit_;
  Documents documents_;
  std::size_t reserved_ = 0;
  io::TurnQueue waiting_;
  std::shared_ptr<io::Condition> freed_ = std::make_shared<io::Condition>();
};

}  // namespace leanbridge::document
