#include "core/io/byte_stream.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace leanbridge::io {

using test::Loop;

namespace {

struct Pipe {
  Pipe() { REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  int take_write() { return std::exchange(ends[1], -1); }
  int take_read() { return std::exchange(ends[0], -1); }
  void close_read() {
    if (ends[0] >= 0) ::close(std::exchange(ends[0], -1));
  }
  void close_write() {
    if (ends[1] >= 0) ::close(std::exchange(ends[1], -1));
  }
  void put(std::string_view bytes) {
    REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }

  std::array<int, 2> ends{-1, -1};
};

std::shared_ptr<OutgoingQueue> queue_into(Loop& loop, Pipe& pipe,
                                          std::size_t limit = OutgoingQueue::kDefaultLimit) {
  return std::make_shared<OutgoingQueue>(asio::posix::stream_descriptor(loop.context, pipe.take_write()),
                                         limit);
}

/// Everything that the reading end yields, read on the loop.
struct Reader {
  Reader(Loop& loop, Pipe& pipe)
      : stream(std::make_shared<asio::posix::stream_descriptor>(loop.context, pipe.take_read())) {}
  void start(Loop& loop) {
    asio::co_spawn(
        loop.context,
        read_to_end(
            stream, [this](std::string_view bytes) { return text += bytes, text.size() < stop_at; },
            [this](const std::string& why) { ended = true, reason = why; }),
        asio::detached);
  }
  std::shared_ptr<asio::posix::stream_descriptor> stream;
  std::string text;
  std::size_t stop_at = std::string::npos;
  bool ended = false;
  std::string reason;
};

}  // namespace

TEST_CASE("a queue keeps the order, however much there is", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe);
  Reader reader(loop, pipe);
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string piece =
        std::to_string(i) + std::string(static_cast<std::size_t>(i % 7) * 50, 'x') + "\n";
    expected += piece;
    CHECK(queue->send(piece));
  }
  CHECK(queue->queued_bytes() == expected.size());  // more than a pipe holds, and nobody reads yet
  reader.start(loop);
  queue->close_when_drained();
  CHECK_FALSE(queue->send("too late"));
  CHECK_FALSE(queue->closed());
  REQUIRE(loop.until([&] { return reader.ended; }));
  CHECK(reader.text == expected);
  CHECK(reader.reason.empty());
  CHECK(queue->closed());
  CHECK(queue->queued_bytes() == 0);
}

TEST_CASE("close_when_drained closes an idle queue at once", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe);
  queue->close_when_drained();
  CHECK(queue->closed());
  CHECK_FALSE(queue->send("x"));
}

TEST_CASE("the high-water mark shows a slow reader, and that it reads again", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe);
  CHECK_FALSE(queue->above_high_water());
  CHECK(queue->send(std::string(OutgoingQueue::kHighWater, 'a')));
  CHECK(queue->send("b"));
  CHECK(queue->above_high_water());
  const auto wait = [&]() -> asio::awaitable<WaitStatus> {
    co_return co_await wait_until(queue->changed, test::patient(),
                                  [&] { return !queue->above_high_water(); });
  };
  auto below = loop.start(wait());
  loop.settle();
  CHECK_FALSE(below.done());
  Reader reader(loop, pipe);
  reader.start(loop);
  CHECK(loop.finish(below) == WaitStatus::Ready);
}

