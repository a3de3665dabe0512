#pragma once
/// The bound on the files of a project that are open at a time. Each is a Lean process, so none is opened
/// beyond it: who wants to waits until one that is open is not used any more, first come, first served.

#include "leanbridge/io/condition.hpp"

#include <boost/intrusive/list.hpp>
#include <tl/expected.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace leanbridge::document {

/// Belongs to the loop's thread. Outlives what it has given, and those who wait: whoever uses it keeps its
/// owner alive.
class Places {
 public:
  struct Documents {
    std::function<std::size_t()> open;       ///< how many are
    std::function<bool()> close_one_unused;  ///< false: each of them is in use
  };
  Places(std::size_t most, Documents documents) : most_(most), documents_(std::move(documents)) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// For a document that is about to be opened: to be destroyed when it is, or will not be.
  class Kept {
   public:
    Kept(Kept&& other) noexcept : places_(std::exchange(other.places_, nullptr)) {}
    Kept& operator=(Kept&& other) noexcept {
      std::swap(places_, other.places_);
      return *this;
    }
    ~Kept() {
      if (places_) places_->give_back();
    }

   private:
    friend class Places;
    explicit Kept(Places& places) : places_(&places) {}
    Places* places_;
  };

  /// One that is free, or becomes so by closing what nobody uses; nothing where others wait already.
  std::optional<Kept> take();
  /// Suspends until there is one; otherwise how the wait ended.
  asio::awaitable<tl::expected<Kept, io::WaitStatus>> next(io::CancelScope scope);

  std::size_t most() const { return most_; }
  /// To be notified when a document was closed, lost its worker, or is not used any more.
  const std::shared_ptr<io::Condition>& freed() const { return freed_; }

 private:
  // Leaves the queue with the coroutine that waits, in whatever way that ends.
  struct Waiting : io::detail::WaitHook {};
  bool has_room();
  void give_back();

  std::size_t most_;
  Documents documents_;
  std::size_t kept_ = 0;
  boost::intrusive::list<Waiting, boost::intrusive::constant_time_size<false>> waiting_;
  std::shared_ptr<io::Condition> freed_ = std::make_shared<io::Condition>();
};

}  // namespace leanbridge::document
