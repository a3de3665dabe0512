#include "byte_stream.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <vector>

namespace leanbridge::io {

namespace {
constexpr std::size_t kReadSize = 64u << 10;
// Small messages leave together: one system call for a burst of answers. Large ones leave by themselves, so
// that a coroutine that waits for room notices early.
constexpr std::size_t kGatherLimit = 64;
constexpr std::size_t kGatherBytes = 64u << 10;
}  // namespace

OutgoingQueue::OutgoingQueue(asio::posix::stream_descriptor stream, std::size_t limit)
    : stream_(std::move(stream)), limit_(limit) {}

bool OutgoingQueue::send(std::string bytes) {
  if (closed_ || closing_) return false;
  if (queued_bytes_ > limit_) {
    failed("the reader does not keep up: " + std::to_string(queued_bytes_) + " bytes are waiting");
    return false;
  }
  queued_bytes_ += bytes.size();
  queue_.push_back(std::move(bytes));
  if (!writing_) {
    writing_ = true;
    io::spawn(stream_.get_executor(), [self = shared_from_this()] { return self->write_all(); });
  }
  return true;
}

asio::awaitable<void> OutgoingQueue::write_all() {
  while (!queue_.empty() && !closed_) {
    std::vector<std::string> batch;
    std::size_t bytes = 0;
    while (!queue_.empty() && batch.size() < kGatherLimit && bytes < kGatherBytes) {
      bytes += queue_.front().size();
      batch.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    std::vector<asio::const_buffer> buffers;
    buffers.reserve(batch.size());
    for (const std::string& piece : batch) buffers.push_back(asio::buffer(piece));
    boost::system::error_code error;
    co_await asio::async_write(stream_, buffers, asio::redirect_error(asio::use_awaitable, error));
    if (error && !closed_) {
      failed(error.message());
      break;
    }
    if (!closed_) queued_bytes_ -= bytes;
    changed.notify_all();
  }
  writing_ = false;
  if (closing_ && !closed_) close();
}

void OutgoingQueue::watch_reader() {
  stream_.async_wait(asio::posix::stream_descriptor::wait_error,
                     [weak = weak_from_this()](boost::system::error_code error) {
                       const auto self = weak.lock();
                       if (!error && self && !self->closed_) self->failed("the reader is gone");
                     });
}

void OutgoingQueue::failed(const std::string& reason) {
  close();
  if (on_failure) on_failure(reason);
}

void OutgoingQueue::close() {
  if (closed_) return;
  closed_ = true;
  queue_.clear();
  queued_bytes_ = 0;
  boost::system::error_code ignored;
  stream_.close(ignored);
  changed.notify_all();
}

void OutgoingQueue::close_when_drained() {
  closing_ = true;
  if (!writing_) close();
}

asio::awaitable<void> read_to_end(std::shared_ptr<asio::posix::stream_descriptor> stream,
                                  std::function<bool(std::string_view)> on_bytes,
                                  std::function<void(const std::string& reason)> on_end,
                                  std::function<asio::awaitable<void>()> ready_for_more) {
  std::vector<char> buffer(kReadSize);
  std::string reason;
  for (;;) {
    try {
      if (ready_for_more) co_await ready_for_more();
    } catch (const std::exception& failure) {  // see below
      reason = failure.what();
      break;
    }
    boost::system::error_code error;
    const std::size_t count = co_await stream->async_read_some(
        asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
    if (error) {
      if (error == asio::error::operation_aborted) co_return;  // closed by its owner
      if (error != asio::error::eof) reason = error.message();
      break;
    }
    try {
      if (!on_bytes(std::string_view(buffer.data(), count))) co_return;
    } catch (const std::exception& failure) {  // the coroutine is detached, so the owner must be told
      reason = failure.what();
      break;
    }
  }
  on_end(reason);
}

}  // namespace leanbridge::io
