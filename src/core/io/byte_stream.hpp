#pragma once
/// The two halves of a byte pipe: a reader coroutine and a bounded outgoing queue with a single writer.

#include "condition.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace leanbridge::io {

/// Outgoing bytes of one descriptor. send() only enqueues; one coroutine writes them in order and keeps the
/// queue alive meanwhile, hence the shared_ptr.
class OutgoingQueue : public std::enable_shared_from_this<OutgoingQueue> {
 public:
  static constexpr std::size_t kDefaultLimit = 64u << 20;  // in bytes
  static constexpr std::size_t kHighWater = 4u << 20;      // in bytes; above it, producers must stop

  explicit OutgoingQueue(asio::posix::stream_descriptor stream, std::size_t limit = kDefaultLimit);

  /// False if the queue is closed. If more than the limit is already waiting, the peer has stopped reading:
  /// the queue is closed and send() fails. The new bytes do not count, so one large message always fits.
  bool send(std::string bytes);
  /// Accepts nothing more, drops the queued bytes and closes the descriptor.
  void close();
  /// Accepts nothing more, and closes the descriptor once the queue has been written.
  void close_when_drained();

  /// Makes the queue report a reader that goes away even while nothing is written. Does nothing for
  /// descriptors that cannot be waited on, such as regular files, which have no reader to lose.
  void watch_reader();

  bool closed() const { return closed_; }
  std::size_t queued_bytes() const { return queued_bytes_; }
  bool above_high_water() const { return queued_bytes_ > kHighWater; }

  /// Notified when bytes have left, and when the queue closes.
  Condition changed;
  /// Called once, when writing fails, the limit is exceeded or a watched reader is gone; not after close().
  std::function<void(const std::string& reason)> on_failure;

 private:
  asio::awaitable<void> write_all();
  void failed(const std::string& reason);

  asio::posix::stream_descriptor stream_;
  std::size_t limit_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  bool writing_ = false;
  bool closed_ = false;
  bool closing_ = false;
};

/// Reads `stream` to its end and passes every chunk to `on_bytes`, which returns false to stop. `on_end` gets
/// the reason: empty for a clean end of file. Both run on the loop's thread. `ready_for_more` (optional) is
/// awaited before each read and so provides back-pressure.
asio::awaitable<void> read_to_end(std::shared_ptr<asio::posix::stream_descriptor> stream,
                                  std::function<bool(std::string_view)> on_bytes,
                                  std::function<void(const std::string& reason)> on_end,
                                  std::function<asio::awaitable<void>()> ready_for_more = {});

}  // namespace leanbridge::io