TEST_CASE("a queue that passes its limit fails, once", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe, 100'000);
  std::vector<std::string> failures;
  queue->on_failure = [&](const std::string& reason) { failures.push_back(reason); };
  CHECK(queue->send(std::string(90'000, 'a')));
  CHECK(queue->send(std::string(90'000, 'b')));
  CHECK_FALSE(queue->send("b"));
  CHECK(queue->closed());
  CHECK_FALSE(queue->send("c"));
  loop.settle();
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].find("does not keep up") != std::string::npos);
}

TEST_CASE("one message may be larger than the limit", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe, 100'000);
  CHECK(queue->send(std::string(1'000'000, 'a')));
  loop.settle();
  CHECK_FALSE(queue->closed());
}

TEST_CASE("a reader that is gone is a failure of the queue", "[io]") {
  Loop loop;
  Pipe pipe;
  const auto queue = queue_into(loop, pipe);
  std::vector<std::string> failures;
  queue->on_failure = [&](const std::string& reason) { failures.push_back(reason); };
  pipe.close_read();
  CHECK(queue->send("x"));
  REQUIRE(loop.until([&] { return queue->closed(); }));
  CHECK(failures == std::vector<std::string>{"Broken pipe"});
  loop.settle();
  CHECK(failures.size() == 1);
}

TEST_CASE("close() drops what is queued and is no failure", "[io]") {
  Loop loop;
  Pipe pipe;
  auto queue = queue_into(loop, pipe);
  bool failed = false;
  queue->on_failure = [&](const std::string&) { failed = true; };
  CHECK(queue->send(std::string(1'000'000, 'x')));
  loop.settle();
  queue->close();
  CHECK(queue->queued_bytes() == 0);
  loop.settle();
  CHECK_FALSE(failed);
  SECTION("and the owner may leave while a write is under way") {
    queue.reset();
  }
  loop.settle();
}

TEST_CASE("an owner may let go of a queue in its own failure", "[io]") {
  Loop loop;
  Pipe pipe;
  auto queue = queue_into(loop, pipe);
  bool failed = false;
  queue->on_failure = [&](const std::string&) {
    failed = true;
    queue.reset();
  };
  pipe.close_read();
  queue->send("x");
  REQUIRE(loop.until([&] { return failed; }));
  CHECK(queue == nullptr);
}

TEST_CASE("read_to_end gives every byte and then the end", "[io]") {
  Loop loop;
  Pipe pipe;
  pipe.put("one ");
  Reader reader(loop, pipe);
  reader.start(loop);
  REQUIRE(loop.until([&] { return reader.text == "one "; }));
  pipe.put("two");
  pipe.close_write();
  REQUIRE(loop.until([&] { return reader.ended; }));
  CHECK(reader.text == "one two");
  CHECK(reader.reason.empty());
}

TEST_CASE("read_to_end stops when it is told to, and says nothing more", "[io]") {
  Loop loop;
  Pipe pipe;
  pipe.put("enough");
  Reader reader(loop, pipe);
  reader.stop_at = 1;
  reader.start(loop);
  REQUIRE(loop.until([&] { return !reader.text.empty(); }));
  pipe.close_write();
  loop.settle();
  CHECK_FALSE(reader.ended);
}

TEST_CASE("an exception of the one who reads ends the reading with its reason", "[io]") {
  Loop loop;
  Pipe pipe;
  pipe.put("x");
  auto stream = std::make_shared<asio::posix::stream_descriptor>(loop.context, pipe.take_read());
  const auto take = [](std::string_view) -> bool { throw std::runtime_error("a broken invariant"); };
  std::string reason;
  const auto on_end = [&](const std::string& why) { reason = why; };
  asio::co_spawn(loop.context, read_to_end(stream, take, on_end), asio::detached);
  REQUIRE(loop.until([&] { return reason == "a broken invariant"; }));
}

TEST_CASE("closing the stream ends the reading without a word", "[io]") {
  Loop loop;
  Pipe pipe;
  Reader reader(loop, pipe);
  reader.start(loop);
  loop.settle();
  reader.stream->close();
  loop.settle();
  CHECK_FALSE(reader.ended);
}

TEST_CASE("a reading error has a reason", "[io]") {
  Loop loop;
  const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // not for reading
  Pipe pipe;
  Reader reader(loop, pipe);
  ::dup2(descriptor, reader.stream->native_handle());
  ::close(descriptor);
  reader.start(loop);
  REQUIRE(loop.until([&] { return reader.ended; }));
  CHECK(reader.reason == "Bad file descriptor");
}

TEST_CASE("back-pressure: nothing is read before the reader is ready for more", "[io]") {
  Loop loop;
  Pipe pipe;
  pipe.put("x");
  bool ready = false;
  Condition changed;
  std::string text;
  const auto until_ready = [&]() -> asio::awaitable<void> {
    co_await wait_until(changed, test::patient(), [&] { return ready; });
  };
  auto stream = std::make_shared<asio::posix::stream_descriptor>(loop.context, pipe.take_read());
  const auto take = [&](std::string_view bytes) { return text += bytes, true; };
  asio::co_spawn(loop.context,
                 read_to_end(
                     stream, take, [](const std::string&) {}, until_ready),
                 asio::detached);
  loop.settle();
  CHECK(text.empty());
  ready = true;
  changed.notify_all();
  REQUIRE(loop.until([&] { return text == "x"; }));
}

}  // namespace leanbridge::io
