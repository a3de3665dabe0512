#pragma once
/// How many calls are under way on one connection, and the limit of it.

#include "leanbridge/base/error.hpp"

#include <cstddef>
#include <memory>

namespace leanbridge::mcp {

/// The place of one call under way, free again when this goes. May outlive its CallSlots.
class CallSlot {
 public:
  CallSlot(CallSlot&& other) noexcept = default;
  CallSlot& operator=(CallSlot&&) = delete;
  ~CallSlot() {
    if (taken_) --*taken_;
  }

 private:
  friend class CallSlots;
  explicit CallSlot(std::shared_ptr<std::size_t> taken) : taken_(std::move(taken)) { ++*taken_; }

  std::shared_ptr<std::size_t> taken_;  // null: moved from
};

class CallSlots {
 public:
  explicit CallSlots(std::size_t limit) : limit_(limit) {}

  std::size_t taken() const { return *taken_; }
  /// RateLimited where as many calls as there may be are under way.
  Result<CallSlot> take();

 private:
  std::size_t limit_;
  std::shared_ptr<std::size_t> taken_ = std::make_shared<std::size_t>(0);
};

}  // namespace leanbridge::mcp
